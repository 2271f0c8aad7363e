// SPDX-License-Identifier: Apache-2.0
/// @file
/// Drives the DRAM model from a script of commands, each at its DRAM clock.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dram.hpp"

namespace weir::dram::test {

/// A line of the widest bus; the bytes beyond DQ are not looked at.
using Line = std::array<std::uint8_t, 64>;

/// A line whose bytes tell their place and a seed.
inline Line lineOf(std::uint32_t seed) {
  Line line;
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<std::uint8_t>(seed * 37 + i * 11 + (seed >> 8));
  return line;
}

/// One command, or a change of RESET# and CKE or of ODT, at a DRAM clock.
struct Step {
  Clock clock = 0;
  Command command = Command::nop;
  std::uint32_t ranks = 1;  ///< a bit for each rank that is selected
  int bank = 0;
  std::uint32_t address = 0;
  bool enable = true;  ///< drive rddata_en or wrdata_en with a read or write
  int pins = -1;       ///< if not negative: RESET# in bit 1, CKE of all ranks in bit 0, from here on
  int odt = -1;        ///< if not negative: ODT of the selected ranks from here on
  Line line{};         ///< write data
  std::uint64_t mask = 0;
};

inline Step make(Command command, Clock clock, int bank, std::uint32_t address, std::uint32_t ranks) {
  Step s;
  s.clock = clock;
  s.command = command;
  s.bank = bank;
  s.address = address;
  s.ranks = ranks;
  return s;
}
inline Step act(Clock clock, int bank = 0, std::uint32_t row = 0, std::uint32_t ranks = 1) {
  return make(Command::activate, clock, bank, row, ranks);
}
inline Step rd(Clock clock, int bank = 0, std::uint32_t column = 0, std::uint32_t ranks = 1) {
  return make(Command::read, clock, bank, column, ranks);
}
inline Step rda(Clock clock, int bank = 0, std::uint32_t column = 0, std::uint32_t ranks = 1) {
  return make(Command::readAutoPrecharge, clock, bank, column | kA10, ranks);
}
inline Step wr(Clock clock, int bank = 0, std::uint32_t column = 0, std::uint32_t ranks = 1) {
  return make(Command::write, clock, bank, column, ranks);
}
inline Step wra(Clock clock, int bank = 0, std::uint32_t column = 0, std::uint32_t ranks = 1) {
  return make(Command::writeAutoPrecharge, clock, bank, column | kA10, ranks);
}
inline Step pre(Clock clock, int bank = 0, std::uint32_t ranks = 1) {
  return make(Command::precharge, clock, bank, 0, ranks);
}
inline Step prea(Clock clock, std::uint32_t ranks = 1) { return make(Command::prechargeAll, clock, 0, kA10, ranks); }
/// `bank` is what stands on the bank pins: on the fly it tells whether the refresh is fine.
inline Step ref(Clock clock, std::uint32_t ranks = 1, int bank = 0) {
  return make(Command::refresh, clock, bank, 0, ranks);
}
inline Step mrs(Clock clock, int number, std::uint32_t value, std::uint32_t ranks = 1) {
  return make(Command::modeRegisterSet, clock, number, value, ranks);
}
inline Step zqcl(Clock clock, std::uint32_t ranks = 1) { return make(Command::zqLong, clock, 0, kA10, ranks); }
inline Step zqcs(Clock clock, std::uint32_t ranks = 1) { return make(Command::zqShort, clock, 0, 0, ranks); }
inline Step pins(Clock clock, bool resetN, bool cke) {
  Step s;
  s.clock = clock;
  s.pins = (resetN ? 2 : 0) | (cke ? 1 : 0);
  return s;
}

inline Step odt(Clock clock, bool high, std::uint32_t ranks = 1) {
  Step s;
  s.clock = clock;
  s.ranks = ranks;
  s.odt = high ? 1 : 0;
  return s;
}

/// DDR3-1600 11-11-11, one phase, so that every command may stand at every clock.
inline Config ddr3(int ranks = 1) {
  Config c;
  c.part = "MT41J128M8JP-125";
  c.clockPs = 1250;
  c.ranks = ranks;
  c.phases = 1;
  c.readPhase = 0;
  c.writePhase = 0;
  c.readLatency = 15;
  c.writeLatency = 7;
  c.cl = 11;
  c.cwl = 8;
  c.fatal = false;
  return c;
}

/// DDR4-2400 16-16-16, x8: four groups of four banks; one phase.
inline Config ddr4(int ranks = 1) {
  Config c = ddr3(ranks);
  c.part = "MT40A1G8-083E";
  c.clockPs = 833;
  c.bankBits = 4;
  c.rowBits = 16;
  c.addressPins = 17;
  c.cl = 16;
  c.cwl = 12;
  c.readLatency = 20;
  c.writeLatency = 11;
  return c;
}

/// DDR5-3200 26-26-26, x16: four groups of four banks, the bank above the group; one phase.
inline Config ddr5() {
  Config c = ddr3();
  c.part = "DDR5-16Gb-x16-3200BN";
  c.clockPs = 625;
  c.bankBits = 4;
  c.rowBits = 16;
  c.addressPins = 16;
  c.dq = 32;
  c.burstBeats = 16;
  c.cl = 26;
  c.cwl = 24;
  c.readLatency = 34;
  c.writeLatency = 23;
  return c;
}

/// The same channel with features, in their text form.
inline Config with(Config config, const std::string& features) {
  config.features = Features::parse(features, "test");
  return config;
}

/// A channel of four phases, so that a window of 64 ms takes a quarter of the calls.
inline Config fast(Config c = ddr3()) {
  c.phases = 4;
  c.readPhase = 1;
  c.readLatency = 9;
  c.writeLatency = 1;
  return c;
}

/// The model and its DFI master.
class Bench {
 public:
  explicit Bench(const Config& config) : dram(config) {}

