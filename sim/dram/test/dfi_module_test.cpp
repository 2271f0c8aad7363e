// SPDX-License-Identifier: Apache-2.0
// dfi_dram.sv as Verilator runs it: its own bench, dfi_dram_tb.sv, and that a fatal violation ends a simulation. Runs
// in the repository's root, as tests/run does.
#include "process.hpp"

namespace weir::dram::test {
namespace {

const std::string kBench = "build/sim/dram/tb/Vdfi_dram_tb";

TEST(Module, passesItsBench) {
  const Result result = run(kBench);
  EXPECT_EQ(result.exitCode, 0) << result.output;
  EXPECT_NE(result.output.find("dfi_dram_tb: passed"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("DRAM 'narrow': 1 protocol violations\ntRCD: 1"), std::string::npos) << result.output;
}

TEST(Module, fatalViolationEndsTheSimulation) {
  const Result result = run(kBench + " +break=1");
  EXPECT_NE(result.exitCode, 0);
  EXPECT_NE(
      result.output.find("DRAM 'wide': RD at clock 185 (231.250 ns), rank 0 bank 6 row 0x0, breaks tRCD (activate "
                         "to read or write of the bank): ACT at clock 182 (227.500 ns), 3 clocks apart, limit 11"),
      std::string::npos)
      << result.output;
  EXPECT_EQ(result.output.find("FAILED"), std::string::npos) << result.output;
}

TEST(Module, plusargsChooseFeatures) {
  // In place of those of the parameter: after the broken tRCD the refresh is not wanted, and the activate after it
  // early.
  const Result ideal = run(kBench + " +narrow_features=refresh=none");
  EXPECT_NE(ideal.exitCode, 0);
  EXPECT_NE(ideal.output.find("narrow: 3 violations\nFAILED: a fine refresh takes"), std::string::npos) << ideal.output;
  // Without a fine refresh the activate alone is early.
  const Result whole = run(kBench + " +narrow_features=extended_temperature");
  EXPECT_NE(whole.exitCode, 0);
  EXPECT_NE(whole.output.find("narrow: 2 violations\nFAILED: a fine refresh takes"), std::string::npos) << whole.output;
  const Result bad = run(kBench + " +wide_features=time_scale=65");
  EXPECT_NE(bad.exitCode, 0);
  EXPECT_NE(bad.output.find("DRAM model 'wide': FEATURES: time_scale = 65: must be 1 to 64\n"), std::string::npos)
      << bad.output;
}

TEST(Module, plusargRecordsLatchedStatistics) {
  const std::string path = ::testing::TempDir() + "weir_dram_wide.json";
  EXPECT_EQ(run(kBench + " +wide_statistics=" + path).exitCode, 0);
  const Result text = run("cut -d, -f 3-8 " + path);
  // Latched after one activate, two writes and two reads, all but the first of them hits; nothing came later.
  const std::string counts =
      R"( "ranks": [{"activates": 1, "reads": 2, "writes": 2, "hit_reads": 2, "hit_writes": 1, "precharges": 0)";
  EXPECT_EQ(text.output, counts + "\n" + counts + "\n");
  std::remove(path.c_str());
  const Result missing = run(kBench + " +wide_statistics=/no/such/folder/file");
  EXPECT_NE(missing.exitCode, 0);
  EXPECT_NE(missing.output.find("DRAM 'wide': cannot write the file /no/such/folder/file"), std::string::npos)
      << missing.output;
}

TEST(Module, plusargsTraceAndPreload) {
  const std::string trace = ::testing::TempDir() + "weir_dram_wide.bin";
  EXPECT_EQ(run(kBench + " +wide_trace=" + trace).exitCode, 0);
  const Result text = run("python3 sim/dram/trace.py " + trace);
  EXPECT_EQ(text.exitCode, 0) << text.output;
  EXPECT_NE(text.output.find(" ACT 0 5 0x123\n"), std::string::npos) << text.output;
  std::remove(trace.c_str());
  const Result missing = run(kBench + " +narrow_preload=/no/such/file");
  EXPECT_NE(missing.exitCode, 0);
  EXPECT_NE(missing.output.find("DRAM 'narrow': cannot read the file /no/such/file"), std::string::npos)
      << missing.output;
}

}  // namespace
}  // namespace weir::dram::test
