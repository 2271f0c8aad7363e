// SPDX-License-Identifier: Apache-2.0
#include "registers.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace weir::traffic {

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

}  // namespace weir::traffic
