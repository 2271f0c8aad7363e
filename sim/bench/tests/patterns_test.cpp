// SPDX-License-Identifier: Apache-2.0
// The patterns, through a manager, before a memory that answers every burst after a fixed time.
#include "../patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::bench {
namespace {

constexpr unsigned kBurstBytes = 64;
constexpr uint64_t kLatency = 10;  // cycles from address to answer
constexpr Layout kLayout{0, 1 << 24, 8192, 16};

struct Place {
  uint64_t row, column;
  unsigned bank;
};
Place placeOf(uint64_t address) {
  return {address / kLayout.rowBytes / kLayout.banks, address % kLayout.rowBytes,
          static_cast<unsigned>(address / kLayout.rowBytes % kLayout.banks)};
}

struct Sent {
  bool write;
  Burst burst;
  uint64_t cycle;
};

class Patterns : public testing::Test {
 protected:
  using Data = std::array<uint8_t, kMaxBusBytes>;

  std::unique_ptr<Pattern> make(const std::string& name, unsigned ids, unsigned port = 0, unsigned ports = 1) {
    return makePattern(name, kLayout, {port, ports, ids, kBurstBytes, kMaxBusBytes, 7},
                       [this](uint64_t address) { return stateOf(address); });
  }

  /// Let the pattern run; what it sent, in the order of handshakes.
  const std::vector<Sent>& run(Pattern& pattern, uint64_t cycles) {
    for (const uint64_t end = cycle_ + cycles; cycle_ < end;) {
      if (cycle_ % refreshInterval_ == 0) openRows_.clear();
      current_ = &pattern;
      pattern.offer(cycle_, manager_);
      step();
    }
    // The next pattern is to get no answers of this one's.
    while (manager_.open() != 0) step();
    return sent_;
  }

  std::vector<bool> counted_;  // of the reads that ended
  uint64_t refreshInterval_ = ~uint64_t{0};
  size_t mostOpen_ = 0;

 private:
  RowState stateOf(uint64_t address) const {
    const Place place = placeOf(address);
    const auto open = openRows_.find(place.bank);
    if (open == openRows_.end()) return RowState::kClosed;
    return open->second == place.row ? RowState::kHit : RowState::kConflict;
  }

  void step() {
    ++cycle_;
    manager_.drive(cycle_, pins_);
    pins_.ar.ready = pins_.aw.ready = pins_.w.ready = true;
    pins_.r.valid = !reads_.empty() && reads_.front().cycle + kLatency <= cycle_;
    if (pins_.r.valid) {
      pins_.r.last = true;
      pins_.r.id = reads_.front().burst.id;
      pins_.r.data = memory_[reads_.front().burst.address];
      reads_.pop_front();
    }
    pins_.b.valid = !writes_.empty() && !data_.empty() && writes_.front().cycle + kLatency <= cycle_;
    if (pins_.b.valid) {
      memory_[writes_.front().burst.address] = data_.front();
      pins_.b.id = writes_.front().burst.id;
      writes_.pop_front();
      data_.pop_front();
    }
    if (pins_.ar.valid) take({false, pins_.ar.burst, cycle_}, reads_);
    if (pins_.aw.valid) take({true, pins_.aw.burst, cycle_}, writes_);
    if (pins_.w.valid) data_.push_back(pins_.w.data);
    mostOpen_ = std::max(mostOpen_, manager_.open());
    manager_.sample(cycle_, pins_);
  }

  void take(const Sent& sent, std::deque<Sent>& queue) {
    sent_.push_back(sent);
    queue.push_back(sent);
    const Place place = placeOf(sent.burst.address);
    openRows_[place.bank] = place.row;
  }

