// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a channel's chips can do or need beyond their preset: all off by default.
#pragma once

#include <string>

namespace weir::dram {

struct Part;

/// Departures from the part of the preset table. Which of them a real part can do, and how each changes the rules, is
/// in README.md under "Features".
struct Features {
  bool refresh = true;               ///< false: an ideal memory, whose rows keep their data without refresh
  int fineRefresh = 1;               ///< fine granularity of refresh (1 = off, 2, 4): a fine refresh is so small a part
  bool onTheFly = false;             ///< each refresh tells whether it is fine; else all are
  bool optimisticRfc = false;        ///< a fine refresh takes tRFC divided by its granularity, not the part's tRFC2/4
  bool extendedTemperature = false;  ///< above 85 C: tREFI and tREFW are half of the normal ones
  int timeScale = 1;                 ///< the memory is so many times slower (1 to 64)
  int refreshGroups = 1;             ///< groups of banks of a rank that refresh apart (1 = none, 2, 4)

  /// Reads the text form, as the benches' command lines and dfi_dram.sv have it: items between commas, each at most
  /// once, in any order: refresh=none, fine_refresh=2 or 4, on_the_fly, optimistic_trfc, extended_temperature,
  /// time_scale=1 to 64, refresh_groups=2 or 4. An empty text is no feature.
  /// @param place where the text stood, for the error: an option, a parameter
  /// @throws std::invalid_argument naming place, item and what is known
  static Features parse(const std::string& text, const std::string& place);

  /// The text form that parse() reads, empty with no feature.
  std::string text() const;

  /// Refuses what the model cannot do.
  /// @param initialised whether the model starts initialised, so that mode register 3 of DDR4 has been set
  /// @throws std::invalid_argument naming `place`, the feature, its value and the limit
  void validate(const Part& part, bool initialised, const std::string& place) const;

  /// The part with the refresh times that hold with these features: tREFI and tREFW at extended temperature and time
  /// scale, tRFC2 and tRFC4 of the optimist. All else is scaled by toClocks().
  Part refreshed(Part part) const;
};

}  // namespace weir::dram
