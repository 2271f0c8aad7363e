# SPDX-License-Identifier: Apache-2.0
# What all experiments begin with, run once: the machine is saved at its end, and each experiment goes on from there with the
# script that it is handed.

# Grace periods of RCU would take milliseconds, each a million cycles.
echo 1 >/sys/kernel/rcu_expedited
cd /sys/fs/cgroup
mount -o remount,favordynmods cgroup2 .
echo +memory >cgroup.subtree_control
mkdir hart0 hart1 hart2 hart3 all
weir=$(echo /sys/bus/platform/drivers/weir/*.memory-controller)
page_colour=/sys/kernel/mm/page_colour

eval "$(weir-freeze)"
