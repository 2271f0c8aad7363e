# SPDX-License-Identifier: Apache-2.0
# $PROGRAM, timed while the memory is $SCALE times slower, with its pages where $POLICY has them. $FRAMES, $INTERVAL_US: those of
# weir-rainbow.

cd /sys/bus/platform/drivers/weir-rainbow/weir-rainbow.*
echo "$FRAMES" >frames
echo "$INTERVAL_US" >interval_us
on="bind 1"
case $POLICY in
  dram_only) on="bind 0" ;;
  nvm_only) ;;
  flat_static)
    weights=/sys/kernel/mm/mempolicy/weighted_interleave
    echo 1 >$weights/node0
    echo 8 >$weights/node1
    on="weighted 0-1"
    ;;
  hscc_4k)
    # the costs that Rainbow measures, so that the same pages are worth a move
    echo 1 >enabled || exit
    echo 0 >enabled
    cat costs/migrate_ns >costs/migrate_ns
    echo migrate >mechanism
    echo 1 >enabled || exit
    ;;
  rainbow) echo 1 >enabled || exit ;;
esac

figures() {
  for file in statistics/intervals statistics/promoted statistics/evicted statistics/declined statistics/refused \
    statistics/moved_lines statistics/redirected_reads statistics/redirected_writes; do
    read -r value <$file
    echo "$1 ${file#*/} $value"
  done
}

figures before
weirstat -t -x , -e reads,writes -- on-nodes $on weir-bench $PROGRAM --memory-divider "$SCALE" || exit
figures after
for file in costs/* statistics/least_count; do
  read -r value <$file
  echo "is ${file#*/} $value"
done
