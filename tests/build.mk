# SPDX-License-Identifier: Apache-2.0
# What the cocotb tests run on: the configs of tests/cocotb/matrix.py and the DRAM model.

COCOTB_CONFIGS := test-1rank-1phase test-4rank-2phase test-ddr4 test-wide-bus test-narrow-bus test-2channel soc-64
BUILDS += $(call hw_files,$(COCOTB_CONFIGS)) $(WEIR_DRAM_LIB)
