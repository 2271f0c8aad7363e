// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace weir::soc {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& file, int error) {
  throw std::runtime_error(what + " " + file + " cannot be written: " + std::strerror(error));
}

bool is_special(const std::string& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

/// @return 0, or what went wrong
int write(const std::string& file, const void* bytes, std::size_t length) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (!out) return errno;
  int error = 0;
  if (std::fwrite(bytes, 1, length, out) != length || std::fflush(out) != 0) error = errno;
  if (std::fclose(out) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void check_target(const std::string& what, const std::string& file) {
  if (std::filesystem::is_directory(file)) refuse(what, file, EISDIR);
  const std::string name = is_special(file) ? file : std::filesystem::absolute(file).parent_path().string();
  if (access(name.c_str(), W_OK) != 0) refuse(what, file, errno);
}

void write_whole(const std::string& what, const std::string& file, const void* bytes, std::size_t length) {
  const bool special = is_special(file);
  const std::string name = special ? file : file + ".unfinished";
  int error = write(name, bytes, length);
  if (error == 0 && !special && std::rename(name.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!special) std::remove(name.c_str());
  refuse(what, file, error);
}

}  // namespace weir::soc
