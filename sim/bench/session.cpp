// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>

namespace weir::bench {

Session::Session(int argc, char** argv, uint64_t seed, Done done)
    : bench_(argc, argv),
      memory_(config::kBase, config::kBytes, [this](uint64_t offset) { return bench_.contents(offset); }),
      done_(std::move(done)) {
  for (unsigned port = 0; port < config::kPorts; ++port)
    managers_.push_back(std::make_unique<AxiManager>(
        port, config::kBusBytes, memory_, [this, port](const Completion& completion) { done_(port, completion); },
        portSeed(seed, port)));
}

uint64_t portSeed(uint64_t seed, unsigned port) {
  std::seed_seq sequence{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), port};
  std::array<uint32_t, 2> words;
  sequence.generate(words.begin(), words.end());
  return uint64_t{words[1]} << 32 | words[0];
}

void Session::step() {
  ++cycle_;
  for (unsigned port = 0; port < config::kPorts; ++port) managers_[port]->drive(cycle_, bench_.pins[port]);
  bench_.settle();
  for (unsigned port = 0; port < config::kPorts; ++port) managers_[port]->sample(cycle_, bench_.pins[port]);
  bench_.edge();
  checkProgress();
}

void Session::checkProgress() {
  if (idle()) return;
  uint64_t least = cycle_;
  for (const auto& manager : managers_) {
    if (manager->open() == 0) continue;
    least = std::min(least, manager->silent(cycle_));
    longestSilence_ = std::max(longestSilence_, manager->silent(cycle_));
  }
  if (least > config::kSilentCycles)
    throw TrafficError("cycle " + std::to_string(cycle_) + ": the controller hangs: no handshake in " +
                       std::to_string(least) + " cycles");
}

void Session::drain() {
  while (!idle()) step();
}

bool Session::idle() const {
  return std::all_of(managers_.begin(), managers_.end(), [](const auto& manager) { return manager->open() == 0; });
}

}  // namespace weir::bench
