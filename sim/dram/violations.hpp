// SPDX-License-Identifier: Apache-2.0
/// @file
/// The record of broken rules.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "archive.hpp"
#include "command.hpp"
#include "config.hpp"
#include "rules.hpp"
#include "time.hpp"

namespace weir::dram {

/// One broken rule: which command broke it, where, and both times.
struct Violation {
  Rule rule = Rule::count;
  Issued issued;
  std::uint32_t row = 0;  ///< the open or addressed row
  Clock since = kNever;   ///< the earlier event; kNever if the rule has none
  Clock limit = 0;        ///< clocks that the rule wants between the two, at least or at most; 0 if it has no number
  Clock at = kNever;      ///< the later event where that is not the command: its burst on the data bus

  void transfer(Archive& archive) {
    archive("rule", rule);
    archive("issued", issued);
    archive("row", row);
    archive("since", since);
    archive("limit", limit);
    archive("at", at);
  }
};

/// Counts violations by rule and keeps the first of them in full.
class Violations {
 public:
  /// How many violations are kept in full; all are counted.
  static constexpr std::size_t kKept = 256;

  explicit Violations(const Config& config) : name_(config.name), clockPs_(config.clockPs) {}

  void add(const Violation& violation);

  std::uint64_t total() const { return total_; }
  std::uint64_t count(Rule rule) const { return counts_[static_cast<std::size_t>(rule)]; }
  /// The first violations, oldest first.
  const std::vector<Violation>& kept() const { return kept_; }

  /// A violation as text: command, rule, rank, bank, row, both times as clocks and nanoseconds.
  std::string describe(const Violation& violation) const;
  /// One line for each broken rule: its name, how often, its meaning.
  std::string summary() const;

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("total", total_);
    archive("counts", counts_);
    archive("kept", kept_);
  }

 private:
  std::string name_;
  int clockPs_;
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kRules> counts_{};
  std::vector<Violation> kept_;
};

}  // namespace weir::dram
