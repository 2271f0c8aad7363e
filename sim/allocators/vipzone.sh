# SPDX-License-Identifier: Apache-2.0
# Each of $PROGRAMS in four threads, on ranks that draw $READ_POWER and $WRITE_POWER milliwatt, under ViPZonE's mode $MODE. 65536
# accesses each: the kernel makes some 40000 meanwhile, for the threads and its timer.

echo $READ_POWER >"$page_colour/vip_read_power" || exit
echo $WRITE_POWER >"$page_colour/vip_write_power" || exit
echo "$MODE" >"$page_colour/vip_mode" || exit

for program in $PROGRAMS; do
  iterations=1
  [ "$program" = gups ] || iterations=8
  echo "measured: program=$program"
  (counted "$program" --size 524288 --threads 4 --iterations "$iterations") || exit
done
