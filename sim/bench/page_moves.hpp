// SPDX-License-Identifier: Apache-2.0
/// @file
/// Commands without pause to Weir's page mover, and an account of where each page is.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "registers.hpp"

namespace weir::bench {

/// Drives remapping and the page mover by their registers (docs/remapping.md, docs/migration.md): keeps the mover's
/// queue full of random commands, good and bad ones, and expects of each the result that its own account foretells.
///
/// Pages are numbered from the first byte of memory. Tables and frames lie in pages that nobody else may access
/// (reserved()). What the controller does otherwise than it should throws TrafficError.
class PageMoves {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  /// The memory: pages from `firstPage` to `pages` are NVM.
  struct Memory {
    uint64_t firstPage, pages;
    unsigned frames;  ///< that the controller can hold, at most
  };
  /// Zeros bytes from a page on, past the controller.
  using Clear = std::function<void(uint64_t page, uint64_t bytes)>;

  /// Chooses tables, frames and the pages that move. Before the first access of memory.
  PageMoves(const Memory& memory, Registers registers, const Clear& clear, uint64_t seed);

  /// Whether nobody else may access a page.
  bool reserved(uint64_t page) const;
  /// Those that move.
  const std::vector<uint64_t>& pages() const { return pages_; }
  /// Whether the first 8 bytes of a page are away from its home, where a pointer stands, once all commands have ended.
  bool displaced(uint64_t page) const { return !table_ && where_.count(page) != 0; }

  /// Turns remapping on, pointers at the pages' homes or in a table. While nobody accesses the region.
  void enable();
  /// Gives a command, mostly of one of some pages, or if there is no room looks at what has ended.
  void next(const std::vector<uint64_t>& hot);
  /// Writes all pages home and waits until that is done.
  void flush();
  /// Brings all pages home and waits until that is done.
  void evictAll();
  /// Turns remapping off. While nobody accesses the region and all pages are home.
  void disable();

  /// What was done, as JSON.
  std::string json();

 private:
  enum class Operation : uint32_t { kPromote = 0, kEvict = 1, kFlush = 2 };
  enum class Result : uint32_t {
    kPending,
    kDone,
    kDisabled,
    kMisaligned,
    kOutsideRegion,
    kOutsideFrames,
    kAlreadyThere,
    kFrameInUse,
  };
  struct Command {
    Operation operation;
    uint64_t page, frame;  // bytes
    Result expected;
  };

  template <typename T>
  const T& anyOf(const std::vector<T>& values) {
    return values[random_() % values.size()];
  }
  uint64_t anyFrame() { return frameBase_ + random_() % frameCount_; }
  bool oneIn(unsigned chances) { return random_() % chances == 0; }
  bool ofTable(uint64_t page) const { return page >= pointerBase_ && page < pointerBase_ + pointerPages_; }
  Result expect(Operation operation, uint64_t page, uint64_t frame);
  void give(Operation operation, uint64_t page, uint64_t frame);
  void giveBad(uint64_t page, uint64_t frame);
  void poll();
  void finish();
  void set(uint64_t address, uint32_t value);
  void setAddress(uint64_t low, uint64_t& held, uint64_t value);
  void checkFrames(bool clean);

  const Memory memory_;
  Registers registers_;
  std::mt19937_64 random_;
  uint64_t bitmapBase_, frameBase_, frameCount_, pointerBase_, pointerPages_;
  uint64_t reservedPages_;  // from the first of memory on: tables and frames
  std::vector<uint64_t> pages_;

  bool table_ = false;
  std::map<uint64_t, uint64_t> where_;  // frame of each page that is in DRAM, once all commands have ended
  std::deque<Command> commands_;        // not known to have ended
  uint32_t issued_ = 0;
  uint64_t idlePolls_ = 0;
  uint64_t pageHeld_ = 0, frameHeld_ = 0;  // what the registers of the addresses hold
  uint64_t promoted_ = 0, evicted_ = 0, flushed_ = 0, refused_ = 0;
};

}  // namespace weir::bench
