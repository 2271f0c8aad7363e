// SPDX-License-Identifier: Apache-2.0
// Features beyond the part: their text form, what is refused, ideal memory, extended temperature, changes at run time.
#include "features.hpp"

#include <stdexcept>

#include "bench.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;  // 7.8 us / 1.25 ns

/// What a text is refused with, by the parser or for a channel.
std::string refusal(const std::string& text, const Config& config = ddr3()) {
  try {
    Dram dram(with(config, text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Features, textForm) {
  for (const std::string text :
       {"", "refresh=none", "extended_temperature", "time_scale=64", "fine_refresh=2,optimistic_trfc",
        "fine_refresh=4,on_the_fly,time_scale=3", "refresh=none,extended_temperature,time_scale=2"})
    EXPECT_EQ(Features::parse(text, "test").text(), text);
  const Features f = Features::parse("time_scale=8,optimistic_trfc,on_the_fly,fine_refresh=2", "test");
  EXPECT_TRUE(f.refresh);
  EXPECT_EQ(f.fineRefresh, 2);
  EXPECT_TRUE(f.onTheFly);
  EXPECT_TRUE(f.optimisticRfc);
  EXPECT_FALSE(f.extendedTemperature);
  EXPECT_EQ(f.timeScale, 8);
}

TEST(Features, badTextsAreNamed) {
  const std::string known =
      "; known: refresh=none, fine_refresh=2 or 4, on_the_fly, optimistic_trfc, extended_temperature, time_scale=1 to "
      "64, refresh_groups=2 or 4";
  EXPECT_EQ(refusal("fast"), "test: 'fast' is no feature" + known);
  EXPECT_EQ(refusal("refresh=some"), "test: 'refresh=some' is no feature" + known);
  EXPECT_EQ(refusal("time_scale"), "test: 'time_scale' is no feature" + known);
  EXPECT_EQ(refusal("on_the_fly=1"), "test: 'on_the_fly=1' is no feature" + known);
  EXPECT_EQ(refusal("refresh=none,,time_scale=2"), "test: '' is no feature" + known);
  EXPECT_EQ(refusal("time_scale=2,"), "test: 'time_scale=2,': an item is missing after the last ','");
  EXPECT_EQ(refusal("time_scale=2,time_scale=2"), "test: 'time_scale=2': time_scale is given twice");
  for (const std::string item : {"time_scale=", "time_scale=-1", "time_scale=2x", "time_scale=99999"})
    EXPECT_EQ(refusal(item), "test: '" + item + "': a number must follow the '='");
  EXPECT_EQ(refusal("fine_refresh=1"), "test: fine_refresh = 1: must be 2 or 4");
}

TEST(Features, whatAPartCannotDoIsRefused) {
  const std::string place = "DRAM model 'dram': FEATURES: ";
  EXPECT_EQ(refusal("time_scale=64"), "accepted");
  EXPECT_EQ(refusal("time_scale=65"), place + "time_scale = 65: must be 1 to 64");
  EXPECT_EQ(refusal("time_scale=0"), place + "time_scale = 0: must be 1 to 64");
  EXPECT_EQ(refusal("fine_refresh=3"), place + "fine_refresh = 3: must be 2 or 4");
  EXPECT_EQ(refusal("on_the_fly"), place + "on_the_fly: needs fine_refresh");
  EXPECT_EQ(refusal("refresh=none,fine_refresh=2", ddr4()),
            place + "fine_refresh = 2: a memory with refresh=none has no refresh");
  EXPECT_EQ(refusal("fine_refresh=4"),
            place + "fine_refresh = 4: MT41J128M8JP-125 has no tRFC4; needs optimistic_trfc");
  EXPECT_EQ(refusal("fine_refresh=4,optimistic_trfc"), "accepted");
  EXPECT_EQ(refusal("fine_refresh=4", ddr4()), "accepted");
  Config c = ddr4();
  c.initialised = false;
  EXPECT_EQ(refusal("fine_refresh=4", c),
            place + "fine_refresh = 4: with INITIALISED = 0 mode register 3 of MT40A1G8-083E chooses it");
  EXPECT_EQ(refusal("optimistic_trfc", c), "accepted");
}

TEST(Features, offIsTheDefault) {
  const Features f;
  EXPECT_EQ(f.text(), "");
  for (const Part& part : parts()) {
    const Part same = f.refreshed(part);
    EXPECT_EQ(same.tREFW.picoseconds, part.tREFW.picoseconds) << part.name;
    EXPECT_EQ(same.tRCD.picoseconds, part.tRCD.picoseconds) << part.name;
    EXPECT_EQ(same.tCCD_S.clocks, part.tCCD_S.clocks) << part.name;
    EXPECT_EQ(same.tRFC4.picoseconds, part.tRFC4.picoseconds) << part.name;
  }
}

TEST(IdealMemory, needsNoRefresh) {
  EXPECT_EQ(broken(ddr3(), {}, 100 * kRefi), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(with(ddr3(), "refresh=none"), {act(10)}, 100 * kRefi), Counts{});
}

TEST(IdealMemory, takesNoRefresh) {
  const Config c = with(ddr3(), "refresh=none");
  EXPECT_EQ(broken(c, {ref(100)}), (Counts{{"REFRESH_UNNEEDED", 1}}));
  // It is carried out all the same.
  EXPECT_EQ(broken(c, {ref(100), act(187)}), (Counts{{"REFRESH_UNNEEDED", 1}, {"tRFC", 1}}));
  EXPECT_EQ(broken(c, {ref(100), act(188)}), (Counts{{"REFRESH_UNNEEDED", 1}}));
}

TEST(IdealMemory, keepsItsData) {
  const Config c = fast();
  for (const bool ideal : {false, true}) {
    Bench bench(ideal ? with(c, "refresh=none") : c);
    const Line line = lineOf(1);
    bench.dram.preload(0, line.data(), line.size());
    const Clock end = 51'200'000 + 17 * 6250;
    bench.run({act(end), rd(end + 21)});
    EXPECT_EQ(bench.dram.violations().count(Rule::retention), ideal ? 0u : 1u);
    EXPECT_EQ(bench.at(end + 21) == line, ideal);
  }
}

TEST(ExtendedTemperature, halvesTheInterval) {
  const Config c = with(ddr3(), "extended_temperature");
  EXPECT_EQ(broken(c, {ref(9 * kRefi / 2)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * kRefi / 2 + 1)}), (Counts{{"tREFI", 1}}));
  // Owed at one for each 32 ms / 8192: the tenth half interval ends at 31250.
  EXPECT_EQ(broken(c, {ref(9 * kRefi / 2), ref(31250)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * kRefi / 2), ref(31251)}), (Counts{{"REFRESH_POSTPONED", 1}}));
  std::vector<Step> burst;
  for (int i = 0; i < 16; ++i) burst.push_back(ref(100 + 88 * i));
  expectEarliest({"REFRESH_PULLED_IN"}, c, burst, ref(0), 100 + kRefi);
}

TEST(ExtendedTemperature, halvesRetention) {
  const Config c = with(fast(), "extended_temperature");
  // 32 ms and sixteen intervals of 3906.25 ns.
  const Clock limit = 25'600'000 + 16 * 3125;
  for (const bool late : {false, true}) {
    Bench bench(c);
    const Line line = lineOf(2);
    bench.dram.preload(0, line.data(), line.size());
    const Clock end = limit + (late ? 4 : 0);
    bench.run({act(end), rd(end + 21)});
    EXPECT_EQ(bench.dram.violations().count(Rule::retention), late ? 1u : 0u);
  }
}

TEST(ExtendedTemperature, isThatOfTableIIAlready) {
  Config c = ddr4();
  c.part = "TableII-8Gb";
  c.clockPs = 1250;
  const Config hot = with(c, "extended_temperature");
  EXPECT_EQ(broken(hot, {ref(9 * 3120)}), Counts{});
  EXPECT_EQ(broken(hot, {ref(9 * 3120 + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(ExtendedTemperature, isNotThatOfTableIIAtNormalTemperature) {
  Config c = ddr4();
  c.part = "TableII-8Gb-normal";
  c.clockPs = 1250;
  EXPECT_EQ(broken(c, {ref(9 * 6240)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * 6240 + 1)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(with(c, "extended_temperature"), {ref(9 * 3120 + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(ChosenAtRunTime, holdsFromThenOn) {
  Bench bench(ddr3());
  bench.run({act(0), rd(11), pre(40)}, 100);
  bench.dram.choose(Features::parse("time_scale=2", "test"));
  bench.run({act(100), rd(121)}, 200);
  EXPECT_EQ(bench.dram.violations().summary(), "tRCD: 1 (activate to read or write of the bank)\n");
  bench.dram.choose({});
  bench.run({pre(200), act(211), rd(222)}, 300);
  EXPECT_EQ(bench.dram.violations().total(), 1u);
  EXPECT_THROW(bench.dram.choose(Features::parse("time_scale=65", "test")), std::invalid_argument);
  EXPECT_EQ(bench.dram.config().features.timeScale, 1);
}

TEST(ChosenAtRunTime, refreshesCountAnew) {
  Bench bench(ddr3());
  bench.run({}, 8 * kRefi);
  bench.dram.choose(Features::parse("refresh=none", "test"));
  bench.run({}, 100 * kRefi);
  bench.dram.choose(Features::parse("extended_temperature", "test"));
  bench.run({ref(100 * kRefi + 9 * kRefi / 2)}, 100 * kRefi + 29000);
  EXPECT_EQ(bench.dram.violations().summary(), "");
  bench.dram.choose({});
  bench.run({ref(bench.dram.now() + 9 * kRefi + 1)});
  EXPECT_EQ(bench.dram.violations().count(Rule::tREFI), 1u);
}

TEST(ChosenAtRunTime, rowsAreFreshlyRefreshed) {
  Bench bench(with(fast(), "refresh=none"));
  const Line line = lineOf(1);
  bench.dram.preload(0, line.data(), line.size());
  const Clock end = 51'200'000 + 18 * 6250;
  bench.run({}, end);
  bench.dram.choose({});
  bench.run({act(end), rd(end + 21)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.at(end + 21), line);
}

}  // namespace
}  // namespace weir::dram::test
