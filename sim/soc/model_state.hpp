// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "archive.hpp"

namespace weir::soc {

/// Takes the bytes of a Verilated model, which would rather write them to a file of their own.
class ModelWriter final : public VerilatedSerialize {
 public:
  explicit ModelWriter(std::vector<uint8_t>& bytes) : bytes_(bytes) {}
  ~ModelWriter() override = default;

  void flush() override {
    bytes_.insert(bytes_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  std::vector<uint8_t>& bytes_;
};

/// Gives a Verilated model its bytes back.
class ModelReader final : public VerilatedDeserialize {
 public:
  explicit ModelReader(const std::vector<uint8_t>& bytes) : bytes_(bytes) { m_endp = m_cp; }
  ~ModelReader() override = default;

  /// @throws dram::ArchiveError if the model has read more than there was
  void fill() override {
    if (m_cp > m_endp) throw dram::ArchiveError("the state of the Verilated model is cut short");
    const size_t left = static_cast<size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, left);
    const size_t more = std::min(bufferSize() - left, bytes_.size() - at_);
    std::memcpy(m_bufp + left, bytes_.data() + at_, more);
    at_ += more;
    m_cp = m_bufp;
    m_endp = m_bufp + left + more;
  }

  /// Ends reading.
  /// @throws dram::ArchiveError if the model has read more or less than there was
  void finish() const {
    if (m_cp != m_endp || at_ != bytes_.size())
      throw dram::ArchiveError("the state of the Verilated model is " + std::to_string(bytes_.size()) +
                               " bytes, more or fewer than it has");
  }

 private:
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};

}  // namespace weir::soc
