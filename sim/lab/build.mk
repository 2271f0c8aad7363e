# SPDX-License-Identifier: Apache-2.0
# The lab: modelled cores and caches before Weir's RTL.

LAB_LIBRARY := build/lab/libmachine.a
LAB_LIBRARY_SOURCES := $(wildcard sim/lab/machine/trace/*.cpp sim/lab/machine/core/*.cpp sim/lab/machine/cache/*.cpp) sim/lab/machine/system.cpp
LAB_LIBRARY_OBJECTS := $(LAB_LIBRARY_SOURCES:sim/lab/machine/%.cpp=build/lab/objects/%.o)
LAB_CXX := ccache clang++-16 -std=gnu++17 -O3 -Wall -Wextra

$(LAB_LIBRARY): $(LAB_LIBRARY_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

build/lab/objects/%.o: sim/lab/machine/%.cpp | $(TOOLS)
	@mkdir -p $(@D)
	@$(LAB_CXX) -MMD -MP -c $< -o $@

-include $(LAB_LIBRARY_OBJECTS:.o=.d)

build/lab/%/lab: build/hw/%/Weir.sv $(LAB_LIBRARY) $(BENCH) $(wildcard sim/lab/machine/*.hpp sim/lab/machine/*/*.hpp) \
    sim/lab/machine/lab.cpp sim/lab/machine/memory/weir.cpp | $(TOOLS)
	@$(STEP) lab-$* 'Compile the lab, $*' python sim/bench/verilate.py build/hw/$* $@ \
	  sim/lab/machine/memory/weir.cpp sim/lab/machine/lab.cpp $(LAB_LIBRARY) --library yaml-cpp --library zstd

# Traces in the formats of other simulators, and from them; what is in a trace.
build/lab/convert build/lab/describe: build/lab/%: sim/lab/machine/%.cpp $(LAB_LIBRARY) $(BENCH_LIBRARY) | $(TOOLS)
	@$(LAB_CXX) -Isim/lab/machine -Isim/bench $^ -lzstd -o $@

