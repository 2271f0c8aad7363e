# SPDX-License-Identifier: Apache-2.0
# Linux for the guest: build/guest/Image, for the SoC and for QEMU.

KERNEL_PATCHES := $(wildcard $(addprefix sw/linux-patches/6.12/,series weir.config */*.patch))

build/guest/kernel-source/.debian-version: | $(TOOLS)
	@$(STEP) --fetches "the Debian package linux-source-6.12" kernel-source 'Fetch Linux' sw/guest/kernel/kernel.sh fetch $(@D)

build/guest/Image: build/guest/kernel-source/.debian-version $(KERNEL_PATCHES) sw/linux-patches/apply.py sw/guest/kernel/kernel.sh | $(TOOLS)
	@$(STEP) kernel 'Build Linux' sw/guest/kernel/kernel.sh build $(<D) build/guest/kernel $@

BUILDS_guest += build/guest/Image build/hw/soc-64/Weir.rdl build/hw/soc-64-hybrid/Weir.rdl

# The patches' KUnit tests and selftests, in a kernel that looks at its own locks, lists and pages, too, that moves pages,
# and whose sets of colours have several words.
KUNIT_OPTIONS := $(addsuffix =y,$(addprefix CONFIG_,KUNIT PAGE_COLOUR_KUNIT_TEST RANK_ASSIGNMENT_KUNIT_TEST \
  VIPZONE_KUNIT_TEST WEIR_RAINBOW_KUNIT_TEST CMA TRANSPARENT_HUGEPAGE SPARSEMEM_MANUAL SPARSEMEM_VMEMMAP MEMORY_HOTPLUG \
  MEMORY_HOTREMOVE DEBUG_FS HUGETLBFS DMA_CMA CMA_DEBUGFS DEBUG_KERNEL PROVE_LOCKING DEBUG_ATOMIC_SLEEP DEBUG_LIST \
  DEBUG_VM DEBUG_VM_PGFLAGS SLUB_SYSFS SLUB_DEBUG PAGE_POISONING BLOCK BLK_DEV BLK_DEV_RAM SWAP)) \
  CONFIG_PAGE_COLOUR_SHIFT=8

build/guest/kunit/Image: build/guest/Image
	@$(STEP) kernel-kunit 'Build Linux with KUnit' sw/guest/kernel/kernel.sh build build/guest/kernel-source $(@D)/kernel $@ \
	  $(KUNIT_OPTIONS)

# The same with what its tests must find out: each header of broken/ goes ahead of the source of its name, which alone is
# compiled anew.
BROKEN_SOURCES := $(wildcard sw/guest/kernel/tests/broken/*.h)

build/guest/kunit/broken/Image: build/guest/kunit/Image $(BROKEN_SOURCES)
	@mkdir -p $(@D)
	@$(STEP) kernel-broken 'Build broken Linux with KUnit' env \
	  MAKEFLAGS='$(foreach header,$(BROKEN_SOURCES),CFLAGS_$(basename $(notdir $(header))).o=-include$(CURDIR)/$(header))' \
	  sw/guest/kernel/kernel.sh build build/guest/kernel-source build/guest/kunit/kernel $@ $(KUNIT_OPTIONS)

.PHONY: kunit
kunit: build/guest/kunit/Image build/guest/kunit/broken/Image build/guest/initramfs.cpio build/hw/soc-64/Weir.rdl ## KUnit and selftests of page colours and their policies, in a kernel with debug options
	@pytest -q -m long sw/guest/kernel/tests/test_kunit.py sw/guest/kernel/tests/test_debug_kernel.py \
	  sw/guest/kernel/tests/test_unbind.py

# The policies under memory pressure, in a kernel with KASAN, lockdep and kmemleak, which is preempted. Programs of Debian
# need an FPU.
STRESS_OPTIONS := $(filter-out %KUNIT=y %KUNIT_TEST=y,$(KUNIT_OPTIONS)) $(addsuffix =y,$(addprefix CONFIG_,KASAN \
  KASAN_GENERIC KASAN_INLINE KASAN_VMALLOC DEBUG_KMEMLEAK DETECT_HUNG_TASK VM_EVENT_COUNTERS PREEMPT HZ_100 FPU LRU_GEN \
  KSM EXT2_FS SHMEM TMPFS MEMFD_CREATE SYSVIPC POSIX_MQUEUE USERFAULTFD AIO IO_URING CROSS_MEMORY_ATTACH MEMBARRIER RSEQ \
  NET UNIX)) CONFIG_HZ_25=n CONFIG_LOG_BUF_SHIFT=19
MINUTES ?= 60

build/guest/stress/Image: build/guest/Image
	@$(STEP) kernel-stress 'Build Linux with KASAN' sw/guest/kernel/kernel.sh build build/guest/kernel-source \
	  $(@D)/kernel $@ $(STRESS_OPTIONS)

build/guest/stress/root: setup/debian_root.sh setup/debian_release.sh | $(TOOLS)
	@rm -rf $@
	@$(STEP) --fetches 'the Debian packages stress-ng and busybox-static' stress-root 'Fetch stress-ng' \
	  setup/debian_root.sh trixie riscv64 $@ stress-ng busybox-static
	@touch $@

build/guest/stress/counts: sw/guest/kernel/stress/counts.c build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_CC) $(GUEST_CFLAGS) -s $< -o $@

.PHONY: stress
stress: build/guest/stress/Image build/guest/stress/root build/guest/stress/counts build/guest/initramfs.cpio build/hw/soc-64/Weir.rdl ## the policies under stress-ng for MINUTES=60, in a kernel with KASAN and lockdep: build/results/stress.json
	@python sw/guest/kernel/stress/stress.py --minutes $(call quoted,$(MINUTES)) --output build/results/stress.json

# What page colours cost a kernel in which nobody uses them. The kernel without them is built only for that.
build/guest/without-colours/Image: build/guest/Image
	@$(STEP) kernel-without-colours 'Build Linux without page colours' sw/guest/kernel/kernel.sh build \
	  build/guest/kernel-source $(@D)/kernel $@ CONFIG_PAGE_COLOUR=n CONFIG_PALLOC=n CONFIG_RANK_ASSIGNMENT=n \
	  CONFIG_VIPZONE=n

build/guest/without-colours/workload: sw/guest/kernel/cost/workload.c build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@$(GUEST_TOOL_CC) $< -o $@

.PHONY: page-colour-cost
page-colour-cost: build/guest/without-colours/Image build/guest/without-colours/workload build/guest/initramfs.cpio ## instructions that page colours cost while nobody uses them
	@python sw/guest/kernel/cost/cost.py $< build/guest/Image build/guest/without-colours/workload \
	  --output build/results/page-colour-cost.json
