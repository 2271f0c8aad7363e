# SPDX-License-Identifier: Apache-2.0
# The guest's C library, shell, first process and initramfs. Other rooms that come before this one in the alphabet add to
#   GUEST_FILES  PATH=FILE: a file of the initramfs, PATH in the guest
#   GUEST_LINKS  PATH=EXISTING: another name of one of them

USERLAND := sw/guest/userland
GUEST_CC := build/guest/bin/guest-cc
GUEST_CFLAGS := -Os -std=gnu11 -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Wl,--gc-sections

build/guest/musl-source: | $(TOOLS)
	@$(STEP) --fetches 'the source of musl' guest-musl-source 'Fetch the source of musl' \
	  setup/debian_source.sh musl trixie $@

build/guest/busybox-source: | $(TOOLS)
	@$(STEP) --fetches 'the source of busybox' guest-busybox-source 'Fetch the source of busybox' \
	  setup/debian_source.sh busybox trixie $@

# Its last file is made when the library is there.
$(GUEST_CC): $(USERLAND)/musl.sh | build/guest/musl-source $(TOOLS)
	@$(STEP) guest-musl 'Build musl' $(USERLAND)/musl.sh build/guest/musl-source build/guest/musl build/guest/sysroot $@

build/guest/busybox/busybox: $(USERLAND)/busybox.sh $(USERLAND)/busybox.config $(GUEST_CC) | build/guest/busybox-source
	@$(STEP) guest-busybox 'Build busybox' \
	  $(USERLAND)/busybox.sh build/guest/busybox-source $(USERLAND)/busybox.config $(GUEST_CC) build/guest/busybox

build/guest/userland/init: $(USERLAND)/init.c $(USERLAND)/host_register.h $(GUEST_CC)
	@mkdir -p $(@D)
	@$(GUEST_CC) $(GUEST_CFLAGS) -s $< -o $@

GUEST_FILES += /init=build/guest/userland/init /bin/busybox=build/guest/busybox/busybox
GUEST_LINKS += /bin/sh=/bin/busybox
GUEST_LOCAL_FILES := $(foreach file,$(GUEST_FILES),$(lastword $(subst =, ,$(file))))

build/guest/initramfs.cpio: $(USERLAND)/initramfs.py $(USERLAND)/no_fpu.py $(GUEST_LOCAL_FILES) $(wildcard sw/guest/*/build.mk)
	@python $(USERLAND)/no_fpu.py $(filter-out %.sh,$(GUEST_LOCAL_FILES))
	@python $(USERLAND)/initramfs.py --output $@ $(GUEST_FILES:%=--file %) $(GUEST_LINKS:%=--link %)

BUILDS_guest += build/guest/initramfs.cpio
