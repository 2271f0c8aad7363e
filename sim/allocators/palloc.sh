# SPDX-License-Identifier: Apache-2.0
# A pointer chase on hart 0, alone and then beside each of $NEIGHBOURS, a growing number of neighbours that write at random, each on
# a hart of its own. All are there from the beginning, and sleep until it is their turn, so that the pages of the chase are the same
# each time. The banks of the one on hart N are in $BANKS_N; without, Linux puts the pages where it will. With $COUNTED it is also
# counted what a chase of its own waits for, beside none and beside all. $POLICIES are the memory's.

set_up policies $POLICIES
place hart0 "$BANKS_0"
place hart1 "$BANKS_1"
place hart2 "$BANKS_2"
place hart3 "$BANKS_3"
on_hart() { join "hart$1"; }
chase() { (on_hart 0; "$1" chase --hart 0 --size 262144 --iterations "$ITERATIONS") || exit; }

if [ "$COUNTED" ]; then
  echo "measured: neighbours=0 counted=$COUNTED"
  chase counted
fi

turns= numbers=0 there=0
for neighbours_now in $NEIGHBOURS; do
  meetings="--meet /turn$neighbours_now=$((neighbours_now - there + 1))"
  while [ "$there" -lt "$neighbours_now" ]; do
    there=$((there + 1))
    neighbour "$there" gups --size 65536
  done
  turns="$turns $meetings" numbers=$numbers,$neighbours_now
done
meetings="$turns --time-each"
echo "measured: neighbours=$numbers"
chase timed

if [ "$COUNTED" ]; then
  meetings=
  echo "measured: neighbours=$there counted=$COUNTED"
  chase counted
fi
