// SPDX-License-Identifier: Apache-2.0
/// @file
/// `--name value` options of a program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace weir::bench {

/// The options of a command line, each with a default value; plusargs (+...) are left alone. All are numbers but those
/// whose default is not.
class Options {
 public:
  using Values = std::map<std::string, std::string>;

  /// Throws std::invalid_argument for a name without default, a missing value, or a non-number where a number is due;
  /// the message names it and what is known. With --help it prints what is known, and the program ends with 0.
  Options(int argc, char** argv, Values defaults);

  const std::string& text(const std::string& name) const { return values_.at(name); }
  uint64_t number(const std::string& name) const { return std::stoull(values_.at(name), nullptr, 0); }

 private:
  Values values_;
};

}  // namespace weir::bench
