// SPDX-License-Identifier: Apache-2.0
#include "slow_time.hpp"

#include <cstddef>

#include "retirement.hpp"

namespace weir::soc {

namespace {

void add_since(HartCounts& sum, const HartCounts& now, const HartCounts& before) {
  for (std::size_t hart = 0; hart < now.size(); ++hart)
    add(sum, static_cast<int>(hart), now[hart] - (hart < before.size() ? before[hart] : 0));
}

}  // namespace

void SlowTime::turn(uint64_t cycle) {
  divided_ = !divided_;
  const Counts now{cycle, retired(), page_walks()};
  if (!divided_) {
    counts_.cycles += now.cycles - before_.cycles;
    add_since(counts_.instructions, now.instructions, before_.instructions);
    add_since(counts_.walks.data, now.walks.data, before_.walks.data);
    add_since(counts_.walks.instructions, now.walks.instructions, before_.walks.instructions);
    add_since(counts_.walks.reads, now.walks.reads, before_.walks.reads);
  }
  before_ = now;
}

}  // namespace weir::soc
