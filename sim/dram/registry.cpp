// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

namespace weir::dram {
namespace {

std::vector<std::unique_ptr<Dram>>& all() {
  static std::vector<std::unique_ptr<Dram>> models;
  return models;
}

}  // namespace

int open(const Config& config) {
  if (find(config.name) != nullptr)
    throw std::invalid_argument("DRAM model '" + config.name + "': NAME is taken by another model of this simulation");
  all().push_back(std::make_unique<Dram>(config));
  return static_cast<int>(all().size()) - 1;
}

Dram* find(const std::string& name) {
  for (const auto& each : all())
    if (each->config().name == name) return each.get();
  return nullptr;
}

Dram& model(int number) { return *all()[static_cast<std::size_t>(number)]; }

}  // namespace weir::dram
