// SPDX-License-Identifier: Apache-2.0
/// @file
/// The soak: random bursts on all ports of this build's controller, every read checked. What may vary (where the ports
/// meet, how eagerly they offer and take, how many bursts are in flight) is drawn anew for each stretch of bursts;
/// between stretches everything ends, the meeting pages are read back and the bus rests a while. The seed determines
/// the run.
///
/// Prints what was done as JSON on the first line. Exit code 0, 1 for a wrong datum, response or handshake, a hang or a
/// protocol violation, 2 for a wrong option.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "latency.hpp"
#include "options.hpp"
#include "random_bursts.hpp"
#include "session.hpp"

using namespace weir::traffic;

namespace {

/// Bursts of all ports in one stretch.
constexpr uint64_t kStretch = 2048;
/// Cycles of rest between stretches, at most: a few refresh intervals.
constexpr uint64_t kRest = 4000;

/// One port's bursts of a stretch: how many may be in flight, and the share of writes in 16.
struct Habit {
  uint64_t open;
  uint64_t writes;
};

class Soak {
 public:
  Soak(Session& session, uint64_t seed, uint64_t fault, uint64_t faultCycle)
      : session_(session),
        fault_(fault),
        faultCycle_(faultCycle),
        random_(portSeed(seed, config::kPorts)),
        layout_{config::kBase, config::kBytes, config::kRowBytes, config::kBanks},
        bursts_(layout_, config::kAddressBits, config::kBusBytes, 1u << config::kIdBits) {}

  void run(uint64_t bursts) {
    while (bursts != 0) {
      const uint64_t now = std::min(bursts, kStretch);
      stretch(now);
      bursts -= now;
    }
  }

 private:
  void stretch(uint64_t bursts) {
    const Meeting meeting(layout_, random_);
    std::vector<Habit> habits;
    for (unsigned port = 0; port < config::kPorts; ++port) {
      session_.manager(port).setPace({pace(), pace(), pace(), pace()});
      habits.push_back({uint64_t{1} << random_() % 7, 1 + random_() % 15});
    }
    while (bursts != 0) {
      for (unsigned port = 0; port < config::kPorts && bursts != 0; ++port)
        if (offer(session_.manager(port), habits[port], meeting)) --bursts;
      step();
    }
    drain();
    for (const uint64_t page : meeting.pages) readBack(page);
    drain();
    for (uint64_t rest = random_() % kRest; rest != 0; --rest) step();
  }

  /// Mostly eager, sometimes slow, in 256ths.
  unsigned pace() {
    constexpr unsigned kPaces[] = {256, 256, 256, 256, 200, 100, 40};
    return kPaces[random_() % std::size(kPaces)];
  }

  bool offer(AxiManager& manager, const Habit& habit, const Meeting& meeting) {
    if (manager.open() >= habit.open) return false;
    const bool write = random_() % 16 < habit.writes;
    if ((write ? manager.waitingWrites() : manager.waitingReads()) >= 2) return false;
    const Burst burst = bursts_.next(meeting, random_);
    if (write)
      manager.write(burst, random_() % 2 == 0);
    else
      manager.read(burst);
    return true;
  }

  /// The whole page through port 0.
  void readBack(uint64_t page) {
    constexpr unsigned kBeats = 16;
    for (unsigned at = 0; at < 4096; at += kBeats * config::kBusBytes)
      session_.manager(0).read({page + at, kBeats, config::kBusBytes, BurstKind::kIncr, 0});
  }

  /// Of a port that others starve: more than all accesses that a controller can hold may take.
  static constexpr uint64_t kSilentPortCycles = 6000;

  void step() {
    if (fault_ != 0 && session_.cycle() == faultCycle_) session_.bench().breakDesign(static_cast<unsigned>(fault_));
    session_.step();
    if (session_.longestSilence() > kSilentPortCycles)
      throw TrafficError("cycle " + std::to_string(session_.cycle()) + ": a port starves: no handshake in " +
                         std::to_string(session_.longestSilence()) + " cycles");
  }

  void drain() {
    while (!session_.idle()) step();
  }

  Session& session_;
  const uint64_t fault_, faultCycle_;
  std::mt19937_64 random_;
  const Layout layout_;
  const RandomBursts bursts_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options(argc, argv, {{"seed", "1"}, {"bursts", "65536"}, {"fault", "0"}, {"fault-cycle", "0"}});
    Latency reads, writes;  // from the address to the last R beat or B
    Session session(argc, argv, options.number("seed"), [&](unsigned, const Completion& completion) {
      (completion.write ? writes : reads).add(completion.last - completion.accepted);
    });
    Soak(session, options.number("seed"), options.number("fault"), options.number("fault-cycle"))
        .run(options.number("bursts"));
    std::printf("{\"reads\": %s, \"writes\": %s, \"cycles\": %llu, \"checked_bytes\": %llu}\n", reads.json().c_str(),
                writes.json().c_str(), static_cast<unsigned long long>(session.cycle()),
                static_cast<unsigned long long>(session.memory().checkedBytes()));
  } catch (const TrafficError& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 2;
  }
  return 0;
}
