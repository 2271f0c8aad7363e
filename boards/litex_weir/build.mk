# SPDX-License-Identifier: Apache-2.0
# The core generator's test: examples/dfi.yml through weir_gen, on the DRAM model. Under build/weir_gen/dfi:
#   weir_dfi.v Weir.sv ...   the core, with the time of its making
#   core_test                it and its DRAM with managers on its ports (tests/core)

WEIR_GEN := $(wildcard boards/litex_weir/litex_weir/*.py)
WEIR_GEN_TEST := $(wildcard boards/litex_weir/tests/core/*)

build/weir_gen/%/weir_dfi.f: boards/litex_weir/examples/%.yml $(WEIR_GEN) $(SCALA_SOURCES) | $(TOOLS)
	@$(STEP) --fetches 'the Chisel libraries' weir_gen-$* 'Generate the core of examples/$*.yml' \
	  env PYTHONPATH=boards/litex_weir python -m litex_weir.weir_gen $< --output $(@D)

build/weir_gen/dfi/core_test: build/weir_gen/dfi/weir_dfi.f $(WEIR_GEN_TEST) $(TRAFFIC_LIBRARY) $(WEIR_DRAM_LIB) $(WEIR_DRAM_SV) | $(TOOLS)
	@$(STEP) weir_gen-dfi-test 'Compile the test of the generated core' $(VERILATOR_ROOT)/bin/verilator --cc --exe --build -j 1 -O3 \
	  --top-module bench --x-assign fast --x-initial fast --noassert --no-timing -Wno-fatal -Wno-lint -Wno-style --quiet \
	  -Mdir $(@D)/model -o $(CURDIR)/$@ -MAKEFLAGS OPT_FAST=-O1 \
	  -CFLAGS '-std=gnu++17 -I$(CURDIR)/boards/litex_weir/tests/core -I$(CURDIR)/$(@D)/include -I$(CURDIR)/sim/traffic/bench' \
	  -f $(@D)/weir_dfi.f $(CURDIR)/boards/litex_weir/tests/core/bench.sv $(CURDIR)/boards/litex_weir/tests/core/core_test.cpp \
	  $(CURDIR)/$(TRAFFIC_LIBRARY) $(WEIR_DRAM_VERILATOR)

BUILDS += build/weir_gen/dfi/core_test
