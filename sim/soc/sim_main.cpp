// SPDX-License-Identifier: Apache-2.0
// The simulator of the SoC: clock, console, preload, waveform, limits and exit code around the Verilated model.
#include <generated/mem.h>
#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "Vsoc.h"
#include "archive.hpp"
#include "axi_log.hpp"
#include "console.hpp"
#include "counter_snapshots.hpp"
#include "hang_watch.hpp"
#include "marks.hpp"
#include "model_state.hpp"
#include "options.hpp"
#include "page_walks.hpp"
#include "power_cuts.hpp"
#include "progress.hpp"
#include "registry.hpp"
#include "retirement.hpp"
#include "serial_boot.hpp"
#include "slow_time.hpp"
#include "snapshot.hpp"
#include "summary.hpp"
#include "waveform.hpp"
#include "whole_file.hpp"

namespace weir::soc {
namespace {

constexpr int kUsageExit = 2;
constexpr int kAssertionExit = 118;
constexpr int kNotSavedExit = 119;
constexpr int kHangExit = 120;
constexpr int kFailExit = 121;
constexpr int kConsoleExit = 122;
constexpr int kFileExit = 123;
constexpr int kLimitExit = 124;
constexpr int kViolationExit = 125;

constexpr uint64_t kMainRam = MAIN_RAM_BASE;  // bus address of DRAM's first byte
constexpr int kResetCycles = 16;
constexpr uint64_t kConsolePollCycles = 1 << 10;
constexpr uint64_t kProgressPollCycles = 1 << 12;
constexpr uint16_t kByteValid = 0x100;  // of the CSR host_script
constexpr uint64_t kHalfClockPs = 2500;

class Simulator {
 public:
  explicit Simulator(const Options& options)
      : options_(options),
        progress_(options.progress_seconds),
        marks_(options.marks),
        failures_(options.fail_on),
        hang_(options.hang_limit),
        top_(make_model(options)) {
    if (options_.summary) {
      check_target("--summary:", *options_.summary);
      // what an earlier run wrote must not stand for this one should it be killed
      if (std::filesystem::is_regular_file(*options_.summary)) std::filesystem::remove(*options_.summary);
    }
    if (options_.save) check_target("snapshot", *options_.save);
    if (options_.boot) boot_.emplace(static_cast<uint32_t>(*options_.boot));
    open_trace();
    top_->sys_rst = 1;
    top_->serial_source_ready = 1;
    top_->eval();
    dram_ = dram::find("dram");
    if (!dram_) throw std::runtime_error("the model has no DRAM called 'dram'");
    if (options_.resume) resume(*options_.resume);
    for (const RamImage& image : options_.ram_images) preload(image);
    if (options_.cells) prepare_cuts();
    if (options_.save_at && *options_.save_at <= cycle_)
      throw UsageError("--save-at " + std::to_string(*options_.save_at) + " is not after cycle " +
                       std::to_string(cycle_) + ", with which the run begins");
    if (options_.script) {
      script_ = contents(*options_.script);
      offer_script();
    }
    if (options_.command_trace) dram_->trace(*options_.command_trace);
  }

  // Runs until the guest is done, a rule is broken or the limit is reached; returns the exit code.
  int run() {
    first_cycle_ = cycle_;
    start_ = Clock::now();
    progress_.begin(cycle_);
    context_.fatalOnError(
        false);  // an assertion that fails ends the run as other faults do, with the console and a summary
    while (cycle_ < options_.cycles) {
      top_->sys_rst = cycle_ < kResetCycles;
      feed_console();
      step();
      show_console();
      slow_time_.observe(top_->memory_clock_divided, cycle_);
      counter_snapshots_.observe(cycle_, *dram_);
      if (cuts_) cuts_->observe(cycle_, console_.bytes(), *dram_);
      if (top_->host_script_taken) {
        script_.erase(0, 1);
        offer_script();
      }
      if (context_.gotError()) return fail(kAssertionExit, "an assertion of the design failed");
      if (top_->violations != 0 && !options_.tolerate_violations) return stop_at_violation();
      if (top_->finisher_valid) {
        const int code = static_cast<int>(top_->finisher_code & 0xff);
        const std::string why = "the guest ended with exit code " + std::to_string(code);
        return options_.save ? fail(kNotSavedExit, why + " before the machine was saved") : end(code, why);
      }
      if (options_.save && (options_.save_at ? cycle_ == *options_.save_at : top_->host_freeze)) return save();
      if (failed_) return fail(kFailExit, "the console has '" + failures_.seen()->text + "'");
      if (cycle_ % kProgressPollCycles != 0) continue;
      if (hang_.hangs(retired(), cycle_))
        return fail(kHangExit, "no hart has retired an instruction since cycle " + std::to_string(hang_.since()));
      if (console_.bytes() > options_.console_limit)
        return fail(kConsoleExit, "the console has more than " + std::to_string(options_.console_limit) + " bytes");
      if (console_.at_line_start()) progress_.update(cycle_, console_.section());
    }
    return end(kLimitExit, "cycle limit");
  }

