// SPDX-License-Identifier: Apache-2.0
/// @file
/// How long the oldest read waits.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weir::bench {

/// Of reads in the order in which their addresses were accepted, on all ports: how long each was the oldest in flight.
///
/// A read is the oldest from the cycle in which all that were accepted before it have their first datum, or from its
/// own handshake when they had it before, to its own first datum. One that an older read outlasts never is. As both
/// ends are data that came the same way through PHY and controller, the time is that which the read was the oldest in
/// the controller's queue.
class OldestWait {
 public:
  /// A read whose address was accepted in one cycle and whose first datum came in another; in any order.
  void add(uint64_t accepted, uint64_t first) { reads_.emplace_back(accepted, first); }

  /// The longest of these times in controller cycles; 0 without reads.
  uint64_t most() const;

 private:
  std::vector<std::pair<uint64_t, uint64_t>> reads_;
};

}  // namespace weir::bench
