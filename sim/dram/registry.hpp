// SPDX-License-Identifier: Apache-2.0
/// @file
/// The DRAM models of this process, by name.
#pragma once

#include <string>

#include "dram.hpp"

namespace weir::dram {

/// Creates a model that find() knows by config.name.
/// @return its number, by which dfi_dram.sv calls it
/// @throws std::invalid_argument for a bad parameter or a name already taken
int open(const Config& config);

/// The model of that name, or null. dfi_dram.sv creates its model in an initial block: in a Verilator program, after
/// the first eval().
Dram* find(const std::string& name);

/// The model of that number, as open() returned it.
Dram& model(int number);

}  // namespace weir::dram
