// SPDX-License-Identifier: Apache-2.0
/// @file
/// Traffic on the ports of generated cores: initialises their DRAMs over the control bus with the header that came with
/// one of them, then lets a manager write and read through the AXI4 port of one and the Wishbone port of the other.
///
/// usage: core_test ACCESSES [FAULT]             of each port; FAULT as in bench.sv
///        core_test handover SEEDS [BREAKS]      hand-overs of the DFI, a seed each (handover.hpp); BREAKS makes the
///        core
///                                               `hasty`, so that it does not wait, or its reads `shifted` by lost ones
/// Prints what was checked as JSON. Exit code 0, 1 for wrong data, a wrong answer, a hang or a broken rule of the DRAM.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "Vbench.h"
#include "Vbench___024root.h"
#include "alias.hpp"
#include "given_up.hpp"
#include "handover.hpp"
#include "manager.hpp"
#include "reference.hpp"
#include "registry.hpp"
#include "verilated.h"

namespace {

using namespace weir::bench;

constexpr uint64_t kMemoryBytes = uint64_t{512} << 20;
constexpr uint64_t kAddresses = uint64_t{1} << 32;  // of the AXI4 port, in bytes
constexpr unsigned kBusBytes = 16;
constexpr uint64_t kPages = 32;  // that the managers use, each in a row of its own
constexpr uint64_t kPageSpacing = uint64_t{1} << 20;
constexpr uint64_t kBoundary = 4096;
constexpr uint64_t kSilentCycles = 2000;
constexpr int kCyclesOfTurn = 4;        // of a CPU in the loop of LiteX's cdelay()
constexpr int kPowerUpCycles = 15'000;  // 200 us, in which RESET# is low (JESD79-3F 3.3.1)

/// The core with its DRAM, a cycle at a time, and the managers of its ports.
class Machine {
 public:
  Machine(int argc, char** argv, unsigned fault) : top_(&context_) {
    context_.commandArgs(argc, argv);
    top_.fault = 0;
    top_.chips_rst = 1;
    reset();
    top_.chips_rst = 0;
    fault_ = fault;
  }

  /// Resets the cores, and not their DRAMs. What is under way is forgotten.
  void reset() {
    axi.reset();
    pins_ = {};
    idle_ = true;
    top_.wb_cyc = 0;
    top_.rst = 1;
    for (int cycle = 0; cycle < 8; ++cycle) step();
    top_.rst = 0;
  }

  /// Software has the DFI at once when it wants it, whatever is under way.
  void makeHasty() { hasty_ = true; }

  /// What the PHYs read gets lost; when it `shifts`, all later reads return what one before should have.
  void lose(bool reads) { top_.lose = reads; }
  void makeShift() { top_.shift = 1; }

  /// One access of the control bus.
  uint32_t control(uint32_t address, bool write, uint32_t value) {
    top_.wb_ctrl_adr = address / 4;
    top_.wb_ctrl_we = write;
    top_.wb_ctrl_dat_w = value;
    top_.wb_ctrl_cyc = 1;
    for (uint64_t waited = 0;; ++waited) {
      top_.eval();
      const bool ack = top_.wb_ctrl_ack, err = top_.wb_ctrl_err;
      const uint32_t found = top_.wb_ctrl_dat_r;
      step();
      if (err || waited == kSilentCycles)
        throw std::runtime_error("the control bus answers " + std::to_string(address));
      if (!ack) continue;
      top_.wb_ctrl_cyc = 0;
      step();
      return found;
    }
  }

  /// From now on the design is broken as it was asked for.
  void beginTraffic() { top_.fault = fault_; }

  void step() {
    if (background) background();
    if (axi) axi->drive(cycle_, pins_);
    driveAxi();
    if (!idle_) driveWishbone();
    top_.clk = 0;
    top_.eval();
    sampleAxi();
    if (axi) axi->sample(cycle_, pins_);
    if (!idle_) sampleWishbone();
    top_.clk = 1;
    top_.eval();
    if (hasty_) {
      auto& inside = *top_.rootp;
      inside.bench__DOT__axi_core__DOT__owner_software = !inside.bench__DOT__axi_core__DOT__handoverinjector_sel;
      inside.bench__DOT__wishbone_core__DOT__owner_software =
          !inside.bench__DOT__wishbone_core__DOT__handoverinjector_sel;
    }
    if (idle_) top_.wb_cyc = 0;
    ++cycle_;
    if (axi && axi->open() != 0 && axi->silent(cycle_) > kSilentCycles) throw std::runtime_error("the AXI4 port hangs");
    for (const char* name : {"axi", "wishbone"}) {
      const weir::dram::Violations& violations = weir::dram::find(name)->violations();
      if (violations.total() != 0) throw std::runtime_error(violations.describe(violations.kept().front()));
    }
  }

