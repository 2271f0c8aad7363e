// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <getopt.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::soc {

const char kUsage[] = R"(usage: weir-sim [OPTION]...
Simulate the SoC with Weir. Its console is on stdin and stdout, everything else on stderr.

  --rom FILE             BIOS image, binary (default: bios.bin beside this program)
  --ram-image FILE@ADDR  put a binary file into DRAM at bus address ADDR before the first cycle, or with --resume before
                         the machine goes on; may be repeated
  --boot ADDR            answer the BIOS's request for a serial boot with a jump to ADDR
  --cycles LIMIT         stop after LIMIT controller cycles
  --trace FILE.fst       write a waveform (needs the build with tracing, weir-sim-trace)
  --trace-start CYCLE    first cycle of the waveform (default 0)
  --trace-stop CYCLE     first cycle that is no longer in the waveform (default: none)
  --axi-log FILE         write down every address handshake on the harts' memory bus
  --command-trace FILE   write every DRAM command into a binary trace
  --tolerate-violations  go on when the DRAM checker sees a rule broken, and count them
  --save FILE            save the whole machine when the guest writes the CSR host_freeze, and end with exit code 0
  --save-at CYCLE        save it at the end of CYCLE cycles instead
  --resume FILE          go on with the machine that this very program has saved, in place of --rom and --boot
  --cut CYCLE            write what a power cut at the end of CYCLE cycles would leave in --cells, and go on; may be
                         repeated
  --cells BYTES@ADDR     the range of memory, from bus address ADDR on, that --cut writes
  --cuts-to FOLDER       where --cut writes it, as FOLDER/CYCLE.cells; the folder must be there
  --script FILE          hand the bytes of FILE to the guest, which reads them one by one from the CSR host_script
  --mark TEXT            note in the summary in which cycle a line of the console first had TEXT; may be repeated
  --fail-on TEXT         stop at the end of a line of the console that has TEXT, such as 'Kernel panic'; may be repeated
  --hang-limit CYCLES    stop when no hart has retired an instruction for CYCLES, even asleep; 0: never (default
                         50000000, a quarter of a second of the guest's time)
  --console-limit BYTES  stop when the console has more than BYTES
  --summary FILE         write how the run ended as JSON: cycles, instructions and page walks of each hart, exit code
                         and why, seconds, counts of the DRAM model, marks, cuts
  --progress SECONDS     how often to show cycles and speed; 0: never (default 2)
  --help                 show this text

Numbers may be decimal or hexadecimal (0x...).

exit code: the guest's own (it writes it to the finisher, low eight bits count), or
  2    the command line is wrong
  118  an assertion of the design failed; it is told on standard output
  119  the guest ended before the machine could be saved
  120  no hart has retired an instruction for too long
  121  the console has a text of --fail-on
  122  the console has more bytes than --console-limit
  123  a file cannot be read or written, or an image does not fit into memory, or a snapshot cannot be
       resumed
  124  the cycle limit came first
  125  the DRAM checker saw a rule broken
)";

namespace {

uint64_t number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || text[0] == '-' || *end != '\0' || errno != 0)
    throw UsageError(option + ": '" + text + "' is not a number from 0 to 2^64 - 1");
  return value;
}

RamImage ram_image(const std::string& text) {
  const size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) throw UsageError("--ram-image: '" + text + "' is not FILE@ADDR");
  return {text.substr(0, at), number("--ram-image", text.substr(at + 1))};
}

MemoryRange memory_range(const std::string& text) {
  const size_t at = text.find('@');
  if (at == std::string::npos) throw UsageError("--cells: '" + text + "' is not BYTES@ADDR");
  const MemoryRange range{number("--cells", text.substr(at + 1)), number("--cells", text.substr(0, at))};
  if (range.bytes == 0) throw UsageError("--cells: '" + text + "' has 0 bytes; it must have at least 1");
  return range;
}

double seconds(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value) || value < 0)
    throw UsageError("--progress: '" + text + "' is not a number of seconds from 0 up");
  return value;
}

std::string text(const std::string& option, const std::string& value) {
  if (value.empty()) throw UsageError(option + ": the text is empty");
  return value;
}

void check_snapshots(const Options& options) {
  if (options.save_at && !options.save) throw UsageError("--save-at needs --save");
  if (!options.resume) return;
  const char* given = !options.rom.empty() ? "--rom" : options.boot ? "--boot" : nullptr;
  if (given) throw UsageError(std::string(given) + " and --resume: the snapshot has memory and program");
}

void check_cuts(const Options& options) {
  if (options.cuts.empty() && !options.cells && !options.cuts_to) return;
  if (options.cuts.empty() || !options.cells || !options.cuts_to)
    throw UsageError("--cut, --cells and --cuts-to need each other");
}

/// The same file by any of its names, if it is there, or the same name; what is no regular file, as /dev/null, may have
/// many uses.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code absent;
  if (std::filesystem::exists(one, absent) && !std::filesystem::is_regular_file(one, absent)) return false;
  if (std::filesystem::equivalent(one, other, absent)) return true;
  return std::filesystem::absolute(one).lexically_normal() == std::filesystem::absolute(other).lexically_normal();
}

