# SPDX-License-Identifier: Apache-2.0
# A pointer chase on hart 0 beside 0 to 3 neighbours that write at random, each on a hart of its own. The banks of the one on
# hart N are in $BANKS_N; without, Linux puts the pages where it will.

place hart0 "$BANKS_0"
place hart1 "$BANKS_1"
place hart2 "$BANKS_2"
place hart3 "$BANKS_3"

for neighbours in 0 1 2 3; do
  if [ "$neighbours" -gt 0 ]; then
    echo 0 >/started
    (in_group "hart$neighbours" gups --hart "$neighbours" --size 65536 --iterations 1000000 --during /started=1) &
    while read -r started </started; [ "$started" != 1 ]; do :; done
  fi
  echo "measured: neighbours=$neighbours"
  timed_chase hart0 --hart 0 --iterations 2
done