  bool axiIsReady() {
    top_.axi_arvalid = 1;
    top_.eval();
    const bool ready = top_.axi_arready;
    top_.axi_arvalid = 0;
    return ready;
  }

  /// A Wishbone access, in the bytes of `lanes`; what a read returns. After `patience` cycles without an answer it is
  /// given up, for a cycle at least, and there is no value.
  std::optional<uint32_t> wishbone(uint64_t address, bool write, unsigned lanes, uint32_t value,
                                   uint64_t patience = UINT64_MAX) {
    address_ = address, write_ = write, value_ = value, lanes_ = lanes, idle_ = false, mayFail_ = false;
    for (uint64_t waited = 0; !idle_; ++waited) {
      if (waited == kSilentCycles) throw std::runtime_error("the Wishbone port hangs");
      if (waited == patience) {
        idle_ = true;
        top_.wb_cyc = 0;
        step();
        return std::nullopt;
      }
      step();
    }
    return value_;
  }

  /// Begins a Wishbone access and does not wait for its end; `wishboneFailed` tells of an error, of reads.
  void beginWishbone(uint64_t address, bool write, unsigned lanes, uint32_t value) {
    address_ = address, write_ = write, value_ = value, lanes_ = lanes, idle_ = false, mayFail_ = true, failed_ = false;
  }
  bool wishboneIsIdle() const { return idle_; }
  bool wishboneFailed() const { return failed_; }
  uint32_t wishboneData() const { return value_; }

  uint64_t cycle() const { return cycle_; }
  std::unique_ptr<AxiManager> axi;
  std::function<void()> background;  // called before each cycle

 private:
  void driveWishbone() {
    top_.wb_adr = static_cast<uint32_t>(address_ / 4);
    top_.wb_we = write_;
    top_.wb_dat_w = value_;
    top_.wb_sel = static_cast<CData>(lanes_);
    top_.wb_cyc = 1;
  }

  void sampleWishbone() {
    if (top_.wb_err && !mayFail_) throw std::runtime_error("the Wishbone port answers with an error");
    failed_ = top_.wb_err;
    if (!top_.wb_ack && !top_.wb_err) return;
    idle_ = true;
    if (!write_) value_ = top_.wb_dat_r;
  }

  void driveAxi() {
    const auto address = [](const AxiPins::Address& from, auto& id, auto& addr, auto& len, auto& size, auto& burst,
                            auto& lock, auto& valid) {
      id = static_cast<CData>(from.burst.id);
      addr = static_cast<IData>(from.burst.address);
      len = static_cast<CData>(from.burst.beats - 1);
      size = static_cast<CData>(from.burst.size());
      burst = static_cast<CData>(from.burst.kind);
      lock = from.burst.exclusive;
      valid = from.valid;
    };
    address(pins_.aw, top_.axi_awid, top_.axi_awaddr, top_.axi_awlen, top_.axi_awsize, top_.axi_awburst,
            top_.axi_awlock, top_.axi_awvalid);
    address(pins_.ar, top_.axi_arid, top_.axi_araddr, top_.axi_arlen, top_.axi_arsize, top_.axi_arburst,
            top_.axi_arlock, top_.axi_arvalid);
    std::memcpy(&top_.axi_wdata, pins_.w.data.data(), kBusBytes);
    top_.axi_wstrb = static_cast<SData>(pins_.w.strobe);
    top_.axi_wlast = pins_.w.last;
    top_.axi_wvalid = pins_.w.valid;
    top_.axi_bready = pins_.b.ready;
    top_.axi_rready = pins_.r.ready;
  }

  void sampleAxi() {
    pins_.aw.ready = top_.axi_awready;
    pins_.ar.ready = top_.axi_arready;
    pins_.w.ready = top_.axi_wready;
    pins_.b.valid = top_.axi_bvalid;
    pins_.b.id = top_.axi_bid;
    pins_.b.resp = top_.axi_bresp;
    pins_.r.valid = top_.axi_rvalid;
    pins_.r.id = top_.axi_rid;
    pins_.r.resp = top_.axi_rresp;
    pins_.r.last = top_.axi_rlast;
    std::memcpy(pins_.r.data.data(), &top_.axi_rdata, kBusBytes);
  }

