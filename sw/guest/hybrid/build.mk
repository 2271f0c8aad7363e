# SPDX-License-Identifier: Apache-2.0
# What the guest of a SoC with NVM has beside all others: build/guest/hybrid/initramfs.cpio. Each file of the initramfs takes a boot
# some ten thousand instructions.

build/guest/hybrid/on-nodes: sw/guest/hybrid/on-nodes.c build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_TOOL_CC) $< -o $@

HYBRID_FILES := /bin/on-nodes=build/guest/hybrid/on-nodes /selftests/weir/weir_rainbow=build/guest/selftests/weir_rainbow
HYBRID_LOCAL_FILES := $(foreach file,$(HYBRID_FILES),$(lastword $(subst =, ,$(file))))

build/guest/hybrid/initramfs.cpio: build/guest/initramfs.cpio $(HYBRID_LOCAL_FILES) sw/guest/hybrid/build.mk
	@python sw/guest/userland/no_fpu.py $(HYBRID_LOCAL_FILES)
	@python sw/guest/userland/initramfs.py --output $@ --add-to $< $(HYBRID_FILES:%=--file %)

BUILDS_guest += build/guest/hybrid/initramfs.cpio
