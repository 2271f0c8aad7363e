// SPDX-License-Identifier: Apache-2.0
/// @file
/// An ideal memory as far as writes go.
#pragma once

#include <cstdint>
#include <vector>

#include "memory.hpp"

namespace weir::lab {

/// Hands reads on to another memory and answers each write in the next cycle, however many come; the other memory never
/// sees them, and keeps the data that it had ("NoWr" and "NoWrites" in Figures 4 and 9 of the paper on rank
/// assignment).
class WritesDropped final : public Memory {
 public:
  explicit WritesDropped(Memory& memory) : memory_(memory) {
    memory.onRead([this](uint64_t line) { readDone_(line); });
    memory.onWrite([](uint64_t) {});
  }

  bool read(uint64_t line, unsigned core) override { return memory_.read(line, core); }
  bool write(uint64_t line, unsigned) override {
    written_.push_back(line);
    return true;
  }
  void cycle() override {
    const std::vector<uint64_t> done = std::move(written_);
    written_.clear();
    memory_.cycle();
    for (const uint64_t line : done) writeDone_(line);
  }

 private:
  Memory& memory_;
  std::vector<uint64_t> written_;
};

}  // namespace weir::lab
