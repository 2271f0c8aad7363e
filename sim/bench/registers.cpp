// SPDX-License-Identifier: Apache-2.0
#include "registers.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "options.hpp"

namespace weir::bench {

namespace {

constexpr int kMostCycles = 100;  // no answer takes longer

}  // namespace

Registers::Registers(AxiLitePins& pins, Cycle cycle) : pins_(pins), cycle_(std::move(cycle)) {}

Resp Registers::write(uint64_t address, uint32_t value) {
  pins_.aw.address = address;
  pins_.w.data = value;
  pins_.aw.valid = pins_.w.valid = true;
  return static_cast<Resp>(answer(address, pins_.b).resp);
}

uint32_t Registers::read(uint64_t address) {
  pins_.ar.address = address;
  pins_.ar.valid = true;
  const AxiLitePins::Response& response = answer(address, pins_.r);
  if (static_cast<Resp>(response.resp) != Resp::kOkay)
    throw std::runtime_error("register " + std::to_string(address) + ": the read is answered with response " +
                             std::to_string(response.resp));
  return response.data;
}

const AxiLitePins::Response& Registers::answer(uint64_t address, const AxiLitePins::Response& response) {
  for (int count = 0; count < kMostCycles; ++count) {
    cycle_();
    if (pins_.aw.ready) pins_.aw.valid = false;
    if (pins_.w.ready) pins_.w.valid = false;
    if (pins_.ar.ready) pins_.ar.valid = false;
    if (response.valid) return response;
  }
  throw std::runtime_error("register " + std::to_string(address) +
                           ": this controller has no registers, or no answer in " + std::to_string(kMostCycles) +
                           " cycles");
}

std::vector<std::pair<uint64_t, uint64_t>> registerWrites(const std::string& text, uint64_t bytes) {
  std::vector<std::pair<uint64_t, uint64_t>> found;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    const size_t equals = std::min(word.find('='), word.size());
    const auto address = numberOf(std::string_view(word).substr(0, equals));
    const auto value = numberOf(std::string_view(word).substr(std::min(equals + 1, word.size())));
    if (!address || !value || *address % 4 != 0 || *address >= bytes || *value > UINT32_MAX)
      throw std::invalid_argument("option --registers " + word + ": must be ADDRESS=VALUE, an offset below " +
                                  std::to_string(bytes) + " in steps of 4 and a 32-bit value");
    found.emplace_back(*address, *value);
  }
  return found;
}

}  // namespace weir::bench
