# SPDX-License-Identifier: Apache-2.0
# What allocators that know banks and ranks gain, measured on the simulated SoC with four harts.

build/allocators/%/ready: build/linux/%/snapshot sim/allocators/prelude.sh
	@python sim/allocators/prepare.py $*

.PHONY: allocators
allocators: build/allocators/weir-4/ready ## measure on the SoC what banks of their own bring: build/results/allocators.json
	@python sim/allocators/measure.py weir-4
