# SPDX-License-Identifier: Apache-2.0
# What allocators that know banks and ranks gain, measured on the simulated SoC with four harts.

build/allocators/%/ready: build/linux/%/snapshot $(addprefix sim/allocators/,functions.sh prelude.sh scripts.py)
	@python sim/allocators/prepare.py $*

.PHONY: allocators
allocators: build/allocators/weir-4/ready build/allocators/weir-4-4rank/ready ## measure on the SoC what banks of their own bring: build/results/allocators.json
	@python sim/allocators/measure.py

# The tests run the scripts on QEMU, with the registers of both SoCs.
BUILDS_allocators += build/guest/Image build/guest/initramfs.cpio $(addsuffix /Weir.rdl,build/hw/soc-512 build/hw/soc-512-4rank)
