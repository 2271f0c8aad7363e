# SPDX-License-Identifier: Apache-2.0
# The device tree of each SoC, build/guest/SOC.dtb. csr.json is made with the BIOS; it knows where the CSRs are.

GUEST_MACHINE := $(wildcard sw/guest/machine/*.py)

define guest_machine_rule
build/guest/$(1).dtb: build/soc/$(1)/bios.bin $(call soc_initramfs,$(1)) $(GUEST_MACHINE) | $(TOOLS)
	@python sw/guest/machine/device_tree.py build/soc/$(1)/csr.json $(call soc_initramfs,$(1)) $$@
endef
$(foreach soc,$(SOCS),$(eval $(call guest_machine_rule,$(soc))))

.PHONY: guest
guest: build/guest/Image build/guest/initramfs.cpio build/guest/fw_jump.bin build/guest/weir-$(HARTS).dtb ## build the Linux guest: kernel, initramfs, OpenSBI, the device tree of the SoC
