// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the channel's rows hold.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "address_map.hpp"
#include "archive.hpp"
#include "config.hpp"
#include "time.hpp"

namespace weir::dram {

/// Sparse memory of a channel: a row takes host memory once something is written to it. What was never written reads as
/// a fixed pattern that depends on the address alone, so that a wrong address shows.
///
/// Byte addresses are the channel's, in the order of the configuration (see AddressMap).
class Storage {
 public:
  /// A row that was written to.
  struct Row {
    std::vector<std::uint8_t> bytes;
    Clock restored = 0;  ///< last activate of, or preload to, this row
  };

  explicit Storage(const Config& config);

  /// The row if it was ever written, else null. The pointer stays good while the storage lives.
  Row* find(int rank, int bank, std::uint32_t row);
  /// The row, filled with the pattern if it was never written.
  Row& make(int rank, int bank, std::uint32_t row, Clock now);

  /// Copies one burst out of a row; `column` is that of the burst's first beat.
  void readLine(int rank, int bank, std::uint32_t row, std::uint32_t column, std::uint8_t* line);
  /// Writes one burst. Bit k of `mask` set keeps byte k of the line as it is (DM).
  void writeLine(int rank, int bank, std::uint32_t row, std::uint32_t column, const std::uint8_t* line,
                 std::uint64_t mask, Clock now);
  /// The row's cells have lost their charge: its bytes become noise that depends on address and time.
  void decay(Row& row, int rank, int bank, std::uint32_t rowNumber, Clock now);

  /// Reads `length` bytes from a channel address.
  /// @throws std::out_of_range if they do not all lie in the channel
  void read(std::uint64_t address, std::uint8_t* bytes, std::size_t length);
  /// Writes `length` bytes to a channel address.
  /// @throws std::out_of_range as read()
  void write(std::uint64_t address, const std::uint8_t* bytes, std::size_t length, Clock now);

  /// Rows that hold something.
  std::size_t rowsHeld() const { return rows_.size(); }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive);

 private:
  std::uint64_t key(int rank, int bank, std::uint32_t row) const;
  void checkRange(std::uint64_t address, std::size_t length) const;
  template <typename Piece>
  void pieces(std::uint64_t address, std::size_t length, Piece piece) const;

  AddressMap map_;
  std::size_t rowBytes_, beatBytes_, lineBytes_;
  std::unordered_map<std::uint64_t, Row> rows_;
};

}  // namespace weir::dram
