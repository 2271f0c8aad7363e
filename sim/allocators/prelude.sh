# SPDX-License-Identifier: Apache-2.0
# What all experiments begin with, run once: the machine is saved at its end, and each experiment goes on from there with the
# script that it is handed.

# Grace periods of RCU would take milliseconds, each a million cycles.
echo 1 >/sys/kernel/rcu_expedited
cd /sys/fs/cgroup
mount -o remount,favordynmods cgroup2 .
echo +memory >cgroup.subtree_control
mkdir hart0 hart1 hart2 hart3 all
time_scale=$(echo /sys/bus/platform/drivers/weir/*/policies/time_scale)

# in_group NAME COMMAND...: what takes this shell's place there
in_group() {
  echo 0 >"$1/cgroup.procs"
  shift
  exec "$@"
}

# place NAME BANKS: the group's pages are in the banks, or anywhere when there are none
place() {
  [ -z "$2" ] || echo "$2" >"$1/memory.palloc.banks"
}

# timed_chase GROUP OPTION...: loads that are timed while the memory is $SCALE times slower
timed_chase() {
  group=$1
  shift
  (in_group "$group" chase --size 262144 --during "$time_scale=$SCALE" "$@") || exit
}

# The first time is slower: the caches have nothing of the kernel's yet.
(in_group hart0 chase --hart 0 --size 262144 --iterations 1) >/dev/null || exit

eval "$(weir-freeze)"
