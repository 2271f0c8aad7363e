# SPDX-License-Identifier: Apache-2.0
# The core generator's test: two of its examples on the DRAM model. Under build/weir_gen:
#   axi/ wishbone/   the cores of examples/axi.yml and wishbone.yml
#   core_test        they and their DRAMs with a manager on each (tests/core)
#   base/            the same of a design whose memory is not at address 0 of its own ports

WEIR_GEN_BENCH := $(addprefix boards/litex_weir/tests/core/,bench.sv public.vlt core_test.cpp alias.hpp given_up.hpp \
  handover.hpp system.h hw/common.h)
WEIR_GEN := $(wildcard boards/litex_weir/litex_weir/*.py)

build/weir_gen/%/weir.stamp: boards/litex_weir/examples/%.yml $(WEIR_GEN) build/hw/ecp5-lite/Weir.sv | $(TOOLS)
	@$(STEP) weir_gen-$* 'Generate the core of examples/$*.yml' \
	  env PYTHONPATH=boards/litex_weir python -m litex_weir.weir_gen $< --output $(@D)
	@touch $@

build/weir_gen/base/axi.yml build/weir_gen/base/wishbone.yml: build/weir_gen/base/%.yml: boards/litex_weir/examples/%.yml
	@mkdir -p $(@D)
	@sed 's|build/hw/ecp5-lite|build/hw/ecp5-base|' $< > $@

build/weir_gen/base/%/weir.stamp: build/weir_gen/base/%.yml $(WEIR_GEN) build/hw/ecp5-base/Weir.sv | $(TOOLS)
	@$(STEP) weir_gen-base-$* 'Generate the core of examples/$*.yml, memory elsewhere' \
	  env PYTHONPATH=boards/litex_weir python -m litex_weir.weir_gen $< --output $(@D)
	@touch $@

# the test of the cores in a folder, of which the second argument tells
define weir_gen_test
$(1)/core_test: $(1)/axi/weir.stamp $(1)/wishbone/weir.stamp $(WEIR_GEN_BENCH) $(BENCH_LIBRARY) \
  $(WEIR_DRAM_LIB) $(WEIR_DRAM_SV) | $(TOOLS)
	@$(STEP) $(subst /,-,$(1:build/%=%))-test 'Compile the test of generated cores$(2)' setup/verilate --cc --exe --build -j 1 -O3 \
	  --top-module bench --x-assign fast --x-initial fast --noassert --no-timing -Wno-fatal -Wno-lint -Wno-style -Wno-TIMESCALEMOD -Wno-COMBDLY --quiet \
	  -Mdir $(1)/model -o $(CURDIR)/$(1)/core_test -MAKEFLAGS 'OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0' \
	  -CFLAGS '-std=gnu++17 $(addprefix -I$(CURDIR)/,boards/litex_weir/tests/core $(1)/axi/include sim/bench)' \
	  $(addprefix $(CURDIR)/$(1)/,axi/Weir.sv axi/weir_axi.v wishbone/weir_wishbone.v) \
	  $(addprefix $(CURDIR)/boards/litex_weir/tests/core/,public.vlt bench.sv core_test.cpp) $(CURDIR)/$(BENCH_LIBRARY) $(WEIR_DRAM_VERILATOR)

BUILDS_litex_weir += $(1)/core_test
endef
$(eval $(call weir_gen_test,build/weir_gen,))
$(eval $(call weir_gen_test,build/weir_gen/base,; memory elsewhere))
BUILDS_litex_weir += build/hw/soc-64/Weir.json
