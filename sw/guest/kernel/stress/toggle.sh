#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In the guest: change the policies at random while run.sh stresses, then switch them off. What the kernel refuses, as banks
# that others have or pages that cannot move, is counted, too: `toggle NAME DONE REFUSED` for each kind of change.
#
# usage: toggle.sh END    until the guest has been up for END seconds

end=$1
cgroups=/sys/fs/cgroup
colours=/sys/kernel/mm/page_colour
rank=/sys/kernel/mm/rank_assignment
vip=/sys/kernel/mm/vipzone
names=
state=12345

random() { # random BELOW: sets $number
  state=$(((state * 1103515245 + 12345) % 2147483648))
  number=$((state / 65536 % $1))
}

one_of() { # one_of WORD...: sets $word
  random $#
  shift $number
  word=$1
}

count() { # count NAME RIGHT: one more that was done (0), or refused
  case " $names " in
    *" $1 "*) ;;
    *) names="$names $1"; eval "done_$1=0 refused_$1=0" ;;
  esac
  if [ "$2" = 0 ]; then eval "done_$1=\$((done_$1 + 1))"; else eval "refused_$1=\$((refused_$1 + 1))"; fi
}

put() { # put NAME FILE VALUE
  { echo "$3" >"$2"; } 2>/dev/null
  count "$1" $?
}

for_a_while() { # for_a_while SECONDS COMMAND...: ended by a signal after that time
  timeout -s INT "$@" 2>/dev/null
}

change_banks() {
  one_of shared private limited
  group=$word
  one_of 0-3,8-11 0-3,8-9 4-5,12-13 2,10 6 0-3,6-11 1-3,14 0,3 6-7 ""
  put banks $cgroups/$group/memory.palloc.banks "$word"
}

change_private() {
  one_of private private shared
  group=$word
  random 3
  put private $cgroups/$group/memory.palloc.private $((number > 0))
}

no_banks() { # the index of colours goes, and comes again
  for group in shared private limited; do put no_banks $cgroups/$group/memory.palloc.banks ""; done
  read -r active <$colours/active
  count inactive $active
  sleep 1
  put banks $cgroups/shared/memory.palloc.banks 0-3,8-11
  put banks $cgroups/private/memory.palloc.banks 4-5,12-13
  put private $cgroups/private/memory.palloc.private 1
}

migrate() {
  one_of shared private limited plain
  put migrate $cgroups/$word/memory.palloc.migrate 1
}

# A group with pages of its banks goes while these are charged to it.
churn() {
  mkdir $cgroups/churn 2>/dev/null
  put churn_banks $cgroups/churn/memory.palloc.banks 14-15
  random 2
  put churn_private $cgroups/churn/memory.palloc.private $number
  sh -c "echo \$\$ >$cgroups/churn/cgroup.procs; dd if=/dev/zero of=/dev/shm/churn bs=64k count=64; cat /bin/busybox" >/dev/null 2>&1
  echo +memory >$cgroups/churn/cgroup.subtree_control 2>/dev/null
  mkdir $cgroups/churn/below 2>/dev/null
  put below_banks $cgroups/churn/below/memory.palloc.banks 15
  put below_private $cgroups/churn/below/memory.palloc.private 1
  put churn_migrate $cgroups/churn/memory.palloc.migrate 1
  rmdir $cgroups/churn/below 2>/dev/null
  rmdir $cgroups/churn 2>/dev/null
  count rmdir $?
  random 2
  [ $number = 0 ] || rm -f /dev/shm/churn
}

# A process takes its pages along to other banks.
move_process() {
  one_of shared private limited ranked plain
  from=$word
  one_of shared private limited powered plain
  to=$word
  process=$(tail -1 $cgroups/$from/cgroup.procs 2>/dev/null)
  [ -n "$process" ] || return
  put move_process $cgroups/$to/cgroup.procs "$process"
  sleep 1
  put move_process $cgroups/$from/cgroup.procs "$process"
}

rank_assignment() {
  one_of 1 1 0
  put rank $rank/enabled $word
  one_of 0 0 20 100
  put rank_error $rank/error_percent $word
  one_of 1 100 1000
  put rank_interval $rank/interval_ms $word
}

vipzone() {
  one_of 1 1 0
  put vip $vip/enabled $word
  random 2
  put vip_nodes $vip/nodes "$number 300 320"
  put vip_nodes $vip/nodes "$((1 - number)) 450 280"
  one_of 20 0 5 60 100
  put vip_threshold $vip/threshold_percent $word
}

damon() {
  one_of start stop
  vip-migrate "$word"
  count damon $?
}

compact() {
  put compact /proc/sys/vm/compact_memory 1
  one_of 1 3
  put drop_caches /proc/sys/vm/drop_caches $word
}

area() { # of CMA
  for folder in /sys/kernel/debug/cma/*; do break; done
  one_of 16 256 1024
  put cma $folder/alloc $word
  put cma_free $folder/free $word
}

offline() { # a block of memory that can be emptied
  [ -n "$blocks" ] || blocks=$(grep -l Movable /sys/devices/system/memory/memory*/valid_zones)
  one_of $blocks
  block=${word%/valid_zones}
  for_a_while 15 sh -c "echo offline >$block/state"
  count offline $?
  [ "$(cat $block/state)" = online ] || put online $block/state online_movable
}

hart() {
  put hart_off /sys/devices/system/cpu/cpu3/online 0
  sleep 1
  put hart_on /sys/devices/system/cpu/cpu3/online 1
}

generations() {
  one_of y n
  put generations /sys/kernel/mm/lru_gen/enabled $word
}

huge() {
  one_of always madvise never
  put huge /sys/kernel/mm/transparent_hugepage/enabled $word
  one_of 0 1
  put ksm /sys/kernel/mm/ksm/run $word
}

limit() {
  one_of 96M 64M 160M
  put limit $cgroups/limited/memory.max $word
  one_of 4M 32M
  put reclaim $cgroups/limited/memory.reclaim $word
}

look() {
  for process in $(head -3 $cgroups/private/cgroup.procs $cgroups/shared/cgroup.procs 2>/dev/null | grep '^[0-9]'); do
    cat /proc/$process/page_colours /proc/$process/numa_maps >/dev/null 2>&1
  done
  cat $colours/* $rank/* $vip/* $cgroups/*/memory.palloc.banks.effective $cgroups/*/memory.numa_stat >/dev/null 2>&1
  count look $?
}

pool() { # of hugetlbfs
  random 5
  put pool /proc/sys/vm/nr_hugepages $number
}

while read -r now _ </proc/uptime && [ "${now%.*}" -lt "$end" ]; do
  one_of change_banks change_banks change_banks change_private change_private no_banks migrate migrate migrate \
    churn churn churn move_process move_process rank_assignment rank_assignment vipzone vipzone damon compact area \
    offline hart generations huge limit look look pool
  $word
  one_of 0.05 0.3 1
  sleep $word
done

for block in $blocks; do
  [ "$(cat ${block%/valid_zones}/state)" = online ] || put online ${block%/valid_zones}/state online_movable
done
{ vip-migrate stop; rmdir $cgroups/churn/below $cgroups/churn; rm -f /dev/shm/churn; } >/dev/null 2>&1
put rank $rank/enabled 0
put vip $vip/enabled 0
put pool /proc/sys/vm/nr_hugepages 0
put ksm /sys/kernel/mm/ksm/run 2
for name in $names; do eval "echo toggle $name \$done_$name \$refused_$name"; done
