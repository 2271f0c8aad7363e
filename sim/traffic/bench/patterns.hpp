// SPDX-License-Identifier: Apache-2.0
/// @file
/// The streams of bursts of the head to head.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "manager.hpp"

namespace weir::traffic {

/// Where banks and rows lie in memory, for the patterns that aim at them: address = row | rank | bank | column.
struct Layout {
  uint64_t base;      ///< bus address of the first byte
  uint64_t bytes;     ///< of the whole memory
  uint64_t rowBytes;  ///< of one row of one bank: the distance of two neighbouring banks
  unsigned banks;     ///< of all ranks: rowBytes * banks is the distance of two rows of one bank
};

/// What one port sends.
struct Shape {
  unsigned port;        ///< 0 to ports - 1
  unsigned ports;       ///< each has its own equal part of memory
  unsigned ids;         ///< AXI ids in use, 0 to ids - 1
  unsigned burstBytes;  ///< a power of two; bursts are aligned to it
  unsigned busBytes;
  uint64_t seed;
};

/// One port's stream of bursts.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Give the manager what the pattern wants to send in this cycle.
  virtual void offer(uint64_t cycle, AxiManager& manager) = 0;
  virtual void done(uint64_t cycle, const Completion& completion);
};

/// `sequential_read` and `sequential_write`: burst after burst, offered as fast as the port accepts them, whatever is
/// in flight; the ids take turns. Each port's stream starts on a page of its part chosen by the seed, as an allocator's
/// buffers would lie.
class Sequential : public Pattern {
 public:
  Sequential(const Layout& layout, const Shape& shape, bool writes);
  void offer(uint64_t cycle, AxiManager& manager) override;

 private:
  const Shape shape_;
  const bool writes_;
  const uint64_t first_, bytes_;
  uint64_t offset_, count_ = 0;
};

/// A pattern in which every id has one burst in flight and begins the next as soon as it ended.
class PerId : public Pattern {
 public:
  explicit PerId(const Shape& shape);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;

 protected:
  virtual uint64_t address(unsigned id) = 0;
  virtual bool writes() { return false; }

  const Shape shape_;
  std::mt19937_64 random_;

 private:
  std::vector<unsigned> idleIds_;
};

/// `random_read`, `random_write`, `random_2to1`, `random_1to1`: uniformly random addresses of the port's part; of
/// reads + writes bursts, `writes` are writes, chosen at random.
class Random : public PerId {
 public:
  Random(const Layout& layout, const Shape& shape, unsigned reads, unsigned writes);

 protected:
  uint64_t address(unsigned id) override;
  bool writes() override;

 private:
  const uint64_t first_, bytes_;
  const unsigned readShare_, writeShare_;
};

/// `strided_bank`: reads of the next row of bank 0 of rank 0, one burst from each.
class StridedBank : public PerId {
 public:
  StridedBank(const Layout& layout, const Shape& shape);

 protected:
  uint64_t address(unsigned id) override;

 private:
  const Layout layout_;
  const uint64_t first_, rows_;
  uint64_t row_ = 0;
};

/// `busy_bank`: id 0 reads the next row of bank 0 of rank 0 without pause, as StridedBank does; the other ids read
/// random addresses of all other banks.
class BusyBank : public PerId {
 public:
  BusyBank(const Layout& layout, const Shape& shape);

 protected:
  uint64_t address(unsigned id) override;

 private:
  const Layout layout_;
  const uint64_t first_, rows_;
  uint64_t row_ = 0;
};

/// `idle_latency`: one read at a time at random addresses, 8 to 39 cycles after the end of the one before.
class IdleLatency : public Random {
 public:
  IdleLatency(const Layout& layout, const Shape& shape);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;

 private:
  uint64_t resume_ = 0;
};

/// The pattern of a name; std::invalid_argument for an unknown one, which the message lists.
std::unique_ptr<Pattern> makePattern(const std::string& name, const Layout& layout, const Shape& shape);

}  // namespace weir::traffic
