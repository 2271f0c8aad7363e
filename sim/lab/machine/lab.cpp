// SPDX-License-Identifier: Apache-2.0
/// @file
/// One run of the lab: cores that are driven by traces, their caches, and Weir's RTL or an ideal memory. Prints what
/// was measured as one line of JSON.
///
/// Options, all `--name value`: `system` a YAML file; `traces` FORMAT:PATH[@OFFSET] with commas between, one for each
/// core or one for all (OFFSET, bytes, is added to its addresses; where one is for several cores, core n has n times
/// as much added);
/// `accesses` and `instructions`, how long the region is, in DRAM accesses and in instructions of all cores together,
/// whichever comes first, one of them at least; `warm-up` and `warm-up-instructions` before it, alike, or nothing;
/// `fill`, how many accesses of each trace only fill the caches before that; `seed`
/// how far the cores are into their traces when they start, at most `start-within` accesses, and some thousand apart;
/// `registers` ADDRESS=VALUE with commas between; `counters` LATCH:FIRST:COUNT,FIRST:COUNT,..., Weir's counters whose
/// difference over the region is printed: a write of 1 to LATCH latches all counters, of which those are read that are
/// COUNT words of 64 bits from FIRST on. They are read within the region, which must be longer than that takes. LATCH
/// must be the register that latches these: one that refuses the write, or that reads other than 0 after it, is another
/// one. Behind the options may be plusargs of the DRAM models (dfi_dram.sv).
///
/// Exit code 0; 1 for wrong data, a hang of the controller, or a plusarg that a DRAM model refuses; 2 for a wrong
/// option, system or trace.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/out_of_order.hpp"
#include "machine.hpp"
#include "manager.hpp"
#include "memory/ideal.hpp"
#include "memory/weir.hpp"
#include "memory/writes_dropped.hpp"
#include "options.hpp"
#include "registers.hpp"
#include "system.hpp"
#include "trace/trace.hpp"

using namespace weir::lab;

namespace {

/// Addresses of a memory.
struct Extent {
  uint64_t base, bytes;
};

/// A trace of a core whose addresses lie elsewhere, and that begins somewhere within.
class MovedTrace final : public Trace {
 public:
  /// `name` is the core and its trace, for the message about an address outside `memory`, if that ends anywhere.
  MovedTrace(std::string name, std::unique_ptr<Trace> trace, uint64_t offset, std::optional<Extent> memory,
             uint64_t skip)
      : name_(std::move(name)), trace_(std::move(trace)), offset_(offset), memory_(memory) {
    while (skip-- != 0) trace_->next();
  }
  Access next() override {
    Access access = trace_->next();
    const uint64_t address = access.physical;
    access.physical += offset_;
    // below the base, or beyond 2^64
    if (memory_ && (access.physical < offset_ || access.physical - memory_->base >= memory_->bytes))
      throw TraceError(name_ + ": an access is to address " + std::to_string(address) + " + " +
                       std::to_string(offset_) + ": must be within the " + std::to_string(memory_->bytes) +
                       " bytes of memory from " + std::to_string(memory_->base) + " on");
    return access;
  }
  bool atBegin() const override { return trace_->atBegin(); }