  VerilatedContext context_;
  Vbench top_;
  AxiPins pins_;
  unsigned fault_ = 0;
  uint64_t cycle_ = 0;
  bool idle_ = true, write_ = false, mayFail_ = false, failed_ = false, hasty_ = false;
  uint64_t address_ = 0;
  uint32_t value_ = 0;
  unsigned lanes_ = 15;
};

Machine* machine = nullptr;  // of the functions below, which the generated headers call

}  // namespace

extern "C" {
#include "system.h"
void csr_write_simple(unsigned long value, unsigned long address) {
  machine->control(static_cast<uint32_t>(address), true, static_cast<uint32_t>(value));
}
unsigned long csr_read_simple(unsigned long address) {
  return machine->control(static_cast<uint32_t>(address), false, 0);
}
void cdelay(int turns) {
  for (int cycle = 0; cycle < turns * kCyclesOfTurn; ++cycle) machine->step();
}
#include "generated/sdram_phy.h"
}

namespace {

struct Counts {
  uint64_t axiReads = 0, axiWrites = 0, wishboneReads = 0, wishboneWrites = 0, givenUp = 0;
};

/// A block of 64 bytes in the memory that the managers use.
uint64_t somewhere(std::mt19937_64& random) {
  return random() % kPages * kPageSpacing + random() % (kBoundary / 64) * 64;
}

/// An aligned INCR burst of whole words there, which crosses no boundary of 4 KiB (AXI4, A3.4.1).
Burst burst(std::mt19937_64& random) {
  Burst found;
  found.beatBytes = kBusBytes;
  found.address = somewhere(random);
  found.beats = 1 + random() % std::min<uint64_t>(8, (kBoundary - found.address % kBoundary) / kBusBytes);
  found.id = random() % 16;
  return found;
}

/// One beat at an address.
Burst beatAt(uint64_t address) {
  Burst found;
  found.beatBytes = kBusBytes;
  found.address = address;
  found.beats = 1;
  found.id = address / kBusBytes % 16;
  return found;
}

/// A manager of the Wishbone port, which checks what it reads.
class WishboneManager {
 public:
  WishboneManager(Machine& machine, ReferenceMemory& memory) : machine_(machine), memory_(memory) {}

  void write(uint64_t address, uint32_t value, unsigned lanes) {
    memory_.touch(address, 4);
    const uint64_t write = memory_.writeBegins(machine_.cycle(), 1, 0);
    memory_.writeBytes(write, address, reinterpret_cast<const uint8_t*>(&value), lanes, 4);
    machine_.wishbone(address, true, lanes, value);
    memory_.writeEnds(write, machine_.cycle() - 1);
  }

  void read(uint64_t address) {
    memory_.touch(address, 4);
    const uint64_t read = memory_.readBegins(machine_.cycle());
    const uint32_t value = machine_.wishbone(address, false, 15, 0).value();
    const auto complaint = memory_.check(read, address, reinterpret_cast<const uint8_t*>(&value), 4);
    if (complaint) throw std::runtime_error("Wishbone: " + *complaint);
    memory_.readEnds(read);
  }

