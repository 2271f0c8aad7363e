// SPDX-License-Identifier: Apache-2.0
/// @file
/// What memory may legally hold.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::bench {

/// The reference memory: what every byte may legally hold, given the bursts that all ports have in flight.
///
/// AXI4 orders a read after a write only when the write's B response came before the read's address was offered, and
/// two writes when the first one's B came before the second was offered, or when both are of one port and one id. A
/// read may therefore return the value of any write that began before the data came, unless a later write (in that
/// order) of the same byte was answered before the read began. Exactly that is accepted, nothing else.
///
/// Times are controller cycles, and calls come in their order; in one cycle, bursts begin before bursts end. What
/// memory held before the first write is asked of the DRAM, past the controller, when a line is touched for the first
/// time.
class ReferenceMemory {
 public:
  static constexpr unsigned kLineBytes = 64;
  using LineData = std::array<uint8_t, kLineBytes>;
  /// What the DRAM holds of a line now; the offset counts from the first byte of memory.
  using Initial = std::function<LineData(uint64_t offset)>;

  /// `base`: bus address of the first byte.
  ReferenceMemory(uint64_t base, uint64_t bytes, Initial initial);

  /// Whether all of [address, address + bytes) is memory.
  bool holds(uint64_t address, uint64_t bytes) const;

  /// A burst begins: its address (or, of a write, its first datum) is offered to the controller in this cycle.
  uint64_t readBegins(uint64_t cycle);
  void readEnds(uint64_t read);

  /// Writes get their order within a port and id from the order of these calls.
  uint64_t writeBegins(uint64_t cycle, unsigned port, unsigned id);
  /// Bytes of a begun write, in the order of its beats; bit i of `strobe` enables data[i]. All in one 64-byte line.
  void writeBytes(uint64_t write, uint64_t address, const uint8_t* data, uint64_t strobe, unsigned bytes);
  /// The B response of a write came in this cycle.
  void writeEnds(uint64_t write, uint64_t cycle);

  /// Learn the initial content of lines. To be called before any access of them is offered.
  void touch(uint64_t address, unsigned bytes);

  /// Compare the data of a read with every legal value; an explanation when none matches.
  std::optional<std::string> check(uint64_t read, uint64_t address, const uint8_t* data, unsigned bytes);

  /// Bus addresses of all lines that were touched, from the lowest on.
  std::vector<uint64_t> touched() const;

  uint64_t checkedBytes() const { return checkedBytes_; }

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};

  struct Write {
    uint64_t begin, end;
    unsigned port, id;
  };
  struct Entry {
    std::shared_ptr<Write> write;
    uint64_t mask;
    LineData data;
  };
  struct Line {
    std::vector<Entry> entries;  // in the order of their offering
  };
  struct OpenWrite {
    std::shared_ptr<Write> write;
    std::vector<uint64_t> lines;
  };
  struct OpenRead {
    uint64_t begin;
    bool done;
  };

  Line& line(uint64_t number);
  static bool supersedes(const Entry& later, const Entry& earlier, uint64_t before);
  uint64_t legalMask(const Line& line, size_t index, uint64_t before) const;
  void prune(Line& line);
  uint64_t oldestRead() const;

  uint64_t base_, bytes_;
  Initial initialContent_;
  std::shared_ptr<Write> initial_;  // stands for the content before any write
  std::unordered_map<uint64_t, Line> lines_;
  std::unordered_map<uint64_t, OpenWrite> writes_;
  std::deque<OpenRead> reads_;
  uint64_t firstRead_ = 0, nextWrite_ = 0, checkedBytes_ = 0;
};

}  // namespace weir::bench
