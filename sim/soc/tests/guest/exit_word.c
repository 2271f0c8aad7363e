// SPDX-License-Identifier: Apache-2.0
// Ends with the exit code that lies at 0x90000000.
#include <stdint.h>

int main(void) { return (int)*(volatile uint32_t*)0x90000000u; }
