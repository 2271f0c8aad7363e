# SPDX-License-Identifier: Apache-2.0
# What the scripts of the experiments are made of; the shell of the prelude has read it.

# join NAME: this shell becomes a member of the cgroup
join() {
  echo 0 >"$1/cgroup.procs"
}

# set_up FOLDER SETTING...: what the memory is set to, as NAME=VALUE of the files in the folder of sysfs
set_up() {
  folder=$1
  shift
  for setting; do echo "${setting#*=}" >"$weir/$folder/${setting%=*}" || exit; done
}

# place NAME BANKS: the group's pages are in the banks, or anywhere when there are none
place() {
  [ -z "$2" ] || echo "$2" >"$1/memory.palloc.banks"
}

# timed COMMAND...: takes this shell's place, a workload that is timed while the memory is $SCALE times slower, and that waits for
# others as the options $meetings say
timed() {
  exec "$@" --memory-divider "$SCALE" $meetings
}

# counted COMMAND...: as timed, and prints the counters $EVENTS of hart 0 and of all ranks. That costs more before and after than
# most workloads do.
counted() {
  timed weirstat -t -x , -H 0 -e "$EVENTS" -- "$@"
}

# neighbour HART COMMAND...: a workload on a hart of its own until neighbours_end; on_hart is what its process begins with
on_hart() { :; }
neighbour() {
  (on_hart "$1"; hart=$1; shift; exec "$@" --hart "$hart" --seed "$((hart + 1))" --iterations 1000000 $meetings) &
  neighbours="$neighbours $!"
}

neighbours_end() {
  kill $neighbours
  wait
  neighbours=
}