 private:
  Machine& machine_;
  ReferenceMemory& memory_;
};

/// What the memory of one core may hold.
ReferenceMemory memoryOf(const std::string& name) {
  return {0, kMemoryBytes, [name](uint64_t offset) {
            ReferenceMemory::LineData data;
            weir::dram::find(name)->dump(offset, data.data(), data.size());
            return data;
          }};
}

void initialise(Machine& m) {
  if (m.axiIsReady()) throw std::runtime_error("the AXI4 port is open before the DRAM is initialised");
  for (int cycle = 0; cycle < kPowerUpCycles; ++cycle) m.step();  // the core holds the DRAM in reset
  init_sequence();
  sdram_dfii_control_write(DFII_CONTROL_SEL);
  ddrctrl_init_done_write(1);
}

Counts run(Machine& m, unsigned accesses) {
  initialise(m);
  Counts counts;
  ReferenceMemory axiMemory = memoryOf("axi"), wishboneMemory = memoryOf("wishbone");
  m.axi = std::make_unique<AxiManager>(
      0, kBusBytes, axiMemory,
      [&counts](const Completion& ended) { ++(ended.write ? counts.axiWrites : counts.axiReads); }, 1);
  m.beginTraffic();

  WishboneManager wishbone(m, wishboneMemory);
  std::mt19937_64 random(7);
  weir::core_test::aliasAxi(*m.axi, kMemoryBytes, kBusBytes, kAddresses, beatAt, [&m] {
    while (m.axi->open() != 0) m.step();
  });
  weir::core_test::aliasWishbone(wishbone, kMemoryBytes);
  counts.givenUp = weir::core_test::giveUp(m, kPages * kPageSpacing + kBoundary, accesses, random).givenUp;
  for (unsigned access = 0; access < accesses; ++access) {
    if (access % 2 == 0)
      m.axi->write(burst(random), access % 8 == 0);
    else
      m.axi->read(burst(random));
    const uint64_t address = somewhere(random) + random() % 16 * 4;
    if (random() % 2 == 0) {
      wishbone.write(address, static_cast<uint32_t>(random()), access % 4 == 0 ? 1 + random() % 15 : 15);
      ++counts.wishboneWrites;
    } else {
      wishbone.read(address);
      ++counts.wishboneReads;
    }
  }
  while (m.axi->open() != 0) m.step();
  for (uint64_t line : wishboneMemory.touched())
    for (unsigned word = 0; word < ReferenceMemory::kLineBytes; word += 4, ++counts.wishboneReads)
      wishbone.read(line + word);
  return counts;
}

weir::core_test::HandoverCounts handOvers(Machine& m, unsigned seeds) {
  using namespace weir::core_test;
  constexpr unsigned kRounds = 3;
  HandoverCounts counts;
  for (unsigned round = 0; round < kRounds; ++round) {
    initialise(m);
    ReferenceMemory axiMemory = memoryOf("axi"), wishboneMemory = memoryOf("wishbone");
    m.axi = std::make_unique<AxiManager>(
        0, kBusBytes, axiMemory, [](const Completion&) {}, round);
    Background<Machine> traffic(
        m, wishboneMemory, burst, [](std::mt19937_64& random) { return somewhere(random) + random() % 16 * 4; }, round);
    for (unsigned seed = round; seed < seeds; seed += kRounds) {
      std::fprintf(stderr, "seed %u\n", seed);
      handOver(m, traffic, seed, counts);
      if (seed % 4 == 0) loseReads(m, traffic, seed);
    }
    for (uint64_t line : axiMemory.touched()) {
      Burst whole;
      whole.beatBytes = kBusBytes, whole.address = line, whole.beats = ReferenceMemory::kLineBytes / kBusBytes;
      m.axi->read(whole);
    }
    traffic.end();
    counts.lostReads += traffic.lost();
    if (round + 1 == kRounds) break;
    traffic.busy = true;
    for (unsigned cycle = 0; cycle < 100 + round; ++cycle) m.step();
    m.background = nullptr;
    m.reset();
    ++counts.resets;
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  const bool handover = argc > 1 && std::strcmp(argv[1], "handover") == 0;
  if (handover) --argc, ++argv;
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: core_test ACCESSES [FAULT] | handover SEEDS [hasty | shifted]\n");
    return 2;
  }
  try {
    if (handover) {
      Machine m(argc, argv, 0);
      machine = &m;
      const std::string breaks = argc > 2 ? argv[2] : "";
      if (breaks == "hasty") m.makeHasty();
      if (breaks == "shifted") m.makeShift();
      const auto counts = handOvers(m, static_cast<unsigned>(std::atoi(argv[1])));
      std::printf("{\"cycles\": %" PRIu64 ", \"handovers\": %" PRIu64 ", \"with_traffic\": %" PRIu64
                  ", \"longest_wait\": %" PRIu64 ", \"lost_reads\": %" PRIu64 ", \"resets\": %" PRIu64 "}\n",
                  m.cycle(), counts.handovers, counts.withTraffic, counts.longestWait, counts.lostReads, counts.resets);
      return 0;
    }
    Machine m(argc, argv, argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0);
    machine = &m;
    const Counts counts = run(m, static_cast<unsigned>(std::atoi(argv[1])));
    std::printf(
        "{\"cycles\": %" PRIu64 ", \"axi_reads\": %" PRIu64 ", \"axi_writes\": %" PRIu64
        ", \"wishbone_reads\": %" PRIu64 ", \"wishbone_writes\": %" PRIu64 ", \"wishbone_given_up\": %" PRIu64 "}\n",
        m.cycle(), counts.axiReads, counts.axiWrites, counts.wishboneReads, counts.wishboneWrites, counts.givenUp);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "core_test: %s\n", error.what());
    return 1;
  }
  return 0;
}
