// SPDX-License-Identifier: Apache-2.0
/// @file
/// The AXI4 manager that drives one port and checks what comes back.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "axi.hpp"
#include "reference.hpp"

namespace weir::bench {

/// A wrong datum, response or handshake of the controller under test.
class TrafficError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How eagerly a manager drives its channels: in how many of 256 cycles it offers a waiting address or datum (once
/// offered, it stays), and in how many it is ready for R and B.
struct Pace {
  unsigned address = 256, data = 256, read = 256, response = 256;
};

/// A burst that has ended. Cycles are those of handshakes: `accepted` of the address, `first` of the first R beat (of a
/// write: the last W beat), `last` of the last R beat or of B.
struct Completion {
  bool write;
  Burst burst;
  uint64_t accepted, first, last;
};

/// An AXI4 manager on one port: sends the bursts that it is given in the order it is given them, checks every response
/// against the reference memory and reports ended bursts.
///
/// It keeps AXI's rules (valid and payload stable until ready, channels independent of each other) and holds the
/// controller to them: stable outputs, responses only to bursts in flight, in order for each id, RLAST on the last
/// beat, DECERR on every beat outside memory and OKAY (never EXOKAY) elsewhere. A breach throws TrafficError.
class AxiManager {
 public:
  using Done = std::function<void(const Completion&)>;

  /// `busBytes`: data width of the port. `seed` chooses the write data and what the pace leaves to chance; it is eager
  /// at first.
  AxiManager(unsigned port, unsigned busBytes, ReferenceMemory& memory, Done done, uint64_t seed);

  /// From the next cycle on.
  void setPace(const Pace& pace) { pace_ = pace; }

  void read(const Burst& burst);
  /// All bytes of the burst are written, or of each only every second or so when `sparse`.
  void write(const Burst& burst, bool sparse = false);

  /// Bursts whose address is not accepted yet, and bursts that have not ended.
  size_t waitingReads() const { return waitingReads_.size(); }
  size_t waitingWrites() const { return waitingWrites_.size(); }
  size_t open() const { return open_; }

  /// From now on beats of reads may be answered SLVERR, whose data are not looked at; beats that were.
  void mayLose(bool may) { mayLose_ = may; }
  uint64_t lostBeats() const { return lostBeats_; }

  /// Cycles since the last handshake, or since there was nothing in flight.
  uint64_t silent(uint64_t cycle) const { return cycle - lastHandshake_; }

  /// Drive the pins for the cycle that begins.
  void drive(uint64_t cycle, AxiPins& pins);
  /// Take the handshakes of the cycle: `pins` as they stand just before its rising edge.
  void sample(uint64_t cycle, const AxiPins& pins);

 private:
  struct ReadBurst {
    Burst burst;
    std::optional<uint64_t> reference;  // absent outside memory
    uint64_t accepted = 0, first = 0;
    unsigned beat = 0;
  };
  struct WriteBeat {
    uint64_t strobe = 0;
    std::array<uint8_t, kMaxBusBytes> data{};
  };
  struct WriteBurst {
    Burst burst;
    std::vector<WriteBeat> beats;
    std::optional<uint64_t> reference;
    bool begun = false, addressSent = false;
    unsigned sent = 0;
    uint64_t accepted = 0, lastData = 0;
    bool inMemory = true;
  };

  [[noreturn]] void fail(uint64_t cycle, const std::string& what) const;
  bool chance(unsigned of256);
  void begin(uint64_t cycle, WriteBurst& write);
  unsigned lane(uint64_t address) const { return static_cast<unsigned>(address & (busBytes_ - 1)); }

  void driveAddresses(uint64_t cycle, AxiPins& pins);
  void driveData(uint64_t cycle, AxiPins& pins);
  void sampleRead(uint64_t cycle, const AxiPins& pins);
  void sampleResponse(uint64_t cycle, const AxiPins& pins);
  void checkStable(uint64_t cycle, const AxiPins& pins);

  const unsigned port_, busBytes_;
  ReferenceMemory& memory_;
  Done done_;
  bool mayLose_ = false;
  uint64_t lostBeats_ = 0;
  std::mt19937_64 random_;
  Pace pace_;

  std::deque<ReadBurst> waitingReads_;
  std::vector<std::deque<ReadBurst>> reads_;  // accepted, by id
  // Writes live in `writes_` from the call to B; the address channel and the data channel walk through it.
  std::deque<WriteBurst*> waitingWrites_, waitingData_;
  std::vector<std::deque<std::unique_ptr<WriteBurst>>> writes_;  // by id
  size_t open_ = 0;
  uint64_t lastHandshake_ = 0;
  AxiPins previous_;
};

}  // namespace weir::bench
