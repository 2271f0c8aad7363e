// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

namespace weir::bench {

namespace {

/// What the plusargs of so many DRAM models begin with.
std::vector<std::string> plusargs(unsigned models) {
  std::vector<std::string> found;
  for (unsigned model = 0; model < models; ++model)
    for (const char* what : {"features", "trace", "statistics", "preload"})
      found.push_back("+dram" + (model == 0 ? "" : std::to_string(model)) + "_" + what + "=");
  return found;
}

}  // namespace

Options::Options(int argc, char** argv, Values defaults, unsigned models) : values_(std::move(defaults)) {
  const std::vector<std::string> words = plusargs(models);
  std::string known;
  for (const auto& [name, value] : values_) known += " --" + name + " " + value;
  for (const std::string& word : words) known += " " + word;
  for (int index = 1; index < argc; ++index) {
    const std::string word = argv[index];
    if (word == "--help") {
      std::printf("options, with their defaults:%s\n", known.c_str());
      std::exit(0);
    }
    // with its =, as the model looks for it
    const bool plusarg = word.rfind('+', 0) == 0;
    const std::string name = plusarg ? word.substr(0, word.find('=') + 1) : word;
    const auto found = name.rfind("--", 0) == 0 ? values_.find(name.substr(2)) : values_.end();
    if (plusarg ? std::find(words.begin(), words.end(), name) == words.end() : found == values_.end())
      throw std::invalid_argument("option " + word + " is unknown; options:" + known);
    if (!given_.insert(name).second) throw std::invalid_argument("option " + name + " is there twice");
    if (plusarg) continue;
    if (++index == argc) throw std::invalid_argument("option " + name + " has no value");
    if (numberOf(found->second) && !numberOf(argv[index]))
      throw std::invalid_argument("option " + name + ": " + argv[index] + " is not a number below 2^64");
    found->second = argv[index];
  }
}

const std::string& Options::given(const std::string& name) const {
  const std::string& value = text(name);
  if (given_.count("--" + name) == 0)
    throw std::invalid_argument("option --" + name + " is not given: must be " + value);
  return value;
}

}  // namespace weir::bench
