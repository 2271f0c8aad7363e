# SPDX-License-Identifier: Apache-2.0
# Each of $PROGRAMS in four threads, on ranks that draw $READ_POWER and $WRITE_POWER milliwatt, under ViPZonE's mode $MODE.

echo $READ_POWER >"$page_colour/vip_read_power" || exit
echo $WRITE_POWER >"$page_colour/vip_write_power" || exit
echo "$MODE" >"$page_colour/vip_mode" || exit

for program in $PROGRAMS; do
  size=65536
  [ "$program" = gups ] || size=196608
  echo "measured: program=$program"
  (counted "$program" --size "$size" --threads 4 --iterations "$ITERATIONS") || exit
done
