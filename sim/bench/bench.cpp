// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "manager.hpp"
#include "registers.hpp"
#include "registry.hpp"

namespace weir::bench {

namespace {

constexpr int kResetCycles = 8;
/// The names (registry.hpp) of the DRAM models of the channels, from bench.sv.
constexpr const char* kModels[] = {"dram", "dram1"};

void drive(Vbench& top, unsigned port, const AxiPins& pins) {
  const auto address = [port](const AxiPins::Address& from, auto& id, auto& addr, auto& len, auto& size, auto& burst,
                              auto& lock, auto& valid) {
    id[port] = from.burst.id;
    addr[port] = from.burst.address;
    len[port] = from.burst.beats - 1;
    size[port] = from.burst.size();
    burst[port] = static_cast<uint8_t>(from.burst.kind);
    lock[port] = from.burst.exclusive;
    valid[port] = from.valid;
  };
  address(pins.aw, top.awid, top.awaddr, top.awlen, top.awsize, top.awburst, top.awlock, top.awvalid);
  address(pins.ar, top.arid, top.araddr, top.arlen, top.arsize, top.arburst, top.arlock, top.arvalid);
  // Verilator keeps ports in little-endian words of the host: their bytes are the byte lanes.
  std::memcpy(&top.wdata[port], pins.w.data.data(), config::kBusBytes);
  top.wstrb[port] = pins.w.strobe;
  top.wlast[port] = pins.w.last;
  top.wvalid[port] = pins.w.valid;
  top.bready[port] = pins.b.ready;
  top.rready[port] = pins.r.ready;
}

void observe(const Vbench& top, unsigned port, AxiPins& pins) {
  pins.aw.ready = top.awready[port];
  pins.ar.ready = top.arready[port];
  pins.w.ready = top.wready[port];
  pins.b.valid = top.bvalid[port];
  pins.b.id = top.bid[port];
  pins.b.resp = top.bresp[port];
  pins.r.valid = top.rvalid[port];
  pins.r.id = top.rid[port];
  pins.r.resp = top.rresp[port];
  pins.r.last = top.rlast[port];
  if (pins.r.valid) std::memcpy(pins.r.data.data(), &top.rdata[port], config::kBusBytes);
}

void drive(Vbench& top, const AxiLitePins& pins) {
  top.s_axil_awaddr = static_cast<SData>(pins.aw.address);
  top.s_axil_awvalid = pins.aw.valid;
  top.s_axil_wdata = pins.w.data;
  top.s_axil_wvalid = pins.w.valid;
  top.s_axil_araddr = static_cast<SData>(pins.ar.address);
  top.s_axil_arvalid = pins.ar.valid;
}

void observe(const Vbench& top, AxiLitePins& pins) {
  pins.aw.ready = top.s_axil_awready;
  pins.w.ready = top.s_axil_wready;
  pins.ar.ready = top.s_axil_arready;
  pins.b = {static_cast<bool>(top.s_axil_bvalid), top.s_axil_bresp, 0};
  pins.r = {static_cast<bool>(top.s_axil_rvalid), top.s_axil_rresp, top.s_axil_rdata};
}

}  // namespace

Bench::Bench(int argc, char** argv) {
  context_.commandArgs(argc, argv);
  context_.fatalOnError(false);
  top_ = std::make_unique<Vbench>(&context_);
  top_->reset = 1;
  for (int cycle = 0; cycle < kResetCycles; ++cycle) {
    settle();
    edge();
  }
  top_->reset = 0;
}

dram::Dram& Bench::model(unsigned channel) { return *dram::find(kModels[channel]); }

std::pair<dram::Dram*, uint64_t> Bench::find(uint64_t offset) const {
  const LinePlace place = map_.place(offset);
  return {&model(place.channel), place.offset + offset % map_.lineBytes()};
}

ReferenceMemory::LineData Bench::contents(uint64_t offset) const {
  ReferenceMemory::LineData data;
  const uint64_t step = std::min<uint64_t>(data.size(), map_.lineBytes());
  for (uint64_t at = 0; at < data.size(); at += step) {
    const auto [model, place] = find(offset + at);
    model->dump(place, data.data() + at, step);
  }
  return data;
}

void Bench::preload(uint64_t offset, const std::vector<uint8_t>& bytes) {
  for (uint64_t at = 0; at < bytes.size();) {
    const auto [model, place] = find(offset + at);
    const uint64_t room = map_.lineBytes() - (offset + at) % map_.lineBytes();
    const uint64_t count = std::min<uint64_t>(room, bytes.size() - at);
    model->preload(place, bytes.data() + at, count);
    at += count;
  }
}

std::map<std::string, uint64_t> Bench::violations() const {
  std::map<std::string, uint64_t> counts;
  for (unsigned channel = 0; channel < config::kChannels; ++channel)
    for (std::size_t index = 0; index < dram::kRules; ++index) {
      const auto rule = static_cast<dram::Rule>(index);
      const uint64_t count = model(channel).violations().count(rule);
      if (count != 0) counts[dram::text(rule).name] += count;
    }
  return counts;
}

Bench::~Bench() { top_->final(); }

void Bench::writeRegister(uint64_t address, uint64_t value) {
  Registers access(registers, [this] {
    settle();
    edge();
  });
  const Resp response = access.write(address, static_cast<uint32_t>(value));
  if (response != Resp::kOkay)
    throw std::invalid_argument("register " + std::to_string(address) + ": the controller refuses the value " +
                                std::to_string(value) + " with response " +
                                std::to_string(static_cast<unsigned>(response)));
}

void Bench::settle() {
  for (unsigned port = 0; port < config::kPorts; ++port) drive(*top_, port, pins[port]);
  drive(*top_, registers);
  clock(false);
  for (unsigned port = 0; port < config::kPorts; ++port) observe(*top_, port, pins[port]);
  observe(*top_, registers);
}

void Bench::edge() { clock(true); }

void Bench::clock(bool level) {
  top_->clock = level;
  top_->eval();
  if (context_.gotFinish()) throw TrafficError("the DRAM model ended the simulation (its reason is above)");
}

}  // namespace weir::bench
