# SPDX-License-Identifier: Apache-2.0
# Each of $PROGRAMS on $HARTS harts, on ranks that draw $READ_POWER and $WRITE_POWER milliwatt, under ViPZonE's mode $MODE. 16384
# accesses of each hart: the kernel makes some 10000 for each meanwhile, for the threads and its timer.

echo $READ_POWER >"$page_colour/vip_read_power" || exit
echo $WRITE_POWER >"$page_colour/vip_write_power" || exit
echo "$MODE" >"$page_colour/vip_mode" || exit

for program in $PROGRAMS; do
  iterations=1
  [ "$program" = gups ] || iterations=8
  for harts in $HARTS; do
    echo "measured: program=$program harts=$harts"
    (counted "$program" --size $((131072 * harts)) --threads "$harts" --iterations "$iterations") || exit
  done
done
