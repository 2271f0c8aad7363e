# SPDX-License-Identifier: Apache-2.0
# What the guest of a SoC with NVM has beside all others: build/guest/hybrid/initramfs.cpio, as each file of the initramfs takes a boot
# some ten thousand instructions; and pages of 2 MiB, build/guest/hybrid/Image.

build/guest/hybrid/on-nodes: sw/guest/hybrid/on-nodes.c build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_TOOL_CC) $< -o $@

HYBRID_FILES := /bin/on-nodes=build/guest/hybrid/on-nodes /selftests/weir/weir_rainbow=build/guest/selftests/weir_rainbow
HYBRID_LOCAL_FILES := $(foreach file,$(HYBRID_FILES),$(lastword $(subst =, ,$(file))))

build/guest/hybrid/initramfs.cpio: build/guest/initramfs.cpio $(HYBRID_LOCAL_FILES) sw/guest/hybrid/build.mk
	@python sw/guest/userland/no_fpu.py $(HYBRID_LOCAL_FILES)
	@python sw/guest/userland/initramfs.py --output $@ --add-to $< $(HYBRID_FILES:%=--file %)

build/guest/hybrid/Image: build/guest/Image sw/guest/hybrid/build.mk
	@$(STEP) kernel-hybrid 'Build Linux for NVM' sw/guest/kernel/kernel.sh build build/guest/kernel-source $(@D)/kernel $@ \
	  CONFIG_TRANSPARENT_HUGEPAGE=y CONFIG_TRANSPARENT_HUGEPAGE_MADVISE=y

BUILDS_guest += build/guest/hybrid/initramfs.cpio
