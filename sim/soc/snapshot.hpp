// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::soc {

/// Writes a machine's state to a file, all of it or nothing (write_whole()).
/// @throws std::runtime_error naming the file
void write_snapshot(const std::string& file, const std::vector<uint8_t>& state);

/// Reads the state from a file that write_snapshot() of this very program has written.
/// @throws std::runtime_error naming the file and what is wrong: it cannot be read, is no snapshot, is damaged, or is
/// of
///   another build, with the ids of both
std::vector<uint8_t> read_snapshot(const std::string& file);

}  // namespace weir::soc
