// SPDX-License-Identifier: Apache-2.0
/// @file
/// One row of the head to head: run one pattern on every port of this build's controller and print what was measured as
/// JSON, on the first line of its output. After the window everything in flight ends, and what was written is read back
/// (the last bursts of each port).
///
/// Exit code 0, 1 for a wrong datum, response or handshake or a hang, 2 for a wrong option.

#include <cstdio>
#include <deque>
#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "latency.hpp"
#include "oldest_wait.hpp"
#include "options.hpp"
#include "patterns.hpp"
#include "registers.hpp"
#include "registry.hpp"
#include "session.hpp"

using namespace weir::bench;

namespace {

/// Writes of each port that are read back.
constexpr size_t kReadBack = 2048;

struct Measured {
  uint64_t readBytes = 0, writtenBytes = 0;
  Latency read;        // reads that the pattern counts
  Latency bystanders;  // reads of all ids but 0: in `busy_bank`, those that go to free banks
  OldestWait oldest;
};

uint64_t inRange(const Options& options, const std::string& name, uint64_t least, uint64_t most) {
  const uint64_t value = options.number(name);
  if (value < least || value > most)
    throw std::invalid_argument("option --" + name + " " + std::to_string(value) + ": must be " +
                                std::to_string(least) + " to " + std::to_string(most));
  return value;
}

Shape shapeOf(const Options& options, unsigned port) {
  const uint64_t bytes = inRange(options, "burst-bytes", 1, 4096);
  if ((bytes & (bytes - 1)) != 0 || bytes > 256 * config::kBusBytes)
    throw std::invalid_argument("option --burst-bytes " + std::to_string(bytes) +
                                ": must be a power of two of at most 256 beats");
  const uint64_t ids = inRange(options, "ids", 1, uint64_t{1} << config::kIdBits);
  return {port,
          config::kPorts,
          static_cast<unsigned>(ids),
          static_cast<unsigned>(bytes),
          config::kBusBytes,
          portSeed(options.number("seed"), config::kPorts + port)};
}

/// How the DRAM has the bank of an address at the moment.
RowState stateOf(const Layout& layout, uint64_t address) {
  const weir::dram::Dram& model = Bench::model(0);
  const uint64_t place = (address - layout.base) / layout.rowBytes;
  const unsigned banksOfRank = layout.banks / static_cast<unsigned>(model.config().ranks);
  const unsigned bank = place % layout.banks;
  const weir::dram::Bank& found =
      model.bank(static_cast<int>(bank / banksOfRank), static_cast<int>(bank % banksOfRank));
  if (!found.open) return RowState::kClosed;
  return found.row == place / layout.banks ? RowState::kHit : RowState::kConflict;
}

Measured run(const Options& options, Session& session, std::vector<std::unique_ptr<Pattern>>& patterns,
             std::function<void(unsigned, const Completion&)>& done) {
  const uint64_t begin = options.number("warmup"), end = begin + options.number("window");
  const uint64_t fault = options.number("fault"), faultCycle = options.number("fault-cycle");
  Measured measured;
  std::vector<std::deque<Burst>> written(config::kPorts);
  done = [&](unsigned port, const Completion& completion) {
    patterns[port]->done(session.cycle(), completion);
    const unsigned bytes = completion.burst.beats * completion.burst.beatBytes;
    if (completion.write) {
      written[port].push_back(completion.burst);
      if (written[port].size() > kReadBack) written[port].pop_front();
    }
    if (session.cycle() <= begin || session.cycle() > end) return;
    if (completion.write) {
      measured.writtenBytes += bytes;
      return;
    }
    measured.readBytes += bytes;
    const uint64_t latency = completion.first - completion.accepted;
    if (patterns[port]->counts(completion)) measured.read.add(latency);
    measured.oldest.add(completion.accepted, completion.first);
    if (completion.burst.id != 0) measured.bystanders.add(latency);
  };
  while (session.cycle() < end) {
    if (fault != 0 && session.cycle() == faultCycle) session.bench().breakDesign(static_cast<unsigned>(fault));
    for (unsigned port = 0; port < config::kPorts; ++port)
      patterns[port]->offer(session.cycle(), session.manager(port));
    session.step();
  }
  done = [](unsigned, const Completion&) {};
  session.drain();
  for (unsigned port = 0; port < config::kPorts; ++port)
    for (const Burst& burst : written[port]) session.manager(port).read(burst);
  session.drain();
  return measured;
}

void print(const Options& options, const Session& session, const Measured& measured,
           const std::map<std::string, uint64_t>& violations) {
  const auto number = [](uint64_t value) { return std::to_string(value); };
  std::string broken;
  for (const auto& [rule, count] : violations)
    broken += (broken.empty() ? "\"" : ", \"") + rule + "\": " + number(count);
  std::printf("{\"cycles\": %s, \"window\": %s, \"read_bytes\": %s, \"written_bytes\": %s, \"checked_bytes\": %s, ",
              number(session.cycle()).c_str(), options.text("window").c_str(), number(measured.readBytes).c_str(),
              number(measured.writtenBytes).c_str(), number(session.memory().checkedBytes()).c_str());
  std::printf("\"longest_silence\": %s, \"oldest_read_wait\": %s, ", number(session.longestSilence()).c_str(),
              number(measured.oldest.most()).c_str());
  std::printf("\"read_latency\": %s, \"bystander_read_latency\": %s, \"violations\": {%s}}\n",
              measured.read.json().c_str(), measured.bystanders.json().c_str(), broken.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options(argc, argv,
                          {{"pattern", "sequential_read"},
                           {"ids", "1"},
                           {"burst-bytes", "64"},
                           {"registers", ""},
                           {"warmup", "16000"},
                           {"window", "50000"},
                           {"seed", "1"},
                           {"fault", "0"},
                           {"fault-cycle", "0"}},
                          config::kChannels);
    const auto registers = registerWrites(options.text("registers"), Bench::kRegisterBytes);
    const Layout layout{config::kBase, config::kBytes, config::kRowBytes, config::kBanks};
    std::vector<std::unique_ptr<Pattern>> patterns;
    for (unsigned port = 0; port < config::kPorts; ++port)
      patterns.push_back(makePattern(options.text("pattern"), layout, shapeOf(options, port),
                                     [&layout](uint64_t address) { return stateOf(layout, address); }));
    std::function<void(unsigned, const Completion&)> done;
    Session session(argc, argv, options.number("seed"),
                    [&done](unsigned port, const Completion& completion) { done(port, completion); });
    for (const auto& [address, value] : registers) session.bench().writeRegister(address, value);
    const Measured measured = run(options, session, patterns, done);
    print(options, session, measured, session.bench().violations());
  } catch (const TrafficError& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 2;
  }
  return 0;
}
