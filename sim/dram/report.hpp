// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reporting of broken rules by the parts of the checker.
#pragma once

#include "violations.hpp"

namespace weir::dram {

/// Reports against one command: the parts of the checker say which rule, this adds command, place and time.
class Report {
 public:
  Report(Violations& violations, const Issued& issued, std::uint32_t row)
      : violations_(violations), issued_(issued), row_(row) {}

  /// A rule that counts from an earlier event: broken unless `required` clocks have passed since then.
  void demand(Rule rule, Clock since, Clock required) const {
    if (issued_.clock < since + required) violations_.add({rule, issued_, row_, since, required, kNever});
  }

  /// A rule that was found broken. `since` is the earlier event, `limit` the clocks wanted between the two, `at` the
  /// later event, where the rule has them and they are not the command.
  void broken(Rule rule, Clock since = kNever, Clock limit = 0, Clock at = kNever) const {
    violations_.add({rule, issued_, row_, since, limit, at});
  }

 private:
  Violations& violations_;
  const Issued& issued_;
  std::uint32_t row_;
};

}  // namespace weir::dram
