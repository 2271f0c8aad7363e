// SPDX-License-Identifier: Apache-2.0
#include "storage.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace weir::dram {
namespace {

/// A well-mixed 64-bit hash (the finaliser of SplitMix64, Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// Fills bytes of a row with the pattern of a channel address; `salt` tells noise from the pattern of fresh memory.
void fill(std::uint64_t address, std::uint8_t* bytes, std::size_t length, std::uint64_t salt) {
  std::size_t done = 0;
  while (done < length) {
    const std::uint64_t at = address + done;
    const std::uint64_t word = mix(at / 8 ^ salt);
    const std::size_t skip = at % 8;
    const std::size_t n = std::min<std::size_t>(8 - skip, length - done);
    std::memcpy(bytes + done, reinterpret_cast<const std::uint8_t*>(&word) + skip, n);
    done += n;
  }
}

constexpr std::uint64_t kFresh = 0;

}  // namespace

Storage::Storage(const Config& config)
    : map_(config),
      rowBytes_(static_cast<std::size_t>(config.rowBytes())),
      beatBytes_(static_cast<std::size_t>(config.dq) / 8),
      lineBytes_(static_cast<std::size_t>(config.lineBytes())) {}

std::uint64_t Storage::key(int rank, int bank, std::uint32_t row) const { return map_.address({rank, bank, row, 0}); }

Storage::Row* Storage::find(int rank, int bank, std::uint32_t row) {
  const auto it = rows_.find(key(rank, bank, row));
  return it == rows_.end() ? nullptr : &it->second;
}

Storage::Row& Storage::make(int rank, int bank, std::uint32_t row, Clock now) {
  const std::uint64_t address = key(rank, bank, row);
  const auto [it, fresh] = rows_.try_emplace(address);
  if (fresh) {
    it->second.bytes.resize(rowBytes_);
    fill(address, it->second.bytes.data(), rowBytes_, kFresh);
    it->second.restored = now;
  }
  return it->second;
}

void Storage::readLine(int rank, int bank, std::uint32_t row, std::uint32_t column, std::uint8_t* line) {
  const std::size_t offset = column * beatBytes_;
  if (const Row* held = find(rank, bank, row))
    std::memcpy(line, held->bytes.data() + offset, lineBytes_);
  else
    fill(key(rank, bank, row) + offset, line, lineBytes_, kFresh);
}

void Storage::writeLine(int rank, int bank, std::uint32_t row, std::uint32_t column, const std::uint8_t* line,
                        std::uint64_t mask, Clock now) {
  std::uint8_t* bytes = make(rank, bank, row, now).bytes.data() + column * beatBytes_;
  if (mask == 0) {
    std::memcpy(bytes, line, lineBytes_);
    return;
  }
  for (std::size_t i = 0; i < lineBytes_; ++i)
    if ((mask >> i & 1u) == 0) bytes[i] = line[i];
}

void Storage::decay(Row& row, int rank, int bank, std::uint32_t rowNumber, Clock now) {
  // The lowest bit is set so that the salt of noise never is that of fresh memory.
  fill(key(rank, bank, rowNumber), row.bytes.data(), rowBytes_, mix(static_cast<std::uint64_t>(now)) | 1u);
}

void Storage::checkRange(std::uint64_t address, std::size_t length) const {
  if (address <= map_.bytes() && length <= map_.bytes() - address) return;
  std::ostringstream what;
  what << "DRAM storage: " << length << " bytes at 0x" << std::hex << address << " do not lie within the 0x"
       << map_.bytes() << " bytes of the channel";
  throw std::out_of_range(what.str());
}

template <typename Piece>
void Storage::pieces(std::uint64_t address, std::size_t length, Piece piece) const {
  checkRange(address, length);
  std::size_t done = 0;
  while (done < length) {
    const Place place = map_.place(address + done);
    const std::size_t n = std::min(length - done, rowBytes_ - place.offset);
    piece(place, done, n);
    done += n;
  }
}

void Storage::read(std::uint64_t address, std::uint8_t* bytes, std::size_t length) {
  pieces(address, length, [&](const Place& p, std::size_t done, std::size_t n) {
    if (const Row* held = find(p.rank, p.bank, p.row))
      std::memcpy(bytes + done, held->bytes.data() + p.offset, n);
    else
      fill(address + done, bytes + done, n, kFresh);
  });
}

void Storage::write(std::uint64_t address, const std::uint8_t* bytes, std::size_t length, Clock now) {
  pieces(address, length, [&](const Place& p, std::size_t done, std::size_t n) {
    Row& row = make(p.rank, p.bank, p.row, now);
    std::memcpy(row.bytes.data() + p.offset, bytes + done, n);
    row.restored = now;
  });
}

void Storage::transfer(Archive& archive) {
  std::vector<std::uint64_t> addresses;
  for (const auto& [address, row] : rows_) addresses.push_back(address);
  std::sort(addresses.begin(), addresses.end());
  archive("addresses", addresses);
  if (archive.reading()) rows_.clear();
  for (const std::uint64_t address : addresses) {
    Row& row = rows_[address];
    row.bytes.resize(rowBytes_);
    archive("restored", row.restored);
    archive.raw("bytes", row.bytes.data(), row.bytes.size());
  }
}

}  // namespace weir::dram
