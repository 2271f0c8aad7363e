// SPDX-License-Identifier: Apache-2.0
// The whole model saved and taken up again goes on as though nothing had happened, and each member is needed for that.
#include "archive.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "bench.hpp"

namespace weir::dram::test {
namespace {

/// What stands on the DFI in one controller cycle.
struct Cycle {
  DfiCycle dfi;
  std::array<std::uint32_t, 4> address{};
  bool latch = false;
};

/// A channel, and the commands it gets.
struct Traffic {
  std::string name;
  Config config;
  double density = 0;    ///< commands in a phase, on average
  double refreshes = 0;  ///< of all commands
  int cycles = 0;
  bool moves = false;    ///< CKE, RESET# and mode registers too
  int points = 2;        ///< at which it is interrupted, in its second half
  std::string chosen{};  ///< features from a quarter of the run on
  std::vector<Cycle> script{};
};

constexpr Command kArray[] = {Command::activate,
                              Command::activate,
                              Command::activate,
                              Command::read,
                              Command::read,
                              Command::read,
                              Command::write,
                              Command::write,
                              Command::write,
                              Command::precharge,
                              Command::readAutoPrecharge,
                              Command::writeAutoPrecharge,
                              Command::prechargeAll};

/// Command pins, RAS#, CAS#, WE#: JESD79-3F table 6.
unsigned pinsOf(Command command) {
  switch (command) {
    case Command::modeRegisterSet:
      return 0;
    case Command::refresh:
      return 1;
    case Command::precharge:
    case Command::prechargeAll:
      return 2;
    case Command::activate:
      return 3;
    case Command::write:
    case Command::writeAutoPrecharge:
      return 4;
    case Command::read:
    case Command::readAutoPrecharge:
      return 5;
    case Command::zqLong:
    case Command::zqShort:
      return 6;
    case Command::nop:
      break;
  }
  return 7;
}

/// Random commands, many of which break rules: what a rule counts from shows in whether the next command breaks it.
void fill(Traffic& traffic, unsigned seed) {
  std::mt19937 random(seed), pins(seed);
  const Config& c = traffic.config;
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const auto chance = [&random](double of) { return static_cast<double>(random()) < of * 4294967296.0; };
  std::uint32_t cke = ~0u, resetN = ~0u, odt = 0;
  for (int i = 0; i < traffic.cycles; ++i) {
    Cycle cycle;
    cycle.latch = i == traffic.cycles / 3;
    if (traffic.moves) {
      if (chance(0.02)) cke = below(2) != 0 ? 0x5555'5555u : 0;
      if (cke != ~0u && chance(0.1)) cke = ~0u;
      if (chance(0.001)) resetN = 0;
      if (resetN == 0 && chance(0.1)) resetN = ~0u;
    }
    cycle.dfi.cke = cke;
    cycle.dfi.resetN = resetN;
    // for a few clocks at a time
    for (int p = 0; p < c.phases; ++p) {
      if (pins() % 6 == 0) odt = static_cast<std::uint32_t>(pins()) & ((1u << c.ranks) - 1);
      if (c.terminated || !c.initialised) cycle.dfi.odt |= odt << p * c.ranks;
    }
    for (int p = 0; p < c.phases; ++p) {
      if (!chance(traffic.density)) continue;
      Command command = kArray[below(std::size(kArray))];
      if (chance(traffic.refreshes)) command = Command::refresh;
      if (traffic.moves && chance(0.1)) command = Command::modeRegisterSet;
      if (traffic.moves && chance(0.01)) command = Command::zqShort;
      if (traffic.moves && chance(0.02)) command = Command::zqLong;
      std::uint32_t address = 0;
      unsigned bank = below(static_cast<unsigned>(c.banks()));
      if (command == Command::activate) address = below(3) * 5;
      if (isColumn(command)) address = below(2) * static_cast<unsigned>(c.burstBeats);
      if (command == Command::readAutoPrecharge || command == Command::writeAutoPrecharge ||
          command == Command::prechargeAll || command == Command::zqLong)
        address |= kA10;
      if (c.burstBeats == 16 && (command == Command::refresh || command == Command::prechargeAll))
        address |= below(8) != 0 ? kA11 : 0;
      if (command == Command::modeRegisterSet) {
        constexpr std::uint32_t kValues[] = {0, 4, 0x100, 0x40, 0x80, 0x140, 0x180};
        bank = below(2) != 0 ? 3 : below(8);
        address = kValues[below(7)];
      }
      const unsigned pins = pinsOf(command);
      const auto clear = [p](std::uint32_t& word, bool low) { word &= ~(low ? 1u << p : 0u); };
      clear(cycle.dfi.rasN, (pins & 4) == 0);
      clear(cycle.dfi.casN, (pins & 2) == 0);
      clear(cycle.dfi.weN, (pins & 1) == 0);
      const unsigned ranks =
          isWrite(command) && chance(0.1) ? (1u << c.ranks) - 1 : 1u << below(static_cast<unsigned>(c.ranks));
      cycle.dfi.csN &= ~(ranks << p * c.ranks);
      cycle.dfi.bank |= bank << p * c.bankBits;
      for (int bit = 0; bit < c.addressPins; ++bit) {
        const auto at = static_cast<std::size_t>(p * c.addressPins + bit);
        cycle.address[at / 32] |= (address >> bit & 1u) << at % 32;
      }
      if (isRead(command)) cycle.dfi.rddataEn |= 1u << p;
      if (isWrite(command)) cycle.dfi.wrdataEn |= 1u << p;
    }
    traffic.script.push_back(cycle);
  }
}

/// A small channel with four phases.
Config small(Config config) {
  config.phases = 4;
  config.readPhase = 1;
  config.writePhase = 2;
  config.readLatency = 9;
  config.writeLatency = 2;
  config.rowBits = 4;
  config.columnBits = 5;
  return config;
}

Traffic traffic(const std::string& name, const Config& config, double density, double refreshes, int cycles,
                int points = 4) {
  Traffic made;
  made.name = name;
  made.config = config;
  made.density = density;
  made.refreshes = refreshes;
  made.cycles = cycles;
  made.points = points;
  return made;
}

Traffic moving(Traffic made) {
  made.moves = true;
  return made;
}

std::vector<Traffic> makeTraffics() {
  std::vector<Traffic> all;
  const std::string onTheFly = "fine_refresh=4,on_the_fly";
  all.push_back(traffic("dense", small(ddr3(2)), 0.4, 0.02, 300, 60));
  all.push_back(traffic("dense, of DDR4", small(ddr4(2)), 0.4, 0.02, 300, 60));
  all.push_back(moving(traffic("moving", small(ddr3(2)), 0.2, 0.05, 2000, 100)));
  all.push_back(moving(traffic("moving, of DDR4", small(with(ddr4(2), onTheFly)), 0.1, 0.3, 2000, 100)));
  all.push_back(traffic("medium", small(ddr3(2)), 0.06, 0.02, 600, 80));
  Config few = small(ddr3(1));
  few.bankBits = 1;
  all.push_back(traffic("few banks", few, 0.1, 0.02, 600, 60));
  Config terminated = small(ddr3(2));
  terminated.terminated = true;
  all.push_back(traffic("terminated", terminated, 0.06, 0.02, 600, 80));
  terminated.ranks = 1;
  all.push_back(traffic("terminated, dense", terminated, 0.6, 0.02, 400, 120));
  Config uninitialised = small(ddr3(2));
  uninitialised.initialised = false;
  all.push_back(moving(traffic("uninitialised", uninitialised, 0.2, 0.02, 2000, 40)));
  all.push_back(traffic("sparse", small(ddr3(2)), 0.02, 0.1, 32000));
  all.push_back(traffic("many refreshes", small(ddr3(1)), 0.006, 0.5, 10000));
  all.push_back(traffic("few refreshes", small(ddr3(2)), 0.004, 0.02, 60000, 12));
  all.push_back(traffic("late refreshes", small(ddr3(2)), 0.004, 0.08, 60000, 12));
  all.push_back(traffic("fine refreshes", small(with(ddr4(2), "fine_refresh=2")), 0.02, 0.2, 10000));
  all.push_back(traffic("groups", small(with(ddr3(2), "refresh_groups=2")), 0.03, 0.1, 10000));
  Config sets = small(with(ddr5(), "fine_refresh=2,refresh_groups=4"));
  all.push_back(traffic("sets of banks", sets, 0.1, 0.3, 3000, 40));
  all.push_back(traffic("sets of banks, dense", sets, 0.6, 0.02, 600, 100));
  all.push_back(traffic("chosen", small(ddr3(2)), 0.1, 0.05, 2000));
  all.back().chosen = "time_scale=4,extended_temperature";
  // with a clock of 1 us a row keeps its data for 64 thousand clocks
  Config slow = small(ddr3(2));
  slow.clockPs = 1'000'000;
  all.push_back(traffic("slow", slow, 0.003, 0.15, 80000, 6));
  // two rows only, so that it shows which of the fine refreshes restores which
  slow.features = Features::parse("fine_refresh=4,optimistic_trfc", "test");
  slow.rowBits = 1;
  all.push_back(traffic("slow and fine", slow, 0.003, 0.08, 80000, 6));
  unsigned seed = 1;
  for (Traffic& traffic : all) fill(traffic, seed++);
  return all;
}

const std::vector<Traffic>& traffics() {
  static const std::vector<Traffic> all = makeTraffics();
  return all;
}

/// Everything that the model shows from a cycle on.
struct Seen {
  std::vector<unsigned> results;
  std::vector<std::uint8_t> lines;
  std::string statistics, latched, violations;
  std::vector<std::uint8_t> memory;