 private:
  const std::string name_;
  const std::unique_ptr<Trace> trace_;
  const uint64_t offset_;
  const std::optional<Extent> memory_;
};

struct Named {
  TraceName trace;
  uint64_t offset;
};

/// Bytes that the addresses of a trace may be moved by.
constexpr uint64_t kMostOffset = uint64_t{1} << 63;

std::vector<Named> named(const std::string& text) {
  std::vector<Named> found;
  std::stringstream stream(text + ",");  // so that an empty last word is one
  for (std::string word; std::getline(stream, word, ',');) {
    const size_t at = word.rfind('@');
    const auto trace = traceName(word.substr(0, at));
    const auto offset = at == std::string::npos ? 0 : weir::bench::numberOf(word.substr(at + 1));
    if (!trace || !offset || *offset > kMostOffset)
      throw std::invalid_argument("option --traces: \"" + word + "\" must be FORMAT:PATH[@OFFSET], OFFSET at most " +
                                  std::to_string(kMostOffset));
    found.push_back({*trace, *offset});
  }
  return found;
}

/// How far, in accesses, cores start apart at most.
constexpr uint64_t kMostApart = 4096;

/// Accesses or instructions, far beyond what can be simulated.
constexpr uint64_t kLongest = uint64_t{1} << 48;

std::vector<std::unique_ptr<Core>> coresOf(const System& system, const weir::bench::Options& options,
                                           Hierarchy& caches) {
  const std::vector<Named> names = named(options.given("traces"));
  if (names.size() != 1 && names.size() != system.cores)
    throw std::invalid_argument("option --traces names " + std::to_string(names.size()) + " traces: must be 1 or " +
                                std::to_string(system.cores) + ", one for each core");
  const bool forAll = names.size() < system.cores;
  if (forAll && names[0].offset > kMostOffset / (system.cores - 1))
    throw std::invalid_argument("option --traces " + options.text("traces") + ": OFFSET must be at most " +
                                std::to_string(kMostOffset / (system.cores - 1)) + ", as core " +
                                std::to_string(system.cores - 1) + " is moved by so many times it");
  const std::optional<Extent> memory =
      system.ideal ? std::nullopt : std::optional<Extent>({system.base, weir::bench::config::kBytes});
  const uint64_t within = options.number("start-within");
  if (within == 0 || within > kLongest)
    throw std::invalid_argument("option --start-within " + options.text("start-within") + ": must be from 1 to " +
                                std::to_string(kLongest));
  std::mt19937_64 random(options.number("seed"));
  const uint64_t start = random() % within;
  std::vector<std::unique_ptr<Trace>> traces;
  for (unsigned number = 0; number < system.cores; ++number) {
    const Named& name = forAll ? names[0] : names[number];
    traces.push_back(std::make_unique<MovedTrace>(
        "core " + std::to_string(number) + ": " + name.trace.path, openTrace(name.trace.path, name.trace.format),
        forAll ? number * name.offset : name.offset, memory, start + random() % kMostApart));
  }
  const uint64_t fill = options.number("fill");
  if (fill > kLongest)
    throw std::invalid_argument("option --fill " + options.text("fill") + ": must be at most " +
                                std::to_string(kLongest));
  for (uint64_t turn = 0; turn < fill; ++turn)
    for (unsigned number = 0; number < system.cores; ++number) {
      const Access access = traces[number]->next();
      caches.touch(number, access.physical, access.write);
    }
  std::vector<std::unique_ptr<Core>> cores;
  for (unsigned number = 0; number < system.cores; ++number)
    cores.push_back(std::make_unique<OutOfOrderCore>(number, system.core, std::move(traces[number]), caches));
  return cores;
}

struct Snapshot {
  uint64_t now, cycles, reads, writes;
  std::vector<uint64_t> retired;
  std::vector<CacheCounts> counts;
  std::vector<weir::bench::Latency> latencies;  // of reads since the last clearLatencies; none of an ideal memory
  std::vector<weir::dram::Statistics> dram;     // of each channel; none of an ideal memory
};

Snapshot snapshot(Machine& machine, uint64_t cycles, const WeirMemory* weir) {
  Snapshot taken{machine.now(), cycles, machine.caches().reads(), machine.caches().writes(), {}, {}, {}, {}};
  for (unsigned channel = 0; weir != nullptr && channel < weir::bench::config::kChannels; ++channel)
    taken.dram.push_back(weir::bench::Bench::model(channel).statistics());
  for (unsigned core = 0; weir != nullptr && core < machine.cores(); ++core)
    taken.latencies.push_back(weir->readLatency(core));
  for (unsigned core = 0; core < machine.cores(); ++core) {
    taken.retired.push_back(machine.core(core).retired());
    taken.counts.push_back(machine.caches().counts(core));
  }
  return taken;
}

uint64_t instructions(const Machine& machine) {
  uint64_t all = 0;
  for (unsigned core = 0; core < machine.cores(); ++core) all += machine.core(core).retired();
  return all;
}

/// Controller cycles without an access or an instruction after which a run cannot end.
constexpr uint64_t kStandstill = 250'000;

/// How long something goes on, whichever comes first.
struct Length {
  uint64_t accesses;      // of DRAM
  uint64_t instructions;  // of all cores together
};

class Run {
 public:
  /// A bound of the region that is 0 is none, one of the warm-up bounds it to nothing where the other is 0, too.
  Run(const weir::bench::Options& options, Machine& machine)
      : machine_(machine),
        warmUp_{options.number("warm-up"), options.number("warm-up-instructions")},
        length_{options.number("accesses"), options.number("instructions")} {
    if (length_.accesses == 0 && length_.instructions == 0)
      throw std::invalid_argument("option --accesses 0: must be at least 1, or --instructions be given");
    for (const uint64_t length : {warmUp_.accesses, warmUp_.instructions, length_.accesses, length_.instructions})
      if (length > kLongest)
        throw std::invalid_argument("a run of " + std::to_string(length) +
                                    " accesses or instructions: must be at most " + std::to_string(kLongest));
  }

