// SPDX-License-Identifier: Apache-2.0
// The simulator of the SoC: clock, console, preload, waveform, limits and exit code around the Verilated model.
#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "Vsoc.h"
#include "axi_log.hpp"
#include "console.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "registry.hpp"
#include "serial_boot.hpp"

namespace weir::soc {
namespace {

constexpr int kUsageExit = 2;
constexpr int kFileExit = 123;
constexpr int kLimitExit = 124;
constexpr int kViolationExit = 125;

constexpr uint64_t kMainRam = 0x80000000;  // bus address of DRAM's first byte
constexpr int kResetCycles = 16;
constexpr uint64_t kConsolePollCycles = 1 << 10;
constexpr uint64_t kProgressPollCycles = 1 << 12;
constexpr uint64_t kHalfClockPs = 2500;

class Simulator {
 public:
  explicit Simulator(const Options& options)
      : options_(options), progress_(options.progress_seconds), top_(make_model(options)) {
    if (options_.boot) boot_ = std::make_unique<SerialBoot>(static_cast<uint32_t>(*options_.boot));
    open_trace();
    top_->sys_rst = 1;
    top_->serial_source_ready = 1;
    top_->eval();
    dram_ = dram::find("dram");
    if (!dram_) throw std::runtime_error("the model has no DRAM called 'dram'");
    for (const RamImage& image : options_.ram_images) preload(image);
    if (options_.command_trace) dram_->trace(*options_.command_trace);
  }

  // Runs until the guest is done, a rule is broken or the limit is reached; returns the exit code.
  int run() {
    while (cycle_ < options_.cycles) {
      top_->sys_rst = cycle_ < kResetCycles;
      feed_console();
      step();
      show_console();
      if (top_->violations != 0 && !options_.tolerate_violations) return stop_at_violation();
      if (top_->finisher_valid) {
        const int code = static_cast<int>(top_->finisher_code & 0xff);
        return end(code, "the guest ended with exit code " + std::to_string(code));
      }
      if (cycle_ % kProgressPollCycles == 0 && console_.at_line_start()) progress_.update(cycle_, console_.section());
    }
    return end(kLimitExit, "cycle limit");
  }

 private:
  std::unique_ptr<Vsoc> make_model(const Options& options) {
    const std::string rom = "+rom=" + options.rom;
    const char* arguments[] = {"weir-sim", rom.c_str()};
    context_.commandArgs(2, arguments);
#if VM_TRACE_FST
    context_.traceEverOn(options.trace.has_value());
#endif
    if (options.axi_log) start_axi_log(*options.axi_log, cycle_);
    return std::make_unique<Vsoc>(&context_);
  }

  void open_trace() {
#if VM_TRACE_FST
    if (!options_.trace) return;
    // The waveform's writer would not say that it cannot.
    if (!std::ofstream(*options_.trace)) throw std::runtime_error("--trace: cannot write " + *options_.trace);
    top_->trace(&fst_, 99);
    fst_.open(options_.trace->c_str());
#endif
  }

  void preload(const RamImage& image) {
    const uint64_t size = std::filesystem::file_size(image.file);
    const uint64_t end = kMainRam + dram_->config().bytes();
    char text[200];
    if (image.address < kMainRam || image.address > end || size > end - image.address) {
      std::snprintf(text, sizeof text, ": %llu bytes at 0x%llx do not lie in DRAM, 0x%llx to 0x%llx",
                    static_cast<unsigned long long>(size), static_cast<unsigned long long>(image.address),
                    static_cast<unsigned long long>(kMainRam), static_cast<unsigned long long>(end - 1));
      throw std::runtime_error("--ram-image: " + image.file + text);
    }
    dram_->preload(image.address - kMainRam, image.file);
  }

  void step() {
    top_->sys_clk = 1;
    top_->eval();
    dump(2 * cycle_);
    top_->sys_clk = 0;
    top_->eval();
    dump(2 * cycle_ + 1);
    ++cycle_;
  }

  void dump([[maybe_unused]] uint64_t half_cycle) {
#if VM_TRACE_FST
    if (options_.trace && cycle_ >= options_.trace_start && cycle_ < options_.trace_stop)
      fst_.dump(half_cycle * kHalfClockPs);
#endif
  }

  // A byte for the guest is offered until it takes it; what it sees of the pads it sees at the next rising edge. What
  // is typed waits for the guest's first output: the BIOS would lose it while it initialises its UART.
  void feed_console() {
    if (top_->serial_sink_valid && taken_) top_->serial_sink_valid = 0;
    if (!top_->serial_sink_valid) {
      std::optional<uint8_t> byte = boot_ ? boot_->next() : std::nullopt;
      if (!byte && guest_is_up_ && cycle_ % kConsolePollCycles == 0) byte = console_.read();
      if (byte) {
        top_->serial_sink_valid = 1;
        top_->serial_sink_data = *byte;
      }
    }
    taken_ = top_->serial_sink_valid && top_->serial_sink_ready;
  }

  void show_console() {
    if (!top_->serial_source_valid || top_->sys_rst) return;
    guest_is_up_ = true;
    progress_.wipe();
    console_.write(top_->serial_source_data);
    if (boot_) boot_->observe(top_->serial_source_data);
  }

  int stop_at_violation() {
    progress_.wipe();
    for (const dram::Violation& violation : dram_->violations().kept())
      std::fprintf(stderr, "weir-sim: %s\n", dram_->violations().describe(violation).c_str());
    return end(kViolationExit, "the DRAM checker saw a rule broken");
  }

  int end(int code, const std::string& why) {
    progress_.finish(cycle_, why);
    top_->final();
    finish_axi_log();
#if VM_TRACE_FST
    if (options_.trace) fst_.close();
#endif
    return code;
  }

  const Options& options_;
  uint64_t cycle_ = 0;
  bool taken_ = false;  // the byte on offer is taken at the coming rising edge
  bool guest_is_up_ = false;
  Console console_;
  Progress progress_;
  VerilatedContext context_;
#if VM_TRACE_FST
  VerilatedFstC fst_;
#endif
  std::unique_ptr<Vsoc> top_;
  std::unique_ptr<SerialBoot> boot_;
  dram::Dram* dram_ = nullptr;
};

void check(const Options& options) {
  if (!std::filesystem::is_regular_file(options.rom)) throw std::runtime_error("--rom: " + options.rom + " is no file");
  for (const RamImage& image : options.ram_images)
    if (!std::filesystem::is_regular_file(image.file))
      throw std::runtime_error("--ram-image: " + image.file + " is no file");
#if !VM_TRACE_FST
  if (options.trace)
    throw UsageError("--trace: this program is built without; `make build/soc/SOC/weir-sim-trace` makes one that can");
#endif
}

int run(int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    if (options.help) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    check(options);
    return Simulator(options).run();
  } catch (const UsageError& error) {
    std::fprintf(stderr, "weir-sim: %s; see --help\n", error.what());
    return kUsageExit;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weir-sim: %s\n", error.what());
    return kFileExit;
  }
}

}  // namespace
}  // namespace weir::soc

int main(int argc, char** argv) { return weir::soc::run(argc, argv); }
