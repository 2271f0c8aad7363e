#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lets Linux's DAMON move what is used much into the node that draws the least when it is read.
#
# usage: vip-migrate start    a kernel thread watches all other nodes and moves pages of theirs; of several nodes that draw
#                             the least the one with the most free memory gets them
#        vip-migrate stop     the thread ends; what it has moved stays
#        vip-migrate show     prints how many bytes it has found to be used much, and how many of these it has moved
#
# The kernel has CONFIG_DAMON_PADDR and CONFIG_DAMON_SYSFS, and ViPZonE, which knows what nodes draw. A region is used much if
# it is accessed in a tenth of the samples of 100 ms, one each 5 ms. Within a second no more than 16 MiB are moved,
# of regions that are accessed the most.
# Exit code 0, 1 where the kernel lacks something or refuses, 2 for bad arguments.

powers=/sys/kernel/mm/vipzone/nodes
damon=/sys/kernel/mm/damon/admin/kdamonds
thread=$damon/0
page=4096

fail() { # fail CODE MESSAGE
  echo "vip-migrate: $2" >&2
  exit "$1"
}

put() { # put FILE TEXT: below the kernel thread's folder
  { echo "$2" >"$thread/$1"; } 2>/dev/null || fail 1 "$thread/$1: \"$2\" is refused"
}

free_of() { # free_of NODE: in KiB
  while read -r _ _ name amount _; do
    [ "$name" != MemFree: ] || echo "$amount"
  done <"/sys/devices/system/node/node$1/meminfo"
}

# The node that draws the least when it is read, then when it is written
target() {
  best= best_read= best_write= best_free=
  while read -r node read write; do
    [ "$node" != node ] || continue
    free=$(free_of "$node")
    if [ -n "$best" ]; then
      if [ "$read" -ne "$best_read" ]; then
        [ "$read" -lt "$best_read" ] || continue
      elif [ "$write" -ne "$best_write" ]; then
        [ "$write" -lt "$best_write" ] || continue
      else
        [ "$free" -gt "$best_free" ] || continue
      fi
    fi
    best=$node best_read=$read best_write=$write best_free=$free
  done <$powers
  echo "$best"
}

# START END of each zone of other nodes than $1, bytes of physical addresses
others() {
  node= spanned=
  while read -r first second third _; do
    case $first in
      Node) node=${second%,} spanned=0 ;;
      spanned) spanned=$second ;;
      start_pfn:)
        [ "$spanned" -eq 0 ] || [ "$node" = "$1" ] || echo "$((second * page)) $(((second + spanned) * page))"
        ;;
    esac
  done </proc/zoneinfo
}

start() {
  to=$(target)
  regions=$(others "$to")
  [ -n "$regions" ] || fail 1 "node $to is the only one with memory"
  [ ! -e $thread ] || fail 1 "$thread is there: it has been started, or DAMON is used for something else"
  echo 1 >$damon/nr_kdamonds || fail 1 "$damon/nr_kdamonds: 1 is refused"
  put contexts/nr_contexts 1
  put contexts/0/operations paddr
  put contexts/0/monitoring_attrs/intervals/sample_us 5000
  put contexts/0/monitoring_attrs/intervals/aggr_us 100000
  put contexts/0/monitoring_attrs/nr_regions/max 1000
  put contexts/0/monitoring_attrs/nr_regions/min 100
  put contexts/0/targets/nr_targets 1
  ranges=contexts/0/targets/0/regions
  put $ranges/nr_regions "$(echo "$regions" | wc -l)"
  at=0
  while read -r from till; do
    put "$ranges/$at/start" "$from"
    put "$ranges/$at/end" "$till"
    at=$((at + 1))
  done <<END
$regions
END
  put contexts/0/schemes/nr_schemes 1
  scheme=contexts/0/schemes/0
  put $scheme/action migrate_hot
  put $scheme/target_nid "$to"
  put $scheme/access_pattern/sz/max 18446744073709551615
  put $scheme/access_pattern/nr_accesses/min 2
  put $scheme/access_pattern/nr_accesses/max 20
  put $scheme/access_pattern/age/min 2
  put $scheme/access_pattern/age/max 4294967295
  put $scheme/quotas/reset_interval_ms 1000
  put $scheme/quotas/bytes 16777216
  put $scheme/quotas/weights/nr_accesses_permil 1000
  put state on
}

show() {
  put state update_schemes_stats
  read -r found <$thread/contexts/0/schemes/0/stats/sz_tried
  read -r moved <$thread/contexts/0/schemes/0/stats/sz_applied
  echo "found=$found moved=$moved"
}

case "$* $#" in
  'start 1' | 'stop 1' | 'show 1') ;;
  *) fail 2 "usage: vip-migrate start | stop | show" ;;
esac
[ -e $powers ] || fail 1 "$powers: the kernel has no ViPZonE"
[ -e $damon ] || fail 1 "$damon: the kernel has no DAMON that is set up by sysfs"
[ "$1" = start ] || [ -e $thread ] || fail 1 "it has not been started"
case $1 in
  start) start ;;
  stop) put state off && echo 0 >$damon/nr_kdamonds ;;
  show) show ;;
esac
