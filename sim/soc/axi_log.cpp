// SPDX-License-Identifier: Apache-2.0
#include "axi_log.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace {

// One process simulates one SoC, and DPI functions have no object of their own.
std::FILE* log_file = nullptr;
const uint64_t* current_cycle = nullptr;

}  // namespace

namespace weir::soc {

void start_axi_log(const std::string& file, const uint64_t& cycle) {
  log_file = std::fopen(file.c_str(), "w");
  if (!log_file) throw std::system_error(errno, std::generic_category(), "--axi-log: " + file);
  current_cycle = &cycle;
  std::fputs("# cycle channel id address beats\n", log_file);
}

void finish_axi_log() {
  if (log_file) std::fclose(log_file);
  log_file = nullptr;
}

}  // namespace weir::soc

// Called by axi_log.sv.
extern "C" void axi_log_write(unsigned char is_write, int id, int address, int beats) {
  if (!log_file) return;
  std::fprintf(log_file, "%llu %s %d 0x%08x %d\n", static_cast<unsigned long long>(*current_cycle),
               is_write ? "AW" : "AR", id, static_cast<unsigned>(address), beats);
}
