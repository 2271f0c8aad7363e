# SPDX-License-Identifier: Apache-2.0
# Each of $PROGRAMS on $HARTS harts, on nodes that draw $READ_POWER and $WRITE_POWER milliwatt, with ViPZonE on or off ($ENABLED). Each
# works on a mebibyte: were it less than the rows that a rank can have open, what the mode costs would be row hits that no larger
# program has. chase and gups make 16384 accesses in each of $ITERATIONS passes, which the harts share. Beside a single pass
# the kernel made some 10000 of its own on a hart, for the threads and at its timer's tick. $POLICIES are the memory's.

set_up policies $POLICIES
vipzone=/sys/kernel/mm/vipzone
node=0
set -- $WRITE_POWER
for read in $READ_POWER; do
  echo "$node $read $1" >$vipzone/nodes || exit
  shift
  node=$((node + 1))
done
echo "$ENABLED" >$vipzone/enabled || exit

for program in $PROGRAMS; do
  for harts in $HARTS; do
    echo "measured: program=$program harts=$harts"
    (counted "$program" --size 1048576 --threads "$harts" --iterations "$ITERATIONS") || exit
  done
done
