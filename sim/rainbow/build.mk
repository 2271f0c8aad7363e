# SPDX-License-Identifier: Apache-2.0
# Where hot pages of NVM live, compared under Linux on the simulated SoC.

.PHONY: rainbow
rainbow: build/linux/weir-1-hybrid/snapshot ## pages of a program in DRAM, in NVM, and moved between them, under Linux on the SoC: build/results/rainbow.json
	@python sim/rainbow/compare.py

.PHONY: power-cut
power-cut: build/linux/weir-1-hybrid/snapshot ## cut the power while Linux writes to persistent memory, 200 times: build/results/power_cut.json
	@python sim/rainbow/power_cut.py
