# SPDX-License-Identifier: Apache-2.0
# What all experiments begin with, run once: the machine is saved at its end, and each experiment goes on from there with the
# script that it is handed.

cd /sys/fs/cgroup
echo +memory >cgroup.subtree_control
mkdir hart0 hart1 hart2 hart3 all
set -- /sys/bus/platform/drivers/weir/*.memory-controller
weir=$1

eval "$(weir-freeze)"
