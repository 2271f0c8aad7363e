// SPDX-License-Identifier: Apache-2.0
/// @file
/// The DRAM model: one channel behind DFI.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "archive.hpp"
#include "checker.hpp"
#include "command.hpp"
#include "config.hpp"
#include "recount.hpp"
#include "retention.hpp"
#include "statistics.hpp"
#include "storage.hpp"
#include "trace.hpp"
#include "violations.hpp"

namespace weir::dram {

/// Command signals of one DFI cycle, all phases, phase 0 in the lowest bits.
struct DfiCycle {
  const std::uint32_t* address = nullptr;  ///< phases x addressPins bits, packed into 32-bit words
  std::uint32_t bank = 0;                  ///< phases x bankBits bits
  std::uint32_t csN = ~0u;                 ///< phases x ranks bits
  std::uint32_t cke = ~0u;                 ///< phases x ranks bits
  std::uint32_t odt = 0;                   ///< phases x ranks bits
  std::uint32_t rasN = ~0u;                ///< a bit for each phase, as the rest
  std::uint32_t casN = ~0u;
  std::uint32_t weN = ~0u;
  std::uint32_t resetN = ~0u;
  std::uint32_t wrdataEn = 0;
  std::uint32_t rddataEn = 0;
};

/// A channel of DRAM behind DFI, as a PHY of LiteDRAM shows it: a controller cycle spans all phases and carries the
/// data of a whole burst. Clock domain: the controller's; the owner calls, once a rising clock edge, clock() and then,
/// when its result asks for it, writeData() and readData().
class Dram {
 public:
  /// What clock() returns: bits.
  enum : unsigned {
    kTakesWriteData = 1,  ///< wrdata of this cycle belongs to a write: call writeData()
    kHasReadData = 2,     ///< rddata of the next cycle is due: call readData()
    kViolation = 4,       ///< a rule was broken in this cycle
  };

  /// @throws std::invalid_argument naming the parameter, its value and the limit
  explicit Dram(const Config& config);

  /// One controller cycle.
  unsigned clock(const DfiCycle& dfi);
  /// The DFI write data of this cycle, a whole line; bit k of `mask` set keeps byte k.
  void writeData(const std::uint8_t* line, std::uint64_t mask);
  /// The DFI read data of the next cycle, a whole line.
  void readData(std::uint8_t* line) const;
  /// One controller cycle in reset: banks closed, nothing under way, refreshes counted anew; what is stored stays.
  void reset();

  /// Gives the chips other features, at any time: every later command is judged by them, also where a rule counts from
  /// an earlier one. Refreshes are counted anew from now on, with all rows just refreshed. A controller that is to be
  /// judged by other timings should be idle meanwhile.
  /// What refreshes apart stays as it was at the start.
  /// @throws std::invalid_argument naming the feature, its value and the limit; then nothing changes
  void choose(const Features& features);

  /// Copies bytes to a channel address (order: Config::addressMap).
  /// @throws std::out_of_range if they do not all lie in the channel
  void preload(std::uint64_t address, const std::uint8_t* bytes, std::size_t length);
  /// Copies a file to a channel address.
  /// @return its length
  /// @throws std::runtime_error naming the file if it cannot be read
  std::uint64_t preload(std::uint64_t address, const std::string& path);
  /// Reads bytes from a channel address.
  void dump(std::uint64_t address, std::uint8_t* bytes, std::size_t length);
  /// Writes `length` bytes from a channel address to a file.
  void dump(std::uint64_t address, std::uint64_t length, const std::string& path);

  /// Starts a command trace, in place of one that runs.
  void trace(const std::string& path);
  /// Writes out what is buffered of the trace, and the counts for recordStatistics().
  /// @throws std::runtime_error naming the file of which not all could be written; nothing more goes there
  void flush();

  /// Writes the state to an archive or takes it from one, between two calls of clock(): what is stored, the chips'
  /// history, what is under way, all counts. Traces and files of counts go on as they are.
  /// @throws ArchiveError if the archive cannot be read or is of a channel of another configuration; the model is then
  /// of
  ///   no more use
  void transfer(Archive& archive);

  const Config& config() const { return config_; }
  const Part& part() const { return part_; }
  const Clocks& timings() const { return checker_.clocks(); }
  const Violations& violations() const { return violations_; }
  /// All counts as of now. The reference stays good; what it refers to goes on counting.
  const Statistics& statistics() { return recount_.upTo(now(), cycles_); }
  /// Keeps all counts as they are now, for latched(), and writes them to the file of recordStatistics().
  void latch();
  /// All counts as of the last latch(); zeros before the first.
  const Statistics& latched() const { return latched_; }
  /// From now on each latch() appends its counts to a file, a line of JSON (Statistics::json()) each, and flush() puts
  /// those of the end, if they are later, behind them. What the file held is lost.
  /// @throws std::runtime_error naming the file if it cannot be written
  void recordStatistics(const std::string& path);
  /// Controller cycles since the start.
  std::uint64_t cycles() const { return cycles_; }
  /// The state of a bank, to be looked at between two calls of clock().
  const Bank& bank(int rank, int bank) const { return checker_.bank(rank, bank); }
  /// DRAM clocks since the start.
  Clock now() const { return static_cast<Clock>(cycles_) * config_.phases; }
  std::uint64_t rowsHeld() const { return storage_.rowsHeld(); }

 private:
  static constexpr std::size_t kLineBytes = 64;  ///< longest line: DQ = 64, or 32 with bursts of 16
  static constexpr std::size_t kSlots = 64;      ///< more than any latency in cycles

  struct PendingWrite {
    std::uint32_t ranks = 0;  ///< a bit for each rank that takes the data; 0 = none
    int bank = 0;
    std::uint32_t column = 0;
    std::array<std::uint32_t, 4> rows{};

    void transfer(Archive& archive) {
      archive("ranks", ranks);
      archive("bank", bank);
      archive("column", column);
      archive("rows", rows);
    }
  };
  struct PendingRead {
    bool valid = false;
    std::array<std::uint8_t, kLineBytes> line{};

    void transfer(Archive& archive) {
      archive("valid", valid);
      archive("line", line);
    }
  };

  void phase(const DfiCycle& dfi, int phase);
  void issue(const Issued& issued);
  void refresh(const Issued& issued);
  void activate(const Issued& issued);
  void read(const Issued& issued);
  void write(const Issued& issued);
  std::uint32_t columnInRow(const Issued& issued) const;
  void pins(const DfiCycle& dfi, int phase);
  void odt(const DfiCycle& dfi, int phase);
  std::vector<Retention> retention() const;
  void record();

  std::uint64_t cycles_ = 0;
  Config config_;
  Part part_;
  std::uint32_t phaseMask_, rankMask_, bankMask_;
  Violations violations_;
  Checker checker_;
  Storage storage_;
  std::vector<Retention> retention_;
  Recount recount_;
  Statistics latched_;
  std::string statisticsPath_;
  std::ofstream statisticsFile_;
  std::uint64_t recorded_ = ~std::uint64_t{0};  ///< cycle at which the file was last written
  std::unique_ptr<Trace> trace_;
  std::array<PendingWrite, kSlots> writes_{};
  std::array<PendingRead, kSlots> reads_{};
  std::uint32_t cke_ = ~0u;
  std::uint32_t resetN_ = ~0u;
  bool odt_ = false;            ///< whether any pin was high in the last cycle
  Clock commandEnds_ = kNever;  ///< first clock at which the command pins are free again
  std::size_t currentWrite_ = 0;
  std::size_t currentRead_ = 0;
};

}  // namespace weir::dram
