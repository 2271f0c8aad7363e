// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that come into being whole or not at all.
#pragma once

#include <cstddef>
#include <string>

namespace weir::soc {

/// Refuses a name under which no file could be written.
/// @param what the file is, for the error: an option, "snapshot"
/// @throws std::runtime_error naming the file and why
void check_target(const std::string& what, const std::string& file);

/// Writes a file under another name first, `file`.unfinished, and gives it its name when all of it is there; what
/// `file` was before stays if that fails. What is no regular file, as a pipe or /dev/stdout, is written as it is.
/// @throws std::runtime_error naming the file and why
void write_whole(const std::string& what, const std::string& file, const void* bytes, std::size_t length);

}  // namespace weir::soc
