// SPDX-License-Identifier: Apache-2.0
/// @file
/// One run of the lab: cores that are driven by traces, their caches, and Weir's RTL or an ideal memory. Prints what
/// was measured as one line of JSON.
///
/// Options, all `--name value`: `system` a YAML file; `traces` FORMAT:PATH[@OFFSET] with commas between, one for each
/// core or one for all (OFFSET, bytes, is added to its addresses, for each core once more when it is one for all);
/// `warm-up` and `accesses`, or `warm-up-instructions` and `instructions`, how long the run is, in DRAM accesses or in
/// instructions of all cores together; `seed` how far each core is into its trace when it starts; `registers`
/// ADDRESS=VALUE with commas between.
///
/// Exit code 0, 1 for wrong data or a hang of the controller, 2 for a wrong option, system or trace.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/out_of_order.hpp"
#include "machine.hpp"
#include "manager.hpp"
#include "memory/ideal.hpp"
#include "memory/weir.hpp"
#include "options.hpp"
#include "registers.hpp"
#include "system.hpp"
#include "trace/trace.hpp"

using namespace weir::lab;

namespace {

/// A trace whose addresses lie elsewhere, and that begins somewhere within.
class MovedTrace final : public Trace {
 public:
  MovedTrace(std::unique_ptr<Trace> trace, uint64_t offset, uint64_t skip) : trace_(std::move(trace)), offset_(offset) {
    while (skip-- != 0) trace_->next();
  }
  Access next() override {
    Access access = trace_->next();
    access.physical += offset_;
    return access;
  }
  bool atBegin() const override { return trace_->atBegin(); }

