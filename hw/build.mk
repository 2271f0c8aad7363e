# SPDX-License-Identifier: Apache-2.0
# What comes out of the Chisel sources for a named config, under build/hw/NAME/:
#   Weir.sv Weir.rdl Weir.json   from the generator; Mill is started only when a Scala source is newer, and what it makes
#                                no differently keeps its time, so that nothing is made of it again
#   elaborated                   when that was
#   weir.h                       C header of the registers; like the following made of Weir.rdl by PeakRDL
#   python/weir/                 Python package of the registers: put build/hw/NAME/python on the path
#   html/index.html              page of the registers

SCALA_SOURCES := $(wildcard hw/src/weir/*.scala hw/src/weir/*/*.scala hw/src/weir/*/*/*.scala) build.sc

build/hw/%/Weir.sv build/hw/%/Weir.rdl build/hw/%/Weir.json: build/hw/%/elaborated
	@:

# The compiled generator: its class path, on one line.
build/hw/classpath: $(SCALA_SOURCES) mill | $(TOOLS)
	@mkdir -p $(@D)
	@$(STEP) --fetches 'the Chisel libraries' hw-compile 'Compile the generator' hw/compile $@

# before Mill is kept busy by the tests
BUILDS_scala += build/hw/classpath

.PHONY: scala-long
scala-long: build-scala ## the Scala tests that make test leaves out: further configs and values of what others show
	@./mill --jobs 1 --ticker false hw.test -n long

build/hw/%/elaborated: build/hw/classpath hw/elaborate | $(TOOLS)
	@$(STEP) hw-$* 'Elaborate $*' hw/elaborate $*
	@touch $@

# Configs that are always needed together take one run of the generator, a third of the time.
hw_files = $(foreach name,$(1),$(addprefix build/hw/$(name)/Weir.,sv rdl json))
define hw_together
$(2:%=build/hw/%/elaborated) &: build/hw/classpath hw/elaborate | $(TOOLS)
	@$(STEP) hw-$(1) 'Elaborate the $(1) configs' hw/elaborate $(2)
	@touch $(2:%=build/hw/%/elaborated)
endef
$(eval $(call hw_together,test,$(SOAK_DRAWN) $(filter test-%,$(COCOTB_CONFIGS))))
$(eval $(call hw_together,formal,$(FORMAL_CONFIGS)))
$(eval $(call hw_together,ecp5,ecp5-lite ecp5-mid ecp5-full ecp5-base ecp5-lite-4phase ecp5-mid-4phase ecp5-full-4phase))
$(eval $(call hw_together,traffic,traffic-ddr3-2rank-p1 traffic-ddr3-2rank-p2 traffic-ddr3-2rank-p4 traffic-ddr3-x16-p1))
$(eval $(call hw_together,refresh,traffic-ddr3-4rank-p1 traffic-tableii-4rank-p1 traffic-tableii-1rank-p1 traffic-tableii-2pseudo-p1 traffic-tableii-4pseudo-p1))

# what a rule below is made of is wanted for itself too
.PRECIOUS: build/hw/%/elaborated build/hw/%/Weir.sv build/hw/%/Weir.rdl build/hw/%/Weir.json

build/hw/%/weir.h: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-header 'Write the C header of the registers of $*' peakrdl c-header $< -o $@

build/hw/%/python/weir/__init__.py: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-python 'Write the Python model of the registers of $*' \
	  peakrdl python $< -o build/hw/$*/python --skip_test_case_generation --udp weir_minimum weir_maximum
	@touch $@

build/hw/%/html/index.html: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-html 'Write the page of the registers of $*' peakrdl html $< -o build/hw/$*/html
	@touch $@

# The register map's tests read one of each kind, with what PeakRDL makes of it.
BUILDS_register-map += $(addprefix build/hw/soc-64/,weir.h python/weir/__init__.py html/index.html) \
  $(foreach name,ecp5-lite features-events soc-64-hybrid test-ddr4 test-2channel test-2pseudo test-4pseudo \
    test-4rank-2phase,build/hw/$(name)/Weir.rdl)
