# SPDX-License-Identifier: Apache-2.0
# A pointer chase on hart 0 beside each of $NEIGHBOURS, a growing number of neighbours that write at random, each on a hart of its
# own. The banks of the one on hart N are in $BANKS_N; without, Linux puts the pages where it will. Beside the numbers in $COUNTED
# it is counted what hart 0 waits for.

place hart0 "$BANKS_0"
place hart1 "$BANKS_1"
place hart2 "$BANKS_2"
place hart3 "$BANKS_3"
on_hart() { join "hart$1"; }

there=0
for neighbours_now in $NEIGHBOURS; do
  [ "$neighbours_now" -eq "$there" ] || meeting=/meeting$neighbours_now=$((neighbours_now - there + 1))
  while [ "$there" -lt "$neighbours_now" ]; do
    there=$((there + 1))
    neighbour "$there" gups --size 65536
  done
  echo "measured: neighbours=$neighbours_now"
  run=timed
  case " $COUNTED " in *" $neighbours_now "*) run=counted ;; esac
  (on_hart 0; "$run" chase --hart 0 --size 262144 --iterations "$ITERATIONS") || exit
done
