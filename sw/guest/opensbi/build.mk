# SPDX-License-Identifier: Apache-2.0
# OpenSBI for the SoCs: build/guest/fw_jump.bin, upstream's source with the platform of sw/guest/opensbi/weir.

# The release of Debian whose version of OpenSBI is taken.
OPENSBI_RELEASE := trixie

build/guest/opensbi-source/Makefile: sw/guest/opensbi/build.mk | $(TOOLS)
	@rm -rf $(@D)
	@$(STEP) --fetches "OpenSBI's source" opensbi-source 'Fetch OpenSBI' \
	  setup/debian_source.sh --upstream opensbi $(OPENSBI_RELEASE) $(@D)
	@touch $@

build/guest/fw_jump.bin: build/guest/opensbi-source/Makefile $(wildcard sw/guest/opensbi/weir/* sw/guest/opensbi/weir/configs/*) | $(TOOLS)
	@rm -rf build/guest/opensbi
	@$(STEP) opensbi 'Build OpenSBI' $(MAKE) -C build/guest/opensbi-source -j2 O=$(CURDIR)/build/guest/opensbi \
	  CROSS_COMPILE='ccache riscv64-linux-gnu-' PLATFORM_DIR=$(CURDIR)/sw/guest/opensbi PLATFORM=weir
	@cp build/guest/opensbi/platform/weir/firmware/fw_jump.bin $@

BUILDS_guest += build/guest/fw_jump.bin