  void warmUp() {
    if (warmUp_.accesses != 0 || warmUp_.instructions != 0) until(after(warmUp_));
  }
  /// The region begins in this cycle.
  void begin() { end_ = after(length_); }
  void measure() { until(end_); }
  /// Refuses a region that was over before its counters of the begin were read: what of the end would be latched
  /// comes later than it was asked for.
  void refuseIfOver(uint64_t counters) const {
    const std::string reading =
        " that the reading of " + std::to_string(counters) + " counters takes, which begins with the region";
    if (accesses() >= end_.accesses)
      throw std::invalid_argument("option --accesses " + std::to_string(length_.accesses) +
                                  ": must be more than the accesses" + reading + ": " +
                                  std::to_string(accesses() - (end_.accesses - length_.accesses)) + " here");
    const uint64_t retired = instructions(machine_);
    if (retired >= end_.instructions)
      throw std::invalid_argument("option --instructions " + std::to_string(length_.instructions) +
                                  ": must be more than the instructions" + reading + ": " +
                                  std::to_string(retired - (end_.instructions - length_.instructions)) + " here");
  }
  uint64_t cycles() const { return cycles_; }
  void cycle() {
    machine_.cycle();
    ++cycles_;
  }

 private:
  uint64_t accesses() const { return machine_.caches().reads() + machine_.caches().writes(); }

  Length after(const Length& length) const {
    return {length.accesses == 0 ? UINT64_MAX : accesses() + length.accesses,
            length.instructions == 0 ? UINT64_MAX : instructions(machine_) + length.instructions};
  }

  void until(const Length& end) {
    const bool bounded = end.instructions != UINT64_MAX;
    uint64_t last = UINT64_MAX, since = cycles_;
    for (;;) {
      const uint64_t accessed = accesses(), retired = bounded ? instructions(machine_) : 0;
      if (accessed >= end.accesses || retired >= end.instructions) return;
      const uint64_t progress = bounded ? retired : accessed;
      if (progress != last) {
        last = progress;
        since = cycles_;
      } else if (cycles_ - since > kStandstill) {
        throw std::invalid_argument("the traces make no " + std::string(bounded ? "progress" : "DRAM access") + " in " +
                                    std::to_string(kStandstill) +
                                    " cycles of the controller: they fit the caches, or are "
                                    "that far apart; use --instructions");
      }
      cycle();
    }
  }

