// SPDX-License-Identifier: Apache-2.0
#include "modes.hpp"

#include "report.hpp"

namespace weir::dram {
namespace {

/// Order of the mode registers in the initialisation sequence.
constexpr std::array<int, 4> kDdr3Order = {2, 3, 1, 0};
constexpr std::array<int, 7> kDdr4Order = {3, 6, 5, 4, 2, 1, 0};

/// CAS latency of mode register 0, A6:A4 above A2 (JESD79-3F figure 9; A2 is the code's lowest bit here); 0 = reserved.
int ddr3Cl(std::uint32_t mr0) {
  constexpr std::array<int, 16> latency = {0, 12, 5, 13, 6, 14, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0};
  return latency[(mr0 >> 3 & 0xeu) | (mr0 >> 2 & 1u)];
}

/// CAS latency of mode register 0, A12 above A6:A4 above A2 (JESD79-4B table 3); 0 = reserved.
int ddr4Cl(std::uint32_t mr0) {
  constexpr std::array<int, 32> latency = {9,  10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 23, 17, 19, 21,
                                           25, 26, 27, 28, 29, 30, 31, 32, 0,  0,  0,  0,  0,  0,  0,  0};
  return latency[(mr0 >> 8 & 0x10u) | (mr0 >> 3 & 0xeu) | (mr0 >> 2 & 1u)];
}

/// CAS write latency of mode register 2, A5:A3 (JESD79-3F figure 11, JESD79-4B table 7).
int cwlOf(std::uint32_t mr2, bool ddr4) {
  constexpr std::array<int, 8> ddr3Latency = {5, 6, 7, 8, 9, 10, 11, 12};
  constexpr std::array<int, 8> ddr4Latency = {9, 10, 11, 12, 14, 16, 18, 20};
  return (ddr4 ? ddr4Latency : ddr3Latency)[mr2 >> 3 & 7u];
}

/// Write recovery of mode register 0 (JESD79-3F figure 9: A11:A9; JESD79-4B table 2: A13 above A11:A9); 0 = reserved.
int wrOf(std::uint32_t mr0, bool ddr4) {
  constexpr std::array<int, 8> ddr3Clocks = {16, 5, 6, 7, 8, 10, 12, 14};
  constexpr std::array<int, 16> ddr4Clocks = {10, 12, 14, 16, 18, 20, 24, 22, 26, 28};
  const std::uint32_t low = mr0 >> 9 & 7u;
  return ddr4 ? ddr4Clocks[(mr0 >> 10 & 8u) | low] : ddr3Clocks[low];
}

}  // namespace

Modes::Modes(const Config& config, const Part& part, const Clocks& clocks, bool initialised)
    : ddr4_(part.standard == &kDdr4),
      cl_(config.cl),
      cwl_(config.cwl),
      tWR_(toClocks(part.tWR, *part.standard, config.clockPs)),
      clocks_(clocks),
      state_(initialised ? State::ready : State::powerUp) {
  if (!initialised || !config.terminated) return;
  registers_[1] = ddr4_ ? 1u << 8 : 1u << 2;  // RTT_NOM of RZQ / 4
  registers_[2] = 1u << 9;                    // RTT_WR of RZQ / 4, of RZQ / 2 on DDR4
}

Resistors Modes::resistors() const {
  const std::uint32_t mr1 = registers_[1], mr2 = registers_[2];
  // JESD79-4B tables 5, 7 and 11; the code 011 of RTT_WR is high impedance
  if (ddr4_)
    return {(mr1 >> 8 & 7u) != 0, (mr2 >> 9 & 7u) != 0 && (mr2 >> 9 & 7u) != 3, (registers_[5] >> 6 & 7u) != 0};
  // JESD79-3F figures 10 and 11
  return {(mr1 & 0x244u) != 0, (mr2 & 0x600u) != 0, false};
}

void Modes::odtMoved(const Report& report) {
  if (state_ == State::configuring && step_ > 0) report.broken(Rule::odtInitialisation);
}

bool Modes::pins(bool resetN, bool cke, Clock now) {
  const bool intoReset = !resetN && resetN_;
  resetN_ = resetN;
  if (!resetN) {
    state_ = State::ckeLow;
    registers_ = {};
  }
  if (cke == cke_) return intoReset;
  cke_ = cke;
  if (cke) {
    ckeHigh_ = now;
    if (state_ == State::ckeLow && resetN) {
      state_ = State::configuring;
      step_ = 0;
    }
  } else if (state_ == State::ready) {
    poweredDown_ = true;
  } else {
    state_ = State::ckeLow;
  }
  return intoReset;
}

bool Modes::command(const Issued& issued, bool odt, const Report& report) {
  if (!resetN_) {
    report.broken(Rule::resetLow);
    return false;
  }
  if (!cke_) {
    report.broken(Rule::ckeLow);
    return false;
  }
  const Command c = issued.command;
  const bool needsArray = c == Command::activate || isColumn(c);
  if (state_ == State::powerUp || state_ == State::ckeLow) {
    if (needsArray) report.broken(Rule::notInitialised);
    if (c == Command::modeRegisterSet || c == Command::zqLong) report.broken(Rule::initialisationOrder);
    return false;
  }
  if (state_ == State::configuring) {
    report.demand(Rule::tXPR, ckeHigh_, clocks_.tXPR);
    if (needsArray) {
      report.broken(Rule::notInitialised);
      return false;
    }
    if (c != Command::modeRegisterSet && c != Command::zqLong) report.broken(Rule::initialisationOrder);
  } else if (poweredDown_) {
    report.demand(Rule::tXP, ckeHigh_, clocks_.tXP);
  }
  if (c == Command::modeRegisterSet) {
    report.demand(Rule::tMRD, modeSet_, clocks_.tMRD);
    modeRegister(issued, odt, report);
    modeSet_ = issued.clock;
  } else {
    report.demand(Rule::tMOD, modeSet_, clocks_.tMOD);
  }
  if (isRead(c)) report.demand(Rule::tDLLK, dllReset_, clocks_.tDLLK);
  if (c == Command::zqLong && state_ == State::configuring) {
    const int steps = static_cast<int>(ddr4_ ? kDdr4Order.size() : kDdr3Order.size());
    if (step_ != steps) report.broken(Rule::initialisationOrder);
    state_ = State::ready;
  }
  return true;
}

void Modes::modeRegister(const Issued& issued, bool odt, const Report& report) {
  const int number = issued.bank & 7;
  const std::uint32_t value = issued.address;
  if (state_ == State::configuring) {
    const int steps = static_cast<int>(ddr4_ ? kDdr4Order.size() : kDdr3Order.size());
    const auto at = static_cast<std::size_t>(step_);
    if (step_ >= steps || (ddr4_ ? kDdr4Order[at] : kDdr3Order[at]) != number) report.broken(Rule::initialisationOrder);
    ++step_;
  }
  registers_[static_cast<std::size_t>(number)] = value;
  if (number == 0) {
    if ((value & 3u) != 0) report.broken(Rule::modeBurst);
    if ((ddr4_ ? ddr4Cl(value) : ddr3Cl(value)) != cl_) report.broken(Rule::modeCl);
    if (wrOf(value, ddr4_) < tWR_) report.broken(Rule::modeWr);
    if ((value & 0x100u) != 0) dllReset_ = issued.clock;
  } else if (number == 1) {
    if ((value & 0x18u) != 0) report.broken(Rule::modeAdditiveLatency);
    if (state_ == State::configuring && odt && resistors().nominal) report.broken(Rule::odtInitialisation);
  } else if (number == 2) {
    if (cwlOf(value, ddr4_) != cwl_) report.broken(Rule::modeCwl);
  }
}

}  // namespace weir::dram
