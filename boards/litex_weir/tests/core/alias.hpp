// SPDX-License-Identifier: Apache-2.0
/// @file
/// Alias test: that a core has as many different places as bytes of memory, from address 0 on and no more.
///
/// Something else is written to address 0, to every power of two and to the end of memory, and all is read back. The
/// managers check what comes.
#pragma once

#include <cstdint>
#include <vector>

namespace weir::core_test {

/// First bytes of blocks of `block` bytes: 0, the powers of two, and the last block.
inline std::vector<uint64_t> aliasAddresses(uint64_t memoryBytes, uint64_t block) {
  std::vector<uint64_t> found{0};
  for (uint64_t address = block; address < memoryBytes; address *= 2) found.push_back(address);
  found.push_back(memoryBytes - block);
  return found;
}

/// Through an AXI4 port; the first beat beyond memory and the last of all addresses must answer DECERR.
/// `burst(address)` is a burst of one beat there, and `wait()` returns when all have ended.
template <class Manager, class BurstAt, class Wait>
void aliasAxi(Manager& manager, uint64_t memoryBytes, uint64_t beat, uint64_t addresses, BurstAt burst, Wait wait) {
  std::vector<uint64_t> places = aliasAddresses(memoryBytes, beat);
  for (uint64_t outside : {memoryBytes, addresses - memoryBytes, addresses - beat}) places.push_back(outside);
  for (uint64_t address : places) manager.write(burst(address), false);
  wait();
  for (uint64_t address : places) manager.read(burst(address));
  wait();
}

/// Through a Wishbone port of 32 bits, which has no addresses beyond memory.
template <class Manager>
void aliasWishbone(Manager& manager, uint64_t memoryBytes) {
  const std::vector<uint64_t> places = aliasAddresses(memoryBytes, 4);
  for (uint64_t address : places) manager.write(address, static_cast<uint32_t>(address * 0x9e3779b1u + 1), 15);
  for (uint64_t address : places) manager.read(address);
}

}  // namespace weir::core_test
