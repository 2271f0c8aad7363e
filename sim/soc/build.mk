# SPDX-License-Identifier: Apache-2.0
# The SoCs that are simulated. Each NAME in SOCS, CONTROLLER-HARTS[-checked|-hybrid|-4rank], has under build/soc/NAME:
#   bios.bin software/ gateware/   from generate.py
#   weir-sim                       the simulator; weir-sim-trace can also write waveforms
#   firmware/                      see sw/firmware/build.mk
# In a `checked` SoC LiteDRAM's DFITimingsChecker watches the DFI too; in a `hybrid` one half of the memory is emulated NVM.

SOCS := weir-1 weir-2 weir-4 weir-1-checked weir-1-hybrid weir-4-hybrid weir-4-4rank litedram-1 litedram-2 litedram-4

# $(call soc_harts,NAME), $(call soc_controller,NAME); $(call soc_design,NAME): folder of the controller, if it is Weir
soc_harts = $(word 2,$(subst -, ,$(1)))
soc_controller = $(word 1,$(subst -, ,$(1)))
soc_design = $(if $(filter weir,$(soc_controller)),build/hw/soc-$(word $(soc_harts),64 128 . 512)$(if $(findstring hybrid,$(1)),-hybrid)$(if $(findstring 4rank,$(1)),-4rank))

# $(call soc_kernel,NAME): Linux on it; $(call soc_initramfs,NAME): what that unpacks
soc_guest = build/guest/$(if $(findstring hybrid,$(1)),hybrid/)
soc_kernel = $(soc_guest)Image
soc_initramfs = $(soc_guest)initramfs.cpio

SOC_GENERATOR := $(filter-out $(addprefix sim/soc/,run.py run_plot.py results.py simulation.py hybrid.py hybrid_memory.py hybrid_plot.py map_detection.py ranks.py),$(wildcard sim/soc/*.py)) \
  $(wildcard sim/soc/*.sv boards/litex_weir/litex_weir/*.py)
SOC_PROGRAM := $(wildcard sim/soc/*.cpp)
SOC_MODEL := sim/soc/model.vlt $(WEIR_DRAM_SV) $(WEIR_DRAM_LIB) $(SOC_PROGRAM) $(wildcard sim/soc/*.hpp)
# SYNTHESIS takes out the monitors in Rocket; Weir's assertions have a macro of their own.
SOC_OPTIONS := --cc --exe --build -j 2 --top-module soc \
  -DSYNTHESIS -DWEIR_ASSERTIONS -DPRINTF_COND=0 --x-assign fast --x-initial fast --noassert --no-timing -O3 \
  --savable -Wno-fatal -Wno-lint -Wno-style -Wno-TIMESCALEMOD --quiet \
  -CFLAGS '-std=c++17 -I$(CURDIR)/sim/soc' -LDFLAGS -llz4 -MAKEFLAGS 'OPT_FAST="-O3 -march=native" OPT_GLOBAL=-O3'

SOC_VERILATE := setup/verilate $(SOC_OPTIONS)
# What runs for longer than the two and a half minutes that this takes is compiled by a profile of the BIOS.
SOCS_PROFILED := weir-4-4rank weir-1-hybrid
soc_verilate_profiled = setup/verilate_profiled build/soc/$(1)/profile 124 '--rom build/soc/$(1)/bios.bin --cycles 400000' $(SOC_OPTIONS)

# $(call soc_headers,FOLDER): LiteX's description of that SoC, for the simulator
soc_headers = -CFLAGS '-I$(CURDIR)/$(1)/software/include'

# A design that was elaborated anew is compared, so that an edit inside the controller leaves the SoC as it is.
build/soc/designs/%.json: build/hw/%/Weir.json
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

define soc_rules
build/soc/$(1)/bios.bin: $(SOC_GENERATOR) $(patsubst build/hw/%,build/soc/designs/%.json,$(call soc_design,$(1))) | $(TOOLS) $(patsubst %,%/Weir.sv,$(call soc_design,$(1)))
	@$(STEP) soc-$(1) 'Generate the SoC $(1) and its BIOS' env CCACHE=ccache PYTHONPATH=boards/litex_weir \
	  python sim/soc/generate.py --harts $(call soc_harts,$(1)) --controller $(call soc_controller,$(1)) \
	  $(addprefix --design ,$(call soc_design,$(1))) $(if $(findstring checked,$(1)),--dfi-checker) $(if $(findstring 4rank,$(1)),--ranks 4) \
	  --libc build/soc/libc --output build/soc/$(1)

build/soc/$(1)/weir-sim: build/soc/$(1)/bios.bin $(patsubst %,%/Weir.sv,$(call soc_design,$(1))) $(SOC_MODEL) | $(TOOLS)
	@$(STEP) soc-$(1)-sim 'Compile the simulator of $(1)' $(if $(filter $(1),$(SOCS_PROFILED)),$(call soc_verilate_profiled,$(1)),$(SOC_VERILATE)) $(call soc_headers,build/soc/$(1)) -Mdir build/soc/$(1)/model \
	  -o $(CURDIR)/$$@ sim/soc/model.vlt -f build/soc/$(1)/gateware/sources.f $(abspath $(SOC_PROGRAM)) $(WEIR_DRAM_VERILATOR)

build/soc/$(1)/weir-sim-trace: build/soc/$(1)/bios.bin $(patsubst %,%/Weir.sv,$(call soc_design,$(1))) $(SOC_MODEL) | $(TOOLS)
	@$(STEP) soc-$(1)-sim-trace 'Compile the simulator of $(1) with tracing' $(SOC_VERILATE) $(call soc_headers,build/soc/$(1)) --trace-fst \
	  -Mdir build/soc/$(1)/model-trace -o $(CURDIR)/$$@ sim/soc/model.vlt -f build/soc/$(1)/gateware/sources.f $(abspath $(SOC_PROGRAM)) \
	  $(WEIR_DRAM_VERILATOR)
endef
$(foreach soc,$(SOCS),$(eval $(call soc_rules,$(soc))))

.PHONY: soc
soc: build/soc/weir-$(HARTS)/weir-sim build/soc/weir-$(HARTS)/firmware/membench.bin ## the memory benchmark on the SoC in simulation: build/results/run.json and a plot
	@python sim/soc/run.py build/soc/weir-$(HARTS)

BUILDS_soc += build/soc/weir-1-checked/weir-sim-trace build/soc/weir-4/weir-sim

.PHONY: soc-long
soc-long: build/soc/weir-2/weir-sim ## the tests of the SoC of two harts, which make test leaves out
	@pytest -q -m long sim/soc/tests

.PHONY: hybrid
hybrid: build/soc/weir-1-hybrid/weir-sim build/soc/weir-1-hybrid/firmware/policies.bin ## five policies for memory of which a part is emulated NVM: build/results/hybrid.json and a plot
	@python sim/soc/hybrid.py build/soc/weir-1-hybrid

.PHONY: map-detection
map-detection: build/soc/weir-1/weir-sim build/soc/weir-1/firmware/mapdetect.bin ## find every address map by timing on the SoC in simulation, and compare with the registers
	@python sim/soc/map_detection.py build/soc/weir-1

.PHONY: ranks
ranks: build/soc/weir-4-4rank/weir-sim build/soc/weir-4-4rank/firmware/ranks.bin ## programs in all ranks and in a rank each, without Linux, on the SoC in simulation: build/results/ranks.json
	@python sim/soc/ranks.py build/soc/weir-4-4rank
