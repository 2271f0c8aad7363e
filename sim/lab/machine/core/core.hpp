// SPDX-License-Identifier: Apache-2.0
/// @file
/// The seam between models of cores and the caches they stand before.
#pragma once

#include <cstdint>
#include <limits>

namespace weir::lab {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

/// What the caches say to an access: refused, to be asked again once there is room; answered at a known cycle; or
/// pending, to be told by Core::arrived.
struct Answer {
  enum class Kind { kRefused, kKnown, kPending } kind;
  uint64_t at = 0;

  static Answer refused() { return {Kind::kRefused}; }
  static Answer known(uint64_t at) { return {Kind::kKnown, at}; }
  static Answer pending() { return {Kind::kPending}; }
};

/// The caches as a core sees them. Times are cycles of the cores.
class DataPort {
 public:
  virtual ~DataPort() = default;
  /// `token` comes back with Core::arrived; of a write nobody waits for, so that a pending one is done for the core.
  virtual Answer access(unsigned core, uint64_t address, bool write, uint64_t token, uint64_t now) = 0;
};

/// A model of a core with its trace. The machine calls `cycle` whenever `wake` is due, in the order of the cycles.
class Core {
 public:
  virtual ~Core() = default;
  virtual void cycle(uint64_t now) = 0;
  /// The next cycle in which the core has something to do; kNever while it waits for the caches.
  virtual uint64_t wake() const = 0;
  /// The data of a pending load are there from cycle `at` on, which is not past.
  virtual void arrived(uint64_t token, uint64_t at) = 0;
  /// A refused access may be tried again at cycle `at`.
  virtual void roomAt(uint64_t at) = 0;

  virtual uint64_t retired() const = 0;
};

}  // namespace weir::lab
