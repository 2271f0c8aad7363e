// SPDX-License-Identifier: Apache-2.0
// The functions that dfi_dram.sv imports. Packed vectors arrive as little-endian 32-bit words, which on the hosts that
// Verilator supports are the bytes of the line in order.
#include <svdpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "registry.hpp"

namespace {

using weir::dram::Config;
using weir::dram::DfiCycle;
using weir::dram::Dram;

/// Calls something that may refuse, and tells why it did.
/// @return whether it went well
template <typename Call>
bool accepted(Call call) {
  try {
    call();
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
}

}  // namespace

extern "C" {

int weir_dram_open(const char* name, const char* part, int clockPs, int ranks, int bankBits, int addressPins,
                   int rowBits, int columnBits, int dq, int burstBeats, int phases, int readPhase, int writePhase,
                   int readLatency, int writeLatency, int cl, int cwl, svBit initialised, svBit terminated, svBit fatal,
                   const char* features, const char* addressMap, int pseudoRanks) {
  Config config;
  config.name = name;
  config.part = part;
  config.clockPs = clockPs;
  config.ranks = ranks;
  config.bankBits = bankBits;
  config.addressPins = addressPins;
  config.rowBits = rowBits;
  config.columnBits = columnBits;
  config.dq = dq;
  config.burstBeats = burstBeats;
  config.phases = phases;
  config.readPhase = readPhase;
  config.writePhase = writePhase;
  config.readLatency = readLatency;
  config.writeLatency = writeLatency;
  config.cl = cl;
  config.cwl = cwl;
  config.initialised = initialised != 0;
  config.terminated = terminated != 0;
  config.fatal = fatal != 0;
  config.addressMap = addressMap;
  config.pseudoRanks = pseudoRanks;
  int number = -1;
  accepted([&] {
    config.features = weir::dram::Features::parse(features, "DRAM model '" + config.name + "': FEATURES");
    number = weir::dram::open(config);
  });
  return number;
}

void weir_dram_reset(int number) { weir::dram::model(number).reset(); }

void weir_dram_clock(int number, const svBitVecVal* address, const svBitVecVal* bank, const svBitVecVal* csN,
                     const svBitVecVal* cke, const svBitVecVal* odt, const svBitVecVal* rasN, const svBitVecVal* casN,
                     const svBitVecVal* weN, const svBitVecVal* resetN, const svBitVecVal* wrdataEn,
                     const svBitVecVal* rddataEn, svBit* takesWriteData, svBit* hasReadData, svBit* broken) {
  Dram& dram = weir::dram::model(number);
  DfiCycle dfi;
  dfi.address = address;
  dfi.bank = *bank;
  dfi.csN = *csN;
  dfi.cke = *cke;
  dfi.odt = *odt;
  dfi.rasN = *rasN;
  dfi.casN = *casN;
  dfi.weN = *weN;
  dfi.resetN = *resetN;
  dfi.wrdataEn = *wrdataEn;
  dfi.rddataEn = *rddataEn;
  const auto before = dram.violations().kept().size();
  const unsigned result = dram.clock(dfi);
  if ((result & Dram::kViolation) != 0 && dram.config().fatal) {
    const auto& kept = dram.violations().kept();
    for (std::size_t i = before; i < kept.size(); ++i)
      std::fprintf(stderr, "%s\n", dram.violations().describe(kept[i]).c_str());
    accepted([&] { dram.flush(); });
  }
  *takesWriteData = (result & Dram::kTakesWriteData) != 0;
  *hasReadData = (result & Dram::kHasReadData) != 0;
  *broken = (result & Dram::kViolation) != 0;
}

void weir_dram_write(int number, const svBitVecVal* line, const svBitVecVal* mask) {
  weir::dram::model(number).writeData(reinterpret_cast<const std::uint8_t*>(line),
                                      static_cast<std::uint64_t>(mask[1]) << 32 | mask[0]);
}

void weir_dram_read(int number, svBitVecVal* line) {
  weir::dram::model(number).readData(reinterpret_cast<std::uint8_t*>(line));
}

unsigned weir_dram_violations(int number) {
  return static_cast<unsigned>(weir::dram::model(number).violations().total());
}

svBit weir_dram_trace(int number, const char* path) {
  return accepted([&] { weir::dram::model(number).trace(path); }) ? 1 : 0;
}

svBit weir_dram_record(int number, const char* path) {
  return accepted([&] { weir::dram::model(number).recordStatistics(path); }) ? 1 : 0;
}

svBit weir_dram_latch(const char* name) {
  Dram* dram = weir::dram::find(name);
  if (dram == nullptr) return 0;
  return accepted([&] { dram->latch(); }) ? 1 : 0;
}

svBit weir_dram_preload(int number, const char* path, long long address) {
  return accepted([&] { weir::dram::model(number).preload(static_cast<std::uint64_t>(address), path); }) ? 1 : 0;
}

// For a test bench in the same process: what the cells hold at a channel address.
void weir_dram_cells(const char* name, unsigned long long address, unsigned char* bytes, unsigned long long length) {
  Dram* dram = weir::dram::find(name);
  if (dram == nullptr || !accepted([&] { dram->dump(address, bytes, length); })) std::abort();
}

void weir_dram_finish(int number) {
  Dram& dram = weir::dram::model(number);
  // a simulation that ends has no other way to fail
  if (!accepted([&] { dram.flush(); })) {
    std::fflush(nullptr);
    std::_Exit(1);
  }
  if (!dram.config().fatal && dram.violations().total() != 0)
    std::printf("DRAM '%s': %llu protocol violations\n%s", dram.config().name.c_str(),
                static_cast<unsigned long long>(dram.violations().total()), dram.violations().summary().c_str());
}
}
