// SPDX-License-Identifier: Apache-2.0
/// @file
/// For the test of the decoder: reads instructions, a hexadecimal number on a line, and prints of each what registersOf
/// says: WRITTEN SOURCE1 SOURCE2 ADDRESS LOAD.

#include <cstdio>

#include "registers.hpp"

int main() {
  unsigned bits = 0;
  while (std::scanf("%x", &bits) == 1) {
    const weir::lab::Registers found = weir::lab::registersOf(bits);
    std::printf("%u %u %u %u %d\n", found.written, found.source1, found.source2, found.address, found.load);
  }
}
