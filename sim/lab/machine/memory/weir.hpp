// SPDX-License-Identifier: Apache-2.0
/// @file
/// Weir's RTL as the memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench.hpp"
#include "contents.hpp"
#include "latency.hpp"
#include "memory.hpp"

namespace weir::lab {

/// The Verilated controller of this build on its DRAM model. Core c has the source tag c: its port and the upper bits
/// of its AXI ids. A line is one burst of the bus's width; of each core as many reads may be under way, and writes, as
/// ids are left. A port takes one read and one write in a cycle at most. Every datum that comes is checked (Contents);
/// wrong data and other answers than OKAY throw bench::TrafficError, a line outside memory std::invalid_argument.
class WeirMemory final : public Memory {
 public:
  /// `argc`, `argv`: plusargs of the DRAM model. `base`: bus address of the first byte of the traces' memory.
  WeirMemory(int argc, char** argv, uint64_t base);

  static constexpr unsigned kCores = bench::config::kSources;

  bool read(uint64_t line, unsigned core) override;
  bool write(uint64_t line, unsigned core) override;
  void cycle() override;

  void writeRegister(uint64_t address, uint64_t value) { bench_.writeRegister(address, value); }
  /// Of the registers; an access is over when as many calls of `cycle` have gone by as it takes.
  bench::AxiLitePins& registerPins() { return bench_.registers; }
  /// From AR to the last beat of R.
  const bench::Latency& readLatency(unsigned core) const { return latency_[core]; }
  void clearLatencies() { latency_.assign(kCores, {}); }

 private:
  static constexpr unsigned kPorts = bench::config::kPorts;
  static constexpr unsigned kBeats = Contents::kBytes / bench::config::kBusBytes;
  static constexpr unsigned kSourceLow = bench::config::kSourceIdLow;
  static constexpr unsigned kSourceBits = bench::config::kSourceIdHigh - kSourceLow + 1;
  static constexpr unsigned kTags = (1u << bench::config::kIdBits) >> kSourceBits;

  struct Burst {
    bool used = false;
    uint64_t line = 0, accepted = 0;
    unsigned beats = 0;
    Contents::Data data{};
  };
  struct Port {
    unsigned beatsSent = 0;
    bool writeData = false;
    Contents::Data data{};
    std::array<Burst, 1u << bench::config::kIdBits> reads, writes;
  };

  static unsigned portOf(unsigned core) { return core >> kSourceBits; }
  static unsigned coreOf(unsigned port, unsigned id) {
    return port << kSourceBits | (id >> kSourceLow & ((1u << kSourceBits) - 1));
  }
  static int freeId(unsigned core, const std::array<Burst, 1u << bench::config::kIdBits>& bursts);
  bench::Burst burst(uint64_t line, unsigned core, unsigned id) const;
  void takeRead(unsigned port);
  void takeResponse(unsigned port);

  bench::Bench bench_;
  const uint64_t base_;
  Contents contents_;
  std::vector<Port> ports_{kPorts};
  std::vector<bench::Latency> latency_{kCores};
  uint64_t now_ = 0, lastHandshake_ = 0;
  unsigned underWay_ = 0;
};

}  // namespace weir::lab
