# SPDX-License-Identifier: Apache-2.0
# Workloads of four threads, on ranks that draw $READ_POWER and $WRITE_POWER milliwatt, under ViPZonE's mode $MODE.

echo $READ_POWER >"$page_colour/vip_read_power" || exit
echo $WRITE_POWER >"$page_colour/vip_write_power" || exit
echo "$MODE" >"$page_colour/vip_mode" || exit

for workload in 'gups --size 65536' 'stream --size 196608'; do
  echo "measured: program=${workload%% *}"
  (counted $workload --threads 4 --iterations "$ITERATIONS") || exit
done
