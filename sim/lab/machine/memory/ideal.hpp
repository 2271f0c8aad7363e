// SPDX-License-Identifier: Apache-2.0
/// @file
/// A memory that answers every request after the same time.
#pragma once

#include <cstdint>
#include <deque>

#include "memory.hpp"

namespace weir::lab {

/// Answers each read `cycles` after the cycle that it came in, each write in the next one, however many come.
class IdealMemory final : public Memory {
 public:
  explicit IdealMemory(unsigned cycles) : cycles_(cycles) {}

  bool read(uint64_t line, unsigned) override {
    reads_.push_back({now_ + cycles_, line});
    return true;
  }
  bool write(uint64_t line, unsigned) override {
    writes_.push_back({now_ + 1, line});
    return true;
  }
  void cycle() override {
    ++now_;
    while (!reads_.empty() && reads_.front().at <= now_) {
      const uint64_t line = reads_.front().line;
      reads_.pop_front();
      readDone_(line);
    }
    while (!writes_.empty() && writes_.front().at <= now_) {
      const uint64_t line = writes_.front().line;
      writes_.pop_front();
      writeDone_(line);
    }
  }

 private:
  struct Pending {
    uint64_t at, line;
  };
  const unsigned cycles_;
  uint64_t now_ = 0;
  std::deque<Pending> reads_, writes_;
};

}  // namespace weir::lab
