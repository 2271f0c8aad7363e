// SPDX-License-Identifier: Apache-2.0
// The functions that observe_*.sv import. There is one Observation in a simulation; each function tells whether it went
// well, and if not why.
#include <svdpi.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>

#include "observation.hpp"

namespace {

using weir::observe::Observation;
using weir::observe::Shape;

std::unique_ptr<Observation> observation;

/// What is watched; modules without which nothing is come first.
Observation& watched() {
  if (!observation) throw std::logic_error("observe: a port or a channel is watched before observe_all.sv has begun");
  return *observation;
}

template <typename Call>
svBit accepted(Call call) {
  try {
    call();
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 0;
  }
}

}  // namespace

extern "C" {

svBit weir_observe_begin(const char* part, int clockPs, int channels, int ranks, int pseudoRanks, int refreshGroups,
                         int bankBits, int rowBits, int columnBits, int dq, int burstBeats, int phases, int ports,
                         int idBits, int sourceIdHigh, int sourceIdLow, long long base) {
  return accepted([&] {
    Shape shape;
    shape.channel.part = part;
    shape.channel.clockPs = clockPs;
    shape.channel.ranks = ranks;
    shape.pseudoRanks = pseudoRanks;
    shape.refreshGroups = refreshGroups;
    shape.channel.bankBits = bankBits;
    shape.channel.rowBits = rowBits;
    shape.channel.columnBits = columnBits;
    shape.channel.dq = dq;
    shape.channel.burstBeats = burstBeats;
    shape.channel.phases = phases;
    shape.channels = channels;
    shape.ports = ports;
    shape.idBits = idBits;
    shape.sourceIdHigh = sourceIdHigh;
    shape.sourceIdLow = sourceIdLow;
    shape.base = static_cast<std::uint64_t>(base);
    observation = std::make_unique<Observation>(shape);
  });
}

svBit weir_observe_asked(int port, svBit write, int id, long long address, int len, int size, int burst) {
  return accepted([&] {
    watched().asked(port, write != 0, static_cast<unsigned>(id), static_cast<std::uint64_t>(address),
                    static_cast<unsigned>(len), static_cast<unsigned>(size), static_cast<unsigned>(burst));
  });
}

svBit weir_observe_offered(int port, int id, svBit last, svBit taken) {
  return accepted([&] { watched().offered(port, static_cast<unsigned>(id), last != 0, taken != 0); });
}

svBit weir_observe_command(int channel, int rank, int phase, int kind, int bank, int address) {
  return accepted([&] {
    watched().command(channel, rank, phase, static_cast<unsigned>(kind), bank, static_cast<std::uint32_t>(address));
  });
}

svBit weir_observe_clock(svBit latch, const char* path) {
  return accepted([&] {
    watched().clock();
    if (!latch) return;
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) throw std::runtime_error(std::string("observe: cannot write ") + path);
    std::fprintf(file, "%s\n", watched().json().c_str());
    std::fclose(file);
  });
}

}  // extern "C"
