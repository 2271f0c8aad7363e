# SPDX-License-Identifier: Apache-2.0
# Bitstreams. `make bitstream BOARD=... CPU=... CONTROLLER=...` makes, under build/boards/BOARD-CPU-CONTROLLER:
#   gateware/soc.v and what belongs to it   the SoC (weir_boards.generate)
#   gateware/soc.json                       the netlist, from Yosys
#   gateware/seedN.json seedN.config        from nextpnr, a pair for each seed tried
#   NAME.bit NAME.svf NAME.txt              the bitstream, if timing is met, and the report
# and puts a row into build/results/boards.json.

BOARD ?= ecpix5
CPU ?= vexriscv
CONTROLLER ?= weir
SEEDS ?= 8
TTY ?= /dev/ttyUSB0

BOARDS_PYTHON := env CCACHE=ccache PYTHONPATH=boards:boards/litex_weir:boards/area:sim/soc python -m
BUILD_WORDS = $(foreach name,BOARD CPU CONTROLLER,$(call quoted,$($(name))))
BOARD_NAME := $(BOARD)-$(CPU)-$(CONTROLLER)
BOARD_FOLDER := build/boards/$(BOARD_NAME)
# Weir's config, which weir_boards.check tells; LiteDRAM has none
BOARD_CONFIG ?=

.PHONY: bitstream load console

bitstream: | $(TOOLS) ## make a board's bitstream: BOARD=ecpix5 CONTROLLER=weir, weir-lite or litedram (docs/boards.md)
	@config=$$($(BOARDS_PYTHON) weir_boards.check $(BUILD_WORDS) $(call quoted,$(SEEDS))) && \
	  $(MAKE) BOARD_CONFIG=$$config $(call quoted,$(BOARD_FOLDER)/gateware/soc.json)
	@$(BOARDS_PYTHON) weir_boards.bitstream $(BUILD_WORDS) $(call quoted,$(SEEDS)) $(call quoted,$(BOARD_FOLDER)) build/results/boards.json

load: | $(TOOLS) ## load a board's bitstream into its FPGA (BOARD, CPU, CONTROLLER as for bitstream)
	@$(BOARDS_PYTHON) weir_boards.load $(call quoted,$(BOARD)) $(call quoted,$(BOARD_FOLDER)/$(BOARD_NAME).bit)

console: | $(TOOLS) ## open a board's serial port: TTY=/dev/ttyUSB0; ctrl-c twice ends it
	@litex_term --speed 115200 $(call quoted,$(TTY))

# A design that was elaborated anew and came out the same needs no new SoC.
build/boards/designs/%.sv: build/hw/%/Weir.sv build/hw/%/Weir.json
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

# Wanted for itself too; it comes whole, in a folder that takes its place.
.PRECIOUS: build/boards/%/gateware/soc.v

# What comes after the SoC does not change it.
BOARDS_AFTER := $(addprefix boards/weir_boards/,bitstream.py check.py load.py place.py report.py rows.py synthesise.py words.py)
BOARDS_SOC := $(filter-out $(BOARDS_AFTER),$(wildcard boards/weir_boards/*.py boards/litex_weir/litex_weir/*.py))

build/boards/%/gateware/soc.v: $(BOARDS_SOC) $(BOARD_CONFIG:%=build/boards/designs/%.sv) | $(TOOLS)
	@$(STEP) boards-$* 'Generate the SoC $* and its BIOS' $(BOARDS_PYTHON) weir_boards.generate \
	  $(BUILD_WORDS) $(if $(BOARD_CONFIG),build/hw/$(BOARD_CONFIG),-) build/boards/libc-$(CPU) build/boards/$*

build/boards/%/gateware/soc.json: build/boards/%/gateware/soc.v
	@$(STEP) boards-$*-netlist 'Synthesise $*' $(BOARDS_PYTHON) weir_boards.synthesise $(@D)

BUILDS_boards += build/hw/ecp5-lite/Weir.json
