// SPDX-License-Identifier: Apache-2.0
/// @file
/// On-die termination of one rank: what its ODT pin does to reads and writes.
#pragma once

#include <array>

#include "archive.hpp"
#include "config.hpp"
#include "report.hpp"
#include "time.hpp"

namespace weir::dram {

/// Which terminations the mode registers of a rank have on.
struct Resistors {
  bool nominal = false;  ///< RTT_NOM, which the ODT pin switches
  bool write = false;    ///< RTT_WR, which takes its place while write data come
  bool park = false;     ///< RTT_PARK of DDR4, on while the pin is low
};

/// Judges the ODT pin of a rank by JESD79-3F 5.2 and 5.3, and by JESD79-4B 5.1 to 5.3.
///
/// The pin acts ODTLon = ODTLoff = CWL - 2 clocks after it was sampled (no additive latency). DDR3 chips cannot drive
/// and terminate at once, and it is the pin that must see to it: RTT must be off half a clock before the preamble of a
/// read, which with tAOF of half a clock is two clocks before its data, and stay off to the end of the data. DDR4 chips
/// see to that by themselves (JESD79-4B 5.1, table of states, note 2).
class Termination {
 public:
  Termination(const Config& config, bool ddr4)
      : ddr4_(ddr4), toRead_(config.cl - config.cwl), burst_(config.burstClocks()) {}

  /// Level of the pin.
  bool high() const { return high_; }

  /// The pin at the clock of `report`'s event (true = high).
  void pin(bool high, Clock now, const Resistors& chosen, const Report& report) {
    if (high != high_) {
      high_ = high;
      if (high)
        rose_ = now;
      else if (byPin(chosen)) {
        report.demand(Rule::odtHold, rose_, kHold4);
        report.demand(Rule::odtHold, write_, kHold8);
      }
    }
    if (!high || ddr4_ || !chosen.nominal) return;
    for (Clock& read : reads_) {
      if (now < read + toRead_ || now >= read + toRead_ + kBeforeData + burst_) continue;
      report.broken(Rule::odtRead, read);
      read = kNever;  // once for each read
    }
  }

  /// A read, after the pin of its clock.
  void read(Clock now, const Resistors& chosen, const Report& report) {
    reads_[next_] = now;
    next_ = (next_ + 1) % reads_.size();
    pin(high_, now, chosen, report);
  }

  /// A write, after the pin of its clock.
  void write(Clock now, const Resistors& chosen, const Report& report) {
    if (high_)
      write_ = now;
    else if (ddr4_ ? chosen.nominal && !chosen.write && !chosen.park : byPin(chosen))
      report.broken(Rule::odtWrite);
  }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("high", high_);
    archive("rose", rose_);
    archive("write", write_);
    archive("reads", reads_);
    archive("next", next_);
  }

 private:
  static constexpr Clock kHold4 = 4;       ///< ODTH4: high for so long at least
  static constexpr Clock kHold8 = 6;       ///< ODTH8: and for so long from a write of a burst of eight on
  static constexpr Clock kBeforeData = 2;  ///< clocks before read data at which RTT is off

  /// Whether the pin switches anything: on DDR4 RTT_WR comes without it.
  bool byPin(const Resistors& chosen) const { return chosen.nominal || (chosen.write && !ddr4_); }

  bool ddr4_;
  Clock toRead_;  ///< from a read command to the first clock at which its rank's pin must be low
  Clock burst_;
  bool high_ = false;
  Clock rose_ = kNever;
  Clock write_ = kNever;  ///< the last that found the pin high
  // CL - CWL is less than 32 clocks, eight bursts
  std::array<Clock, 8> reads_{kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever};
  std::size_t next_ = 0;
};

}  // namespace weir::dram
