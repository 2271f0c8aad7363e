// SPDX-License-Identifier: Apache-2.0
/// @file
/// Software takes the DFI of cores whose ports have traffic, and gives it back; a PHY that loses reads; reset in the
/// middle of bursts. Every read is checked, before and after.
///
/// `Machine` is that of core_test.cpp: `step()`, `cycle()`, `reset()`, `axi`, `lose(bool)`, and the Wishbone access
/// that `beginWishbone` begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "manager.hpp"
#include "reference.hpp"

extern "C" {
#include "generated/sdram_phy.h"
#include "system.h"
}

namespace weir::core_test {

/// What happened, in a whole run.
struct HandoverCounts {
  uint64_t handovers = 0, withTraffic = 0, longestWait = 0, lostReads = 0, resets = 0;
};

/// Random accesses of both ports in every cycle in which `busy`.
template <class Machine>
class Background {
 public:
  using Address = std::function<uint64_t(std::mt19937_64&)>;
  using Burst = std::function<bench::Burst(std::mt19937_64&)>;

  Background(Machine& machine, bench::ReferenceMemory& wishbone, Burst burst, Address word, uint64_t seed)
      : machine_(machine), memory_(wishbone), burst_(std::move(burst)), word_(std::move(word)), random_(seed) {
    machine_.background = [this] { work(); };
  }
  ~Background() { machine_.background = nullptr; }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  bool busy = false;

  /// Reads may be answered with an error.
  void mayLose(bool may) {
    mayLose_ = may;
    machine_.axi->mayLose(may);
  }
  uint64_t lost() const { return lost_ + machine_.axi->lostBeats(); }

  bool underWay() const { return access_ || machine_.axi->open() != 0; }

  /// Lets what is under way end.
  void end() {
    busy = false;
    while (underWay()) machine_.step();
  }

 private:
  struct Access {
    bool write;
    uint64_t reference, address, since;
  };

  void work() {
    if (access_ && machine_.wishboneIsIdle()) ends();
    if (access_ && machine_.cycle() - access_->since > kSilent) throw std::runtime_error("the Wishbone port hangs");
    if (!busy) return;
    if (!access_) begins();
    while (machine_.axi->open() < kOpen) {
      if (random_() % 2 == 0)
        machine_.axi->write(burst_(random_), random_() % 4 == 0);
      else
        machine_.axi->read(burst_(random_));
    }
  }

  void begins() {
    const uint64_t address = word_(random_);
    const auto value = static_cast<uint32_t>(random_());
    const bool write = random_() % 3 == 0;
    memory_.touch(address, 4);
    const uint64_t now = machine_.cycle();
    const uint64_t reference = write ? memory_.writeBegins(now, 1, 0) : memory_.readBegins(now);
    if (write) memory_.writeBytes(reference, address, reinterpret_cast<const uint8_t*>(&value), 15, 4);
    access_ = Access{write, reference, address, now};
    machine_.beginWishbone(address, write, 15, value);
  }

  void ends() {
    if (machine_.wishboneFailed()) {
      if (!mayLose_ || access_->write) throw std::runtime_error("the Wishbone port answers with an error");
      ++lost_;
      memory_.readEnds(access_->reference);
    } else if (access_->write) {
      memory_.writeEnds(access_->reference, machine_.cycle() - 1);
    } else {
      const uint32_t value = machine_.wishboneData();
      const auto complaint =
          memory_.check(access_->reference, access_->address, reinterpret_cast<const uint8_t*>(&value), 4);
      if (complaint) throw std::runtime_error("Wishbone: " + *complaint);
      memory_.readEnds(access_->reference);
    }
    access_.reset();
  }

  static constexpr size_t kOpen = 12;
  static constexpr uint64_t kSilent = 4000;

