// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files of traces: what is wrong with one, and when one has its name.

#include "../trace/trace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../trace/packed.hpp"
#include "rig.hpp"

namespace weir::lab {
namespace {

namespace fs = std::filesystem;

class Traces : public testing::Test {
 protected:
  Traces() { fs::create_directory(folder_); }
  ~Traces() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }
  static std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& each : fs::directory_iterator(folder_)) found.push_back(each.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  /// A trace of format weir out of its bytes.
  fs::path packed(const std::vector<PackedAccess>& accesses, size_t bytesMore) const {
    std::string bytes(kPackedMagic, sizeof kPackedMagic);
    for (const PackedAccess& access : accesses) bytes.append(reinterpret_cast<const char*>(&access), sizeof access);
    write(path("packed"), bytes + std::string(bytesMore, '\0'));
    return path("packed");
  }
  /// What is said of a trace of format weir when all of it is read.
  static std::string complaint(const fs::path& path) {
    try {
      const auto trace = openTrace(path, "weir");
      do trace->next();
      while (!trace->atBegin());
    } catch (const TraceError& error) {
      return error.what();
    }
    return "";
  }

 private:
  const fs::path folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Traces, CountRecordsFromOne) {
  const PackedAccess good = PackedAccess::of(loadOf(1));
  PackedAccess wide = good;
  wide.kind = 7 << 4;
  EXPECT_EQ(complaint(packed({}, 5)), path("packed").string() + ": ends within record 1");
  EXPECT_EQ(complaint(packed({good, good}, 5)), path("packed").string() + ": ends within record 3");
  EXPECT_EQ(complaint(packed({good, wide}, 0)),
            path("packed").string() + ": record 2 is of 128 bytes: must be at most 64");
}

TEST_F(Traces, HaveTheirNameFromCloseOn) {
  for (const std::string format : {"weir", "usimm"}) {
    write(path("trace.zst"), "old");
    const auto writer = createTrace(path("trace.zst"), format);
    writer->write(loadOf(1));
    EXPECT_EQ(textOf(path("trace.zst")), "old");
    EXPECT_EQ(names(), (std::vector<std::string>{"trace.zst", "trace.zst.new"}));
    writer->close();
    EXPECT_EQ(names(), (std::vector<std::string>{"trace.zst"}));
    EXPECT_EQ(textOf(path("trace.zst")).substr(0, 4), "\x28\xb5\x2f\xfd");
    EXPECT_EQ(openTrace(path("trace.zst"), format)->next().physical, kLineBytes);
  }
}

TEST_F(Traces, LeaveWhatWasThereWhenTheyAreNotClosed) {
  write(path("trace"), "old");
  createTrace(path("trace"), "weir")->write(loadOf(1));
  createTrace(path("other"), "weir")->write(loadOf(1));
  EXPECT_EQ(textOf(path("trace")), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"trace"}));
}

TEST_F(Traces, ReplaceTheFileThatALinkLeadsTo) {
  fs::create_directory(path("elsewhere"));
  write(path("elsewhere/trace"), "old");
  fs::create_symlink("elsewhere/trace", path("link"));
  const auto writer = createTrace(path("link"), "usimm");
  writer->write(loadOf(1));
  EXPECT_EQ(textOf(path("elsewhere/trace")), "old");
  writer->close();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(textOf(path("elsewhere/trace")), "0 R 0x40 0x0\n");
}

}  // namespace
}  // namespace weir::lab
