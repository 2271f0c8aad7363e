// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the checker remembers of a bank, a bank group and a rank: the times of their last commands.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "archive.hpp"
#include "config.hpp"
#include "time.hpp"

namespace weir::dram {

/// One bank. Times are those of the last such command.
struct Bank {
  bool open = false;
  std::uint32_t row = 0;  ///< the open row
  Clock activated = kNever;
  Clock precharged = kNever;  ///< start of the precharge; lies ahead while an auto precharge waits
  Clock read = kNever;
  Clock writeEnd = kNever;  ///< end of the data of the last write

  void transfer(Archive& archive) {
    archive("open", open);
    archive("row", row);
    archive("activated", activated);
    archive("precharged", precharged);
    archive("read", read);
    archive("writeEnd", writeEnd);
  }
};

/// One bank group of a rank; on parts without bank groups there is one.
struct BankGroup {
  Clock activated = kNever;
  Clock column = kNever;
  Clock write = kNever;
  Clock writeEnd = kNever;

  void transfer(Archive& archive) {
    archive("activated", activated);
    archive("column", column);
    archive("write", write);
    archive("writeEnd", writeEnd);
  }
};

/// The last refresh of a rank, or of a group of banks that refreshes apart.
struct Refresh {
  Clock at = kNever;
  Clock time = 0;  ///< how long it takes, in clocks

  void transfer(Archive& archive) {
    archive("at", at);
    archive("time", time);
  }
};

/// One rank.
struct Rank {
  std::vector<Bank> banks;
  std::vector<BankGroup> groups;

  Clock activated = kNever;
  std::array<Clock, 4> lastActivates{kNever, kNever, kNever, kNever};  ///< ring, oldest at nextActivate
  int nextActivate = 0;
  Clock column = kNever;
  Clock read = kNever;
  Clock writeEnd = kNever;
  Clock zq = kNever;
  Clock zqTime = 0;  ///< how long that calibration takes, in clocks
  Clock precharged = kNever;
  Clock setRefreshed = kNever;      ///< the last refresh of a set of banks
  std::uint32_t setsRefreshed = 0;  ///< a bit for each set that was refreshed since all were

  explicit Rank(const Config& config, int bankGroups)
      : banks(static_cast<std::size_t>(config.banks())), groups(static_cast<std::size_t>(bankGroups)) {}

  void transfer(Archive& archive) {
    archive("banks", banks);
    archive("groups", groups);
    archive("activated", activated);
    archive("lastActivates", lastActivates);
    archive("nextActivate", nextActivate);
    archive("column", column);
    archive("read", read);
    archive("writeEnd", writeEnd);
    archive("zq", zq);
    archive("zqTime", zqTime);
    archive("precharged", precharged);
    archive("setRefreshed", setRefreshed);
    archive("setsRefreshed", setsRefreshed);
  }
};

}  // namespace weir::dram