  Machine& machine_;
  bench::ReferenceMemory& memory_;
  Burst burst_;
  Address word_;
  std::mt19937_64 random_;
  std::optional<Access> access_;
  bool mayLose_ = false;
  uint64_t lost_ = 0;
};

constexpr int kSoftware = DFII_CONTROL_CKE | DFII_CONTROL_ODT | DFII_CONTROL_RESET_N;
constexpr uint64_t kRefreshCycles = 30;     // at least tRFC of 4 Gb chips, 260 ns
constexpr uint64_t kRefreshInterval = 580;  // at most tREFI, 7.8 us
constexpr uint64_t kLongestWait = 300;      // until software has the DFI

template <class Machine>
void wait(Machine& machine, uint64_t cycles) {
  for (; cycles != 0; --cycles) machine.step();
}

inline void command(int address, int bank, int lines) {
  sdram_dfii_pi0_address_write(address);
  sdram_dfii_pi0_baddress_write(bank);
  command_p0(lines | DFII_COMMAND_CS);
}

/// What software does while it has the DFI; it leaves the rows as they are.
template <class Machine>
void software(Machine& machine, std::mt19937_64& random) {
  const int bank = random() % 8, row = random() % 32768;
  switch (random() % 5) {
    case 0:
      break;
    case 1:
      command(row, bank, DFII_COMMAND_RAS);
      break;
    case 2:  // whose data come when the DFI is Weir's again
      command(row, bank, DFII_COMMAND_RAS);
      command(0, bank, DFII_COMMAND_CAS | DFII_COMMAND_RDDATA);
      return;
    case 3:
      command(0, 0, DFII_COMMAND_RAS | DFII_COMMAND_CAS);
      wait(machine, kRefreshCycles);
      break;
    case 4:  // mode register 3, as it is
      command(0, 3, DFII_COMMAND_RAS | DFII_COMMAND_CAS | DFII_COMMAND_WE);
      break;
  }
  wait(machine, random() % 200);
}

/// Software refreshes for twelve tREFI, longer than Weir may postpone.
template <class Machine>
void refreshes(Machine& machine) {
  for (int interval = 0; interval < 12; ++interval) {
    const uint64_t begin = machine.cycle();
    command(0, 0, DFII_COMMAND_RAS | DFII_COMMAND_CAS);
    while (machine.cycle() - begin < kRefreshInterval) machine.step();
  }
}

/// One hand-over after 1 to 200 cycles: three of five with traffic, one with the ports shut, one with none.
template <class Machine>
void handOver(Machine& machine, Background<Machine>& traffic, uint64_t seed, HandoverCounts& counts) {
  std::mt19937_64 random(seed);
  const bool idle = seed % 5 == 1, shut = seed % 5 == 2;
  traffic.busy = !idle;
  wait(machine, 1 + random() % 200);
  if (shut) ddrctrl_init_done_write(0);
  counts.withTraffic += traffic.underWay();
  const uint64_t asked = machine.cycle();
  sdram_dfii_control_write(kSoftware);
  while (sdram_dfii_owner_read() == 0)
    if (machine.cycle() - asked > kLongestWait) throw std::runtime_error("software does not get the DFI");
  counts.longestWait = std::max(counts.longestWait, machine.cycle() - asked);
  if (idle && random() % 4 == 0)
    refreshes(machine);
  else
    software(machine, random);
  sdram_dfii_control_write(DFII_CONTROL_SEL);
  if (sdram_dfii_owner_read() != 0) throw std::runtime_error("software has the DFI that it has given back");
  if (shut) ddrctrl_init_done_write(1);
  traffic.busy = true;
  wait(machine, 200);
  traffic.end();
  ++counts.handovers;
}

/// The PHY loses what it reads for 1 to 30 cycles.
template <class Machine>
void loseReads(Machine& machine, Background<Machine>& traffic, uint64_t seed) {
  std::mt19937_64 random(seed);
  traffic.busy = true;
  wait(machine, 100 + random() % 100);
  traffic.mayLose(true);
  machine.lose(true);
  wait(machine, 1 + random() % 30);
  machine.lose(false);
  traffic.end();
  traffic.mayLose(false);
  traffic.busy = true;
  wait(machine, 100);
  traffic.end();
}

}  // namespace weir::core_test