  ReferenceMemory reference_{kLayout.base, kLayout.bytes, [](uint64_t) { return ReferenceMemory::LineData{}; }};
  Pattern* current_ = nullptr;
  AxiManager manager_{0, kMaxBusBytes, reference_,
                      [this](const Completion& completion) {
                        current_->done(cycle_, completion);
                        if (!completion.write) counted_.push_back(current_->counts(completion));
                      },
                      1};
  AxiPins pins_;
  uint64_t cycle_ = 0;
  std::deque<Sent> reads_, writes_;
  std::deque<Data> data_;
  std::map<uint64_t, Data> memory_;
  std::map<unsigned, uint64_t> openRows_;
  std::vector<Sent> sent_;
};

TEST_F(Patterns, AlternatingRunsAreOneStreamOfSixteenReadsAndSixteenWrites) {
  auto sent = run(*make("alternating_runs", 16), 3000);
  // What waits for its address channel may be overtaken by the other kind: order by place in the stream.
  std::sort(sent.begin(), sent.end(),
            [](const Sent& one, const Sent& two) { return one.burst.address < two.burst.address; });
  ASSERT_GT(sent.size(), 1000u);
  for (size_t index = 0; index + 16 < sent.size(); ++index) {
    ASSERT_EQ(sent[index].burst.address, sent[0].burst.address + index * kBurstBytes);
    ASSERT_EQ(sent[index].write, index / 16 % 2 == 1) << index;
  }
  std::set<unsigned> ids;
  for (const Sent& each : sent) ids.insert(each.burst.id);
  EXPECT_EQ(ids.size(), 16u);
  EXPECT_EQ(mostOpen_, 16u);
}

TEST_F(Patterns, AQuarterGoesToTheNextRowOfTheBusyBankAndTheRestElsewhere) {
  const auto& sent = run(*make("busy_bank_quarter", 8), 3000);
  std::vector<uint64_t> rows;
  std::set<unsigned> banks;
  for (const Sent& each : sent) {
    ASSERT_FALSE(each.write);
    const Place place = placeOf(each.burst.address);
    if (place.bank == 0)
      rows.push_back(place.row);
    else
      banks.insert(place.bank);
  }
  ASSERT_GT(rows.size(), 100u);
  EXPECT_EQ(rows.size(), (sent.size() + 3) / 4);
  EXPECT_EQ(banks.size(), kLayout.banks - 1u);
  for (size_t index = 1; index < rows.size(); ++index) ASSERT_NE(rows[index], rows[index - 1]);
}

TEST_F(Patterns, TheStormStaysInOneRowOfTheVictimsBankAndWritesToTheNext) {
  const auto& sent = run(*make("row_hit_storm", 16), 8000);
  size_t victims = 0, writes = 0;
  uint64_t last = 0;
  std::set<uint64_t> written;
  for (const Sent& each : sent) {
    const Place place = placeOf(each.burst.address);
    ASSERT_EQ(place.bank, each.write ? 1u : 0u);
    writes += each.write;
    if (each.burst.id == 0) {
      ++victims;
      ASSERT_FALSE(each.write);
      ASSERT_NE(place.row, 0u);
      ASSERT_NE(place.row, last);
      last = place.row;
    } else {
      if (!each.write) ASSERT_EQ(place.row, 0u);
      if (each.write) ASSERT_TRUE(written.insert(each.burst.address).second) << "would be merged";
    }
  }
  EXPECT_GT(victims, 100u);
  // A quarter of what storms.
  EXPECT_NEAR(static_cast<double>(writes), static_cast<double>(sent.size() - victims) / 4, 10);
  EXPECT_GT(mostOpen_, 10u);
  EXPECT_EQ(static_cast<size_t>(std::count(counted_.begin(), counted_.end(), true)), victims);
}

TEST_F(Patterns, OnlyTheFirstPortHasAVictim) {
  const auto& sent = run(*make("row_hit_storm", 4, 1, 2), 500);
  for (const Sent& each : sent) ASSERT_TRUE(each.write || placeOf(each.burst.address).row == 0);
  EXPECT_EQ(std::count(counted_.begin(), counted_.end(), true), 0);
}

TEST_F(Patterns, NineReadsToAWrite) {
  const auto& sent = run(*make("random_9to1", 16), 20000);
  const auto writes = std::count_if(sent.begin(), sent.end(), [](const Sent& each) { return each.write; });
  EXPECT_NEAR(static_cast<double>(writes) / static_cast<double>(sent.size()), 0.1, 0.01);
}

TEST_F(Patterns, IdleRowsFindTheirBankAsNamed) {
  for (const std::string name : {"idle_row_hit", "idle_row_conflict"}) {
    counted_.clear();
    run(*make(name, 1), 40000);
    ASSERT_GT(counted_.size(), 500u);
    const double share =
        static_cast<double>(std::count(counted_.begin(), counted_.end(), true)) / static_cast<double>(counted_.size());
    // The first of sixteen hits nothing; of the conflicts only the first of each bank finds it closed.
    EXPECT_NEAR(share, name == "idle_row_hit" ? 15.0 / 16 : 1.0, 0.03) << name;
    EXPECT_LE(mostOpen_, 1u);
  }
}

TEST_F(Patterns, ClosedRowsAreReadAfterARefreshAndNotBefore) {
  refreshInterval_ = 1500;
  const auto& sent = run(*make("idle_row_closed", 1), 30000);
  ASSERT_GT(counted_.size(), 200u);
  EXPECT_EQ(std::count(counted_.begin(), counted_.end(), false), 0);
  EXPECT_LE(mostOpen_, 1u);
  for (size_t index = kLayout.banks; index < sent.size(); ++index) {
    EXPECT_EQ(placeOf(sent[index].burst.address).bank, index % kLayout.banks);
    EXPECT_GT(sent[index].cycle, sent[index - kLayout.banks].cycle);
  }
  // The bank that had to wait for its refresh keeps clear of it.
  EXPECT_GE(sent[kLayout.banks].cycle % refreshInterval_, IdleRow::kAfterRefresh);
}

TEST_F(Patterns, AReadThatFindsItsBankOtherwiseDoesNotCount) {
  refreshInterval_ = 1;  // every row is closed at once
  run(*make("idle_row_hit", 1), 2000);
  ASSERT_FALSE(counted_.empty());
  EXPECT_EQ(std::count(counted_.begin(), counted_.end(), true), 0);
}

TEST_F(Patterns, NameWhatIsWrong) {
  const auto expect = [this](const std::string& name, unsigned ids, const std::string& complaint) {
    try {
      make(name, ids);
      FAIL() << "no complaint of " << name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(complaint), std::string::npos) << error.what();
    }
  };
  expect("sideways", 1, "pattern sideways is unknown; there are sequential_read, sequential_write, alternating_runs, ");
  expect("row_hit_storm", 1, "option --ids 1: this pattern needs 2 at least");
  expect("idle_row_hit", 2, "option --ids 2: this pattern has one read in flight");
}

}  // namespace
}  // namespace weir::bench
