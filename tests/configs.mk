# SPDX-License-Identifier: Apache-2.0
# The configs of Weir that tests run on, listed once: make builds what they need, tests/configs.py reads them.

# cocotb: corners of what Weir can be, and the SoC's (tests/cocotb/matrix.py says which tests run on which).
COCOTB_CONFIGS := \
  test-1rank-1phase test-4rank-2phase test-ddr4 test-wide-bus test-narrow-bus test-2channel \
  test-2pseudo test-4pseudo test-ddr5 test-ddr5-sets test-hybrid test-hybrid-x16 test-hot-monitor \
  test-remapping test-remapping-x16 test-migration test-migration-x16 soc-64

# The proofs.
FORMAL_CONFIGS := formal-2rank-4phase formal-1rank-2phase formal-1rank-shortest formal-2rank-shortest formal-remapping

# The soak: configs that differ in width of the bus against the line, ports, ids, phases, ranks, DDR3 and DDR4, whether R
# beats of different ids may interleave, base address, and moving pages; those of them that `make test` soaks, in all of
# which a fault is found; and configs drawn from seeds that `make test` soaks, of odd shapes and cheap to compile.
SOAK_CONFIGS := \
  soc-64 traffic-ddr3-2rank-p4 test-1rank-1phase test-4rank-2phase test-ddr4 test-wide-bus test-narrow-bus \
  test-migration test-migration-x16 ecp5-lite
SOAK_TESTED := soc-64 test-wide-bus test-migration test-migration-x16
# One whose timings are constant, soaked past its first ZQ calibration.
SOAK_CALIBRATED := ecp5-lite
SOAK_DRAWN := random-111 random-1305 random-1383 random-1561 random-2795

# Whose outputs are recorded cycle for cycle (sim/unchanged): DDR3 and DDR4, one and two phases, one and two ports, one and four
# ranks, constant timings and programmable ones.
UNCHANGED_CONFIGS := ecp5-lite ecp5-mid soc-64 soc-64-hybrid test-1rank-1phase test-2channel test-2pseudo test-4rank-2phase test-ddr4 \
  traffic-ddr3-2rank-p4