 private:
  const std::unique_ptr<Trace> trace_;
  const uint64_t offset_;
};

struct Named {
  TraceName trace;
  uint64_t offset;
};

std::vector<Named> named(const std::string& text) {
  std::vector<Named> found;
  std::stringstream stream(text + ",");  // so that an empty last word is one
  for (std::string word; std::getline(stream, word, ',');) {
    const size_t at = word.rfind('@');
    const auto trace = traceName(word.substr(0, at));
    uint64_t offset = 0;
    char* end = nullptr;
    errno = 0;
    if (at != std::string::npos) offset = std::strtoull(&word[at + 1], &end, 0);
    if (!trace || errno != 0 || (end != nullptr && (*end != '\0' || end == &word[at + 1] || word[at + 1] == '-')))
      throw std::invalid_argument("option --traces " + word + ": must be FORMAT:PATH[@OFFSET]");
    found.push_back({*trace, offset});
  }
  return found;
}

/// How far, in accesses, cores start apart at most.
constexpr uint64_t kMostApart = 4096;

std::vector<std::unique_ptr<Core>> coresOf(const System& system, const std::vector<Named>& traces, uint64_t seed,
                                           DataPort& caches) {
  if (traces.size() != 1 && traces.size() != system.cores)
    throw std::invalid_argument("option --traces names " + std::to_string(traces.size()) + " traces: must be 1 or " +
                                std::to_string(system.cores) + ", one for each core");
  std::mt19937_64 random(seed);
  std::vector<std::unique_ptr<Core>> cores;
  for (unsigned number = 0; number < system.cores; ++number) {
    const Named& name = traces.size() == 1 ? traces[0] : traces[number];
    const uint64_t offset = traces.size() == 1 ? number * name.offset : name.offset;
    auto trace =
        std::make_unique<MovedTrace>(openTrace(name.trace.path, name.trace.format), offset, random() % kMostApart);
    cores.push_back(std::make_unique<OutOfOrderCore>(number, system.core, std::move(trace), caches));
  }
  return cores;
}

struct Snapshot {
  uint64_t now, cycles, reads, writes;
  std::vector<uint64_t> retired;
  std::vector<CacheCounts> counts;
};

Snapshot snapshot(Machine& machine, uint64_t cycles) {
  Snapshot taken{machine.now(), cycles, machine.caches().reads(), machine.caches().writes(), {}, {}};
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
constexpr uint64_t kStandstill = 1'000'000;

/// Accesses or instructions, far beyond what can be simulated.
constexpr uint64_t kLongest = uint64_t{1} << 48;

class Run {
 public:
  Run(const weir::traffic::Options& options, Machine& machine)
      : machine_(machine),
        byInstructions_(options.number("instructions") != 0),
        warmUp_(options.number(byInstructions_ ? "warm-up-instructions" : "warm-up")),
        length_(options.number(byInstructions_ ? "instructions" : "accesses")) {
    if (length_ == 0)
      throw std::invalid_argument("option --accesses 0: must be at least 1, or --instructions be given");
    if (options.number(byInstructions_ ? "accesses" : "instructions") != 0 ||
        options.number(byInstructions_ ? "warm-up" : "warm-up-instructions") != 0)
      throw std::invalid_argument(
          "options --warm-up and --accesses, --warm-up-instructions and --instructions: one pair of them only");
    for (const uint64_t length : {warmUp_, length_})
      if (length > kLongest)
        throw std::invalid_argument("a run of " + std::to_string(length) +
                                    " accesses or instructions: must be at most " + std::to_string(kLongest));
  }

  void warmUp() { until(warmUp_); }
  void measure() { until(progress() + length_); }
  uint64_t cycles() const { return cycles_; }

 private:
  uint64_t progress() const {
    return byInstructions_ ? instructions(machine_) : machine_.caches().reads() + machine_.caches().writes();
  }

  void until(uint64_t end) {
    uint64_t last = progress(), since = cycles_;
    while (progress() < end) {
      machine_.cycle();
      ++cycles_;
      if (progress() != last) {
        last = progress();
        since = cycles_;
      } else if (cycles_ - since > kStandstill) {
        throw std::invalid_argument(
            "the traces make no DRAM access in " + std::to_string(kStandstill) +
            " cycles of the controller: they fit the caches, or are that far apart; use --instructions");
      }
    }
  }

  Machine& machine_;
  const bool byInstructions_;
  const uint64_t warmUp_, length_;
  uint64_t cycles_ = 0;
};

constexpr std::pair<const char*, uint64_t CacheCounts::*> kCounts[] = {
    {"l1_accesses", &CacheCounts::l1Accesses},
    {"l1_misses", &CacheCounts::l1Misses},
    {"llc_accesses", &CacheCounts::llcAccesses},
    {"llc_misses", &CacheCounts::llcMisses},
    {"write_backs", &CacheCounts::writeBacks},
    {"prefetches", &CacheCounts::prefetches},
    {"useful_prefetches", &CacheCounts::usefulPrefetches}};

void print(const Snapshot& begin, const Snapshot& end, const WeirMemory* weir, double seconds) {
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
    if (weir != nullptr) out << ", \"read_latency\": " << weir->readLatency(static_cast<unsigned>(core)).json();
    out << "}";
  }
  out << "]";
  if (weir != nullptr) {
    out << ", \"dram\": [";
    for (unsigned channel = 0; channel < weir::traffic::config::kChannels; ++channel)
      out << (channel == 0 ? "" : ", ") << weir::traffic::Bench::model(channel).statistics().json();
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
    const weir::traffic::Options options(argc, argv,
                                         {{"system", "sim/lab/systems/rank-assignment.yaml"},
                                          {"traces", "FORMAT:PATH"},
                                          {"warm-up", "0"},
                                          {"accesses", "0"},
                                          {"warm-up-instructions", "0"},
                                          {"instructions", "0"},
                                          {"registers", ""},
                                          {"seed", "1"}});
    const System system = readSystem(options.text("system"));
    const auto registers =
        weir::traffic::registerWrites(options.text("registers"), weir::traffic::Bench::kRegisterBytes);
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
                          weir::traffic::config::kName);
      auto rtl = std::make_unique<WeirMemory>(argc, argv, system.base);
      for (const auto& [address, value] : registers) rtl->writeRegister(address, value);
      weir = rtl.get();
      memory = std::move(rtl);
    }
    Machine machine(system.cores, system.clockRatio, system.caches, *memory);
    machine.attach(coresOf(system, named(options.text("traces")), options.number("seed"), machine.caches()));
    Run run(options, machine);
    run.warmUp();
    const Snapshot begin = snapshot(machine, run.cycles());
    if (weir != nullptr) weir->clearLatencies();
    run.measure();
    print(begin, snapshot(machine, run.cycles()), weir, cpuSeconds());
  } catch (const weir::traffic::TrafficError& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 2;
  }
  return 0;
}
