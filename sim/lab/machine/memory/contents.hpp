// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the lab writes to memory, and expects to read.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

namespace weir::lab {

/// The programs' data are not known: each write of a line has data that tell the line and how often it was written, and
/// a read must bring those of the last write. Of a line that was never written the first read says what the others
/// bring.
class Contents {
 public:
  static constexpr unsigned kBytes = 64;
  using Data = std::array<uint8_t, kBytes>;

  Data write(uint64_t line) {
    Known& known = lines_[line];
    known.data = pattern(line, ++known.writes);
    return known.data;
  }

  /// What is wrong with the data of a read, if anything.
  std::optional<std::string> read(uint64_t line, const Data& data) {
    const auto [found, first] = lines_.try_emplace(line);
    if (first) found->second.data = data;
    if (found->second.data == data) return std::nullopt;
    return "line " + std::to_string(line) + " brings wrong data after " + std::to_string(found->second.writes) +
           " writes";
  }

 private:
  struct Known {
    Data data{};
    uint32_t writes = 0;
  };

  static Data pattern(uint64_t line, uint32_t writes) {
    Data data;
    uint64_t state = line * 0x9e3779b97f4a7c15 ^ writes;
    for (unsigned at = 0; at < kBytes; at += sizeof state) {
      // splitmix64 (Steele, Lea and Flood, OOPSLA 2014)
      uint64_t word = state += 0x9e3779b97f4a7c15;
      word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
      word = (word ^ word >> 27) * 0x94d049bb133111eb;
      word ^= word >> 31;
      std::memcpy(&data[at], &word, sizeof word);
    }
    return data;
  }

  std::unordered_map<uint64_t, Known> lines_;
};

}  // namespace weir::lab
