# SPDX-License-Identifier: Apache-2.0
# The boards' SoCs in simulation. Each NAME in BOARD_SOCS, CONTROLLER-BOARD, has under build/board/NAME what a SoC has
# under build/soc/NAME (sim/soc/build.mk), and its simulator is made of the same program.

BOARD_SOCS := weir-ecpix5 weir-lite-ecpix5 weir-lite-orangecrab-25f litedram-ecpix5

# $(call board_of,NAME), $(call board_controller,NAME), $(call board_design,NAME): the last is the folder of Weir's design,
# which has the board's name in its own; that it is the one of the board's target is checked by the generator
board_of = $(patsubst litedram-%,%,$(patsubst weir-%,%,$(1:weir-lite-%=%)))
board_controller = $(patsubst %-$(board_of),%,$(1))
board_design = $(addprefix build/hw/$(board_of),$(patsubst weir,-full,$(patsubst weir-lite,-lite,$(filter weir weir-lite,$(board_controller)))))

BOARD_GENERATOR := $(wildcard sim/board/*.py sim/board/*.sv boards/weir_boards/*.py) $(SOC_GENERATOR)

define board_rules
build/board/$(1)/bios.bin: $(BOARD_GENERATOR) | $(TOOLS) $(patsubst %,%/Weir.sv,$(call board_design,$(1)))
	@$(STEP) board-$(1) 'Generate the SoC $(1) and its BIOS' env CCACHE=ccache PYTHONPATH=boards:boards/litex_weir:sim/soc \
	  python sim/board/generate.py --board $(call board_of,$(1)) --controller $(call board_controller,$(1)) \
	  $(addprefix --design ,$(call board_design,$(1))) --libc build/board/libc --output build/board/$(1)

build/board/$(1)/weir-sim: build/board/$(1)/bios.bin $(patsubst %,%/Weir.sv,$(call board_design,$(1))) $(SOC_MODEL) | $(TOOLS)
	@$(STEP) board-$(1)-sim 'Compile the simulator of $(1)' $(SOC_VERILATE) $(call soc_headers,build/board/$(1)) \
	  -Mdir build/board/$(1)/model \
	  -o $(CURDIR)/$$@ -f build/board/$(1)/gateware/sources.f $(abspath $(SOC_PROGRAM)) $(WEIR_DRAM_VERILATOR)
endef
$(foreach soc,$(BOARD_SOCS),$(eval $(call board_rules,$(soc))))

# A SoC whose Weir is broken, to show that an assertion which fails ends a boot (tests/test_board.py).
BOARD_BROKEN := build/board/weir-lite-orangecrab-25f
$(BOARD_BROKEN)/broken/weir-sim: $(BOARD_BROKEN)/bios.bin $(call board_design,$(notdir $(BOARD_BROKEN)))/Weir.sv sim/board/tests/break_design.py $(SOC_MODEL) | $(TOOLS)
	@python sim/board/tests/break_design.py $(BOARD_BROKEN)/gateware/sources.f $(@D)
	@$(STEP) board-broken-sim 'Compile the simulator of a broken Weir' $(SOC_VERILATE) $(call soc_headers,$(BOARD_BROKEN)) \
	  -Mdir $(@D)/model -o $(CURDIR)/$@ -f $(@D)/sources.f $(abspath $(SOC_PROGRAM)) $(WEIR_DRAM_VERILATOR)

# A program can be put into the DRAM of a SoC whose addresses go through ranks as the DRAM model's do; a full Weir has its
# pseudo-ranks on top.
BOARD_PROGRAM_SOCS := $(filter-out weir-ecpix5,$(BOARD_SOCS))
$(foreach soc,$(BOARD_PROGRAM_SOCS),$(foreach plan,full quick,$(eval $(call firmware_rule,build/board/$(soc),$(call \
  board_design,$(soc)),$(FIRMWARE_VEXRISCV),membench-$(plan),$(FIRMWARE_MEMBENCH) sw/firmware/membench/plan_$(plan).c))))

.PHONY: board-sim
board-sim: $(BOARD_SOCS:%=build/board/%/weir-sim) $(BOARD_PROGRAM_SOCS:%=build/board/%/firmware/membench-quick.bin) ## the BIOS's DRAM initialisation and memory test on the boards' SoCs, simulated
	@pytest -q sim/board/tests

# The SoCs of one board beside each other.
BOARD_MEMBENCH := $(filter %-ecpix5,$(BOARD_PROGRAM_SOCS))

.PHONY: board-membench
board-membench: $(foreach file,weir-sim firmware/membench-full.bin,$(BOARD_MEMBENCH:%=build/board/%/$(file))) ## membench on the SoCs of ECPIX-5, simulated, side by side: build/results/boards-membench.json
	@python sim/board/membench.py $(BOARD_MEMBENCH:%=build/board/%)

BUILDS_board += $(BOARD_SOCS:%=build/board/%/weir-sim) $(BOARD_BROKEN)/broken/weir-sim $(BOARD_PROGRAM_SOCS:%=build/board/%/firmware/membench-quick.bin)
