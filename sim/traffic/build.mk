# SPDX-License-Identifier: Apache-2.0
# The head to head with LiteDRAM and the soak: programs, and the targets that run them.

TRAFFIC_SYSTEMS := ddr3-2rank-p1 ddr3-2rank-p2 ddr3-2rank-p4 ddr3-x16-p1
TRAFFIC_PROGRAMS := $(foreach system,$(TRAFFIC_SYSTEMS),build/traffic/weir-$(system)/traffic build/traffic/litedram-$(system)/traffic)
# Controllers behind the PHY of the boards, beside LiteDRAM at their parameters: `make test` has its netlist instead.
COMPARED_CONFIGS := ecp5-lite ecp5-mid ecp5-full ecp5-lite-4phase ecp5-mid-4phase ecp5-full-4phase
COMPARED_LITEDRAMS := ecp5-lite-p1 ecp5-lite-4phase-p1
BOARD_PROGRAMS := $(COMPARED_CONFIGS:%=build/traffic/weir-%-p1/traffic) $(COMPARED_LITEDRAMS:%=build/traffic/litedram-%/traffic)

# Names of build folders are CONTROLLER-SYSTEM-pPORTS; head_to_head.py wants them apart.
traffic_words = $(subst -p, ,$(1))

build/traffic/litedram-%/LiteDRAM.v: sim/traffic/litedram_top.py sim/traffic/systems.py | $(TOOLS)
	@python sim/traffic/litedram_top.py $(call traffic_words,$*) $@

build/traffic/litedram-%/traffic: build/traffic/litedram-%/LiteDRAM.v sim/traffic/traffic.cpp sim/traffic/head_to_head.py sim/traffic/systems.py $(BENCH) | $(TOOLS)
	@$(STEP) litedram-$* 'Compile LiteDRAM, $*' python sim/traffic/head_to_head.py litedram $(call traffic_words,$*)

build/traffic/weir-%/traffic: build/hw/traffic-%/Weir.sv sim/traffic/traffic.cpp sim/traffic/head_to_head.py sim/traffic/systems.py $(BENCH) | $(TOOLS)
	@$(STEP) weir-$* 'Compile Weir, $*' python sim/traffic/head_to_head.py weir $(call traffic_words,$*)

$(COMPARED_CONFIGS:%=build/traffic/weir-%-p1/traffic): build/traffic/weir-%-p1/traffic: build/hw/%/Weir.sv sim/traffic/traffic.cpp sim/traffic/head_to_head.py sim/traffic/systems.py $(BENCH) | $(TOOLS)
	@$(STEP) weir-$*-p1 'Compile Weir, $*' python sim/traffic/head_to_head.py weir $* 1

# The traffic alone, on any config of Weir
build/bench/%/traffic: build/hw/%/Weir.sv sim/traffic/traffic.cpp $(BENCH) | $(TOOLS)
	@$(STEP) bench-$* 'Compile the traffic, $*' python sim/bench/verilate.py build/hw/$* $@ sim/bench/session.cpp sim/traffic/traffic.cpp

.SECONDARY: $(patsubst %,build/traffic/litedram-%/LiteDRAM.v,$(TRAFFIC_SYSTEMS) $(COMPARED_LITEDRAMS))

BUILDS_traffic += $(TRAFFIC_PROGRAMS)

.PHONY: traffic traffic-full

traffic: $(TRAFFIC_PROGRAMS) $(BOARD_PROGRAMS) ## Weir against LiteDRAM on the same traffic: build/results/traffic.json and a plot
	@python sim/traffic/run.py

traffic-full: $(TRAFFIC_PROGRAMS) $(BOARD_PROGRAMS) ## the same over a wider grid of burst lengths, ids and ports
	@python sim/traffic/run.py --matrix full

# Four ranks are for the refresh policies of Weir alone.
COMPARE_PROGRAMS := $(TRAFFIC_PROGRAMS) $(BOARD_PROGRAMS) build/traffic/weir-ddr3-4rank-p1/traffic build/traffic/weir-tableii-4rank-p1/traffic

.PHONY: compare

compare: $(COMPARE_PROGRAMS) build/area/area.json ## head to head, area and Fmax against LiteDRAM: build/results/compare.json and a plot
	@python sim/traffic/compare.py build/area/area.json

.PHONY: policies

policies: build/traffic/weir-ddr3-2rank-p1/traffic ## Weir's row and write drain policies on the same traffic: build/results/policies.json
	@python sim/traffic/policies.py

.PHONY: time-scale

time-scale: build/traffic/weir-ddr3-2rank-p1/traffic ## how exact Weir's time scale is, on the same traffic: build/results/time_scale.json
	@python sim/traffic/time_scale.py

# One rank, whole and in pseudo-ranks, against four ranks; a rank of DDR5, whole and in sets of banks.
PSEUDO_RANK_PROGRAMS := $(foreach system,tableii-1rank tableii-2pseudo tableii-4pseudo tableii-4rank ddr5 ddr5-sets,build/traffic/weir-$(system)-p1/traffic)

.PHONY: pseudo-ranks

pseudo-ranks: $(PSEUDO_RANK_PROGRAMS) ## Weir's refresh policies on one rank, on pseudo-ranks and on ranks
	@python sim/traffic/pseudo_ranks.py

# The soak is a program for each of these configs of Weir (tests/configs.mk); `make test` has those of SOAK_TESTED and the drawn ones.
SOAK_PROGRAMS := $(SOAK_CONFIGS:%=build/soak/%/soak) $(SOAK_DRAWN:%=build/soak/%/soak)

BUILDS_soak += $(patsubst %,build/soak/%/soak,$(SOAK_TESTED) $(SOAK_CALIBRATED) $(SOAK_DRAWN))

build/soak/%/soak: build/hw/%/Weir.sv sim/traffic/soak.cpp $(BENCH) | $(TOOLS)
	@$(STEP) soak-$* 'Compile the soak of $*' python sim/bench/verilate.py build/hw/$* $@ sim/bench/session.cpp sim/traffic/soak.cpp

.PHONY: soak

soak: $(SOAK_PROGRAMS) ## random bursts on Weir's configs and on four new ones of random shapes, every read checked; a new seed each time
	@python sim/traffic/soak.py
