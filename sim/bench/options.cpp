// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace weir::bench {

namespace {

bool isNumber(const std::string& text) {
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  char* end = nullptr;
  errno = 0;
  std::strtoull(text.c_str(), &end, 0);
  return *end == '\0' && errno == 0;
}

}  // namespace

Options::Options(int argc, char** argv, Values defaults) : values_(std::move(defaults)) {
  std::string known;
  for (const auto& [name, value] : values_) known += " --" + name + " " + value;
  for (int index = 1; index < argc; index += 2) {
    const std::string name = argv[index];
    if (name.rfind('+', 0) == 0) {
      --index;  // no value follows
      continue;
    }
    if (name == "--help") {
      std::printf("options, with their defaults:%s\n", known.c_str());
      std::exit(0);
    }
    const auto found = name.rfind("--", 0) == 0 ? values_.find(name.substr(2)) : values_.end();
    if (found == values_.end()) throw std::invalid_argument("option " + name + " is unknown; options:" + known);
    if (index + 1 == argc) throw std::invalid_argument("option " + name + " has no value");
    if (isNumber(found->second) && !isNumber(argv[index + 1]))
      throw std::invalid_argument("option " + name + ": " + argv[index + 1] + " is not a number below 2^64");
    found->second = argv[index + 1];
  }
}

}  // namespace weir::bench
