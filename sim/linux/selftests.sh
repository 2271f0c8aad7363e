#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The kernel's selftests of Weir's drivers, on the simulated SoC: make linux SCRIPT=sim/linux/selftests.sh
/selftests/weir/weir_sysfs && exec /selftests/weir/weir_pmu
