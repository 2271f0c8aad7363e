# SPDX-License-Identifier: Apache-2.0
# What allocators that know banks and ranks gain, measured on the simulated SoC with four harts.

.PHONY: allocators
allocators: build/linux/weir-4/snapshot ## measure on the SoC what banks of their own bring: build/results/allocators.json
	@python sim/allocators/measure.py weir-4
