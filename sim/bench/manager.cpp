// SPDX-License-Identifier: Apache-2.0
#include "manager.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir::bench {

namespace {
constexpr unsigned kIds = 256;
}

AxiManager::AxiManager(unsigned port, unsigned busBytes, ReferenceMemory& memory, Done done, uint64_t seed)
    : port_(port),
      busBytes_(busBytes),
      memory_(memory),
      done_(std::move(done)),
      random_(seed),
      reads_(kIds),
      writes_(kIds) {}

void AxiManager::fail(uint64_t cycle, const std::string& what) const {
  throw TrafficError("port " + std::to_string(port_) + ", cycle " + std::to_string(cycle) + ": " + what);
}

bool AxiManager::chance(unsigned of256) { return of256 >= 256 || random_() % 256 < of256; }

void AxiManager::read(const Burst& burst) {
  if (memory_.holds(burst.lowest(), burst.extent())) memory_.touch(burst.lowest(), burst.extent());
  waitingReads_.push_back({burst, std::nullopt});
  ++open_;
}

void AxiManager::write(const Burst& burst, bool sparse) {
  auto write = std::make_unique<WriteBurst>();
  write->burst = burst;
  write->inMemory = memory_.holds(burst.lowest(), burst.extent());
  if (write->inMemory) memory_.touch(burst.lowest(), burst.extent());
  write->beats.resize(burst.beats);
  for (unsigned index = 0; index < burst.beats; ++index) {
    const Span span = burst.beat(index);
    WriteBeat& beat = write->beats[index];
    const uint64_t enabled = span.bytes == 64 ? ~uint64_t{0} : (uint64_t{1} << span.bytes) - 1;
    beat.strobe = (sparse ? enabled & random_() : enabled) << lane(span.address);
    for (unsigned word = 0; word < busBytes_; word += 8) {
      const uint64_t value = random_();
      std::memcpy(&beat.data[word], &value, std::min(8u, busBytes_ - word));
    }
  }
  waitingWrites_.push_back(write.get());
  waitingData_.push_back(write.get());
  writes_[burst.id].push_back(std::move(write));
  ++open_;
}

/// From the first cycle in which its address or a datum is offered, a write may take effect.
void AxiManager::begin(uint64_t cycle, WriteBurst& write) {
  if (write.begun) return;
  write.begun = true;
  if (!write.inMemory) return;
  write.reference = memory_.writeBegins(cycle, port_, write.burst.id);
  for (unsigned index = 0; index < write.burst.beats; ++index) {
    const Span span = write.burst.beat(index);
    const unsigned at = lane(span.address);
    memory_.writeBytes(*write.reference, span.address, &write.beats[index].data[at], write.beats[index].strobe >> at,
                       span.bytes);
  }
}

void AxiManager::drive(uint64_t cycle, AxiPins& pins) {
  if (previous_.ar.ready) pins.ar.valid = false;
  if (previous_.aw.ready) pins.aw.valid = false;
  if (previous_.w.ready) pins.w.valid = false;
  driveAddresses(cycle, pins);
  driveData(cycle, pins);
  pins.r.ready = chance(pace_.read);
  pins.b.ready = chance(pace_.response);
}

void AxiManager::driveAddresses(uint64_t cycle, AxiPins& pins) {
  if (!pins.ar.valid && !waitingReads_.empty() && chance(pace_.address)) {
    ReadBurst& read = waitingReads_.front();
    if (memory_.holds(read.burst.lowest(), read.burst.extent())) read.reference = memory_.readBegins(cycle);
    pins.ar.burst = read.burst;
    pins.ar.valid = true;
  }
  if (!pins.aw.valid && !waitingWrites_.empty() && chance(pace_.address)) {
    begin(cycle, *waitingWrites_.front());
    pins.aw.burst = waitingWrites_.front()->burst;
    pins.aw.valid = true;
  }
}

void AxiManager::driveData(uint64_t cycle, AxiPins& pins) {
  if (pins.w.valid || waitingData_.empty() || !chance(pace_.data)) return;
  WriteBurst& write = *waitingData_.front();
  begin(cycle, write);
  pins.w.strobe = write.beats[write.sent].strobe;
  pins.w.data = write.beats[write.sent].data;
  pins.w.last = write.sent + 1 == write.burst.beats;
  pins.w.valid = true;
}