  Machine& machine_;
  const Length warmUp_, length_;
  uint64_t cycles_ = 0;
  Length end_{0, 0};
};

/// Which of Weir's counters are read, by the offsets of their registers.
struct Counters {
  uint64_t latch = 0;
  std::vector<uint64_t> offsets;
};

Counters counters(const std::string& text) {
  Counters counters;
  if (text.empty()) return counters;
  constexpr uint64_t kBytes = weir::bench::Bench::kRegisterBytes;
  const auto refuse = [&text] {
    throw std::invalid_argument("option --counters " + text +
                                ": must be LATCH:FIRST:COUNT,FIRST:COUNT,..., offsets of registers below " +
                                std::to_string(kBytes));
  };
  const size_t colon = text.find(':');
  const std::optional<uint64_t> latch = weir::bench::numberOf(text.substr(0, colon));
  if (colon == std::string::npos || !latch || *latch % 4 != 0 || *latch >= kBytes) refuse();
  counters.latch = *latch;
  std::stringstream ranges(text.substr(colon + 1) + ",");  // so that an empty last range is one
  for (std::string range; std::getline(ranges, range, ',');) {
    const size_t middle = range.find(':');
    if (middle == std::string::npos) refuse();
    const std::optional<uint64_t> first = weir::bench::numberOf(range.substr(0, middle));
    const std::optional<uint64_t> count = weir::bench::numberOf(range.substr(middle + 1));
    if (!first || !count || *count == 0 || *first % 8 != 0 || *first >= kBytes || *count > (kBytes - *first) / 8)
      refuse();
    for (uint64_t number = 0; number < *count; ++number) counters.offsets.push_back(*first + 8 * number);
  }
  return counters;
}

/// Latches Weir's counters and calls `latched` in the next cycle, then reads them while everything goes on.
std::vector<uint64_t> readCounters(const Counters& counters, WeirMemory& weir, Run& run,
                                   const std::function<void()>& latched) {
  weir::bench::Registers registers(weir.registerPins(), [&run] { run.cycle(); });
  const auto refuse = [&counters](const std::string& why, uint64_t what) {
    throw std::invalid_argument("option --counters: LATCH, register " + std::to_string(counters.latch) + ", " + why +
                                " " + std::to_string(what) + ", not 0: must be the register that latches the counters");
  };
  if (counters.offsets.empty()) {
    latched();
    return {};
  }
  const weir::bench::Resp answer = registers.write(counters.latch, 1);
  if (answer != weir::bench::Resp::kOkay) refuse("answers the write of 1 with response", static_cast<unsigned>(answer));
  latched();
  // one that keeps what is written to it is another one
  if (const uint32_t kept = registers.read(counters.latch); kept != 0) refuse("reads", kept);
  std::vector<uint64_t> values;
  for (const uint64_t offset : counters.offsets) {
    const uint64_t low = registers.read(offset), high = registers.read(offset + 4);
    values.push_back(high << 32 | low);
  }
  return values;
}

constexpr std::pair<const char*, uint64_t CacheCounts::*> kCounts[] = {
    {"l1_accesses", &CacheCounts::l1Accesses},
    {"l1_misses", &CacheCounts::l1Misses},
    {"llc_accesses", &CacheCounts::llcAccesses},
    {"llc_misses", &CacheCounts::llcMisses},
    {"write_backs", &CacheCounts::writeBacks},
    {"prefetches", &CacheCounts::prefetches},
    {"useful_prefetches", &CacheCounts::usefulPrefetches}};

void print(const Snapshot& begin, const Snapshot& end, const WeirMemory* weir, const std::vector<uint64_t>& counters,
           double seconds) {
  std::ostringstream out;
  const double cycles = static_cast<double>(end.now - begin.now);
  out << "{\"cycles\": " << end.cycles - begin.cycles << ", \"core_cycles\": " << end.now - begin.now
      << ", \"reads\": " << end.reads - begin.reads << ", \"writes\": " << end.writes - begin.writes
      << ", \"all_cycles\": " << end.cycles << ", \"cpu_seconds\": " << seconds << ", \"cores\": [";
  for (size_t core = 0; core < begin.retired.size(); ++core) {
    const uint64_t instructions = end.retired[core] - begin.retired[core];
    out << (core == 0 ? "" : ", ") << "{\"instructions\": " << instructions
        << ", \"ipc\": " << static_cast<double>(instructions) / cycles;
    for (const auto& [name, count] : kCounts)
      out << ", \"" << name << "\": " << end.counts[core].*count - begin.counts[core].*count;
    if (weir != nullptr) out << ", \"read_latency\": " << end.latencies[core].json();
    out << "}";
  }
  out << "]";
  if (weir != nullptr) {
    out << ", \"dram\": [";
    for (size_t channel = 0; channel < end.dram.size(); ++channel)
      out << (channel == 0 ? "" : ", ") << end.dram[channel].since(begin.dram[channel]).json();
    out << "], \"counters\": [";
    for (size_t number = 0; number < counters.size(); ++number) out << (number == 0 ? "" : ", ") << counters[number];
    out << "]";
  }
  out << "}\n";
  if (std::fputs(out.str().c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw std::runtime_error(std::string("the result cannot be written: ") + std::strerror(errno));
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  try {
    const weir::bench::Options options(argc, argv,
                                       {{"system", "sim/lab/systems/rank-assignment.yaml"},
                                        {"traces", "FORMAT:PATH[@OFFSET],..."},
                                        {"warm-up", "0"},
                                        {"accesses", "0"},
                                        {"warm-up-instructions", "0"},
                                        {"instructions", "0"},
                                        {"fill", "0"},
                                        {"start-within", "1"},
                                        {"registers", ""},
                                        {"counters", ""},
                                        {"seed", "1"}},
                                       weir::bench::config::kChannels);
    const System system = readSystem(options.text("system"));
    const auto registers = weir::bench::registerWrites(options.text("registers"), weir::bench::Bench::kRegisterBytes);
    const Counters read = counters(options.text("counters"));
    if (system.ideal && !read.offsets.empty())
      throw std::invalid_argument("option --counters " + options.text("counters") + ": an ideal memory has none");
    if (system.ideal && !registers.empty())
      throw std::invalid_argument("option --registers " + options.text("registers") + ": an ideal memory has none");
    std::unique_ptr<Memory> memory;
    WeirMemory* weir = nullptr;
    if (system.ideal) {
      memory = std::make_unique<IdealMemory>(system.idealCycles);
    } else {
      if (system.cores > WeirMemory::kCores)
        throw SystemError(options.text("system") + ": cores.count = " + std::to_string(system.cores) +
                          ": must be at most " + std::to_string(WeirMemory::kCores) + ", the sources of " +
                          weir::bench::config::kName);
      auto rtl = std::make_unique<WeirMemory>(argc, argv, system.base);
      for (const auto& [address, value] : registers) rtl->writeRegister(address, value);
      weir = rtl.get();
      memory = std::move(rtl);
    }
    std::unique_ptr<Memory> behind;
    if (system.writesDropped) {
      behind = std::move(memory);
      memory = std::make_unique<WritesDropped>(*behind);
    }
    Machine machine(system.cores, system.clockRatio, system.caches, *memory);
    machine.attach(coresOf(system, options, machine.caches()));
    Run run(options, machine);
    run.warmUp();
    Snapshot begin, end;
    std::vector<uint64_t> gained;
    if (weir == nullptr) {
      begin = snapshot(machine, run.cycles(), weir);
      run.begin();
      run.measure();
      end = snapshot(machine, run.cycles(), weir);
    } else {
      const std::vector<uint64_t> before = readCounters(read, *weir, run, [&] {
        begin = snapshot(machine, run.cycles(), weir);
        weir->clearLatencies();
        run.begin();
      });
      if (!read.offsets.empty()) run.refuseIfOver(read.offsets.size());
      run.measure();
      gained = readCounters(read, *weir, run, [&] { end = snapshot(machine, run.cycles(), weir); });
      for (size_t number = 0; number < gained.size(); ++number) gained[number] -= before[number];
    }
    print(begin, end, weir, gained, cpuSeconds());
  } catch (const weir::bench::TrafficError& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "lab: the host has too little memory for the system's caches\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 2;
  }
  return 0;
}
