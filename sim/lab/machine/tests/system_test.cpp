// SPDX-License-Identifier: Apache-2.0
/// @file
/// What system files say. The rest of what can be wrong with one is with the lab's program (sim/lab/tests).

#include "../system.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace weir::lab {
namespace {

/// Of a system with this core count, private cache and prefetcher.
System system(const std::string& count, const std::string& l1 = "none", const std::string& prefetcher = "none") {
  const std::string path = testing::TempDir() + "system_test.yaml";
  std::ofstream(path) << "cores: {count: " << count << ", model: out_of_order, clock_ratio: 16, reorder_buffer: 64, "
                      << "width: 4, load_queue: 32, store_queue: 32, load_ports: 2}\n"
                      << "caches:\n  l1: " << l1 << "\n  llc: {kibibytes: 0x1000, ways: 8, cycles: 10, mshrs: 128}\n"
                      << "  write_backs: 64\n  prefetcher: " << prefetcher << "\n"
                      << "memory: {model: weir, writes: served, base: 0x80000000}\n";
  const System read = readSystem(path);
  std::remove(path.c_str());
  return read;
}

std::string complaint(const std::string& count, const std::string& l1 = "none",
                      const std::string& prefetcher = "none") {
  try {
    system(count, l1, prefetcher);
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

TEST(System, HasNumbersDecimalOrAfter0x) {
  const System read = system("010");
  EXPECT_EQ(read.cores, 10u);
  EXPECT_EQ(read.caches.llc.bytes, 0x1000u * 1024);
  EXPECT_EQ(read.base, 0x80000000u);
}

TEST(System, RefusesWhatIsNoNumber) {
  for (const std::string word : {"-1", "+1", "1.0", "1e1", "0o7", "\" 1\"", "[1]", "none"})
    EXPECT_NE(complaint(word).find("system_test.yaml:1: cores.count"), std::string::npos) << word;
}

TEST(System, TellsWhereAFieldIsEmpty) {
  EXPECT_NE(complaint("").find(":1: cores.count is empty: must be 1 to 64"), std::string::npos) << complaint("");
  EXPECT_NE(complaint("1", "").find(":3: caches.l1: must be none or a map of fields, not empty"), std::string::npos);
  const std::string path = testing::TempDir() + "system_test.yaml";
  std::ofstream(path) << "cores:\n\ncaches: {}\n";
  try {
    readSystem(path);
    FAIL() << "cores is empty";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.what(), path + ":1: cores: must be a map of fields, not empty");
  }
  std::remove(path.c_str());
}

TEST(System, ShowsTheBeginOfALongValue) {
  EXPECT_NE(complaint(std::string(1000, '9')).find(" = " + std::string(60, '9') + "...: must be"), std::string::npos);
}

TEST(System, SaysWhatMayBeLeftOut) {
  EXPECT_NE(complaint("1", "no").find(":3: caches.l1: must be none or a map of fields, not no"), std::string::npos);
  EXPECT_NE(complaint("1", "none", "7").find("caches.prefetcher: must be none or a map of fields, not 7"),
            std::string::npos);
  EXPECT_NE(complaint("1", "none", "[1]").find("caches.prefetcher: must be none or a map of fields, not a list"),
            std::string::npos);
  EXPECT_FALSE(system("1").caches.l1 || system("1").caches.prefetcher);
}

}  // namespace
}  // namespace weir::lab