  bool operator==(const Seen& other) const {
    return results == other.results && lines == other.lines && statistics == other.statistics &&
           latched == other.latched && violations == other.violations && memory == other.memory;
  }
};

/// Goes on with the traffic from the model's cycle until `end`. Write data depends on the cycle alone.
void drive(Dram& dram, const Traffic& traffic, std::uint64_t end, Seen& seen) {
  while (dram.cycles() < end) {
    const auto at = static_cast<std::size_t>(dram.cycles());
    if (!traffic.chosen.empty() && at == traffic.script.size() / 4)
      dram.choose(Features::parse(traffic.chosen, "test"));
    const Cycle& cycle = traffic.script[at];
    DfiCycle dfi = cycle.dfi;
    dfi.address = cycle.address.data();
    const unsigned result = dram.clock(dfi);
    if ((result & Dram::kTakesWriteData) != 0)
      dram.writeData(lineOf(static_cast<std::uint32_t>(at)).data(), at % 3 == 0 ? 0xf0f0 : 0);
    Line line{};
    if ((result & Dram::kHasReadData) != 0) {
      dram.readData(line.data());
      seen.lines.insert(seen.lines.end(), line.begin(), line.end());
    }
    if (cycle.latch) dram.latch();
    seen.results.push_back(result);
  }
}

void conclude(Dram& dram, Seen& seen) {
  seen.statistics = dram.statistics().json();
  seen.latched = dram.latched().json();
  for (const RankStatistics& rank : dram.latched().ranks)
    for (const std::uint64_t count : rank.commands) seen.latched += " " + std::to_string(count);
  for (const RankStatistics& rank : dram.statistics().ranks)
    for (const std::uint64_t count : rank.commands) seen.statistics += " " + std::to_string(count);
  seen.violations = std::to_string(dram.violations().total()) + "\n" + dram.violations().summary();
  for (const Violation& each : dram.violations().kept()) {
    if (each.rule == Rule::count) continue;  // left out: it has no text
    seen.violations += dram.violations().describe(each) + " phase " + std::to_string(each.issued.phase) + " address " +
                       std::to_string(each.issued.address) + "\n";
  }
  seen.memory.resize(dram.config().bytes());
  dram.dump(0, seen.memory.data(), seen.memory.size());
}

/// The model's state after so much of the traffic.
std::vector<std::uint8_t> saved(const Traffic& traffic, std::uint64_t cycles) {
  Dram dram(traffic.config);
  Seen before;
  drive(dram, traffic, cycles, before);
  Archive archive;
  dram.transfer(archive);
  return archive.bytes();
}

/// What a model shows that reads the archive and goes on.
Seen resumed(Archive& archive, const Traffic& traffic) {
  Dram dram(traffic.config);
  dram.transfer(archive);
  archive.finish();
  Seen seen;
  drive(dram, traffic, traffic.script.size(), seen);
  conclude(dram, seen);
  return seen;
}

/// What a model that goes on without having been saved shows from `cycles` on.
Seen straight(const Traffic& traffic, std::uint64_t cycles) {
  Dram dram(traffic.config);
  Seen before, seen;
  drive(dram, traffic, cycles, before);
  drive(dram, traffic, traffic.script.size(), seen);
  conclude(dram, seen);
  return seen;
}

/// Where a traffic is interrupted: in its second half, and where a reset ends.
std::vector<std::uint64_t> points(const Traffic& traffic) {
  std::vector<std::uint64_t> all;
  const auto length = static_cast<std::uint64_t>(traffic.cycles), count = static_cast<std::uint64_t>(traffic.points);
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(length / 2 + i * length / 3 / count);
  for (std::size_t i = 1; i < traffic.script.size(); ++i)
    if (traffic.script[i - 1].dfi.resetN < traffic.script[i].dfi.resetN) all.push_back(i);
  return all;
}

TEST(Archive, aModelThatIsTakenUpGoesOnAsThoughNothingHadHappened) {
  for (const Traffic& traffic : traffics())
    for (const std::uint64_t cycles : points(traffic)) {
      Archive archive(saved(traffic, cycles), "archive");
      EXPECT_TRUE(resumed(archive, traffic) == straight(traffic, cycles)) << traffic.name << ", cycle " << cycles;
    }
}

/// Leaves a member as it is in the fresh model.
class Forgetful : public Archive {
 public:
  Forgetful(std::vector<std::uint8_t> bytes, std::string member)
      : Archive(std::move(bytes), "archive"), member_(std::move(member)) {}

