# SPDX-License-Identifier: Apache-2.0
# What the guest of a SoC with NVM has beside all others: build/guest/hybrid/initramfs.cpio, as each file of the initramfs takes a boot
# some ten thousand instructions; and build/guest/hybrid/Image, with pages of 2 MiB and a part of NVM as /dev/pmem0.

HYBRID_PROGRAMS := on-nodes nvm-journal

$(HYBRID_PROGRAMS:%=build/guest/hybrid/%): build/guest/hybrid/%: sw/guest/hybrid/%.c sw/guest/userland/host_register.h build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_TOOL_CC) $< -o $@

HYBRID_FILES := $(foreach program,$(HYBRID_PROGRAMS),/bin/$(program)=build/guest/hybrid/$(program)) \
  /selftests/weir/weir_rainbow=build/guest/selftests/weir_rainbow
HYBRID_LOCAL_FILES := $(foreach file,$(HYBRID_FILES),$(lastword $(subst =, ,$(file))))

build/guest/hybrid/initramfs.cpio: build/guest/initramfs.cpio $(HYBRID_LOCAL_FILES) sw/guest/hybrid/build.mk
	@python sw/guest/userland/no_fpu.py $(HYBRID_LOCAL_FILES)
	@python sw/guest/userland/initramfs.py --output $@ --add-to $< $(HYBRID_FILES:%=--file %)

# Without ZONE_DEVICE nobody could write back what is copied to /dev/pmem0, and without NVDIMM_PFN there is none.
HYBRID_OPTIONS := $(addsuffix =y,$(addprefix CONFIG_,TRANSPARENT_HUGEPAGE TRANSPARENT_HUGEPAGE_MADVISE BLOCK BLK_DEV LIBNVDIMM \
  BLK_DEV_PMEM MEMORY_HOTPLUG MEMORY_HOTREMOVE ZONE_DEVICE NVDIMM_PFN ROCKET_CACHE \
  WEIR_RAINBOW_PERSISTENT)) CONFIG_BTT=n CONFIG_NVDIMM_DAX=n

build/guest/hybrid/Image: build/guest/Image sw/guest/hybrid/build.mk
	@$(STEP) kernel-hybrid 'Build Linux for NVM' sw/guest/kernel/kernel.sh build build/guest/kernel-source $(@D)/kernel $@ \
	  $(HYBRID_OPTIONS)

BUILDS_guest += build/guest/hybrid/initramfs.cpio
