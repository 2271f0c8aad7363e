// SPDX-License-Identifier: Apache-2.0
#include "../options.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace weir::bench {
namespace {

Options options(std::vector<std::string> words, unsigned models = Options::kMostModels) {
  std::vector<char*> arguments;
  words.insert(words.begin(), "program");
  for (std::string& word : words) arguments.push_back(word.data());
  return {static_cast<int>(arguments.size()), arguments.data(), {{"name", "none"}, {"count", "7"}}, models};
}

/// What is said of a command line, or nothing.
std::string complaint(const std::vector<std::string>& words, unsigned models = Options::kMostModels) {
  try {
    options(words, models);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Options, HaveTheirDefaultsOrWhatIsGiven) {
  EXPECT_EQ(options({}).number("count"), 7u);
  EXPECT_EQ(options({"--name", "one", "--count", "0x1F"}).text("name"), "one");
  EXPECT_EQ(options({"--name", "one", "--count", "0x1F"}).number("count"), 31u);
}

TEST(Options, RefuseThatOneWhichIsNeededIsNotGiven) {
  EXPECT_EQ(options({"--name", "one"}).given("name"), "one");
  try {
    options({"--count", "1"}).given("name");
    FAIL() << "none is taken for a name";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "option --name is not given: must be none");
  }
}

TEST(Options, ReadALeadingZeroAsDecimal) { EXPECT_EQ(options({"--count", "0100"}).number("count"), 100u); }

TEST(Options, RefuseWhatIsNoNumber) {
  for (const char* word : {"", " 1", "1 ", "-1", "+1", "0x", "0x-1", "1x", "18446744073709551616"})
    EXPECT_EQ(complaint({"--count", word}), std::string("option --count: ") + word + " is not a number below 2^64");
  EXPECT_EQ(complaint({"--count", "18446744073709551615"}), "");
}

TEST(Options, RefuseAnUnknownNameAndAMissingValue) {
  EXPECT_EQ(complaint({"--size", "1"}).rfind("option --size is unknown; options: --count 7 --name none", 0), 0u);
  EXPECT_EQ(complaint({"count", "1"}).rfind("option count is unknown", 0), 0u);
  EXPECT_EQ(complaint({"--count"}), "option --count has no value");
}

TEST(Options, RefuseWhatIsThereTwice) {
  EXPECT_EQ(complaint({"--count", "1", "--name", "one", "--count", "1"}), "option --count is there twice");
  EXPECT_EQ(complaint({"+dram_trace=a", "+dram_trace=b"}), "option +dram_trace= is there twice");
}

TEST(Options, LeavePlusargsToTheDramModelsThereAre) {
  EXPECT_EQ(complaint({"+dram_features=refresh=none", "--count", "1", "+dram1_trace=a", "+dram_statistics=b",
                       "+dram1_preload=c"}),
            "");
  EXPECT_EQ(complaint({"+dram1_features=refresh=none"}, 1).rfind("option +dram1_features=refresh=none is unknown", 0),
            0u);
  EXPECT_EQ(complaint({"+dram_features=refresh=none"}, 0),
            "option +dram_features=refresh=none is unknown; options: --count 7 --name none");
}

TEST(Options, RefuseAPlusargThatSimulationPassesOver) {
  for (const char* word : {"+bogus", "+dram_feature=refresh=none", "+dram_features", "+dram2_features=time_scale=2"})
    EXPECT_EQ(complaint({word}).rfind(std::string("option ") + word + " is unknown", 0), 0u) << word;
}

}  // namespace
}  // namespace weir::bench
