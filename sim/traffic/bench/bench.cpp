// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <cstring>
#include <stdexcept>

#include "manager.hpp"
#include "registry.hpp"

namespace weir::traffic {

namespace {

constexpr int kResetCycles = 8;
constexpr int kRegisterCycles = 100;  // no answer takes longer

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

ReferenceMemory::LineData Bench::contents(uint64_t offset) const {
  ReferenceMemory::LineData data;
  dram::find(kDram)->dump(offset, data.data(), data.size());
  return data;
}

std::map<std::string, uint64_t> Bench::violations() const {
  std::map<std::string, uint64_t> counts;
  for (std::size_t index = 0; index < dram::kRules; ++index) {
    const auto rule = static_cast<dram::Rule>(index);
    const uint64_t count = dram::find(kDram)->violations().count(rule);
    if (count != 0) counts[dram::text(rule).name] = count;
  }
  return counts;
}

Bench::~Bench() { top_->final(); }

void Bench::writeRegister(uint64_t address, uint64_t value) {
  top_->s_axil_awaddr = static_cast<SData>(address);
  top_->s_axil_wdata = static_cast<IData>(value);
  top_->s_axil_awvalid = top_->s_axil_wvalid = 1;
  for (int cycle = 0; cycle < kRegisterCycles; ++cycle) {
    settle();
    const bool addressTaken = top_->s_axil_awready, dataTaken = top_->s_axil_wready, answered = top_->s_axil_bvalid;
    const unsigned response = top_->s_axil_bresp;
    edge();
    if (addressTaken) top_->s_axil_awvalid = 0;
    if (dataTaken) top_->s_axil_wvalid = 0;
    if (!answered) continue;
    if (response == static_cast<unsigned>(Resp::kOkay)) return;
    throw std::invalid_argument("register " + std::to_string(address) + ": the controller refuses the value " +
                                std::to_string(value) + " with response " + std::to_string(response));
  }
  throw std::invalid_argument("register " + std::to_string(address) + ": this controller has no registers");
}

void Bench::settle() {
  for (unsigned port = 0; port < config::kPorts; ++port) drive(*top_, port, pins[port]);
  clock(false);
  for (unsigned port = 0; port < config::kPorts; ++port) observe(*top_, port, pins[port]);
}

void Bench::edge() { clock(true); }

void Bench::clock(bool level) {
  top_->clock = level;
  top_->eval();
  if (context_.gotFinish()) throw TrafficError("the DRAM model ended the simulation (its reason is above)");
}

}  // namespace weir::traffic
