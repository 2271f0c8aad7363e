// SPDX-License-Identifier: Apache-2.0
// Takes the DRAM over from the controller and activates a row too soon after a refresh: DDR3 wants tRFC, 22 controller
// cycles here, between the two.
#include <generated/csr.h>
#include <stdint.h>

// Fields of the DFI injector's registers, as LiteDRAM's BIOS code names them.
enum { CONTROL_SEL = 1, CONTROL_CKE = 2, CONTROL_ODT = 4, CONTROL_RESET_N = 8 };
enum { COMMAND_CS = 1, COMMAND_WE = 2, COMMAND_CAS = 4, COMMAND_RAS = 8 };
enum { PRECHARGE_ALL = COMMAND_RAS | COMMAND_WE | COMMAND_CS };
enum { REFRESH = COMMAND_RAS | COMMAND_CAS | COMMAND_CS };
enum { ACTIVATE = COMMAND_RAS | COMMAND_CS };
enum { A10 = 0x400 };

int main(void) {
  // While software has the DRAM there is no memory, so the first pass brings the code into the instruction cache: it
  // does the same with commands that select no rank, and does not end the simulation.
  for (uint32_t pass = 0; pass <= 1; ++pass) {
    uint32_t real = pass;
    __asm__("" : "+r"(real));  // or the compiler makes two pieces of code of the two passes
    const uint32_t mask = real ? ~0u : 0;
    sdram_dfii_control_write(real ? CONTROL_CKE | CONTROL_ODT | CONTROL_RESET_N : CONTROL_SEL);
    while (sdram_dfii_owner_read() != real) {
    }
    sdram_dfii_pi0_address_write(A10);
    sdram_dfii_pi0_baddress_write(0);
    sdram_dfii_pi1_address_write(0);
    sdram_dfii_pi1_baddress_write(0);
    sdram_dfii_pi0_command_write(PRECHARGE_ALL & mask);
    sdram_dfii_pi1_command_write(ACTIVATE & mask);
    sdram_dfii_pi0_command_issue_write(1);
    sdram_dfii_pi0_command_write(REFRESH & mask);
    sdram_dfii_pi0_command_issue_write(1);
    sdram_dfii_pi1_command_issue_write(1);
    csr_write_simple(0, real ? CSR_FINISHER_EXIT_CODE_ADDR : CSR_CTRL_SCRATCH_ADDR);
  }
  for (;;) {
  }
}
