# SPDX-License-Identifier: Apache-2.0
# The soak with a number for all that the controller drives.

build/unchanged/%/soak: build/hw/%/Weir.sv sim/unchanged/outputs.sv sim/unchanged/bind.sv sim/traffic/soak.cpp $(BENCH) | $(TOOLS)
	@$(STEP) unchanged-$* 'Compile the soak of $* with numbers of its outputs' python sim/bench/verilate.py build/hw/$* $@ \
	  --verilog=build/hw/$*/Weir.sv --verilog=sim/unchanged/outputs.sv --verilog=sim/unchanged/bind.sv sim/bench/session.cpp sim/traffic/soak.cpp

.PHONY: unchanged
unchanged: $(UNCHANGED_CONFIGS:%=build/unchanged/%/soak) ## whether the controller drives in each cycle what it drove at the commit in sim/unchanged/recorded.toml; RECORD=COMMIT records
	@python sim/unchanged/unchanged.py $(if $(RECORD),--record $(call quoted,$(RECORD)))

UNCHANGED_TEST := build/unchanged/test/Voutputs_test
BUILDS_unchanged += $(UNCHANGED_TEST) build/unchanged/test-1rank-1phase/soak

$(UNCHANGED_TEST): sim/unchanged/tests/outputs_test.sv sim/unchanged/outputs.sv | $(TOOLS)
	@mkdir -p $(@D)
	@$(STEP) unchanged-test 'Compile the test of the numbers of outputs' $(CURDIR)/setup/verilate --binary --timing -Wno-fatal -Wno-lint -Wno-style \
	  +define+PORTS=2 --top-module outputs_test -Mdir $(CURDIR)/$(@D) $^
