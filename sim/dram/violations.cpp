// SPDX-License-Identifier: Apache-2.0
#include "violations.hpp"

#include <cinttypes>
#include <cstdio>

namespace weir::dram {
namespace {

std::string when(Clock clock, int clockPs) {
  char text[64];
  const Clock ps = clock * clockPs;
  std::snprintf(text, sizeof text, "clock %" PRId64 " (%" PRId64 ".%03d ns)", clock, ps / 1000,
                static_cast<int>(ps % 1000));
  return text;
}

}  // namespace

void Violations::add(const Violation& violation) {
  ++total_;
  ++counts_[static_cast<std::size_t>(violation.rule)];
  if (kept_.size() < kKept) kept_.push_back(violation);
}

std::string Violations::describe(const Violation& v) const {
  const RuleText& rule = text(v.rule);
  char row[16];
  std::snprintf(row, sizeof row, "0x%x", v.row);
  std::string out = "DRAM '" + name_ + "': " + weir::dram::name(v.issued.command) + " at " +
                    when(v.issued.clock, clockPs_) + ", rank " + std::to_string(v.issued.rank) + " bank " +
                    std::to_string(v.issued.bank) + " row " + row + ", breaks " + rule.name + " (" + rule.meaning + ")";
  if (v.since > kNever / 2) {
    const bool burst = v.at > kNever / 2;
    const Clock at = burst ? v.at : v.issued.clock;
    out += ":";
    if (burst) out += " burst at " + when(at, clockPs_) + ",";
    out += std::string(" ") + rule.since + " at " + when(v.since, clockPs_) + ", " + std::to_string(at - v.since) +
           " clocks apart";
    if (v.limit != 0) out += ", limit " + std::to_string(v.limit);
  }
  return out;
}

std::string Violations::summary() const {
  std::string out;
  for (std::size_t i = 0; i < kRules; ++i) {
    if (counts_[i] == 0) continue;
    const RuleText& rule = text(static_cast<Rule>(i));
    out += std::string(rule.name) + ": " + std::to_string(counts_[i]) + " (" + rule.meaning + ")\n";
  }
  return out;
}

}  // namespace weir::dram
