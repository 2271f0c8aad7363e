// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs other programs and keeps what they print.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace weir::dram::test {

/// What a program printed, both streams, and how it ended (128 + signal if by a signal, as in a shell).
struct Result {
  std::string output;
  int exitCode = -1;
};

/// Runs a shell command to its end.
inline Result run(const std::string& command) {
  Result result;
  FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) result.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace weir::dram::test
