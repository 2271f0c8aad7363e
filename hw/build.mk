# SPDX-License-Identifier: Apache-2.0
# What comes out of the Chisel sources for a named config, under build/hw/NAME/:
#   Weir.sv Weir.rdl Weir.json   from the generator; Mill is started only when a Scala source is newer
#   weir.h                       C header of the registers; like the following made of Weir.rdl by PeakRDL
#   python/weir/                 Python package of the registers: put build/hw/NAME/python on the path
#   html/index.html              page of the registers
# A config is a run of the generator by itself: its Verilog can be compiled while the next one is elaborated.

SCALA_SOURCES := $(wildcard hw/src/weir/*.scala hw/src/weir/*/*.scala) build.sc

build/hw/%/Weir.sv build/hw/%/Weir.rdl build/hw/%/Weir.json: $(SCALA_SOURCES) | $(TOOLS)
	@$(STEP) --fetches 'the Chisel libraries' hw-$* 'Elaborate $*' ./mill hw.run --config $* --output build/hw

# what a rule below is made of is wanted for itself too
.PRECIOUS: build/hw/%/Weir.sv build/hw/%/Weir.rdl build/hw/%/Weir.json

build/hw/%/weir.h: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-header 'Write the C header of the registers of $*' peakrdl c-header $< -o $@

build/hw/%/python/weir/__init__.py: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-python 'Write the Python model of the registers of $*' \
	  peakrdl python $< -o build/hw/$*/python --skip_test_case_generation --udp weir_minimum weir_maximum
	@touch $@

build/hw/%/html/index.html: build/hw/%/Weir.rdl | $(TOOLS)
	@$(STEP) hw-$*-html 'Write the page of the registers of $*' peakrdl html $< -o build/hw/$*/html
	@touch $@

BUILDS += $(addprefix build/hw/soc-64/,weir.h python/weir/__init__.py html/index.html) build/hw/ecp5-lite/Weir.rdl
