# SPDX-License-Identifier: Apache-2.0
# Bare-metal programs for the harts, built for each SoC in SOCS (sim/soc/build.mk) as build/soc/NAME/firmware/PROGRAM.bin,
# to be put at 0x80200000 and jumped to by all harts.

FIRMWARE_MEMBENCH := $(addprefix sw/firmware/membench/,main.c bandwidth.c controller.c latency.c measure.c report.c)
FIRMWARE_RUNTIME := $(wildcard sw/firmware/runtime/*.c sw/firmware/runtime/*.S)
FIRMWARE_HEADERS := $(wildcard sw/firmware/*/*.h) sw/firmware/runtime/firmware.ld
# This ISA version counts csrr as part of rv64imac, as the toolchain's libraries do.
FIRMWARE_GCC := riscv64-unknown-elf-gcc --specs=picolibc.specs -DPICOLIBC_INTEGER_PRINTF_SCANF -nostartfiles \
  -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -std=gnu11 -O2 -ffunction-sections -Wall -Wextra -Werror \
  -Isw/firmware/runtime -Isw/firmware/hybrid -Tsw/firmware/runtime/firmware.ld -Wl,--gc-sections,--no-warn-rwx-segments

# $(call firmware_rule,SOC,PROGRAM,SOURCES)
define firmware_rule
build/soc/$(1)/firmware/$(2).elf: $(3) $(FIRMWARE_RUNTIME) $(FIRMWARE_HEADERS) build/soc/$(1)/bios.bin $(patsubst %,%/weir.h,$(call soc_design,$(1))) | $(TOOLS)
	@mkdir -p $$(@D)
	@$(FIRMWARE_GCC) -Ibuild/soc/$(1)/software/include $(addprefix -I,$(call soc_design,$(1))) $(FIRMWARE_RUNTIME) $(3) -o $$@

build/soc/$(1)/firmware/$(2).bin: build/soc/$(1)/firmware/$(2).elf
	@riscv64-unknown-elf-objcopy -O binary $$< $$@
endef

$(foreach soc,$(SOCS),$(eval $(call firmware_rule,$(soc),membench,$(FIRMWARE_MEMBENCH) sw/firmware/membench/plan_full.c)))
$(foreach soc,$(SOCS),$(eval $(call firmware_rule,$(soc),membench-quick,$(FIRMWARE_MEMBENCH) sw/firmware/membench/plan_quick.c)))

# Policies for memory of which a part is emulated NVM.
FIRMWARE_HYBRID := $(wildcard sw/firmware/hybrid/*.c)
FIRMWARE_POLICIES := $(wildcard sw/firmware/policies/*.c) $(FIRMWARE_HYBRID)
FIRMWARE_HYBRID_SOCS := $(foreach soc,$(SOCS),$(if $(findstring hybrid,$(soc)),$(soc)))
$(foreach soc,$(FIRMWARE_HYBRID_SOCS),$(eval $(call firmware_rule,$(soc),policies,$(FIRMWARE_POLICIES))))

# Detection of the address map, on SoCs of one hart: other harts would run on while the program moves.
FIRMWARE_MAPDETECT := $(wildcard sw/firmware/mapdetect/*.c sw/firmware/mapdetect/*.S sw/guest/mapdetect/*.c)
FIRMWARE_HEADERS += $(wildcard sw/guest/mapdetect/*.h)
$(foreach soc,weir-1 weir-1-checked,$(eval $(call firmware_rule,$(soc),mapdetect,$(FIRMWARE_MAPDETECT))))

# Guests of the simulator's tests.
FIRMWARE_GUESTS := $(wildcard sim/soc/tests/guest/*.c)
$(foreach soc,$(SOCS),$(foreach guest,$(FIRMWARE_GUESTS),$(eval $(call firmware_rule,$(soc),$(basename $(notdir $(guest))),$(guest)))))

FIRMWARE_OF_TESTS := membench-quick $(basename $(notdir $(FIRMWARE_GUESTS)))
BUILDS += $(foreach soc,weir-1-checked weir-2 weir-4,$(FIRMWARE_OF_TESTS:%=build/soc/$(soc)/firmware/%.bin))
