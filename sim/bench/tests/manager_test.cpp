// SPDX-License-Identifier: Apache-2.0
// The manager against a scripted subordinate: every breach of AXI that it is to find is committed once.
#include "../manager.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace weir::bench {
namespace {

constexpr unsigned kBusBytes = 8;

class Manager : public testing::Test {
 protected:
  ReferenceMemory memory{0, 4096, [](uint64_t) { return ReferenceMemory::LineData{}; }};
  std::vector<Completion> done;
  AxiManager manager{0, kBusBytes, memory, [this](const Completion& completion) { done.push_back(completion); }, 1};
  AxiPins pins;
  uint64_t cycle = 0;

  /// One cycle: the manager drives, the subordinate's side is set by `answer`, the edge comes.
  void step(const std::function<void()>& answer = [] {}) {
    ++cycle;
    manager.drive(cycle, pins);
    pins.ar.ready = pins.aw.ready = pins.w.ready = true;
    pins.r = {.valid = false, .ready = pins.r.ready};
    pins.b = {.valid = false, .ready = pins.b.ready};
    answer();
    manager.sample(cycle, pins);
  }

  void answerRead(unsigned id, bool last, uint8_t value = 0, Resp resp = Resp::kOkay) {
    pins.r.valid = true;
    pins.r.id = id;
    pins.r.last = last;
    pins.r.resp = static_cast<unsigned>(resp);
    pins.r.data.fill(value);
  }

  void answerWrite(unsigned id, Resp resp = Resp::kOkay) {
    pins.b.valid = true;
    pins.b.id = id;
    pins.b.resp = static_cast<unsigned>(resp);
  }

  void expectBreach(const std::string& what, const std::function<void()>& answer) {
    try {
      step(answer);
      FAIL() << "not found: " << what;
    } catch (const TrafficError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  }
};

TEST_F(Manager, ReadsAndReportsItsTimes) {
  manager.read({0x40, 2, 8, BurstKind::kIncr, 3});
  step();
  EXPECT_TRUE(pins.ar.valid);
  EXPECT_EQ(pins.ar.burst.address, 0x40u);
  step();
  EXPECT_FALSE(pins.ar.valid);
  step([this] { answerRead(3, false); });
  step([this] { answerRead(3, true); });
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].accepted, 1u);
  EXPECT_EQ(done[0].first, 3u);
  EXPECT_EQ(done[0].last, 4u);
  EXPECT_EQ(manager.open(), 0u);
}

TEST_F(Manager, HoldsWhatIsNotTaken) {
  manager.write({0x40, 2, 8, BurstKind::kIncr, 3});
  const auto refuse = [this] { pins.aw.ready = pins.w.ready = false; };
  step(refuse);
  const AxiPins offered = pins;
  for (int count = 0; count < 3; ++count) {
    step(refuse);
    EXPECT_TRUE(pins.aw.valid && pins.w.valid);
    EXPECT_EQ(pins.aw.burst.address, offered.aw.burst.address);
    EXPECT_EQ(pins.w.data, offered.w.data);
    EXPECT_EQ(pins.w.last, false);
  }
  step();
  step();
  EXPECT_FALSE(pins.aw.valid);
  EXPECT_TRUE(pins.w.valid);
  EXPECT_TRUE(pins.w.last);
  step([this] { answerWrite(3); });
  EXPECT_EQ(manager.open(), 0u);
}

TEST_F(Manager, SendsDataOfTheAddressChannelsOrderAndLanes) {
  manager.write({0x43, 2, 2, BurstKind::kIncr, 0});
  step();
  EXPECT_EQ(pins.w.strobe, 0x08u);
  step();
  EXPECT_EQ(pins.w.strobe, 0x30u);
}

TEST_F(Manager, SeesItsOwnWrite) {
  manager.write({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  const auto written = pins.w.data;
  step([this] { answerWrite(0); });
  manager.read({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  step([&] {
    answerRead(0, true);
    pins.r.data = written;
  });
  EXPECT_EQ(done.size(), 2u);
}

TEST_F(Manager, FindsStaleData) {
  manager.write({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  step([this] { answerWrite(0); });
  manager.read({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  expectBreach("legal: ", [this] { answerRead(0, true, 0); });
}

TEST_F(Manager, TakesReadsOfDifferentIdsInAnyOrder) {
  manager.read({0x40, 2, 8, BurstKind::kIncr, 1});
  manager.read({0x80, 1, 8, BurstKind::kIncr, 2});
  step();
  step();
  step([this] { answerRead(1, false); });
  step([this] { answerRead(2, true); });
  step([this] { answerRead(1, true); });
  EXPECT_EQ(done.size(), 2u);
}

TEST_F(Manager, ExpectsDecErrOutsideMemory) {
  manager.read({0x2000, 1, 8, BurstKind::kIncr, 0});
  manager.write({0x2000, 1, 8, BurstKind::kIncr, 0});
  step();
  step([this] {
    answerRead(0, true, 0, Resp::kDecErr);
    answerWrite(0, Resp::kDecErr);
  });
  EXPECT_EQ(done.size(), 2u);
}

TEST_F(Manager, FindsOkayOutsideMemory) {
  manager.read({0x2000, 1, 8, BurstKind::kIncr, 0});
  step();
  expectBreach("RRESP is 0, not 3", [this] { answerRead(0, true); });
}

TEST_F(Manager, FindsExOkay) {
  manager.read({0x40, 1, 8, BurstKind::kIncr, 0, true});
  step();
  expectBreach("RRESP is 1, not 0", [this] { answerRead(0, true, 0, Resp::kExOkay); });
}

TEST_F(Manager, FindsAWrongLast) {
  manager.read({0x40, 2, 8, BurstKind::kIncr, 0});
  step();
  expectBreach("beat 0 of 2: RLAST is 1", [this] { answerRead(0, true); });
}

TEST_F(Manager, FindsAnswersToNothing) {
  expectBreach("R of id 5, which has no read in flight", [this] { answerRead(5, true); });
}

TEST_F(Manager, FindsBOfNothing) {
  expectBreach("B of id 5, which has no write in flight", [this] { answerWrite(5); });
}

TEST_F(Manager, FindsBBeforeTheData) {
  manager.write({0x40, 2, 8, BurstKind::kIncr, 0});
  step();
  expectBreach("before its address and all its data were accepted", [this] { answerWrite(0); });
}

TEST_F(Manager, FindsRThatDoesNotWait) {
  manager.setPace({256, 256, 0, 256});
  manager.read({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  step([this] { answerRead(0, true, 0); });
  expectBreach("R changed while it waited for RREADY", [this] { answerRead(0, true, 1); });
}

TEST_F(Manager, FindsBThatDoesNotWait) {
  manager.setPace({256, 256, 256, 0});
  manager.write({0x40, 1, 8, BurstKind::kIncr, 0});
  step();
  step([this] { answerWrite(0); });
  expectBreach("B changed while it waited for BREADY", [] {});
}

}  // namespace
}  // namespace weir::bench
