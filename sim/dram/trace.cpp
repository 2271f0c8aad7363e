// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <array>
#include <stdexcept>

namespace weir::dram {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeaderBytes = 80;
constexpr std::size_t kPartBytes = 24;

/// Puts an unsigned number of `bytes` bytes at `at`, lowest byte first.
template <std::size_t N>
void put(std::array<char, N>& to, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[at + i] = static_cast<char>(value >> 8 * i);
}

}  // namespace

Trace::Trace(const std::string& path, const Config& config)
    : path_(path), file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) throw std::runtime_error("DRAM '" + config.name + "': cannot write the trace file " + path);
  std::array<char, kHeaderBytes> header{};
  std::string("WEIRDRAM").copy(header.data(), 8);
  put(header, 8, kVersion, 4);
  put(header, 12, kHeaderBytes, 4);
  const std::array<int, 9> numbers = {config.clockPs,    config.phases, config.ranks, config.bankBits, config.rowBits,
                                      config.columnBits, config.dq,     config.cl,    config.cwl};
  for (std::size_t i = 0; i < numbers.size(); ++i) put(header, 16 + 4 * i, static_cast<std::uint32_t>(numbers[i]), 4);
  config.part.copy(header.data() + kHeaderBytes - kPartBytes, kPartBytes);
  file_.write(header.data(), header.size());
}

void Trace::write(const Issued& issued) {
  std::array<char, 16> record;
  put(record, 0, static_cast<std::uint64_t>(issued.clock), 8);
  put(record, 8, issued.address, 4);
  put(record, 12, static_cast<std::uint64_t>(issued.command), 1);
  put(record, 13, static_cast<std::uint64_t>(issued.rank), 1);
  put(record, 14, static_cast<std::uint64_t>(issued.bank), 1);
  put(record, 15, static_cast<std::uint64_t>(issued.phase), 1);
  file_.write(record.data(), record.size());
}

void Trace::flush() {
  if (!file_.flush()) throw std::runtime_error("the trace file " + path_ + " cannot be written whole");
}

}  // namespace weir::dram