 private:
  std::unique_ptr<Vsoc> make_model(const Options& options) {
    const std::string rom = "+rom=" + options.rom;
    const char* arguments[] = {"weir-sim", rom.c_str()};
    context_.commandArgs(options.resume ? 1 : 2, arguments);
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
    aborted_ = "weir-sim: " + *options_.trace + ": the waveform could not be written; is the disk full?\n";
    std::signal(SIGABRT, end_without_waveform);
    top_->trace(&fst_, 99);
    fst_.open(options_.trace->c_str());
#endif
  }

  // The waveform's writer calls abort() when it cannot go on. Nothing can be trusted to be written then but a message.
  static void end_without_waveform(int) {
    (void)!write(STDERR_FILENO, aborted_.data(), aborted_.size());
    _exit(kFileExit);
  }
  static inline std::string aborted_;

  // Nor does it say that what it had buffered could not be written.
  void close_trace() {
#if VM_TRACE_FST
    if (!options_.trace) return;
    fst_.close();
    check_waveform(*options_.trace);
#endif
  }

  // Refuses bytes that do not all lie in DRAM.
  void check_range(const std::string& what, uint64_t address, uint64_t size) const {
    const uint64_t end = kMainRam + dram_->config().bytes();
    char text[200];
    if (address >= kMainRam && address <= end && size <= end - address) return;
    std::snprintf(text, sizeof text, ": %llu bytes at 0x%llx do not lie in DRAM, 0x%llx to 0x%llx",
                  static_cast<unsigned long long>(size), static_cast<unsigned long long>(address),
                  static_cast<unsigned long long>(kMainRam), static_cast<unsigned long long>(end - 1));
    throw std::runtime_error(what + text);
  }

  void prepare_cuts() {
    check_range("--cells", options_.cells->address, options_.cells->bytes);
    if (!std::filesystem::is_directory(*options_.cuts_to))
      throw std::runtime_error("--cuts-to: " + *options_.cuts_to + " is no folder");
    cuts_.emplace(options_.cuts, MemoryRange{options_.cells->address - kMainRam, options_.cells->bytes},
                  *options_.cuts_to);
  }

  void preload(const RamImage& image) {
    check_range("--ram-image: " + image.file, image.address, std::filesystem::file_size(image.file));
    dram_->preload(image.address - kMainRam, image.file);
  }

  void step() {
    // both edges in one evaluation, so that each domain sees what the other held before
    top_->memory_clock_clk = top_->memory_clock_tick;
    top_->sys_clk = 1;
    top_->eval();
    dump(2 * cycle_);
    top_->memory_clock_clk = 0;
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
    const uint8_t byte = top_->serial_source_data;
    console_.write(byte);
    marks_.observe(console_.line(), cycle_);
    failures_.observe(console_.line(), cycle_);
    failed_ = byte == '\n' && failures_.seen() != nullptr;  // with the rest of the line
    if (boot_) boot_->observe(byte);
  }

  void offer_script() { top_->host_script_next = script_.empty() ? 0 : kByteValid | static_cast<uint8_t>(script_[0]); }

  // The whole machine between two cycles, to or from an archive: what is no option of the run.
  void transfer(dram::Archive& archive) {
    archive.section("simulator");
    archive("cycle", cycle_);
    archive("taken", taken_);
    archive("guest_is_up", guest_is_up_);
    archive("console", console_);
    if (archive.number("boot", boot_.has_value()) && !boot_) boot_.emplace(0);
    if (boot_) archive("boot", *boot_);
    archive("script", script_);
    archive("hang", hang_);
    archive("retired", retired());
    archive("data walks", page_walks().data);
    archive("instruction walks", page_walks().instructions);
    archive("walk reads", page_walks().reads);
    archive.section("model");
    std::vector<uint8_t> model;
    if (!archive.reading()) {
      ModelWriter writer(model);
      writer << *top_;
      writer.flush();
    }
    archive("model", model);
    if (archive.reading()) {
      ModelReader reader(model);
      reader >> *top_;
      reader.finish();
    }
    dram_->transfer(archive);
  }

