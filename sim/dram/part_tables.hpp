// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tables of which the preset table is made, a file each. A part is a speed bin (core timings), a page size (tRRD,
/// tFAW) and an organisation (rows, tRFC), as in the tables of the standards; the columns of those tables are the
/// functions there.
#pragma once

#include <vector>

#include "part.hpp"

namespace weir::dram {

std::vector<Part> ddr3Parts();
std::vector<Part> ddr4Parts();
std::vector<Part> ddr5Parts();
std::vector<Part> tableIIParts();

/// All of them.
constexpr std::vector<Part> (*kPartTables[])() = {ddr3Parts, ddr4Parts, ddr5Parts, tableIIParts};

/// What all DDR4 parts share: put into a part that has its tRFC.
void ddr4Common(Part& part);

}  // namespace weir::dram
