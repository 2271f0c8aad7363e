// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace weir::soc {

/// Lets the model write down every address handshake of the harts' memory bus, a line of text each:
/// cycle, channel (AR or AW), id, bus address, beats.
/// @throws std::system_error if the file cannot be written
void start_axi_log(const std::string& file, const uint64_t& cycle);

/// Writes out what is still buffered, and ends the log.
/// @throws std::runtime_error naming the file if not all of it could be written
void finish_axi_log();

}  // namespace weir::soc
