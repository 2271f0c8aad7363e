# SPDX-License-Identifier: Apache-2.0
# The DRAM model: library, tests, and what a Verilator run needs to use it. Included by the top Makefile; alone,
# `make -f sim/dram/build.mk dram` in the repository's root builds the library.
#
#   WEIR_DRAM_SV         the module to put among the Verilog sources
#   WEIR_DRAM_LIB        the library to link
#   WEIR_DRAM_INCLUDE    folder of the C++ headers, for a harness that calls weir::dram::find()
#   WEIR_DRAM_VERILATOR  all of it, for a `verilator` command line

export WEIR_DRAM_SV := $(CURDIR)/sim/dram/dfi_dram.sv
export WEIR_DRAM_LIB := $(CURDIR)/build/sim/dram/libweirdram.a
export WEIR_DRAM_INCLUDE := $(CURDIR)/sim/dram
export WEIR_DRAM_VERILATOR := $(WEIR_DRAM_SV) $(WEIR_DRAM_LIB) -CFLAGS -I$(WEIR_DRAM_INCLUDE)

export VERILATOR_ROOT ?= $(CURDIR)/build/verilator
STEP ?= setup/step
BUILDS_dram += build/sim/dram/dram_test build/sim/dram/tb/Vdfi_dram_tb

.PHONY: dram
dram: build/sim/dram/libweirdram.a

$(WEIR_DRAM_LIB): build/sim/dram/libweirdram.a

build/sim/dram/libweirdram.a: $(wildcard sim/dram/*.cpp sim/dram/*.hpp) sim/dram/compile.mk | $(TOOLS)
	@$(STEP) dram-library 'Build the DRAM model' $(MAKE) -j2 -f sim/dram/compile.mk library

build/sim/dram/dram_test: $(wildcard sim/dram/test/*.cpp sim/dram/test/*.hpp) build/sim/dram/libweirdram.a
	@$(STEP) dram-tests "Build the DRAM model's tests" $(MAKE) -j2 -f sim/dram/compile.mk tests

build/sim/dram/tb/Vdfi_dram_tb: sim/dram/test/dfi_dram_tb.sv sim/dram/dfi_dram.sv sim/dram/dfi_statistics.sv build/sim/dram/libweirdram.a
	@$(STEP) dram-bench 'Build the bench of dfi_dram.sv' setup/verilate --binary --timing --timescale 1ns/1ps -Wall -j 2 \
	  --top dfi_dram_tb -Mdir $(@D) sim/dram/test/dfi_dram_tb.sv sim/dram/dfi_statistics.sv $(WEIR_DRAM_VERILATOR)
	@touch $@
