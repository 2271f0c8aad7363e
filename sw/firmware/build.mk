# SPDX-License-Identifier: Apache-2.0
# Bare-metal programs for the harts, built for each SoC in SOCS (sim/soc/build.mk) as build/soc/NAME/firmware/PROGRAM.bin,
# to be put 2 MiB into its DRAM, and jumped to by all harts; sim/board/build.mk has some of the boards' SoCs.

FIRMWARE_MEMBENCH := $(addprefix sw/firmware/membench/,main.c bandwidth.c controller.c latency.c measure.c report.c)
FIRMWARE_RUNTIME := $(wildcard sw/firmware/runtime/*.c sw/firmware/runtime/*.S)
FIRMWARE_HEADERS := $(wildcard sw/firmware/*/*.h) sw/firmware/runtime/firmware.ld
# This ISA version counts csrr as part of imac, as the toolchain's libraries do.
FIRMWARE_GCC := riscv64-unknown-elf-gcc --specs=picolibc.specs -nostartfiles -misa-spec=2.2 \
  -mcmodel=medany -std=gnu11 -O2 -ffunction-sections -Wall -Wextra -Werror \
  -Isw/firmware/runtime -Isw/firmware/hybrid -Tsw/firmware/runtime/firmware.ld -Wl,--gc-sections,--no-warn-rwx-segments

# For each CPU: its ISA, and where programs lie. The smaller printf has no 64-bit numbers where long has 32 bits.
FIRMWARE_ROCKET := -march=rv64imac -mabi=lp64 -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=load_address=0x80200000
FIRMWARE_VEXRISCV := -march=rv32ima -mabi=ilp32 -DPICOLIBC_DOUBLE_PRINTF_SCANF -Wl,--defsym=load_address=0x40200000

# $(call firmware_rule,FOLDER,DESIGN,OPTIONS,PROGRAM,SOURCES): for the SoC in a folder, with the Weir of a folder if it has
# one, by the options of its CPU
define firmware_rule
$(1)/firmware/$(4).elf: $(5) $(FIRMWARE_RUNTIME) $(FIRMWARE_HEADERS) $(1)/bios.bin $(patsubst %,%/weir.h,$(2)) | $(TOOLS)
	@mkdir -p $$(@D)
	@$(FIRMWARE_GCC) $(3) -I$(1)/software/include $(addprefix -I,$(2)) $(FIRMWARE_RUNTIME) $(5) -o $$@

$(1)/firmware/$(4).bin: $(1)/firmware/$(4).elf
	@riscv64-unknown-elf-objcopy -O binary $$< $$@
endef

# $(call soc_firmware,SOC,PROGRAM,SOURCES)
soc_firmware = $(call firmware_rule,build/soc/$(1),$(call soc_design,$(1)),$(FIRMWARE_ROCKET),$(2),$(3))

$(foreach soc,$(SOCS),$(eval $(call soc_firmware,$(soc),membench,$(FIRMWARE_MEMBENCH) sw/firmware/membench/plan_full.c)))
$(foreach soc,$(SOCS),$(eval $(call soc_firmware,$(soc),membench-quick,$(FIRMWARE_MEMBENCH) sw/firmware/membench/plan_quick.c)))

# Policies for memory of which a part is emulated NVM.
FIRMWARE_HYBRID := $(wildcard sw/firmware/hybrid/*.c)
FIRMWARE_POLICIES := $(wildcard sw/firmware/policies/*.c) $(FIRMWARE_HYBRID)
FIRMWARE_HYBRID_SOCS := $(foreach soc,$(SOCS),$(if $(findstring hybrid,$(soc)),$(soc)))
$(foreach soc,$(FIRMWARE_HYBRID_SOCS),$(eval $(call soc_firmware,$(soc),policies,$(FIRMWARE_POLICIES))))

# Detection of the address map, on SoCs of one hart: other harts would run on while the program moves.
FIRMWARE_MAPDETECT := $(wildcard sw/firmware/mapdetect/*.c sw/firmware/mapdetect/*.S sw/guest/mapdetect/*.c)
FIRMWARE_HEADERS += $(wildcard sw/guest/mapdetect/*.h)
$(foreach soc,weir-1 weir-1-checked,$(eval $(call soc_firmware,$(soc),mapdetect,$(FIRMWARE_MAPDETECT))))

# Programs in all ranks or in a rank each, on SoCs of four harts.
FIRMWARE_RANKS := $(wildcard sw/firmware/ranks/*.c)
$(foreach soc,weir-4 weir-4-4rank,$(eval $(call soc_firmware,$(soc),ranks,$(FIRMWARE_RANKS))))

# Guests of the simulator's tests.
FIRMWARE_GUESTS := $(wildcard sim/soc/tests/guest/*.c)
$(foreach soc,$(SOCS),$(foreach guest,$(FIRMWARE_GUESTS),$(eval $(call soc_firmware,$(soc),$(basename $(notdir $(guest))),$(guest)))))

FIRMWARE_OF_TESTS := membench-quick $(basename $(notdir $(FIRMWARE_GUESTS)))
BUILDS_soc += $(foreach soc,weir-1-checked weir-4,$(FIRMWARE_OF_TESTS:%=build/soc/$(soc)/firmware/%.bin))
soc-long: $(FIRMWARE_OF_TESTS:%=build/soc/weir-2/firmware/%.bin)
BUILDS_soc += build/soc/weir-1-checked/firmware/mapdetect.bin build/soc/weir-4/firmware/ranks.bin
