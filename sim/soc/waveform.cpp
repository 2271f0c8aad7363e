// SPDX-License-Identifier: Apache-2.0
#include "waveform.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace weir::soc {

namespace {

constexpr uint64_t kLengthBytes = 8;
// Types of the blocks with the hierarchy: zipped, or packed by LZ4 once or twice.
constexpr std::array<int, 3> kHierarchy = {4, 6, 7};

}  // namespace

void check_waveform(const std::string& file) {
  const auto refuse = [&file] { throw std::runtime_error("--trace: cannot write all of " + file); };
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  const uint64_t size = std::filesystem::file_size(file, ignored);
  bool hierarchy = false;
  uint64_t at = 0;
  while (in && at < size) {
    std::array<unsigned char, 1 + kLengthBytes> head{};
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(head.data()), head.size())) refuse();
    uint64_t length = 0;
    for (uint64_t i = 1; i <= kLengthBytes; ++i) length = length << 8 | head[i];
    if (length < kLengthBytes || length > size - at - 1) refuse();
    for (const int type : kHierarchy) hierarchy |= head[0] == type;
    at += 1 + length;
  }
  if (!in || !hierarchy) refuse();
}

}  // namespace weir::soc
