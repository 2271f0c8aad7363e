# SPDX-License-Identifier: Apache-2.0
# $PROGRAM, timed while the memory is $SCALE times slower, with its pages where $POLICY has them. $FRAMES, $INTERVAL_US: those of
# weir-rainbow, which begins when the program has prepared its work.

cd /sys/bus/platform/drivers/weir-rainbow/weir-rainbow.*
echo "$INTERVAL_US" >interval_us

# what Rainbow measures, so that the same pages are worth a move by page tables, by the mechanism $1
take_costs() {
  echo 1 >enabled && echo 0 >enabled || exit
  cat costs/migrate_ns >costs/migrate_ns
  echo "$1" >mechanism
}

on="bind 1"
pages=always
begin=:
case $POLICY in
  dram_only) on="bind 0" ;;
  nvm_only) ;;
  flat_static)
    weights=/sys/kernel/mm/mempolicy/weighted_interleave
    echo 1 >$weights/node0
    echo 8 >$weights/node1
    on="weighted 0-1"
    pages=never
    ;;
  hscc_4k)
    take_costs migrate
    pages=never
    begin="echo 1 >enabled"
    ;;
  hscc_2m)
    # room for one superpage, which moves as soon as a page would: the runs are too short for one to be worth 512 moves
    FRAMES=512
    take_costs migrate-huge
    begin="echo 1 >enabled"
    ;;
  rainbow) begin="echo 1 >enabled" ;;
esac
echo "$FRAMES" >frames
echo $pages >/sys/kernel/mm/transparent_hugepage/enabled

weirstat -t -x , -e reads,writes -- on-nodes $on weir-bench $PROGRAM --memory-divider "$SCALE" \
  --before "echo figures before && grep . statistics/* && $begin" \
  --after "echo figures after && grep . statistics/* costs/* frames"
