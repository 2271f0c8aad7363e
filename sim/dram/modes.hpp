// SPDX-License-Identifier: Apache-2.0
/// @file
/// Mode registers, power-up and initialisation of one rank.
#pragma once

#include <array>
#include <cstdint>

#include "archive.hpp"
#include "clocks.hpp"
#include "command.hpp"
#include "config.hpp"
#include "part.hpp"
#include "termination.hpp"

namespace weir::dram {

class Report;

/// Reset, CKE, mode registers and the order of initialisation (JESD79-3F 3.3.1, JESD79-4B 3.3.1) of one rank: CKE low,
/// CKE high, tXPR, then MR2, MR3, MR1, MR0 with DLL reset (DDR4: MR3, MR6, MR5, MR4, MR2, MR1, MR0), ZQCL.
///
/// Deliberately tolerated: the power-up waits of 200 us and 500 us, which simulations shorten; a missing RESET# pulse,
/// as LiteDRAM's firmware sends none; precharges, refreshes and short ZQ calibrations before CKE was first low, which
/// LiteDRAM's free-running refresher sends before the firmware takes over (they have no effect).
class Modes {
 public:
  Modes(const Config& config, const Part& part, const Clocks& clocks, bool initialised);

  /// Judges a move of the rank's ODT pin.
  void odtMoved(const Report& report);

  /// Follows RESET# and CKE (true = high) at `now`.
  /// @return whether the rank was just put into reset: it has lost its banks' state
  bool pins(bool resetN, bool cke, Clock now);

  /// Judges a command: pins, initialisation, tMRD, tMOD, tXPR, tXP, tDLLK and contents of mode registers.
  /// @param odt level of the rank's ODT pin (true = high)
  /// @return whether the rank takes the command; one before power-up or without CKE has no effect
  bool command(const Issued& issued, bool odt, const Report& report);

  /// Judges by other timings from now on.
  void useTimings(const Clocks& clocks) { clocks_ = clocks; }

  /// The initialisation sequence has ended.
  bool ready() const { return state_ == State::ready; }
  /// Whether the next long ZQ calibration is that of the initialisation (tZQinit).
  bool calibrating() const { return state_ == State::configuring; }
  /// The terminations that the mode registers have on.
  Resistors resistors() const;
  /// Reads return the multi purpose register's pattern (mode register 3, A2) instead of the array.
  bool multiPurposeRead() const { return (registers_[3] & 0x7u) == 0x4u; }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("state", state_);
    archive("resetN", resetN_);
    archive("cke", cke_);
    archive("poweredDown", poweredDown_);
    archive("ckeHigh", ckeHigh_);
    archive("modeSet", modeSet_);
    archive("dllReset", dllReset_);
    archive("step", step_);
    archive("registers", registers_);
  }

 private:
  enum class State { powerUp, ckeLow, configuring, ready };

  void modeRegister(const Issued& issued, bool odt, const Report& report);

  bool ddr4_;
  int cl_, cwl_;
  Clock tWR_;  ///< of the chips as they are, whatever the time scale
  Clocks clocks_;
  State state_;
  bool resetN_ = true;
  bool cke_ = true;
  bool poweredDown_ = false;
  Clock ckeHigh_ = kNever;
  Clock modeSet_ = kNever;
  Clock dllReset_ = kNever;
  int step_ = 0;  ///< mode registers set so far in the initialisation sequence
  std::array<std::uint32_t, 8> registers_{};
};

}  // namespace weir::dram
