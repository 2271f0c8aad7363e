# SPDX-License-Identifier: Apache-2.0
# Linux for the guest: build/guest/Image, for the SoC and for QEMU.

KERNEL_PATCHES := $(wildcard sw/linux-patches/6.12/*)

build/guest/kernel-source/.debian-version: | $(TOOLS)
	@$(STEP) --fetches "the Debian package linux-source-6.12" kernel-source 'Fetch Linux' sw/guest/kernel/kernel.sh fetch $(@D)

build/guest/Image: build/guest/kernel-source/.debian-version $(KERNEL_PATCHES) sw/linux-patches/apply.py sw/guest/kernel/kernel.sh | $(TOOLS)
	@$(STEP) kernel 'Build Linux' sw/guest/kernel/kernel.sh build $(<D) build/guest/kernel $@

BUILDS += build/guest/Image
