# SPDX-License-Identifier: Apache-2.0
# Verilog, SystemRDL and parameters of a named config: depend on build/hw/NAME/Weir.sv (.rdl, .json).
# Mill is started only when a Scala source is newer.

SCALA_SOURCES := $(wildcard hw/src/weir/*.scala hw/src/weir/*/*.scala) build.sc

build/hw/%/Weir.sv build/hw/%/Weir.rdl build/hw/%/Weir.json: $(SCALA_SOURCES) | $(TOOLS)
	@$(STEP) --fetches 'the Chisel libraries' hw-$* 'Elaborate $*' ./mill hw.run --config $* --output build/hw
