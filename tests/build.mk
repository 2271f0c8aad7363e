# SPDX-License-Identifier: Apache-2.0
# What the cocotb tests run on: the configs of tests/cocotb/matrix.py and the DRAM model.

COCOTB_CONFIGS := test-1rank-1phase test-4rank-2phase test-ddr4 test-wide-bus test-narrow-bus test-2channel test-2pseudo test-4pseudo test-hybrid test-hybrid-x16 test-hot-monitor test-remapping test-remapping-x16 test-migration test-migration-x16 soc-64
BUILDS_cocotb += $(call hw_files,$(COCOTB_CONFIGS)) $(WEIR_DRAM_LIB)
BUILDS_coverage += $(call hw_files,$(COCOTB_CONFIGS))

.PHONY: cocotb-long
cocotb-long: build-cocotb ## the runs of cocotb that make test leaves out: rooms on their other configs, policies in combination on all
	@pytest -q -m long tests/cocotb

# What the proofs of tests/formal are about.
FORMAL_CONFIGS := formal-2rank-4phase formal-1rank-2phase formal-1rank-shortest formal-2rank-shortest formal-remapping
# test_paths.py looks at remapping where lines go on every second cycle too.
BUILDS_formal += $(call hw_files,$(FORMAL_CONFIGS) test-remapping-x16)

.PHONY: formal formal-deep

formal: $(call hw_files,$(FORMAL_CONFIGS)) ## prove what docs/formal.md says
	@pytest -q tests/formal

formal-deep: $(call hw_files,$(FORMAL_CONFIGS)) ## the same, the bounded proofs to twice the depth: half an hour
	@FORMAL_DEEP=1 pytest -q tests/formal

# Tests that expect a fault or a complaint are left out: what is reached by them is not tested.
.PHONY: coverage
coverage: $(call hw_files,$(COCOTB_CONFIGS)) $(WEIR_DRAM_LIB) ## show what the cocotb tests reach of the controller: build/coverage (docs/coverage.md)
	@rm -rf build/coverage/cocotb/runs
	@WEIR_COVERAGE=1 pytest -q tests/cocotb/test_cocotb.py::test_cocotb \
	  tests/cocotb/test_pairwise.py::test_policies_change_under_traffic \
	  tests/cocotb/test_pairwise.py::test_resets_in_the_middle_of_bursts_end_policies
	@python tests/coverage/collect.py build/coverage/cocotb/runs
