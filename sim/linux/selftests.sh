#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The kernel's selftests of Weir's drivers, on the simulated SoC: make linux SCRIPT=sim/linux/selftests.sh. They take more
# than 70 M cycles there, too many for `make test`, which runs them on QEMU.
cd /selftests/weir || exit 1
sh ./weir_sysfs.sh && sh ./weir_pmu.sh