  Dram dram;
  /// Lines that came back, by the controller cycle in which rddata_valid stood.
  std::map<std::uint64_t, Line> lines;

  /// Drives the steps, which need not be in order, and then idles until `until` (a DRAM clock), or, if that is none,
  /// until all data has come.
  void run(std::vector<Step> steps, Clock until = kNever) {
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.clock < b.clock; });
    const Config& c = dram.config();
    const Clock tail = (c.readLatency + c.writeLatency + 2) * c.phases;
    const Clock end = until == kNever ? (steps.empty() ? dram.now() : steps.back().clock) + tail : until;
    std::size_t next = 0;
    while (dram.now() < end || next < steps.size()) {
      std::uint32_t address[4] = {};
      DfiCycle dfi;
      dfi.address = address;
      dfi.cke = cke_;
      dfi.resetN = resetN_;
      for (int p = 0; p < c.phases; ++p) dfi.odt |= odt_ << p * c.ranks;
      while (next < steps.size() && steps[next].clock < dram.now() + c.phases) {
        const Step& step = steps[next++];
        ASSERT_GE(step.clock, dram.now()) << "a step of the script lies in the past";
        put(dfi, address, step, static_cast<int>(step.clock - dram.now()));
      }
      cycle(dfi);
    }
  }

  /// The line that a read at that DRAM clock returned.
  Line at(Clock clock) const {
    const Config& c = dram.config();
    const auto found = lines.find(static_cast<std::uint64_t>(clock / c.phases + c.readLatency));
    EXPECT_NE(found, lines.end()) << "no data for the read at clock " << clock;
    return found == lines.end() ? Line{} : found->second;
  }

 private:
  void put(DfiCycle& dfi, std::uint32_t* address, const Step& step, int phase) {
    const Config& c = dram.config();
    if (step.pins >= 0) {
      for (int p = phase; p < 32 / c.ranks; ++p) {
        const std::uint32_t ranks = ((1u << c.ranks) - 1) << p * c.ranks;
        dfi.cke = (step.pins & 1) != 0 ? dfi.cke | ranks : dfi.cke & ~ranks;
        dfi.resetN = (step.pins & 2) != 0 ? dfi.resetN | 1u << p : dfi.resetN & ~(1u << p);
      }
      cke_ = (step.pins & 1) != 0 ? ~0u : 0u;
      resetN_ = (step.pins & 2) != 0 ? ~0u : 0u;
      return;
    }
    if (step.odt >= 0) {
      odt_ = step.odt != 0 ? odt_ | step.ranks : odt_ & ~step.ranks;
      for (int p = phase; p < c.phases; ++p)
        dfi.odt = (dfi.odt & ~(((1u << c.ranks) - 1) << p * c.ranks)) | odt_ << p * c.ranks;
      return;
    }
    // The command pins of each command: RAS#, CAS#, WE#, as in JESD79-3F table 6.
    static const std::map<Command, int> encoding = {{Command::nop, 7},          {Command::modeRegisterSet, 0},
                                                    {Command::refresh, 1},      {Command::precharge, 2},
                                                    {Command::prechargeAll, 2}, {Command::activate, 3},
                                                    {Command::write, 4},        {Command::writeAutoPrecharge, 4},
                                                    {Command::read, 5},         {Command::readAutoPrecharge, 5},
                                                    {Command::zqLong, 6},       {Command::zqShort, 6}};
    const int code = encoding.at(step.command);
    const auto clear = [phase](std::uint32_t& word, bool on) {
      if (!on) word &= ~(1u << phase);
    };
    clear(dfi.rasN, (code & 4) != 0);
    clear(dfi.casN, (code & 2) != 0);
    clear(dfi.weN, (code & 1) != 0);
    dfi.csN &= ~(step.ranks << phase * c.ranks);
    dfi.bank |= static_cast<std::uint32_t>(step.bank) << phase * c.bankBits;
    for (int i = 0; i < c.addressPins; ++i)
      if ((step.address >> i & 1u) != 0) {
        const int at = phase * c.addressPins + i;
        address[at / 32] |= 1u << at % 32;
      }
    if (isRead(step.command) && step.enable) dfi.rddataEn |= 1u << phase;
    if (isWrite(step.command)) {
      if (step.enable) dfi.wrdataEn |= 1u << phase;
      writes_[dram.cycles() + static_cast<std::uint64_t>(c.writeLatency)] = step;
    }
  }

  void cycle(const DfiCycle& dfi) {
    const std::uint64_t now = dram.cycles();
    const unsigned result = dram.clock(dfi);
    if ((result & Dram::kTakesWriteData) != 0) {
      const auto write = writes_.find(now);
      ASSERT_NE(write, writes_.end()) << "the model took write data in a cycle that carries none";
      dram.writeData(write->second.line.data(), write->second.mask);
      writes_.erase(write);
    }
    if ((result & Dram::kHasReadData) != 0) dram.readData(lines[now + 1].data());
  }

  std::map<std::uint64_t, Step> writes_;
  std::uint32_t cke_ = ~0u;
  std::uint32_t resetN_ = ~0u;
  std::uint32_t odt_ = 0;  ///< a bit for each rank
};

/// Runs a script on a fresh model and returns what was broken, as "name: count" lines.
inline std::map<std::string, std::uint64_t> broken(const Config& config, const std::vector<Step>& steps,
                                                   Clock until = kNever) {
  Bench bench(config);
  bench.run(steps, until);
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < kRules; ++i)
    if (const auto n = bench.dram.violations().count(static_cast<Rule>(i))) counts[text(static_cast<Rule>(i)).name] = n;
  return counts;
}

using Counts = std::map<std::string, std::uint64_t>;

/// Expects that the last command is legal at the clock `earliest`, and that one clock before it breaks exactly the
/// named rules, each once.
inline void expectEarliest(const std::vector<std::string>& rules, const Config& config, std::vector<Step> before,
                           Step last, Clock earliest) {
  before.push_back(last);
  before.back().clock = earliest;
  EXPECT_EQ(broken(config, before), Counts{}) << "at the boundary, clock " << earliest;
  before.back().clock = earliest - 1;
  Counts expected;
  for (const std::string& rule : rules) expected[rule] = 1;
  EXPECT_EQ(broken(config, before), expected) << "one clock before the boundary, clock " << earliest - 1;
}

}  // namespace weir::dram::test
