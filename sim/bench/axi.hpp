// SPDX-License-Identifier: Apache-2.0
/// @file
/// AXI4 bursts and the pins of a port.
#pragma once

#include <array>
#include <cstdint>

namespace weir::bench {

/// AXI4's AxBURST.
enum class BurstKind : uint8_t { kFixed = 0, kIncr = 1, kWrap = 2 };

/// AXI4's xRESP, as far as a memory gives them.
enum class Resp : uint8_t { kOkay = 0, kExOkay = 1, kSlvErr = 2, kDecErr = 3 };

/// Widest data bus of a port, in bytes.
constexpr unsigned kMaxBusBytes = 64;

/// Consecutive bytes of memory; never more than a bus word and never across one.
struct Span {
  uint64_t address;
  unsigned bytes;
};

/// One AXI4 burst as its address channel carries it.
struct Burst {
  uint64_t address = 0;    ///< AxADDR
  unsigned beats = 1;      ///< AxLEN + 1
  unsigned beatBytes = 1;  ///< 1 << AxSIZE
  BurstKind kind = BurstKind::kIncr;
  unsigned id = 0;
  bool exclusive = false;  ///< AxLOCK

  /// The bytes that beat `index` moves (AMBA AXI specification, "Burst address"): an unaligned INCR burst is short in
  /// its first beat only, WRAP returns to the aligned block of beats x beatBytes, FIXED stays.
  Span beat(unsigned index) const;

  /// The lowest address and the number of bytes between it and the end that the burst may touch.
  uint64_t lowest() const;
  unsigned extent() const;

  /// AxSIZE
  unsigned size() const;
};

/// The pins of one AXI4 port, neutral of the widths of a build. The manager drives AW, W, AR and the readys of B and R.
struct AxiPins {
  struct Address {
    bool valid = false, ready = false;
    Burst burst;
  };
  struct Write {
    bool valid = false, ready = false, last = false;
    uint64_t strobe = 0;
    std::array<uint8_t, kMaxBusBytes> data{};
  };
  struct Response {
    bool valid = false, ready = false;
    unsigned id = 0, resp = 0;
  };
  struct Read {
    bool valid = false, ready = false, last = false;
    unsigned id = 0, resp = 0;
    std::array<uint8_t, kMaxBusBytes> data{};
  };
  Address aw, ar;
  Write w;
  Response b;
  Read r;
};

/// The pins of an AXI4-Lite port of 32 bits whose manager is always ready for B and R.
struct AxiLitePins {
  struct Address {
    bool valid = false, ready = false;
    uint64_t address = 0;
  };
  struct Write {
    bool valid = false, ready = false;
    uint32_t data = 0;
  };
  struct Response {
    bool valid = false;
    unsigned resp = 0;
    uint32_t data = 0;  ///< of R
  };
  Address aw, ar;
  Write w;
  Response b, r;
};

}  // namespace weir::bench
