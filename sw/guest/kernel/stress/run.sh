#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In the guest: stress-ng in a cgroup for each policy at a time, while toggle.sh changes the policies; then all is
# removed, and what is left is counted and printed, lines of which stress.py makes its result.
#
# usage: run.sh SECONDS ROUND    stress for SECONDS, with other stressors each ROUND seconds: of each group those of its list

seconds=$1 round=$2
here=/stress
cgroups=/sys/fs/cgroup
colours=/sys/kernel/mm/page_colour
results=/tmp/results
groups="plain shared private limited ranked powered"

# Nothing here starts a process that need not: with KASAN each takes a good part of a second.
now() { # sets $now
  read -r now _ </proc/uptime
  now=${now%.*}
}

# A line of the results, which are printed as a whole at the end, when the kernel is silent.
say() {
  echo "$*" >>"$results"
  echo "weir: $*"
}

# Tell what a stressor printed: what it did not find right, and how much it did.
tell() { # tell GROUP NAME CODE LOG; CODE is `stuck` of one that had to be killed
  ops=0 errors=0
  while read -r _ kind _ stressor number rest; do
    case "$kind $number" in
      "metrc: "[0-9]*) ops=$number ;;
      "fail: "* | "error: "*)
        errors=$((errors + 1))
        [ $errors -gt 3 ] || say "said $1 $2 $kind $stressor $number $rest"
        ;;
    esac
  done <"$4"
  say "ran $1 $2 $3 $ops"
}

# Show where the processes of a group hang after some seconds, and end them.
watch() { # watch GROUP SECONDS
  sleep "$2"
  while read -r process; do
    read -r name </proc/$process/comm
    echo "weir: hangs: $1 $name"
    cat /proc/$process/stack
  done <$cgroups/$1/cgroup.procs
  echo 1 >$cgroups/$1/cgroup.kill
}

# One group's stressors, one after another, until the time is over
stress() { # stress GROUP
  group=$1 log=/tmp/log.$1
  mkdir /mnt/$group
  while read -r name words; do
    now
    started=$now
    left=$((end - now))
    [ $left -gt 2 ] || break
    [ $left -lt "$round" ] || left=$round
    limit=$((left * 10 + 300))
    watch $group $limit &
    watcher=$!
    (
      echo 0 >/proc/self/oom_score_adj
      cd /mnt/$group
      exec sh -c "echo \$\$ >$cgroups/$group/cgroup.procs
        exec stress-ng --verify --metrics-brief --timeout ${left}s --temp-path /mnt/$group $words"
    ) >"$log" 2>&1 </dev/null
    code=$?
    kill $watcher 2>/dev/null
    now
    [ $code != 137 ] || [ $((now - started)) -lt $limit ] || code=stuck
    # what a stressor has left, as one that was killed
    echo 1 >$cgroups/$group/cgroup.kill
    tell $group "$name" $code "$log"
    rm -rf /mnt/$group/*
  done <$here/list.$group
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
  # the kernel takes its time for the end of a group
  for again in $(seq 30); do
    read -r active <$colours/active
    [ "$active" != 0 ] || break
    sleep 1
  done
  say "active $1 $active"
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
say "policies $(cat $colours/active)"
echo "weir: stress begins, $(cat $colours/colours) colours"

now
end=$((now + seconds))
for group in $groups; do
  stress $group &
  workers="$workers $!"
done
$here/toggle.sh "$end" >/tmp/toggle 2>&1 &
toggle=$!
wait $workers $toggle
killall sleep 2>/dev/null
echo "weir: stress ends"
grep '^toggle' /tmp/toggle >>$results
grep -v '^toggle' /tmp/toggle | head -20 | while read -r line; do say "toggle-said $line"; done

# All policies end, and all groups.
for group in $groups; do
  echo 1 >$cgroups/$group/cgroup.kill
  rm -rf /mnt/$group
done
rm -f /tmp/log.*
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
echo "weir: free pages are counted"
counts end
meminfo end
for name in $(grep -E '^nr_isolated_(anon|file) ' /proc/vmstat | tr ' ' =); do say "vmstat $name"; done
events="pswpin|pswpout|pgsteal_kswapd|pgsteal_direct|pgmigrate_success|pgmigrate_fail|compact_success|oom_kill|thp_fault_alloc"
for name in $(grep -E "^($events) " /proc/vmstat | tr ' ' =); do say "event ${name%=*} ${name#*=}"; done

echo "weir: leaks are looked for"
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
