# SPDX-License-Identifier: Apache-2.0
# What the experiments share: cgroups with banks, and loads that are timed while the memory is $SCALE times slower.

# Grace periods of RCU would take milliseconds, each a million cycles.
echo 1 >/sys/kernel/rcu_expedited
cd /sys/fs/cgroup
mount -o remount,favordynmods cgroup2 .
echo +memory >cgroup.subtree_control
time_scale=$(echo /sys/bus/platform/drivers/weir/*/policies/time_scale)

# make_group NAME BANKS: a cgroup whose pages are in the banks, or anywhere when there are none
make_group() {
  mkdir "$1"
  [ -z "$2" ] || echo "$2" >"$1/memory.palloc.banks"
}

# in_group NAME COMMAND...: what takes this shell's place there
in_group() {
  echo 0 >"$1/cgroup.procs"
  shift
  exec "$@"
}

# timed_chase GROUP OPTION...
timed_chase() {
  group=$1
  shift
  (in_group "$group" chase --size 262144 --during "$time_scale=$SCALE" "$@") || exit
}
