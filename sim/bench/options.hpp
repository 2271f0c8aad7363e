// SPDX-License-Identifier: Apache-2.0
/// @file
/// `--name value` options of a program.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace weir::bench {

/// The number that a word is, decimal or hexadecimal after 0x; nothing for anything else: blanks, a sign, 2^64 and
/// more. A leading zero means nothing: 0100 is a hundred.
inline std::optional<uint64_t> numberOf(std::string_view word) {
  int base = 10;
  if (word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
    base = 16;
    word.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// The options of a command line, each with a default value. All are numbers (`numberOf`) but those whose default is
/// not.
class Options {
 public:
  using Values = std::map<std::string, std::string>;

  /// As many DRAM models as a bench has at most (bench.sv).
  static constexpr unsigned kMostModels = 2;

  /// Beside the options the command line may hold plusargs of the first `models` DRAM models, which are called dram and
  /// dram1 (dfi_dram.sv): of a program without any, 0. Simulation passes over those that it does not know, so a wrong
  /// one has to be found here. Throws std::invalid_argument for a name without default, a missing value, a non-number
  /// where a number is due, another word with +, or what is there twice; the message names it and what is known. With
  /// --help it prints what is known, and the program ends with 0.
  Options(int argc, char** argv, Values defaults, unsigned models = kMostModels);

  const std::string& text(const std::string& name) const { return values_.at(name); }
  /// The text of an option that has to be given, whose default says of what form it is. Throws std::invalid_argument.
  const std::string& given(const std::string& name) const;
  uint64_t number(const std::string& name) const { return numberOf(values_.at(name)).value(); }

 private:
  Values values_;
  std::set<std::string> given_;  // as the command line has them
};

}  // namespace weir::bench
