#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In the guest: stress-ng in a cgroup for each policy at a time, while toggle.sh changes the policies; then all is
# removed, and what is left is counted and printed, lines of which stress.py makes its result.
#
# usage: run.sh SECONDS ROUND    stress for SECONDS, with other stressors each ROUND seconds

seconds=$1 round=$2
here=/stress
cgroups=/sys/fs/cgroup
colours=/sys/kernel/mm/page_colour
results=/tmp/results
groups="plain shared private limited ranked powered"

# Name and options of each
stressors() {
  cat <<LIST
vm --vm 2 --vm-bytes 96M
vm-populate --vm 1 --vm-bytes 64M --vm-populate
mmap --mmap 1 --mmap-bytes 48M
mmap-file --mmap 1 --mmap-bytes 16M --mmap-file
fork --fork 2 --fork-vm
vfork --vfork 1
brk --brk 1 --brk-bytes 96M
malloc --malloc 2 --malloc-bytes 96M
mremap --mremap 1 --mremap-bytes 32M
madvise --madvise 1
numa --numa 1 --numa-bytes 32M
page-in --vm 1 --vm-bytes 64M --page-in
swap --swap 1
shm --shm 1 --shm-bytes 16M
shm-sysv --shm-sysv 1 --shm-sysv-bytes 8M
bigheap --bigheap 1 --bigheap-bytes 256M
userfaultfd --userfaultfd 1 --userfaultfd-bytes 16M
stack --stack 1
stackmmap --stackmmap 1
memfd --memfd 1 --memfd-bytes 32M
mlock --mlock 1
mincore --mincore 1
mprotect --mprotect 1
msync --msync 1 --msync-bytes 8M
munmap --munmap 1
pageswap --pageswap 1
pagemove --pagemove 1 --pagemove-bytes 16M
rmap --rmap 2
remap --remap 1
tlb-shootdown --tlb-shootdown 1
vm-rw --vm-rw 1 --vm-rw-bytes 16M
vm-splice --vm-splice 1
vm-segv --vm-segv 1
vm-addr --vm-addr 1
mmapfork --mmapfork 1
mmapmany --mmapmany 1
mmaphuge --mmaphuge 1
mmapfixed --mmapfixed 1
mmapcow --mmapcow 1
mmapfiles --mmapfiles 1
memthrash --memthrash 1
tmpfs --tmpfs 1
fault --fault 1
oom-pipe --oom-pipe 1
resources --resources 1
ksm --vm 1 --vm-bytes 32M --vm-madvise mergeable --ksm
hugepage --vm 2 --vm-bytes 64M --vm-madvise hugepage
hdd --hdd 1 --hdd-bytes 32M
iomix --iomix 1 --iomix-bytes 32M
pthread --pthread 1
exec --exec 1
cgroup --cgroup 1
LIST
}

now() { cut -d. -f1 /proc/uptime; }

say() { echo "$*" >>"$results"; }

# Shuffle the list, otherwise for each group.
shuffled() { # shuffled SEED
  stressors | busybox-debian awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $0 }' | sort -n | cut -d' ' -f2-
}