 protected:
  void move(void* value, std::size_t length) override {
    std::vector<std::uint8_t> unused(length);
    Archive::move(path() == member_ ? unused.data() : value, length);
  }

 private:
  std::string member_;
};

/// Notes the names of all members.
class Naming : public Archive {
 public:
  std::set<std::string> members;

 protected:
  void move(void* value, std::size_t length) override {
    if (!path().empty()) members.insert(path());
    Archive::move(value, length);
  }
};

TEST(Archive, noMemberCanBeLeftOut) {
  struct Point {
    const Traffic* traffic;
    int number;  ///< among those of the traffic
    std::vector<std::uint8_t> bytes;
    Seen expected;
  };
  std::vector<Point> all;
  std::set<std::string> members;
  for (const Traffic& traffic : traffics()) {
    int number = 0;
    for (const std::uint64_t cycles : points(traffic)) {
      Dram dram(traffic.config);
      Seen before;
      drive(dram, traffic, cycles, before);
      Naming naming;
      dram.transfer(naming);
      members.insert(naming.members.begin(), naming.members.end());
      all.push_back({&traffic, number++, naming.bytes(), straight(traffic, cycles)});
    }
  }
  // a member shows in some traffics only, so all have their turn early
  std::stable_sort(all.begin(), all.end(), [](const Point& a, const Point& b) { return a.number < b.number; });
  EXPECT_GT(members.size(), 80u);
  members.erase("recount.counts.cycles");  // told anew each time the counts are looked at
  for (const std::string& member : members) {
    bool noticed = false;
    for (std::size_t i = 0; i < all.size() && !noticed; ++i) {
      Forgetful archive(all[i].bytes, member);
      try {
        noticed = !(resumed(archive, *all[i].traffic) == all[i].expected);
      } catch (const std::exception&) {
        noticed = true;
      }
    }
    EXPECT_TRUE(noticed) << member << " could be left out";
  }
}

std::string refusal(const std::vector<std::uint8_t>& bytes, const Config& config) {
  try {
    Archive archive(bytes, "the archive");
    Dram dram(config);
    dram.transfer(archive);
    archive.finish();
  } catch (const ArchiveError& error) {
    return error.what();
  }
  return "";
}

TEST(Archive, isRefusedWhenCutShortAnywhere) {
  const Traffic& traffic = traffics().front();
  const std::vector<std::uint8_t> whole = saved(traffic, 200);
  EXPECT_EQ(refusal(whole, traffic.config), "");
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 50) {
    const std::vector<std::uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(refusal(part, traffic.config).find("the archive: is cut short"), std::string::npos) << length;
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_EQ(refusal(longer, traffic.config), "the archive: 1 bytes lie behind its end");
}

/// One of each thing whose number an archive tells.
struct Counted {
  struct Element {
    std::uint8_t byte = 0;
    std::array<std::uint64_t, 32> rest{};
    void transfer(Archive& archive) { archive("byte", byte); }
  };
  std::vector<std::uint64_t> numbers = {1, 2, 3};
  std::string text = "text";
  std::vector<Element> elements = std::vector<Element>(5);
  std::vector<std::string> texts = {"one", "other"};

