// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hart_counts.hpp"

namespace weir::soc {

/// Walks through page tables since the start of the simulation, of each hart.
struct PageWalks {
  HartCounts data;          ///< as the data TLB had missed
  HartCounts instructions;  ///< as the instruction TLB had
  HartCounts reads;         ///< entries of page tables that were read
};

/// page_walks.sv counts them here. One process simulates one SoC.
PageWalks& page_walks();

}  // namespace weir::soc
