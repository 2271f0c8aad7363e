# SPDX-License-Identifier: Apache-2.0
# The ways into Weir. Each room adds its own rules in a build.mk (list below) by appending to this variable:
#   BUILDS_SUITE   files that the suite SUITE of tests/suites.toml needs; `make build-SUITE` makes them
# and makes its files depend on the tools, order-only: `build/x: sources | $(TOOLS)`. Long recipes go through $(STEP).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# How many recipes run at once: as many as the machine has cores.
JOBS ?= $(shell nproc)
MAKEFLAGS += -j$(JOBS) --no-print-directory --no-builtin-rules

# what was compiled in one clone need not be compiled in another
export CCACHE_BASEDIR := $(CURDIR)
export VERILATOR_ROOT := $(CURDIR)/build/verilator
export VIRTUAL_ENV := $(CURDIR)/build/venv
export MILL_OUTPUT_DIR := $(CURDIR)/build/mill
export PATH := $(VERILATOR_ROOT)/bin:$(VIRTUAL_ENV)/bin:$(PATH)
unexport PYTHONHOME PYTHONPATH

HARTS ?= 4
ifeq (,$(filter $(HARTS),1 2 4))
$(error HARTS=$(HARTS) is not a number of Rocket harts that Weir's SoC has; give 1, 2 or 4)
endif

ifneq (,$(and $(filter run,$(MAKECMDGOALS)),$(filter-out 4,$(HARTS))))
$(error HARTS=$(HARTS): `make run` is for 4; give it to soc, snapshot, linux, shell, guest or qemu)
endif

STEP := setup/step
TOOLS := build/stamps/tools
SUITES := $(shell sed -n 's/^name = "\(.*\)"$$/\1/p' tests/suites.toml)

# $(call quoted,TEXT): one word of the shell, and no part of a rule
quoted = '$(subst ','\'',$(1))'

include tests/configs.mk
include $(wildcard hw/build.mk sim/dram/build.mk sim/soc/build.mk sim/bench/build.mk sim/traffic/build.mk sim/lab/build.mk boards/build.mk boards/area/build.mk boards/litex_weir/build.mk sw/firmware/build.mk sim/board/build.mk sw/guest/*/build.mk sw/linux-patches/build.mk sim/linux/build.mk sim/allocators/build.mk sim/rainbow/build.mk sim/speed/build.mk sim/unchanged/build.mk tests/build.mk)

.PHONY: help run test check build setup format lint clean

help: ## list these targets
	@echo 'Weir: an open DDR memory controller. Targets:'
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand --tabs=14

run: build/allocators/weir-4-4rank/ready ## what allocators gain that know banks and ranks, on Linux on the simulated SoC: a report in build/results
	@python sim/allocators/measure.py --brief

test: $(TOOLS) ## build what the tests need and run them all; the last line says how many passed and failed
	@python tests/run

check: $(TOOLS) ## run the tests of one room alone, within a minute: ROOM=channel, or another folder of hw/src/weir, sim, sw, boards
	@python tests/run --room $(call quoted,$(ROOM))

build: $(SUITES:%=build-%) ## build what the tests need, run nothing

# What one suite needs: `tests/run SUITE` asks for it.
define suite_rule
.PHONY: build-$(1)
build-$(1): $$(TOOLS) $$(BUILDS_$(1))
endef
$(foreach suite,$(SUITES),$(eval $(call suite_rule,$(suite))))

setup: $(TOOLS) ## install what is needed: Debian packages, Python packages, Verilator, Mill

format: $(TOOLS) ## format the sources in place
	@setup/sources.sh format

lint: $(TOOLS) ## check the format and lint the sources
	@setup/sources.sh lint

clean: ## remove everything built
	rm -rf build

$(TOOLS): build/stamps/verilator build/stamps/mill build/env.sh
	@touch $@

build/stamps/system: setup/apt-packages.txt setup/check.sh setup/apt.sh
	@mkdir -p $(@D)
	@setup/check.sh
	@setup/apt.sh
	@touch $@

build/stamps/python: setup/requirements.lock setup/python.sh build/stamps/system
	@$(STEP) --fetches 'the Python packages of setup/requirements.lock' python 'Install the Python packages' setup/python.sh
	@touch $@

build/stamps/verilator: setup/mend_verilator.py build/stamps/python
	@python setup/mend_verilator.py $(VERILATOR_ROOT)
	@touch $@

build/stamps/mill: mill build.sc build/stamps/system
	@$(STEP) --fetches 'Mill and the Chisel libraries' mill 'Fetch Mill and the Chisel libraries' ./mill hw.prepareOffline + hw.test.prepareOffline
	@touch $@

# For a shell: `. build/env.sh`
build/env.sh: Makefile
	@mkdir -p $(@D)
	@printf 'export %s\n' > $@ \
	  'CCACHE_BASEDIR=$(CCACHE_BASEDIR)' 'VERILATOR_ROOT=$(VERILATOR_ROOT)' 'VIRTUAL_ENV=$(VIRTUAL_ENV)' 'MILL_OUTPUT_DIR=$(MILL_OUTPUT_DIR)' \
	  'PATH=$(VERILATOR_ROOT)/bin:$(VIRTUAL_ENV)/bin:$$PATH'