  void transfer(Archive& archive) {
    archive("numbers", numbers);
    archive("text", text);
    archive("elements", elements);
    archive("texts", texts);
  }
};

std::vector<std::uint8_t> countedBytes() {
  Archive archive;
  Counted counted;
  counted.transfer(archive);
  return archive.bytes();
}

/// Reads it; whether it was refused. Whatever else happens ends the test.
bool refused(std::vector<std::uint8_t> bytes) {
  try {
    Archive archive(std::move(bytes), "archive");
    Counted counted;
    counted.transfer(archive);
    archive.finish();
    return false;
  } catch (const ArchiveError&) {
    return true;
  }
}

TEST(Archive, countsAreHeldAgainstWhatIsLeft) {
  const std::vector<std::uint8_t> whole = countedBytes();
  EXPECT_FALSE(refused(whole));
  constexpr std::size_t kHeader = 12, kCount = 8;
  const std::size_t places[] = {kHeader, kHeader + kCount + 24, kHeader + 2 * kCount + 28, kHeader + 3 * kCount + 33};
  for (const std::size_t place : places)
    for (const std::uint64_t count : {std::uint64_t{whole.size()}, std::uint64_t{1} << 32, std::uint64_t{1} << 60,
                                      std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
      std::vector<std::uint8_t> damaged = whole;
      std::memcpy(damaged.data() + place, &count, sizeof count);
      EXPECT_TRUE(refused(damaged)) << "count " << count << " at " << place;
    }
}

TEST(Archive, anyDamageIsRefusedOrRead) {
  const std::vector<std::uint8_t> whole = countedBytes();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned bits : {1u, 0x80u, 0xffu}) {
      std::vector<std::uint8_t> damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ bits);
      refused(damaged);
    }
  for (std::size_t end = 0; end < whole.size(); ++end)
    EXPECT_TRUE(refused({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end)})) << end << " bytes";
}

