# SPDX-License-Identifier: Apache-2.0
# How fast simulation is: the SoC beside LiteX's own simulator, the lab beside the traffic bench.

build/soc/litex-sim/gateware/obj_dir/Vsim: sim/speed/litex_sim_soc.py | $(TOOLS)
	@$(STEP) litex-sim 'Generate and compile LiteX'"'"'s own simulator' env PYTHONPATH=boards/litex_weir \
	  python sim/speed/litex_sim_soc.py --output build/soc/litex-sim

.PHONY: speed
speed: build/soc/weir-1/weir-sim build/soc/litex-sim/gateware/obj_dir/Vsim ## how fast the SoC is simulated, beside litex_sim: build/results/speed.json
	@python sim/speed/speed.py build/soc/weir-1 build/soc/litex-sim

.PHONY: lab-speed
lab-speed: build/bench/lab-rank-assignment-32gb/traffic build/lab/lab-rank-assignment-32gb/lab ## how fast the lab is, beside the traffic bench: build/results/lab-speed.json
	@python sim/speed/lab.py $^
