// SPDX-License-Identifier: Apache-2.0
#include "axi.hpp"

namespace weir::bench {

Span Burst::beat(unsigned index) const {
  const uint64_t aligned = address & ~uint64_t{beatBytes - 1};
  const unsigned firstBytes = beatBytes - static_cast<unsigned>(address - aligned);
  if (index == 0 || kind == BurstKind::kFixed) return {address, firstBytes};
  uint64_t at = aligned + uint64_t{index} * beatBytes;
  if (kind == BurstKind::kWrap && at >= lowest() + extent()) at -= extent();
  return {at, beatBytes};
}

uint64_t Burst::lowest() const {
  if (kind == BurstKind::kWrap) return address & ~uint64_t{extent() - 1};
  return address;
}

unsigned Burst::extent() const {
  const unsigned skipped = static_cast<unsigned>(address & (beatBytes - 1));
  if (kind == BurstKind::kFixed) return beatBytes - skipped;
  if (kind == BurstKind::kWrap) return beats * beatBytes;
  return beats * beatBytes - skipped;
}

unsigned Burst::size() const { return static_cast<unsigned>(__builtin_ctz(beatBytes)); }

}  // namespace weir::bench
