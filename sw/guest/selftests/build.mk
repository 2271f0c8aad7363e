# SPDX-License-Identifier: Apache-2.0
# The kernel's selftests of Weir's drivers, as /selftests/weir of the initramfs. They come with the patches, so the kernel's
# source has them when it has been built.

GUEST_SELFTESTS := weir_pmu weir_sysfs
KSELFTEST := build/guest/kernel-source/tools/testing/selftests

$(addprefix build/guest/selftests/,$(GUEST_SELFTESTS) weir_rainbow): build/guest/selftests/%: build/guest/Image build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_TOOL_CC) $(KSELFTEST)/drivers/weir/$*.c $(KSELFTEST)/drivers/weir/weir_device.c -o $@

GUEST_FILES += $(foreach program,$(GUEST_SELFTESTS),/selftests/weir/$(program)=build/guest/selftests/$(program))