LAB_UNIT_TEST := build/lab/unit_test
LAB_UNIT_OBJECTS := $(patsubst sim/lab/machine/%.cpp,build/lab/objects/%.o,$(wildcard sim/lab/machine/tests/*_test.cpp))

$(LAB_UNIT_TEST): $(LAB_UNIT_OBJECTS) $(LAB_LIBRARY)
	@clang++-16 $^ -lgtest -lgtest_main -lyaml-cpp -lzstd -pthread -o $@

-include $(LAB_UNIT_OBJECTS:.o=.d)

# The plugin for QEMU that records what a guest's harts access.
LAB_CAPTURE_SOURCES := $(addprefix sim/lab/,programs/capture/capture.cpp programs/capture/registers.cpp) $(wildcard sim/lab/machine/trace/*.cpp)

build/lab/capture.so: $(LAB_CAPTURE_SOURCES) $(wildcard sim/lab/programs/capture/*.hpp sim/lab/machine/trace/*.hpp) | $(TOOLS)
	@mkdir -p $(@D)
	@$(LAB_CXX) -fPIC -shared -fvisibility=hidden $(LAB_CAPTURE_SOURCES) -lzstd -o $@

build/lab/registers_dump: sim/lab/programs/capture/registers_dump.cpp sim/lab/programs/capture/registers.cpp sim/lab/programs/capture/registers.hpp | $(TOOLS)
	@mkdir -p $(@D)
	@$(LAB_CXX) $(filter %.cpp,$^) -o $@

# The guest that programs run in: Debian's have to have an FPU, and some of them sockets.
build/lab/Image: build/guest/Image
	@mkdir -p $(@D)
	@$(STEP) kernel-lab 'Build Linux of the lab' sw/guest/kernel/kernel.sh build build/guest/kernel-source build/lab/kernel $@ \
	  $(addprefix CONFIG_,FPU=y NR_CPUS=8 NET=y INET=y UNIX=y SHMEM=y TMPFS=y)

build/lab/lab-run: sim/lab/programs/guest/lab_run.c build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@build/guest/bin/guest-cc $(GUEST_CFLAGS) -s $< -o $@

build/lab/kernels/%: sim/lab/programs/kernels/%.c sim/lab/programs/kernels/kernel.h
	@mkdir -p $(@D)
	@riscv64-linux-gnu-gcc -std=gnu17 -D_GNU_SOURCE -O2 -fopenmp -Wall -Wextra -static $< -o $@ -lm

# build/lab/roots/PACKAGE: a package of Debian trixie with what it depends on
build/lab/roots/%: setup/debian_root.sh setup/debian_release.sh | $(TOOLS)
	@rm -rf $@
	@$(STEP) --fetches 'the Debian package $*' lab-root-$* 'Fetch $*' setup/debian_root.sh trixie riscv64 $@ $*
	@touch $@

# build/lab/traces/PLACEMENT/PROGRAM/hart-N.trace.zst: what eight copies of a program of programs.yaml access, a copy on each
# hart, with their pages where a placement of placements.yaml has them
# LAB_PROGRAMS: words PROGRAM=FILE, FILE being what of build/lab it is started from
LAB_PROGRAMS := $(shell awk '/^[^ #]/ {sub(":", "", $$1); name = $$1} $$1 == "package:" {print name "=build/lab/roots/" $$2} \
  $$1 == "kernel:" {print name "=build/lab/kernels/" $$2}' sim/lab/programs/programs.yaml)
LAB_GUEST := build/lab/Image build/lab/lab-run build/lab/capture.so build/lab/describe build/guest/initramfs.cpio
LAB_SMALL_GUEST := $(LAB_GUEST:build/lab/Image=build/guest/Image)
LAB_CAPTURE := $(addprefix sim/lab/programs/,capture.py closure.py inputs.py workloads.py)

build/lab/entries/written: $(addprefix sim/lab/programs/,entries.py placements.py placements.yaml programs.py programs.yaml tables.py workloads.py) | $(TOOLS)
	@python $< $(@D)
	@touch $@

build/lab/entries/%.json: build/lab/entries/written
	@:

.PRECIOUS: build/lab/entries/%.json build/lab/kernels/% build/lab/roots/%

# what captures are made with, for the rules below and the Snakefile: by its contents, as Snakemake takes a small file of the same
# contents for unchanged, whenever it was written
build/stamps/lab-capture: $(LAB_GUEST)
build/stamps/lab-small-capture: $(LAB_SMALL_GUEST)
build/stamps/lab-capture build/stamps/lab-small-capture: $(LAB_CAPTURE)
	@mkdir -p $(@D)
	@sha256sum $^ > $@.new
	@if cmp --quiet $@.new $@; then rm $@.new; else mv $@.new $@; fi

define lab_trace
build/lab/traces/%/$(1)/record.json: build/lab/entries/workloads/$(1).json build/lab/entries/placements/%.json $(2) build/stamps/lab-capture
	@$(STEP) lab-trace-$$*-$(1) 'Capture $(1), $$*' python sim/lab/programs/capture.py --placement $$* $(1) $$(@D)
endef
# eight copies of each, one alone, one of eight threads, one beside hostile ones (workloads.py)
define lab_workloads
$(call lab_trace,$(1),$(2))
$(call lab_trace,$(1)_alone,$(2))
$(call lab_trace,$(1)_threads,$(2))
$(call lab_trace,$(1)_beside_stream,$(2) build/lab/kernels/stream)
endef
$(foreach program,$(LAB_PROGRAMS),$(eval $(call lab_workloads,$(firstword $(subst =, ,$(program))),$(lastword $(subst =, ,$(program))))))

.PHONY: traces
traces: $(foreach program,$(LAB_PROGRAMS),build/lab/traces/default/$(firstword $(subst =, ,$(program)))/record.json) ## what programs of Debian access in the guest, for the lab: build/lab/traces

# Small traces for tests: four copies in the guest of Linux that the SoC has too, without an FPU
LAB_SMALL := gups set_cover

build/lab/small/kernels/%: sim/lab/programs/kernels/%.c sim/lab/programs/kernels/kernel.h build/guest/bin/guest-cc
	@mkdir -p $(@D)
	@build/guest/bin/guest-cc -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra $< -o $@ -lm

.PRECIOUS: build/lab/small/kernels/%

define lab_small_trace
build/lab/small/traces/%/$(1)/record.json: build/lab/entries/workloads/$(1).json build/lab/entries/placements/%.json build/lab/small/kernels/$(1) build/stamps/lab-small-capture
	@$(STEP) lab-small-trace-$$*-$(1) 'Capture a little of $(1), $$*' python sim/lab/programs/capture.py --placement $$* $(1) \
	  $$(@D) --image build/guest/Image --kernels build/lab/small/kernels --copies 4 --accesses 400000
endef
$(foreach program,$(LAB_SMALL),$(eval $(call lab_small_trace,$(program))))

# The figures of the papers; Snakemake makes the traces and the runs that they need, and goes on where it was ended, however that
# was: flock's lock ends with its process, which Snakemake's own does not.
.PHONY: figures
figures: build/stamps/lab-capture ## the figures of the papers beside ours: build/results/lab/index.html; FIGURE=rank-assignment-7 for one, PROFILE=slurm on a cluster
	@labs=$$(python sim/lab/figures/labs.py $(if $(FIGURE),$(call quoted,$(FIGURE)))) && $(MAKE) $$labs
	@flock --nonblock --conflict-exit-code 3 build/lab/figures.lock env -u MAKEFLAGS -u MAKELEVEL \
	  snakemake --nolock --directory build --snakefile sim/lab/Snakefile --resources make=1 \
	  $(if $(PROFILE),--profile $(CURDIR)/sim/lab/profiles/$(call quoted,$(PROFILE)),--cores $(JOBS)) $(if $(FIGURE),--config figure=$(call quoted,$(FIGURE))) || \
	  { code=$$?; ((code != 3)) || echo 'weir: figures are being made already in this folder.' >&2; exit $$code; }

LAB_SMALL_TRACES := $(foreach placement,default rank_assignment,$(LAB_SMALL:%=build/lab/small/traces/$(placement)/%/record.json))

build/stamps/slurm: setup/slurm-packages.txt setup/apt.sh | $(TOOLS)
	@setup/apt.sh $<
	@touch $@

.PHONY: test-slurm
test-slurm: build/stamps/slurm build/lab/entries/written $(LAB_SMALL_TRACES) build/lab/lab-rank-assignment-32gb/lab ## figures on a Slurm cluster of this machine alone: what comes of them is the same
	@pytest -q -m long sim/lab/profiles/tests

BUILDS_lab += $(LAB_SMALL_TRACES)
BUILDS_lab += build/lab/convert build/lab/describe build/lab/capture.so build/lab/registers_dump $(LAB_UNIT_TEST) build/lab/lab-rank-assignment-32gb/lab
