# SPDX-License-Identifier: Apache-2.0
# The kernel's selftests of Weir's drivers, as /selftests/weir of the initramfs. They come with the patches, so the kernel's
# source has them when it has been built.

GUEST_SELFTESTS := weir_lib.sh weir_pmu.sh weir_sysfs.sh ktap_helpers.sh
KSELFTEST := build/guest/kernel-source/tools/testing/selftests

$(GUEST_SELFTESTS:%=build/guest/selftests/%) &: build/guest/Image
	@mkdir -p build/guest/selftests
	@cp $(KSELFTEST)/drivers/weir/*.sh $(KSELFTEST)/kselftest/ktap_helpers.sh build/guest/selftests/

GUEST_FILES += $(foreach file,$(GUEST_SELFTESTS),/selftests/weir/$(file)=build/guest/selftests/$(file))
