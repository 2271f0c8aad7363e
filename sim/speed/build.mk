# SPDX-License-Identifier: Apache-2.0
# How fast simulation is, beside LiteX's own simulator.

build/soc/litex-sim/gateware/obj_dir/Vsim: $(wildcard sim/speed/*.py) | $(TOOLS)
	@$(STEP) litex-sim 'Generate and compile LiteX'"'"'s own simulator' env PYTHONPATH=boards/litex_weir \
	  python sim/speed/litex_sim_soc.py --output build/soc/litex-sim

.PHONY: speed
speed: build/soc/weir-1/weir-sim build/soc/litex-sim/gateware/obj_dir/Vsim ## how fast the SoC is simulated, beside litex_sim: build/results/speed.json
	@python sim/speed/speed.py build/soc/weir-1 build/soc/litex-sim
