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