  int save() {
    dram::Archive archive;
    transfer(archive);
    write_snapshot(*options_.save, archive.bytes());
    return end(0, "the machine is saved in " + *options_.save);
  }

  void resume(const std::string& file) {
    dram::Archive archive(read_snapshot(file), "snapshot " + file);
    transfer(archive);
    archive.finish();
  }

  // An end that the guest did not choose is told even without reports of progress.
  int fail(int code, const std::string& why) {
    progress_.wipe();
    std::fprintf(stderr, "weir-sim: at cycle %llu %s\n", static_cast<unsigned long long>(cycle_), why.c_str());
    return end(code, why);
  }

  int stop_at_violation() {
    progress_.wipe();
    for (const dram::Violation& violation : dram_->violations().kept())
      std::fprintf(stderr, "weir-sim: %s\n", dram_->violations().describe(violation).c_str());
    return end(kViolationExit, "the DRAM checker saw a rule broken");
  }

  // Whether files of the run could be written whole: a run without them is none.
  bool finish_files() {
    bool whole = true;
    const auto finish = [&whole](auto&& file) {
      try {
        file();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "weir-sim: %s\n", error.what());
        whole = false;
      }
    };
    finish([this] { dram_->flush(); });
    finish(finish_axi_log);
    finish([this] { console_.finish(); });
    finish([this] { close_trace(); });
    return whole;
  }

  int end(int code, std::string why) {
    if (!finish_files()) {
      code = kFileExit;
      why += ", and a file could not be written whole";
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::vector<uint64_t>& counts = retired();
    const double millions = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0})) / 1e6;
    char instructions[40];
    std::snprintf(instructions, sizeof instructions, "; %.2f M instructions", millions);
    progress_.finish(cycle_, why + instructions);
    if (options_.summary) {
      const double before = std::chrono::duration<double>(start_ - made_).count();
      const Summary summary{first_cycle_,
                            cycle_,
                            counts,
                            page_walks(),
                            slow_time_.counts(cycle_),
                            code,
                            why,
                            before,
                            seconds,
                            dram_->violations().total(),
                            marks_.all(),
                            counter_snapshots_.all(),
                            cuts_ ? cuts_->all() : std::vector<PowerCut>{}};
      const std::string text = json(summary, dram_->statistics()) + "\n";
      write_whole("--summary:", *options_.summary, text.data(), text.size());
    }
    top_->final();
    return code;
  }

  using Clock = std::chrono::steady_clock;

  static std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) throw std::runtime_error("--script: " + file + " cannot be read");
    return bytes;
  }

  const Clock::time_point made_ = Clock::now();
  Clock::time_point start_ = made_;
  const Options& options_;
  uint64_t first_cycle_ = 0;
  uint64_t cycle_ = 0;
  bool taken_ = false;  // the byte on offer is taken at the coming rising edge
  bool guest_is_up_ = false;
  Console console_;
  Progress progress_;
  Marks marks_;
  Marks failures_;
  bool failed_ = false;
  HangWatch hang_;
  SlowTime slow_time_;
  CounterSnapshots counter_snapshots_;
  std::optional<PowerCuts> cuts_;
  std::string script_;  // what the guest has not yet read of it
  VerilatedContext context_;
#if VM_TRACE_FST
  VerilatedFstC fst_;
#endif
  std::unique_ptr<Vsoc> top_;
  std::optional<SerialBoot> boot_;
  dram::Dram* dram_ = nullptr;
};

void check_size(const std::string& what, const std::string& file, uint64_t most) {
  const uint64_t size = std::filesystem::file_size(file);
  if (size == 0) throw std::runtime_error(what + " is empty");
  if (size > most)
    throw std::runtime_error(what + " has " + std::to_string(size) + " bytes: must be at most " + std::to_string(most));
}

void check(const Options& options) {
  if (options.script && !std::filesystem::is_regular_file(*options.script))
    throw std::runtime_error("--script: " + *options.script + " is no file");
  if (!options.resume && !std::filesystem::is_regular_file(options.rom))
    throw std::runtime_error("--rom: " + options.rom + " is no file");
  if (!options.resume) check_size("--rom: " + options.rom, options.rom, ROM_SIZE);
  for (const RamImage& image : options.ram_images) {
    if (!std::filesystem::is_regular_file(image.file))
      throw std::runtime_error("--ram-image: " + image.file + " is no file");
    check_size("--ram-image: " + image.file, image.file, UINT64_MAX);
  }
#if !VM_TRACE_FST
  if (options.trace)
    throw UsageError("--trace: this program is built without; `make build/soc/SOC/weir-sim-trace` makes one that can");
#endif
}

int run(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not become longer is told as one on a full disk is
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
