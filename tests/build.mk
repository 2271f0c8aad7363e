# SPDX-License-Identifier: Apache-2.0
# What the tests of this room need; their configs are in configs.mk.

BUILDS_cocotb += $(call hw_files,$(COCOTB_CONFIGS)) $(WEIR_DRAM_LIB)
BUILDS_coverage += $(call hw_files,$(COCOTB_CONFIGS))

.PHONY: cocotb-long
cocotb-long: build-cocotb ## the runs of cocotb that make test leaves out: rooms on their other configs, policies in combination on all
	@pytest -q -m long tests/cocotb

# test_paths.py looks at remapping where lines go on every second cycle too.
BUILDS_formal += $(call hw_files,$(FORMAL_CONFIGS) test-remapping-x16)

.PHONY: formal formal-deep

formal: $(BUILDS_formal) ## prove what docs/formal.md says
	@pytest -q tests/formal

formal-deep: $(BUILDS_formal) ## the same, the bounded proofs to twice the depth: half an hour
	@FORMAL_DEEP=1 pytest -q tests/formal

# Tests that expect a fault or a complaint are left out: what is reached by them is not tested.
.PHONY: coverage
coverage: $(call hw_files,$(COCOTB_CONFIGS)) $(WEIR_DRAM_LIB) ## show what the cocotb tests reach of the controller: build/coverage (docs/coverage.md)
	@rm -rf build/coverage/cocotb/runs
	@WEIR_COVERAGE=1 pytest -q tests/cocotb/test_cocotb.py::test_cocotb \
	  tests/cocotb/test_pairwise.py::test_policies_change_under_traffic \
	  tests/cocotb/test_pairwise.py::test_resets_in_the_middle_of_bursts_end_policies
	@python tests/coverage/collect.py build/coverage/cocotb/runs
