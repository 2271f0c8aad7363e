# SPDX-License-Identifier: Apache-2.0
# Loads that miss their rows, by 1 to 4 harts, from the banks $BANKS, or from where Linux puts the pages without. The
# memory is $SCALE times slower while they are timed.

cd /sys/fs/cgroup
echo +memory >cgroup.subtree_control
mkdir group
[ -z "$BANKS" ] || echo "$BANKS" >group/memory.palloc.banks
echo 0 >group/cgroup.procs

for harts in 1 2 4; do
  echo "measured: harts=$harts"
  chase --threads "$harts" --size 65536 --iterations 2 \
    --during "$(echo /sys/bus/platform/drivers/weir/*/policies/time_scale)=$SCALE" || exit
done
