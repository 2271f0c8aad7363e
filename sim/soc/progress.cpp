// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace weir::soc {

namespace {

double seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Progress::Progress(double interval) : interval_(interval), terminal_(isatty(STDERR_FILENO)) {}

void Progress::begin(uint64_t cycle) {
  start_ = last_ = Clock::now();
  first_cycle_ = last_cycle_ = cycle;
}

void Progress::update(uint64_t cycle, const std::string& stage) {
  const Clock::time_point now = Clock::now();
  const double elapsed = seconds(now - last_);
  if (interval_ == 0 || elapsed < interval_) return;
  const std::string text =
      describe(cycle, static_cast<double>(cycle - last_cycle_) / elapsed / 1e3, stage.empty() ? "start" : stage);
  wipe();
  std::fprintf(stderr, terminal_ ? "%s" : "%s\n", text.c_str());
  std::fflush(stderr);
  shown_ = terminal_;
  last_ = now;
  last_cycle_ = cycle;
}

void Progress::wipe() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void Progress::finish(uint64_t cycle, const std::string& why) {
  wipe();
  if (interval_ == 0) return;
  const double elapsed = seconds(Clock::now() - start_);
  std::fprintf(stderr, "%s\n", describe(cycle, static_cast<double>(cycle - first_cycle_) / elapsed / 1e3, why).c_str());
}

std::string Progress::describe(uint64_t cycle, double kilohertz, const std::string& what) const {
  char text[160];
  std::snprintf(text, sizeof text, "weir-sim: %.2f M cycles, %.0f kHz, %.0f s: %s", static_cast<double>(cycle) / 1e6,
                kilohertz, seconds(Clock::now() - start_), what.c_str());
  return text;
}

}  // namespace weir::soc
