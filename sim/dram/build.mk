# SPDX-License-Identifier: Apache-2.0
# The DRAM model: library, tests, and what a Verilator run needs to use it. Included by the top Makefile.
#
#   WEIR_DRAM_SV       the module to put among the Verilog sources
#   WEIR_DRAM_LIB      the library to link
#   WEIR_DRAM_INCLUDE  folder of the C++ headers, for a harness that calls weir::dram::find()
#   WEIR_DRAM_VERILATOR  all of it, for a `verilator` command line

WEIR_DRAM_ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
WEIR_ROOT ?= $(abspath $(WEIR_DRAM_ROOT)/../..)
VERILATOR_ROOT ?= $(WEIR_ROOT)/build/verilator

export WEIR_DRAM_SV := $(WEIR_DRAM_ROOT)/dfi_dram.sv
export WEIR_DRAM_LIB := $(WEIR_ROOT)/build/sim/dram/libweirdram.a
export WEIR_DRAM_INCLUDE := $(WEIR_DRAM_ROOT)
export WEIR_DRAM_VERILATOR := $(WEIR_DRAM_SV) $(WEIR_DRAM_LIB) -CFLAGS -I$(WEIR_DRAM_INCLUDE)

WEIR_DRAM_BUILD := $(dir $(WEIR_DRAM_LIB))
WEIR_DRAM_SOURCES := $(wildcard $(WEIR_DRAM_ROOT)/*.cpp)
WEIR_DRAM_OBJECTS := $(patsubst $(WEIR_DRAM_ROOT)/%.cpp,$(WEIR_DRAM_BUILD)%.o,$(WEIR_DRAM_SOURCES))
WEIR_DRAM_FLAGS := -std=c++17 -O2 -g -Wall -Wextra -Wconversion -fPIC -I$(VERILATOR_ROOT)/include/vltstd

.PHONY: dram
dram: $(WEIR_DRAM_LIB)

$(WEIR_DRAM_LIB): $(WEIR_DRAM_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(WEIR_DRAM_BUILD)%.o: $(WEIR_DRAM_ROOT)/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(WEIR_DRAM_FLAGS) -MMD -MP -c $< -o $@

-include $(WEIR_DRAM_OBJECTS:.o=.d)
