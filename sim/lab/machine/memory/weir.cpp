// SPDX-License-Identifier: Apache-2.0
#include "weir.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "manager.hpp"

namespace weir::lab {

namespace config = bench::config;
using bench::TrafficError;

WeirMemory::WeirMemory(int argc, char** argv, uint64_t base) : bench_(argc, argv), base_(base) {
  for (unsigned port = 0; port < kPorts; ++port) bench_.pins[port].b.ready = bench_.pins[port].r.ready = true;
}

int WeirMemory::freeId(unsigned core, const std::array<Burst, 1u << config::kIdBits>& bursts) {
  const unsigned source = (core & ((1u << kSourceBits) - 1)) << kSourceLow;
  for (unsigned tag = 0; tag < kTags; ++tag) {
    const unsigned below = tag & ((1u << kSourceLow) - 1), above = tag >> kSourceLow;
    const unsigned id = above << (kSourceLow + kSourceBits) | source | below;
    if (!bursts[id].used) return static_cast<int>(id);
  }
  return -1;
}

bench::Burst WeirMemory::burst(uint64_t line, unsigned core, unsigned id) const {
  const uint64_t address = line * Contents::kBytes, offset = address - base_;
  if (address < base_ || offset >= config::kBytes)
    throw std::invalid_argument("core " + std::to_string(core) + " has an access to address " +
                                std::to_string(address) + ": must be within the " + std::to_string(config::kBytes) +
                                " bytes of memory from " + std::to_string(base_) + " on");
  return {config::kBase + offset, kBeats, config::kBusBytes, bench::BurstKind::kIncr, id, false};
}

bool WeirMemory::read(uint64_t line, unsigned core) {
  const unsigned number = portOf(core);
  bench::AxiPins& pins = bench_.pins[number];
  if (pins.ar.valid) return false;
  const int id = freeId(core, ports_[number].reads);
  if (id < 0) return false;
  pins.ar.valid = true;
  pins.ar.burst = burst(line, core, static_cast<unsigned>(id));
  ports_[number].reads[static_cast<size_t>(id)] = {true, line, now_, 0, {}};
  ++underWay_;
  return true;
}

bool WeirMemory::write(uint64_t line, unsigned core) {
  const unsigned number = portOf(core);
  bench::AxiPins& pins = bench_.pins[number];
  Port& port = ports_[number];
  if (pins.aw.valid || port.writeData) return false;
  const int id = freeId(core, port.writes);
  if (id < 0) return false;
  pins.aw.valid = true;
  pins.aw.burst = burst(line, core, static_cast<unsigned>(id));
  port.writes[static_cast<size_t>(id)] = {true, line, now_, 0, {}};
  port.data = contents_.write(line);
  port.writeData = true;
  port.beatsSent = 0;
  ++underWay_;
  return true;
}

void WeirMemory::takeRead(unsigned number) {
  const bench::AxiPins::Read& beat = bench_.pins[number].r;
  Burst& open = ports_[number].reads[beat.id];
  const unsigned core = coreOf(number, beat.id);
  if (!open.used)
    throw TrafficError("an R beat comes for id " + std::to_string(beat.id) + ", of which no read is under way");
  if (beat.resp != static_cast<unsigned>(bench::Resp::kOkay))
    throw TrafficError("the read of line " + std::to_string(open.line) + " is answered " + std::to_string(beat.resp));
  std::memcpy(&open.data[open.beats * config::kBusBytes], beat.data.data(), config::kBusBytes);
  ++open.beats;
  if (beat.last != (open.beats == kBeats)) throw TrafficError("RLAST is wrong in beat " + std::to_string(open.beats));
  if (open.beats != kBeats) return;
  if (const auto wrong = contents_.read(open.line, open.data)) throw TrafficError(*wrong);
  latency_[core].add(now_ - open.accepted);
  open.used = false;
  --underWay_;
  readDone_(open.line);
}

void WeirMemory::takeResponse(unsigned number) {
  const bench::AxiPins::Response& response = bench_.pins[number].b;
  Burst& open = ports_[number].writes[response.id];
  if (!open.used || response.resp != static_cast<unsigned>(bench::Resp::kOkay))
    throw TrafficError("B of id " + std::to_string(response.id) + " is " + std::to_string(response.resp) +
                       (open.used ? "" : ", and no write is under way"));
  open.used = false;
  --underWay_;
  writeDone_(open.line);
}

void WeirMemory::cycle() {
  for (unsigned number = 0; number < kPorts; ++number) {
    bench::AxiPins::Write& w = bench_.pins[number].w;
    const Port& port = ports_[number];
    w.valid = port.writeData;
    if (!w.valid) continue;
    w.strobe = config::kBusBytes == 64 ? ~uint64_t{0} : (uint64_t{1} << config::kBusBytes % 64) - 1;
    w.last = port.beatsSent + 1 == kBeats;
    std::memcpy(w.data.data(), &port.data[port.beatsSent * config::kBusBytes], config::kBusBytes);
  }
  bench_.settle();
  ++now_;
  for (unsigned number = 0; number < kPorts; ++number) {
    bench::AxiPins& pins = bench_.pins[number];
    Port& port = ports_[number];
    const bool ar = pins.ar.valid && pins.ar.ready, aw = pins.aw.valid && pins.aw.ready,
               w = pins.w.valid && pins.w.ready;
    if (ar || aw || w || pins.r.valid || pins.b.valid) lastHandshake_ = now_;
    if (ar) {
      port.reads[pins.ar.burst.id].accepted = now_;
      pins.ar.valid = false;
    }
    if (aw) pins.aw.valid = false;
    if (w) port.writeData = ++port.beatsSent != kBeats;
    if (pins.r.valid) takeRead(number);
    if (pins.b.valid) takeResponse(number);
  }
  bench_.edge();
  if (underWay_ == 0) lastHandshake_ = now_;
  if (now_ - lastHandshake_ > config::kSilentCycles)
    throw TrafficError("the controller hangs: no handshake for " + std::to_string(config::kSilentCycles) + " cycles");
}

}  // namespace weir::lab