void AxiManager::sample(uint64_t cycle, const AxiPins& pins) {
  checkStable(cycle, pins);
  sampleRead(cycle, pins);
  sampleResponse(cycle, pins);
  if (pins.ar.valid && pins.ar.ready) {
    ReadBurst& read = waitingReads_.front();
    read.accepted = cycle;
    reads_[read.burst.id].push_back(std::move(read));
    waitingReads_.pop_front();
  }
  if (pins.aw.valid && pins.aw.ready) {
    WriteBurst& write = *waitingWrites_.front();
    write.accepted = cycle;
    write.addressSent = true;
    waitingWrites_.pop_front();
  }
  if (pins.w.valid && pins.w.ready) {
    WriteBurst& write = *waitingData_.front();
    write.lastData = cycle;
    if (++write.sent == write.burst.beats) waitingData_.pop_front();
  }
  const bool handshake = (pins.ar.valid && pins.ar.ready) || (pins.aw.valid && pins.aw.ready) ||
                         (pins.w.valid && pins.w.ready) || (pins.r.valid && pins.r.ready) ||
                         (pins.b.valid && pins.b.ready);
  if (handshake || open_ == 0) lastHandshake_ = cycle;
  previous_ = pins;
}

void AxiManager::sampleRead(uint64_t cycle, const AxiPins& pins) {
  if (!pins.r.valid || !pins.r.ready) return;
  std::deque<ReadBurst>& ofId = reads_[pins.r.id];
  if (ofId.empty()) fail(cycle, "R of id " + std::to_string(pins.r.id) + ", which has no read in flight");
  ReadBurst& read = ofId.front();
  if (read.beat == 0) read.first = cycle;
  const bool last = read.beat + 1 == read.burst.beats;
  const std::string where = "R of id " + std::to_string(pins.r.id) + ", beat " + std::to_string(read.beat) + " of " +
                            std::to_string(read.burst.beats);
  if (pins.r.last != last) fail(cycle, where + ": RLAST is " + std::to_string(pins.r.last));
  const Resp expected = read.reference ? Resp::kOkay : Resp::kDecErr;
  const bool lost = mayLose_ && read.reference && pins.r.resp == static_cast<unsigned>(Resp::kSlvErr);
  lostBeats_ += lost;
  if (!lost && pins.r.resp != static_cast<unsigned>(expected))
    fail(cycle, where + ": RRESP is " + std::to_string(pins.r.resp) + ", not " +
                    std::to_string(static_cast<unsigned>(expected)));
  if (read.reference && !lost) {
    const Span span = read.burst.beat(read.beat);
    const auto wrong = memory_.check(*read.reference, span.address, &pins.r.data[lane(span.address)], span.bytes);
    if (wrong) fail(cycle, where + ": " + *wrong);
  }
  ++read.beat;
  if (!last) return;
  if (read.reference) memory_.readEnds(*read.reference);
  const Completion completion{false, read.burst, read.accepted, read.first, cycle};
  ofId.pop_front();
  --open_;
  done_(completion);
}

void AxiManager::sampleResponse(uint64_t cycle, const AxiPins& pins) {
  if (!pins.b.valid || !pins.b.ready) return;
  const std::string where = "B of id " + std::to_string(pins.b.id);
  std::deque<std::unique_ptr<WriteBurst>>& ofId = writes_[pins.b.id];
  if (ofId.empty()) fail(cycle, where + ", which has no write in flight");
  const WriteBurst& write = *ofId.front();
  if (!write.addressSent || write.sent != write.burst.beats)
    fail(cycle, where + " before its address and all its data were accepted");
  const Resp expected = write.inMemory ? Resp::kOkay : Resp::kDecErr;
  if (pins.b.resp != static_cast<unsigned>(expected))
    fail(cycle, where + ": BRESP is " + std::to_string(pins.b.resp) + ", not " +
                    std::to_string(static_cast<unsigned>(expected)));
  if (write.reference) memory_.writeEnds(*write.reference, cycle);
  const Completion completion{true, write.burst, write.accepted, write.lastData, cycle};
  ofId.pop_front();
  --open_;
  done_(completion);
}

/// What was valid without ready in the cycle before must stand unchanged.
void AxiManager::checkStable(uint64_t cycle, const AxiPins& pins) {
  const AxiPins::Read& r = previous_.r;
  if (r.valid && !r.ready &&
      (!pins.r.valid || pins.r.id != r.id || pins.r.resp != r.resp || pins.r.last != r.last || pins.r.data != r.data))
    fail(cycle, "R changed while it waited for RREADY");
  const AxiPins::Response& b = previous_.b;
  if (b.valid && !b.ready && (!pins.b.valid || pins.b.id != b.id || pins.b.resp != b.resp))
    fail(cycle, "B changed while it waited for BREADY");
}

}  // namespace weir::bench
