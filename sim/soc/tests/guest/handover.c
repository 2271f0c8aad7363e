// SPDX-License-Identifier: Apache-2.0
// Takes the DFI from the controller while lines that it has written are on their way to DRAM, leaves a row open, gives
// the DFI back, and reads what it wrote. It ends with exit code 0 if all of it is there.
#include <generated/csr.h>
#include <stdint.h>

// Fields of the DFI injector's registers, as LiteDRAM's BIOS code names them.
enum { CONTROL_SEL = 1, CONTROL_CKE = 2, CONTROL_ODT = 4, CONTROL_RESET_N = 8 };
enum { COMMAND_CS = 1, COMMAND_RAS = 8 };
enum { ACTIVATE = COMMAND_RAS | COMMAND_CS };
enum { HANDOVERS = 4, WORDS = 16 * 1024 / sizeof(uint64_t) };  // more than the first-level cache holds

static volatile uint64_t buffer[WORDS];

static uint64_t expected(uint32_t handover, uint32_t word) {
  return ((uint64_t)handover << 32 | word) * 0x9e3779b97f4a7c15;
}

// While software has the DFI there is no memory. So all that is done then is in one piece of code that was run before
// with `real` 0, in which nothing is taken, and is in the instruction cache; and the hart's own accesses are answered
// before, as the CSRs are behind them in its cache.
static void __attribute__((noinline)) hand_over(uint32_t real, uint32_t bank) {
  __asm__("" : "+r"(real));
  sdram_dfii_pi0_address_write(bank);
  sdram_dfii_pi0_baddress_write(bank);
  sdram_dfii_pi0_command_write(real ? ACTIVATE : 0);
  __asm__ volatile("fence iorw, iorw" ::: "memory");
  sdram_dfii_control_write(real ? CONTROL_CKE | CONTROL_ODT | CONTROL_RESET_N : CONTROL_SEL);
  while (sdram_dfii_owner_read() != real) {
  }
  sdram_dfii_pi0_command_issue_write(1);
  sdram_dfii_control_write(CONTROL_SEL);
}

int main(void) {
  hand_over(0, 0);
  for (uint32_t handover = 0; handover < HANDOVERS; ++handover) {
    for (uint32_t word = 0; word < WORDS; ++word) buffer[word] = expected(handover, word);
    hand_over(1, handover % 8);
    for (uint32_t word = 0; word < WORDS; ++word)
      if (buffer[word] != expected(handover, word)) return 1;
  }
  return 0;
}
