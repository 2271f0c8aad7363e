// SPDX-License-Identifier: Apache-2.0
// The preset table, put together.
#include <stdexcept>

#include "part_tables.hpp"

namespace weir::dram {
namespace {

std::vector<Part> table() {
  std::vector<Part> all;
  for (const auto& parts : kPartTables)
    for (const Part& part : parts()) all.push_back(part);
  return all;
}

}  // namespace

const std::vector<Part>& parts() {
  static const std::vector<Part> all = table();
  return all;
}

const Part& findPart(const std::string& name) {
  std::string known;
  for (const Part& part : parts()) {
    if (part.name == name) return part;
    known += " " + part.name;
  }
  throw std::invalid_argument("DRAM part '" + name + "' is not in the table; known:" + known);
}

}  // namespace weir::dram