/// A file that is written is no other file of the run: one would be lost, and nobody told.
void check_files(const Options& options) {
  using Named = std::pair<const char*, std::string>;
  std::vector<Named> read, written;
  const auto add = [](std::vector<Named>& to, const char* option, const std::optional<std::string>& file) {
    if (file) to.emplace_back(option, *file);
  };
  if (!options.rom.empty()) read.emplace_back("--rom", options.rom);
  for (const RamImage& image : options.ram_images) read.emplace_back("--ram-image", image.file);
  add(read, "--resume", options.resume);
  add(read, "--script", options.script);
  add(written, "--save", options.save);
  add(written, "--summary", options.summary);
  add(written, "--axi-log", options.axi_log);
  add(written, "--command-trace", options.command_trace);
  add(written, "--trace", options.trace);
  for (const auto& [option, file] : written) {
    for (const auto& [other, with] : read)
      if (same_file(file, with)) throw UsageError(std::string(option) + " " + file + ": is the file of " + other);
    read.emplace_back(option, file);
  }
}

std::string rom_beside_program() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bios.bin").string();
}

}  // namespace

Options parse_options(int argc, char** argv) {
  enum Id {
    kRom = 256,
    kRamImage,
    kBoot,
    kCycles,
    kTrace,
    kTraceStart,
    kTraceStop,
    kAxiLog,
    kCommandTrace,
    kTolerateViolations,
    kSave,
    kSaveAt,
    kResume,
    kCut,
    kCells,
    kCutsTo,
    kScript,
    kMark,
    kFailOn,
    kHangLimit,
    kConsoleLimit,
    kSummary,
    kProgress,
    kHelp
  };
  static const option kOptions[] = {
      {"rom", required_argument, nullptr, kRom},
      {"ram-image", required_argument, nullptr, kRamImage},
      {"boot", required_argument, nullptr, kBoot},
      {"cycles", required_argument, nullptr, kCycles},
      {"trace", required_argument, nullptr, kTrace},
      {"trace-start", required_argument, nullptr, kTraceStart},
      {"trace-stop", required_argument, nullptr, kTraceStop},
      {"axi-log", required_argument, nullptr, kAxiLog},
      {"command-trace", required_argument, nullptr, kCommandTrace},
      {"tolerate-violations", no_argument, nullptr, kTolerateViolations},
      {"save", required_argument, nullptr, kSave},
      {"save-at", required_argument, nullptr, kSaveAt},
      {"resume", required_argument, nullptr, kResume},
      {"cut", required_argument, nullptr, kCut},
      {"cells", required_argument, nullptr, kCells},
      {"cuts-to", required_argument, nullptr, kCutsTo},
      {"script", required_argument, nullptr, kScript},
      {"mark", required_argument, nullptr, kMark},
      {"fail-on", required_argument, nullptr, kFailOn},
      {"hang-limit", required_argument, nullptr, kHangLimit},
      {"console-limit", required_argument, nullptr, kConsoleLimit},
      {"summary", required_argument, nullptr, kSummary},
      {"progress", required_argument, nullptr, kProgress},
      {"help", no_argument, nullptr, kHelp},
      {nullptr, 0, nullptr, 0},
  };
  Options options;
  bool trace_window = false;
  opterr = 0;
  for (int id; (id = getopt_long(argc, argv, "+:", kOptions, nullptr)) != -1;) {
    const std::string value = optarg ? optarg : "";
    switch (id) {
      case kRom:
        options.rom = value;
        break;
      case kRamImage:
        options.ram_images.push_back(ram_image(value));
        break;
      case kBoot:
        options.boot = number("--boot", value);
        break;
      case kCycles:
        options.cycles = number("--cycles", value);
        break;
      case kTrace:
        options.trace = value;
        break;
      case kTraceStart:
        options.trace_start = number("--trace-start", value);
        trace_window = true;
        break;
      case kTraceStop:
        options.trace_stop = number("--trace-stop", value);
        trace_window = true;
        break;
      case kAxiLog:
        options.axi_log = value;
        break;
      case kCommandTrace:
        options.command_trace = value;
        break;
      case kTolerateViolations:
        options.tolerate_violations = true;
        break;
      case kSave:
        options.save = text("--save", value);
        break;
      case kSaveAt:
        options.save_at = number("--save-at", value);
        break;
      case kResume:
        options.resume = text("--resume", value);
        break;
      case kCut:
        options.cuts.push_back(number("--cut", value));
        break;
      case kCells:
        options.cells = memory_range(value);
        break;
      case kCutsTo:
        options.cuts_to = text("--cuts-to", value);
        break;
      case kScript:
        options.script = text("--script", value);
        break;
      case kMark:
        options.marks.push_back(text("--mark", value));
        break;
      case kFailOn:
        options.fail_on.push_back(text("--fail-on", value));
        break;
      case kHangLimit:
        options.hang_limit = number("--hang-limit", value);
        break;
      case kConsoleLimit:
        options.console_limit = number("--console-limit", value);
        break;
      case kSummary:
        options.summary = text("--summary", value);
        break;
      case kProgress:
        options.progress_seconds = seconds(value);
        break;
      case kHelp:
        options.help = true;
        break;
      case ':':
        throw UsageError(std::string(argv[optind - 1]) + " needs a value");
      default:
        throw UsageError(std::string("unknown option ") + argv[optind - 1]);
    }
  }
  if (optind < argc) throw UsageError(std::string("'") + argv[optind] + "' is not an option");
  if (trace_window && !options.trace) throw UsageError("--trace-start and --trace-stop need --trace");
  if (options.trace_stop <= options.trace_start)
    throw UsageError("--trace-stop " + std::to_string(options.trace_stop) + " is not after --trace-start " +
                     std::to_string(options.trace_start));
  if (options.boot && *options.boot > UINT32_MAX) throw UsageError("--boot: the address must be below 4 GiB");
  check_snapshots(options);
  check_cuts(options);
  if (options.rom.empty() && !options.resume) options.rom = rom_beside_program();
  check_files(options);
  return options;
}

}  // namespace weir::soc
