// SPDX-License-Identifier: Apache-2.0
/// @file
/// The soak: random bursts on all ports of this build's controller, every read checked. What may vary (where the ports
/// meet, how eagerly they offer and take, how many bursts are in flight) is drawn anew for each stretch of bursts;
/// between stretches everything ends, the meeting pages are read back and the bus rests a while. The seed determines
/// the run.
///
/// Where pages move between DRAM and NVM they do so all the while, mostly those in which the ports meet. A few
/// stretches are an era, at whose beginning remapping is enabled, in one way or another; at its end all pages are
/// flushed, then evicted, and each time what the region's cells hold is compared with what was written.
///
/// Prints what was done as JSON on the first line. Exit code 0, 1 for a wrong datum, response or handshake, a hang or a
/// protocol violation, 2 for a wrong option.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "latency.hpp"
#include "options.hpp"
#include "page_moves.hpp"
#include "random_bursts.hpp"
#include "session.hpp"

using namespace weir::bench;

namespace {

/// Bursts of all ports in one stretch.
constexpr uint64_t kStretch = 2048;
/// Cycles of rest between stretches, at most: a few refresh intervals.
constexpr uint64_t kRest = 4000;
/// Stretches of an era.
constexpr unsigned kEra = 4;

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
        bursts_(layout_, allowed_, config::kAddressBits, config::kBusBytes, 1u << config::kIdBits) {
    if (config::kFrames == 0) return;
    const PageMoves::Memory memory{config::kFirstNvmByte / PageMoves::kPageBytes,
                                   config::kBytes / PageMoves::kPageBytes, config::kFrames};
    moves_ = std::make_unique<PageMoves>(
        memory, Registers(session.bench().registers, [this] { cycle(); }),
        [&](uint64_t page, uint64_t bytes) {
          session.bench().preload(page * PageMoves::kPageBytes, std::vector<uint8_t>(bytes));
        },
        random_());
    // What they hold at first is at their homes.
    for (const uint64_t page : moves_->pages())
      session.memory().touch(config::kBase + page * PageMoves::kPageBytes, PageMoves::kPageBytes);
  }

  void run(uint64_t bursts) {
    while (bursts != 0) {
      if (moves_) moves_->enable();
      for (unsigned count = 0; count < kEra && bursts != 0; ++count) {
        const uint64_t now = std::min(bursts, kStretch);
        stretch(now);
        bursts -= now;
      }
      if (moves_) endMoves();
    }
  }

  /// Of the page mover, as JSON.
  std::string moves() { return moves_ ? moves_->json() : "null"; }
  uint64_t cellsChecked() const { return cellsChecked_; }

 private:
  void stretch(uint64_t bursts) {
    const bool moving = moves_ && random_() % 8 != 0;
    const std::vector<uint64_t> hot = moving ? someThatMove() : std::vector<uint64_t>{};
    const Meeting meeting = moving ? Meeting(addresses(hot), random_) : Meeting(layout_, allowed_, random_);
    habits_.clear();
    for (unsigned port = 0; port < config::kPorts; ++port) {
      session_.manager(port).setPace({pace(), pace(), pace(), pace()});
      habits_.push_back({uint64_t{1} << random_() % 7, 1 + random_() % 15});
    }
    meeting_ = &meeting;
    toOffer_ = bursts;
    while (toOffer_ != 0) {
      if (moves_)
        moves_->next(moving ? hot : moves_->pages());
      else
        cycle();
    }
    drain();
    for (const uint64_t page : meeting.pages) readBack(page);
    drain();
    for (uint64_t rest = random_() % kRest; rest != 0; --rest) step();
  }

  /// Offers what is to be offered, and goes on by a cycle.
  void cycle() {
    for (unsigned port = 0; port < config::kPorts && toOffer_ != 0; ++port)
      if (offer(session_.manager(port), habits_[port], *meeting_)) --toOffer_;
    step();
  }

  /// One to eight pages of those that move.
  std::vector<uint64_t> someThatMove() {
    std::vector<uint64_t> pages;
    for (uint64_t count = 1 + random_() % 8; count != 0; --count)
      pages.push_back(moves_->pages()[random_() % moves_->pages().size()]);
    return pages;
  }

  static std::vector<uint64_t> addresses(std::vector<uint64_t> pages) {
    for (uint64_t& page : pages) page = config::kBase + page * PageMoves::kPageBytes;
    return pages;
  }

  /// Nothing is under way on the ports.
  void endMoves() {
    moves_->flush();
    expectAtHome("after a flush");
    moves_->evictAll();
    moves_->flush();
    expectAtHome("with all pages home");
    moves_->disable();
  }

  /// Compares the cells of the region with what was written to it.
  void expectAtHome(const char* when) {
    ReferenceMemory& memory = session_.memory();
    const uint64_t read = memory.readBegins(session_.cycle());
    for (const uint64_t address : memory.touched()) {
      const uint64_t offset = address - config::kBase;
      if (offset < config::kFirstNvmByte) continue;
      const unsigned skip =
          offset % PageMoves::kPageBytes == 0 && moves_->displaced(offset / PageMoves::kPageBytes) ? 8 : 0;
      const auto cells = session_.bench().contents(offset);
      if (const auto wrong = memory.check(read, address + skip, &cells[skip], ReferenceMemory::kLineBytes - skip))
        throw TrafficError("cycle " + std::to_string(session_.cycle()) + ", in the cells of NVM " + when + ": " +
                           *wrong);
      cellsChecked_ += ReferenceMemory::kLineBytes - skip;
    }
    memory.readEnds(read);
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

  void step() {
    if (fault_ != 0 && session_.cycle() == faultCycle_) session_.bench().breakDesign(static_cast<unsigned>(fault_));
    session_.step();
    if (session_.longestSilence() > config::kSilentPortCycles)
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
  std::unique_ptr<PageMoves> moves_;
  const Allowed allowed_ = [this](uint64_t page) { return !moves_ || !moves_->reserved(page); };
  const RandomBursts bursts_;
  std::vector<Habit> habits_;         // of the stretch, by port
  const Meeting* meeting_ = nullptr;  // of the stretch
  uint64_t toOffer_ = 0;              // bursts of the stretch that are not offered yet
  uint64_t cellsChecked_ = 0;         // bytes
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options(argc, argv, {{"seed", "1"}, {"bursts", "65536"}, {"fault", "0"}, {"fault-cycle", "0"}},
                          config::kChannels);
    Latency reads, writes;  // from the address to the last R beat or B
    Session session(argc, argv, options.number("seed"), [&](unsigned, const Completion& completion) {
      (completion.write ? writes : reads).add(completion.last - completion.accepted);
    });
    Soak soak(session, options.number("seed"), options.number("fault"), options.number("fault-cycle"));
    soak.run(options.number("bursts"));
    const std::string moves = soak.moves();
    std::printf(
        "{\"reads\": %s, \"writes\": %s, \"cycles\": %llu, \"checked_bytes\": %llu, \"moves\": %s, "
        "\"checked_cells\": %llu, \"longest_silence\": %llu}\n",
        reads.json().c_str(), writes.json().c_str(), static_cast<unsigned long long>(session.cycle()),
        static_cast<unsigned long long>(session.memory().checkedBytes() - soak.cellsChecked()), moves.c_str(),
        static_cast<unsigned long long>(soak.cellsChecked()),
        static_cast<unsigned long long>(session.longestSilence()));
  } catch (const TrafficError& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", config::kName, error.what());
    return 2;
  }
  return 0;
}
