# SPDX-License-Identifier: Apache-2.0
# Linux on the simulated SoC: build/linux/SOC/snapshot is the machine as init found it.

LINUX_PROGRAMS := $(filter-out $(addprefix sim/linux/,run.py boot_figures.py kept_rows.py recorded.py),$(wildcard sim/linux/*.py)) sim/soc/simulation.py

define linux_rule
build/linux/$(1)/snapshot: build/soc/$(1)/weir-sim build/guest/$(1).dtb build/guest/fw_jump.bin $(call soc_kernel,$(1)) $(call soc_initramfs,$(1)) $(LINUX_PROGRAMS) | $(TOOLS)
	@python sim/linux/boot.py $(1)
endef
$(foreach soc,$(SOCS),$(eval $(call linux_rule,$(soc))))

# One of SOCS.
SOC ?= weir-$(HARTS)

.PHONY: snapshot linux shell
snapshot: build/linux/$(SOC)/snapshot ## boot Linux on the SoC in simulation and save the machine when init runs

linux: snapshot ## run SCRIPT, or a benchmark, on Linux on the SoC in simulation: build/results/linux.json
	@python sim/linux/run.py $(SOC) $(if $(SCRIPT),--script $(SCRIPT))

shell: snapshot ## a shell of Linux on the SoC in simulation (`exit` ends it)
	@python sim/linux/run.py $(SOC) --shell

# For the tests: one hart from its snapshot, which tests/suites.toml makes: it keeps one core alone for minutes, beside which
# other suites run.
BUILDS_linux += build/soc/weir-1/weir-sim build/guest/weir-1.dtb build/guest/Image build/guest/initramfs.cpio build/guest/fw_jump.bin

.PHONY: linux-long
linux-long: build/linux/weir-1/snapshot build/linux/weir-1-hybrid/snapshot build/soc/weir-4/weir-sim build/guest/weir-4.dtb ## what make test leaves out on the SoC: the selftests of drivers, policies and Rainbow, and four harts that come up
	@pytest -q -m long sim/linux/tests
