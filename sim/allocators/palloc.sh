# SPDX-License-Identifier: Apache-2.0
# A pointer chase on hart 0 beside 0 to 3 neighbours that write at random, each on a hart of its own. The banks of the one on
# hart N are in $BANKS_N; without, Linux puts the pages where it will. The memory is $SCALE times slower while loads are timed.

# Grace periods of RCU would take milliseconds, each a million cycles.
echo 1 >/sys/kernel/rcu_expedited
cd /sys/fs/cgroup
mount -o remount,favordynmods cgroup2 .
echo +memory >cgroup.subtree_control

# make_group HART BANKS
make_group() {
  mkdir "hart$1"
  [ -z "$2" ] || echo "$2" >"hart$1/memory.palloc.banks"
}

# on_hart HART WORKLOAD OPTION...
on_hart() {
  echo 0 >"hart$1/cgroup.procs"
  hart=$1
  shift
  exec "$@" --hart "$hart"
}

make_group 0 "$BANKS_0"
make_group 1 "$BANKS_1"
make_group 2 "$BANKS_2"
make_group 3 "$BANKS_3"

for neighbours in 0 1 2 3; do
  if [ "$neighbours" -gt 0 ]; then
    echo 0 >/started
    (on_hart "$neighbours" gups --size 65536 --iterations 1000000 --during /started=1) &
    while read -r started </started; [ "$started" != 1 ]; do :; done
  fi
  echo "measured: neighbours=$neighbours"
  (on_hart 0 chase --size 65536 --iterations 2 --during "$(echo /sys/bus/platform/drivers/weir/*/policies/time_scale)=$SCALE") || exit
done
