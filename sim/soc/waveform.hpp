// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the writer of waveforms does not tell.
#pragma once

#include <string>

namespace weir::soc {

/// Follows the blocks of a closed FST file from one to the next: each is a byte for its type and, counted in its
/// length, eight bytes of length, the highest first.
/// @throws std::runtime_error naming the file if it ends within a block, or has no hierarchy, which is written last
void check_waveform(const std::string& file);

}  // namespace weir::soc
