// SPDX-License-Identifier: Apache-2.0
#include "serial_boot.hpp"

#include <vector>

namespace weir::soc {

namespace {

const std::string kRequest = "sL5DdSMmkekro\n";
const std::string kAcknowledge = "z6IHG7cYDID6o\n";
constexpr uint8_t kJump = 0x02;

// CRC-16/XMODEM: polynomial 0x1021, initial value 0, most significant bit first.
uint16_t crc16(const std::vector<uint8_t>& bytes) {
  uint16_t crc = 0;
  for (const uint8_t byte : bytes) {
    crc ^= static_cast<uint16_t>(byte << 8);
    for (int bit = 0; bit < 8; ++bit) crc = static_cast<uint16_t>(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
  }
  return crc;
}

}  // namespace

void SerialBoot::observe(uint8_t byte) {
  // No proper prefix of the request is also its suffix, so a mismatch can only begin a new match.
  matched_ =
      byte == static_cast<uint8_t>(kRequest[matched_]) ? matched_ + 1 : byte == static_cast<uint8_t>(kRequest[0]);
  if (matched_ < kRequest.size()) return;
  matched_ = 0;
  std::vector<uint8_t> command = {kJump};
  for (int shift = 24; shift >= 0; shift -= 8) command.push_back(static_cast<uint8_t>(address_ >> shift));
  const uint16_t crc = crc16(command);
  answer_ = kAcknowledge;
  answer_.push_back(static_cast<char>(command.size() - 1));
  answer_.push_back(static_cast<char>(crc >> 8));
  answer_.push_back(static_cast<char>(crc));
  answer_.insert(answer_.end(), command.begin(), command.end());
}

std::optional<uint8_t> SerialBoot::next() {
  if (answer_.empty()) return std::nullopt;
  const auto byte = static_cast<uint8_t>(answer_.front());
  answer_.erase(0, 1);
  return byte;
}

void SerialBoot::transfer(dram::Archive& archive) {
  archive("address", address_);
  archive("matched", matched_);
  archive("answer", answer_);
}

}  // namespace weir::soc
