// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

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

  void fill() override {
    const size_t left = static_cast<size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, left);
    const size_t more = std::min(bufferSize() - left, bytes_.size() - at_);
    std::memcpy(m_bufp + left, bytes_.data() + at_, more);
    at_ += more;
    m_cp = m_bufp;
    m_endp = m_bufp + left + more;
  }

 private:
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};

}  // namespace weir::soc
