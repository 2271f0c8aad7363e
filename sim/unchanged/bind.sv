// SPDX-License-Identifier: Apache-2.0
// The numbers of a bench's outputs: outputs.sv within its DRAM models and around its controller.
bind dfi_dram dfi_outputs #(
    .RANKS(RANKS),
    .BANK_BITS(BANK_BITS),
    .ADDRESS_PINS(ADDRESS_PINS),
    .DQ(DQ),
    .PHASES(PHASES),
    .WRITE_LATENCY(WRITE_LATENCY),
    .NAME(NAME)
) driven (.*);

bind bench axi_outputs #(
    .DATA_BITS(DATA_BITS),
    .ID_BITS  (ID_BITS)
) driven (.*);
