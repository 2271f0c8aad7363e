// SPDX-License-Identifier: Apache-2.0
/// @file
/// The seam between the last-level cache and what answers its misses.
#pragma once

#include <cstdint>
#include <functional>

namespace weir::lab {

/// A memory of lines. Its time is the controller's cycle; lines are numbers as in the caches.
class Memory {
 public:
  using LineDone = std::function<void(uint64_t line)>;

  virtual ~Memory() = default;
  /// False when there is no room in this cycle. A line is read by one request at a time, and never while it is written.
  virtual bool read(uint64_t line, unsigned core) = 0;
  virtual bool write(uint64_t line, unsigned core) = 0;
  /// One cycle of the controller; calls what `onRead` and `onWrite` were given for each line whose data came, or whose
  /// write was answered.
  virtual void cycle() = 0;

  void onRead(LineDone done) { readDone_ = std::move(done); }
  void onWrite(LineDone done) { writeDone_ = std::move(done); }

 protected:
  LineDone readDone_, writeDone_;
};

}  // namespace weir::lab