TEST(Trace, tellsThatTheDiskIsFull) {
  Config config = traffics().front().config;
  config.name = "full";
  Dram dram(config);
  dram.trace("/dev/full");
  EXPECT_THROW(dram.flush(), std::runtime_error);
  EXPECT_NO_THROW(dram.flush());  // told once
  dram.recordStatistics("/dev/full");
  EXPECT_THROW(dram.latch(), std::runtime_error);
  EXPECT_THROW(dram.dump(0, 64, "/dev/full"), std::runtime_error);
}

TEST(Archive, isRefusedWhenOfAnotherVersionOrKindOrConfiguration) {
  const Traffic& traffic = traffics().front();
  std::vector<std::uint8_t> bytes = saved(traffic, 200);
  Config other = traffic.config;
  other.cl = 12;
  const std::string text = refusal(bytes, other);
  EXPECT_NE(text.find("the configuration of DRAM model 'dram' is MT41J128M8JP-125"), std::string::npos) << text;
  EXPECT_NE(text.find("CL=11"), std::string::npos) << text;
  EXPECT_NE(text.find("CL=12"), std::string::npos) << text;
  other.name = "other";
  EXPECT_EQ(refusal(bytes, other), "the archive: holds 'DRAM model 'dram'' where 'DRAM model 'other'' is expected");
  bytes[8] = 77;
  EXPECT_EQ(refusal(bytes, traffic.config), "the archive: is of version 77; this program reads version 3");
  bytes[0] = 'X';
  EXPECT_EQ(refusal(bytes, traffic.config), "the archive: is no archive of a simulated machine");
}

}  // namespace
}  // namespace weir::dram::test
