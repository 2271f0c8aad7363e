// SPDX-License-Identifier: Apache-2.0
#include "random_bursts.hpp"

#include <algorithm>
#include <utility>

namespace weir::bench {

namespace {

constexpr unsigned kPageBits = 12;
constexpr uint64_t kPageBytes = 1 << kPageBits;

/// Evenly drawn from least to most.
uint64_t between(std::mt19937_64& random, uint64_t least, uint64_t most) {
  return least + random() % (most - least + 1);
}

bool oneIn(std::mt19937_64& random, unsigned chances) { return random() % chances == 0; }

/// A page at random.
uint64_t anyPage(const Layout& layout, const Allowed& allowed, std::mt19937_64& random) {
  while (true) {
    const uint64_t page = random() % (layout.bytes / kPageBytes);
    if (allowed(page)) return page;
  }
}

unsigned bytesInUse(std::mt19937_64& random) { return 1u << between(random, 6, 12); }

}  // namespace

Meeting::Meeting(const Layout& layout, const Allowed& allowed, std::mt19937_64& random) {
  const uint64_t count = layout.bytes / kPageBytes;
  const uint64_t first = random() % count;
  const uint64_t bankPages = std::max<uint64_t>(1, layout.rowBytes / kPageBytes);
  const uint64_t rowPages = std::max<uint64_t>(1, layout.rowBytes * layout.banks / kPageBytes);
  const uint64_t steps[] = {rowPages, bankPages, random() % count};
  const uint64_t step = steps[random() % 3];
  for (uint64_t index = 0, pages = between(random, 1, 4); index < pages; ++index) {
    const uint64_t page = (first + index * step) % count;
    if (allowed(page)) this->pages.push_back(layout.base + page * kPageBytes);
  }
  if (pages.empty()) pages.push_back(layout.base + anyPage(layout, allowed, random) * kPageBytes);
  bytes = bytesInUse(random);
}

Meeting::Meeting(std::vector<uint64_t> pages, std::mt19937_64& random)
    : pages(std::move(pages)), bytes(bytesInUse(random)) {}

RandomBursts::RandomBursts(const Layout& layout, Allowed allowed, unsigned addressBits, unsigned busBytes, unsigned ids)
    : layout_(layout),
      allowed_(std::move(allowed)),
      pagesOutside_((uint64_t{1} << (addressBits - kPageBits)) - layout.bytes / kPageBytes),
      busBytes_(busBytes),
      ids_(ids) {}

Burst RandomBursts::next(const Meeting& meeting, std::mt19937_64& random) const {
  Burst burst;
  burst.id = static_cast<unsigned>(random() % ids_);
  const unsigned log2Bus = static_cast<unsigned>(__builtin_ctz(busBytes_));
  burst.beatBytes = oneIn(random, 2) ? busBytes_ : 1u << between(random, 0, log2Bus);
  const uint64_t start = page(meeting, random);
  uint64_t at = random() % meeting.bytes;
  if (!oneIn(random, 4)) at &= ~uint64_t{burst.beatBytes - 1};

  const uint64_t kind = random() % 16;
  if (kind < 2) {
    burst.kind = BurstKind::kWrap;
    burst.beats = 2u << between(random, 0, 3);
    at &= ~uint64_t{burst.beatBytes - 1};
  } else if (kind == 2) {
    burst.kind = BurstKind::kFixed;
    burst.beats = static_cast<unsigned>(between(random, 1, 16));
  } else {
    burst.kind = BurstKind::kIncr;
    const uint64_t longest = oneIn(random, 16) ? 256 : oneIn(random, 3) ? 16 : 4;
    const uint64_t room = (kPageBytes - (at & ~uint64_t{burst.beatBytes - 1})) / burst.beatBytes;
    burst.beats = static_cast<unsigned>(between(random, 1, std::min(longest, room)));
  }
  burst.address = start + at;
  burst.exclusive = allowsExclusive(burst) && oneIn(random, 8);
  return burst;
}

uint64_t RandomBursts::page(const Meeting& meeting, std::mt19937_64& random) const {
  if (pagesOutside_ != 0 && oneIn(random, 64)) {
    const uint64_t page = random() % pagesOutside_ * kPageBytes;
    return page < layout_.base ? page : page + layout_.bytes;
  }
  if (oneIn(random, 8)) return layout_.base + anyPage(layout_, allowed_, random) * kPageBytes;
  return meeting.pages[random() % meeting.pages.size()];
}

/// AXI4: an exclusive access moves a power of two of at most 128 bytes in at most 16 beats and is aligned to them.
bool RandomBursts::allowsExclusive(const Burst& burst) const {
  const unsigned bytes = burst.beats * burst.beatBytes;
  return burst.kind == BurstKind::kIncr && burst.beats <= 16 && bytes <= 128 && (bytes & (bytes - 1)) == 0 &&
         burst.address % bytes == 0;
}

}  // namespace weir::bench