# One group's stressors, one after another, until the time is over
stress() { # stress GROUP SEED
  group=$1 seed=$2 log=/tmp/log.$1
  mkdir -p /mnt/$group
  while [ "$(now)" -lt "$end" ]; do
    shuffled "$seed" >/tmp/list.$group
    while read -r name words; do
      left=$((end - $(now)))
      [ "$left" -gt 2 ] || break
      [ "$left" -lt "$round" ] || left=$round
      sh -c "echo 0 >/proc/self/oom_score_adj; echo \$\$ >$cgroups/$group/cgroup.procs
        cd /mnt/$group; exec stress-ng --verify --metrics-brief --seed $seed --timeout ${left}s \
        --temp-path /mnt/$group $words" >"$log" 2>&1 </dev/null &
      program=$! code=stuck
      for second in $(seq $((left * 8 + 120))); do
        kill -0 $program 2>/dev/null || { wait $program; code=$?; break; }
        sleep 1
      done
      [ $code != stuck ] || { ps >"/tmp/stuck.$group"; echo 1 >$cgroups/$group/cgroup.kill; wait $program; }
      say "ran $group $name $code $(sed -n 's/.*metrc: \[[0-9]*\] \([a-z][a-z-]*\) *\([0-9][0-9]*\) .*/\2/p' "$log" | head -1)"
      grep -E 'fail: |error: ' "$log" | head -3 | while read -r line; do say "said $group $name $line"; done
      # what a stressor has left, as one that was killed
      echo 1 >$cgroups/$group/cgroup.kill
      rm -rf /mnt/$group/*
    done </tmp/list.$group
    seed=$((seed + 100))
  done
}

# Free pages are counted while a policy is in use, that of a group without processes.
counts() { # counts NAME
  mkdir $cgroups/probe
  # all but one, which is left to the system
  if echo "0-$(($(cat $colours/colours) - 2))" >$cgroups/probe/memory.palloc.banks &&
    echo 1 >$cgroups/probe/memory.palloc.private; then say "banks $1 free"; else say "banks $1 taken"; fi
  /stress/counts >/tmp/counts || say "counts $1 none"
  while read -r line; do say "count $1 $line"; done </tmp/counts
  rmdir $cgroups/probe
  say "active $1 $(cat $colours/active)"
}

meminfo() { # meminfo NAME
  while read -r name amount _; do say "meminfo $1 $name $amount"; done </proc/meminfo
}

quiet() {
  sync
  for again in 1 2 3; do
    echo 3 >/proc/sys/vm/drop_caches
    echo 1 >/proc/sys/vm/compact_memory
    sleep 1
  done
}

echo -1000 >/proc/self/oom_score_adj
mount -t tmpfs tmpfs /tmp
mkdir -p /mnt /dev/shm /dev/mqueue /sys/kernel/debug
mount -t tmpfs tmpfs /dev/shm
mount -t mqueue mqueue /dev/mqueue
mount -t debugfs debugfs /sys/kernel/debug
echo scan=off >/sys/kernel/debug/kmemleak 2>/dev/null
busybox-debian mkswap /dev/ram0 >/dev/null && busybox-debian swapon /dev/ram0 || say "failed swapon"
busybox-debian mke2fs /dev/ram1 >/dev/null 2>&1 && mount -t ext2 /dev/ram1 /mnt || say "failed ext2"
echo "+memory +cpuset" >$cgroups/cgroup.subtree_control
for group in $groups; do mkdir $cgroups/$group; done
echo 96M >$cgroups/limited/memory.max
echo 0-3,8-11 >$cgroups/shared/memory.palloc.banks
echo 4-5,12-13 >$cgroups/private/memory.palloc.banks
echo 1 >$cgroups/private/memory.palloc.private
say "policies $(cat $colours/active $cgroups/private/memory.palloc.private)"
echo "weir: stress begins, $(cat $colours/colours) colours"

end=$(($(now) + seconds))
seed=1
for group in $groups; do
  stress $group $seed &
  workers="$workers $!"
  seed=$((seed + 1))
done
$here/toggle.sh "$end" >/tmp/toggle 2>&1 &
toggle=$!
(while [ "$(now)" -lt "$end" ]; do sleep 60; echo "weir: $((end - $(now))) s left, $(wc -l <$results) lines"; done) &
progress=$!
wait $workers $toggle
kill $progress 2>/dev/null
echo "weir: stress ends"
grep '^toggle' /tmp/toggle >>$results
grep -v '^toggle' /tmp/toggle | head -20 | while read -r line; do say "toggle-said $line"; done

# All policies end, and all groups.
for group in $groups; do
  echo 1 >$cgroups/$group/cgroup.kill
  rm -rf /mnt/$group
done
rm -f /tmp/log.* /tmp/list.*
sleep 2
busybox-debian swapoff /dev/ram0 || say "failed swapoff"
umount /mnt || say "failed umount"
rm -rf /dev/shm/*
for number in $(sed 1d /proc/sysvipc/shm | while read -r _ number _; do echo "$number"; done); do
  busybox-debian ipcrm -m "$number"
done
quiet
for group in $groups; do
  echo 1G >$cgroups/$group/memory.reclaim 2>/dev/null
  say "group $group $(cat $cgroups/$group/memory.current $cgroups/$group/memory.swap.current | tr '\n' ' ')"
  for again in 1 2 3 4 5; do rmdir $cgroups/$group 2>/dev/null && break; sleep 1; done
done
quiet
for again in $(seq 60); do
  dying=$(sed -n 's/^nr_dying_descendants //p' $cgroups/cgroup.stat)
  [ "$dying" != 0 ] || break
  echo 3 >/proc/sys/vm/drop_caches
  sleep 1
done
say "dying $dying"
say "groups $(sed -n 's/^nr_descendants //p' $cgroups/cgroup.stat)"
say "active end $(cat $colours/active)"
counts end
meminfo end
for name in $(grep -E '^nr_isolated_(anon|file) ' /proc/vmstat | tr ' ' =); do say "vmstat $name"; done

for again in 1 2 3; do
  echo scan >/sys/kernel/debug/kmemleak
  sleep 6
done
cat /sys/kernel/debug/kmemleak >/tmp/leaks
say "leaks $(grep -c '^unreferenced object' /tmp/leaks)"

dmesg -n 1
echo
echo "== results"
cat $results
echo "== leaks"
cat /tmp/leaks
echo "== end"
