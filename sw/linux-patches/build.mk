# SPDX-License-Identifier: Apache-2.0
# Whether every patch of the guest's kernel compiles without those that follow.

.PHONY: each-patch
each-patch: build/guest/kernel-source/.debian-version build/guest/bin/guest-cc ## compile Linux after each of the patches
	@sw/linux-patches/each_patch.py --compiler build/guest/bin/guest-cc --config sw/linux-patches/6.12/weir.config \
	  sw/linux-patches/6.12/series $(<D) build/guest/each-patch \
	  $(addsuffix =y,$(addprefix CONFIG_,KUNIT PAGE_COLOUR_KUNIT_TEST RANK_ASSIGNMENT_KUNIT_TEST VIPZONE_KUNIT_TEST \
	  COMPACTION CMA TRANSPARENT_HUGEPAGE))
