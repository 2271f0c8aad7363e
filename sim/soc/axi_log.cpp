// SPDX-License-Identifier: Apache-2.0
#include "axi_log.hpp"

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace {

// One process simulates one SoC, and DPI functions have no object of their own.
std::FILE* log_file = nullptr;
std::string log_name;
const uint64_t* current_cycle = nullptr;

}  // namespace

namespace weir::soc {

void start_axi_log(const std::string& file, const uint64_t& cycle) {
  log_file = std::fopen(file.c_str(), "w");
  if (!log_file) throw std::system_error(errno, std::generic_category(), "--axi-log: " + file);
  log_name = file;
  current_cycle = &cycle;
  std::fputs("# cycle channel id address beats\n", log_file);
}

void finish_axi_log() {
  if (!log_file) return;
  const bool failed = std::ferror(log_file) != 0;
  if ((std::fclose(std::exchange(log_file, nullptr)) != 0) || failed)
    throw std::runtime_error("--axi-log: cannot write all of " + log_name);
}

}  // namespace weir::soc

// Called by axi_log.sv.
extern "C" void axi_log_write(unsigned char is_write, int id, int address, int beats) {
  if (!log_file) return;
  std::fprintf(log_file, "%llu %s %d 0x%08x %d\n", static_cast<unsigned long long>(*current_cycle),
               is_write ? "AW" : "AR", id, static_cast<unsigned>(address), beats);
}
