// SPDX-License-Identifier: Apache-2.0
/// @file
/// The Verilated bench of one build behind width-neutral pins, and its DRAM model's back door.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "Vbench.h"
#include "address_map.hpp"
#include "axi.hpp"
#include "bench_config.hpp"
#include "reference.hpp"
#include "registry.hpp"
#include "verilated.h"

namespace weir::bench {

/// The controller of this build (its numbers: bench_config.hpp) with its DRAM model, one cycle at a time.
class Bench {
 public:
  /// Comes out of reset. The command line may hold plusargs of the DRAM model (dfi_dram.sv), such as +dram_trace=FILE.
  /// Throws TrafficError when the model refuses its parameters.
  Bench(int argc, char** argv);
  ~Bench();

  /// One controller cycle in two halves: apply what the managers drive on `pins` and show what the controller answers
  /// in the same cycle; then the rising edge.
  void settle();
  void edge();

  /// Write a register of Weir's over AXI4-Lite, while the AXI4 ports stand as they are. Throws std::invalid_argument
  /// when Weir refuses the write, std::runtime_error when the controller has no registers.
  void writeRegister(uint64_t address, uint64_t value);
  static constexpr uint64_t kRegisterBytes = 65536;

  /// The DRAM model of a channel.
  static dram::Dram& model(unsigned channel);

  /// Break the design (see bench.sv), for the tests of the checks.
  void breakDesign(unsigned fault) { top_->fault = static_cast<CData>(fault); }

  /// What the DRAM holds, past the controller, where the address map after reset puts it; the offset counts from the
  /// first byte of memory.
  ReferenceMemory::LineData contents(uint64_t offset) const;

  /// Fill the DRAM, past the controller.
  void preload(uint64_t offset, const std::vector<uint8_t>& bytes);

  /// Protocol violations so far, by rule.
  std::map<std::string, uint64_t> violations() const;

  std::array<AxiPins, config::kPorts> pins;
  AxiLitePins registers;

 private:
  void clock(bool level);
  /// The DRAM model that has a line, and where.
  std::pair<dram::Dram*, uint64_t> find(uint64_t offset) const;

  const AddressMap map_{config::kAddressMap,
                        {config::kChannels, config::kRanks, config::kBanksOfRank, config::kRows, config::kLinesOfRow,
                         config::kLineBytes}};
  VerilatedContext context_;
  std::unique_ptr<Vbench> top_;
};

}  // namespace weir::bench
