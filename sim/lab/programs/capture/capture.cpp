// SPDX-License-Identifier: Apache-2.0
/// @file
/// A TCG plugin that writes the accesses of each hart as a trace of the lab.
///
/// Arguments: `output=FOLDER`, where hart N's trace becomes FOLDER/hart-N.trace.zst; `accesses=COUNT`, after which a
/// hart records no more; `harts=COUNT`, how many must have done so for the recording to end; and `skip=COUNT`,
/// instructions of each hart's programs that are not recorded (0 if not given), or `skip=ready`: those before it
/// executes ORI x0, x0, 0x7a3; or one of these for each hart, with colons between. What is skipped is counted from
/// where a hart executes 0x7a1 in its place, without those of kernel and firmware. All ends at 0x7a2, or when so many
/// harts have their accesses; QEMU is ended then. The kernel's accesses are among them, those of page walks and of the
/// firmware are not. An access names the load that its address comes from, by way of integer registers.
///
/// `exchange=BIT-BIT`, or several of these with colons between: the physical addresses that are written have these two
/// bits exchanged, one pair after the other, as if the lines of the guest's memory were wired otherwise.
///
/// All begin to record when each of the first COUNT harts has skipped as much, or as many are ready. A hart that has
/// stands still until then, so that each trace begins at the same instruction of its program, wherever the kernel puts
/// pages and whichever hart is quicker: it leaves the block that it is about to execute, and takes interrupts only, as
/// other harts wait for its answers to theirs. Until all record, only marks and the lengths of blocks are watched: the
/// harts run some ten times faster.
///
/// QEMU runs harts in turn, each for a tenth of a second. One that waits in the kernel for another one would fill its
/// trace with that, and a lock that goes from one to the next in the order in which they asked, such as that of free
/// pages, would go once in a turn. So a hart that executes PAUSE ends its turn. In the firmware one waits for others,
/// too, for their answers to a remote fence, without PAUSE and a million accesses in a turn: nothing of it is recorded.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../../machine/trace/trace.hpp"
#include "qemu_plugin.hpp"
#include "registers.hpp"

using namespace weir::lab;

extern "C" __attribute__((visibility("default"))) const int qemu_plugin_version = 1;

namespace {

/// Two bits of physical addresses that are exchanged.
struct Exchange {
  uint64_t one, other;
};

struct Instruction {
  Registers registers;
  unsigned mark;
};

struct Hart {
  std::unique_ptr<TraceWriter> file;
  uint64_t accesses = 0;
  uint64_t left = 0;         // instructions that are still to be skipped
  uint32_t before = 0;       // instructions since the last access, this one included
  uint64_t loads = 0;        // so far, in what is recorded
  uint64_t from[32] = {};    // the load, counted from 1, that a register's value comes from; 0: none
  uint64_t addressFrom = 0;  // the same of the instruction's address
  bool first = true;         // no access of this instruction has been seen
};

/// In place of the instructions to be skipped: all until kReady.
constexpr uint64_t kUntilReady = UINT64_MAX;

std::string output;
uint64_t most = 0, full = 0;
std::vector<Hart> harts;
std::deque<Instruction> instructions;  // they stay where they are
qemu_plugin_id_t self = 0;
bool begun = false;    // kBegin has been executed
uint64_t awaited = 0;  // harts that must still skip
std::vector<Exchange> exchanges;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "capture: %s\n", what.c_str());
  std::_Exit(2);
}

void finish() {
  for (size_t number = 0; number < harts.size(); ++number) {
    Hart& hart = harts[number];
    if (hart.file == nullptr) continue;
    hart.file->close();
    hart.file.reset();
    std::fprintf(stderr, "capture: hart %zu: %llu accesses\n", number, static_cast<unsigned long long>(hart.accesses));
  }
}

/// Ends QEMU, too. Its own clean-up would wait for the hart that is here.
[[noreturn]] void end() try {
  finish();
  std::fflush(nullptr);
  std::_Exit(0);
} catch (const std::exception& error) {
  fail(error.what());
}

/// After the block that it is in.
void endTurn(unsigned number) { cpu_exit(qemu_get_cpu(static_cast<int>(number))); }

void paused(unsigned number, void*) { endTurn(number); }

/// Ends the hart's turn before the first instruction of the block that calls back, from where QEMU generated the call.
[[noreturn]] void standStill(unsigned number, void* generated) {
  endTurn(number);
  cpu_loop_exit_restore(qemu_get_cpu(static_cast<int>(number)), reinterpret_cast<uintptr_t>(generated));
}

/// Where the firmware lies, below the kernel, in a guest of QEMU's machine `virt`.
constexpr uint64_t kFirmware = 0x8000'0000, kBehindFirmware = 0x8020'0000;

bool ofFirmware(const qemu_plugin_tb* block) {
  const uint64_t address = qemu_plugin_tb_vaddr(block);
  return address >= kFirmware && address < kBehindFirmware;
}

/// Whether it is a program's and not the firmware's or the kernel's: Linux has the upper half of the addresses.
bool ofProgram(const qemu_plugin_tb* block) { return qemu_plugin_tb_vaddr(block) >> 63 == 0 && !ofFirmware(block); }

void record(qemu_plugin_id_t id);

/// A hart has skipped what it must.
void ready(Hart& hart) {
  hart.left = 0;
  if (--awaited == 0) qemu_plugin_reset(self, record);
}

/// Until all record.
void marked(unsigned number, void* data) {
  const auto mark = static_cast<unsigned>(reinterpret_cast<uintptr_t>(data));
  if (mark == kBegin) {
    begun = true;
    if (awaited == 0) qemu_plugin_reset(self, record);
  }
  if (!begun) return;
  if (mark == kEnd) end();
  if (mark == kReady && harts[number].left == kUntilReady) ready(harts[number]);
}

/// A block of a program begins; until all record.
void skipped(unsigned number, void* data) {
  if (!begun || number >= full) return;
  Hart& hart = harts[number];
  if (hart.left == 0) standStill(number, __builtin_return_address(0));
  if (hart.left == kUntilReady) return;
  hart.left -= std::min<uint64_t>(hart.left, reinterpret_cast<uintptr_t>(data));
  if (hart.left == 0) ready(hart);
}

void executed(unsigned number, void* data) {
  const Instruction& instruction = *static_cast<const Instruction*>(data);
  if (instruction.mark == kEnd) end();
  Hart& hart = harts[number];
  ++hart.before;
  hart.first = true;
  const Registers& registers = instruction.registers;
  hart.addressFrom = hart.from[registers.address];
  if (registers.written == 0) return;
  hart.from[registers.written] =
      registers.load ? hart.loads + 1 : std::max(hart.from[registers.source1], hart.from[registers.source2]);
}

uint64_t wired(uint64_t physical) {
  for (const auto& [one, other] : exchanges)
    if (((physical >> one) ^ (physical >> other)) & 1) physical ^= uint64_t{1} << one | uint64_t{1} << other;
  return physical;
}

void accessed(unsigned number, qemu_plugin_meminfo_t info, uint64_t address, void*) try {
  qemu_plugin_hwaddr* where = qemu_plugin_get_hwaddr(info, address);
  if (where == nullptr || qemu_plugin_hwaddr_is_io(where)) return;
  Hart& hart = harts[number];
  if (hart.accesses == most) return;
  if (hart.file == nullptr) hart.file = createTrace(output + "/hart-" + std::to_string(number) + ".trace.zst", "weir");
  Access access;
  access.before = hart.first ? hart.before - 1 : 0;
  access.write = qemu_plugin_mem_is_store(info);
  access.instruction = hart.first;
  access.bytes = static_cast<uint8_t>(1 << qemu_plugin_mem_size_shift(info));
  access.physical = wired(qemu_plugin_hwaddr_phys_addr(where));
  access.virtualAddress = address;
  // Loads of devices and loads that failed are not recorded: what comes from them comes from the next one.
  if (hart.addressFrom != 0 && hart.addressFrom <= hart.loads)
    access.dependsOn = static_cast<uint32_t>(std::min<uint64_t>(hart.loads + 1 - hart.addressFrom, UINT32_MAX));
  if (!access.write) ++hart.loads;
  hart.before = 0;
  hart.first = false;
  hart.file->write(access);
  if (++hart.accesses == most && --full == 0) end();
} catch (const std::exception& error) {
  fail(error.what());
}

/// The bits of an instruction; and that a hart waits where it is PAUSE.
uint32_t watched(qemu_plugin_insn* insn) {
  uint32_t bits = 0;
  std::memcpy(&bits, qemu_plugin_insn_data(insn), std::min<size_t>(qemu_plugin_insn_size(insn), sizeof bits));
  if (bits == kPause) qemu_plugin_register_vcpu_insn_exec_cb(insn, paused, QEMU_PLUGIN_CB_NO_REGS, nullptr);
  return bits;
}

/// Until all record.
void translatedToSkip(qemu_plugin_id_t, qemu_plugin_tb* block) {
  const uintptr_t count = qemu_plugin_tb_n_insns(block);
  if (ofProgram(block))
    qemu_plugin_register_vcpu_tb_exec_cb(block, skipped, QEMU_PLUGIN_CB_NO_REGS, reinterpret_cast<void*>(count));
  for (size_t index = 0; index < count; ++index) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, index);
    if (const uintptr_t mark = markOf(watched(insn)))
      qemu_plugin_register_vcpu_insn_exec_cb(insn, marked, QEMU_PLUGIN_CB_NO_REGS, reinterpret_cast<void*>(mark));
  }
}

void translated(qemu_plugin_id_t, qemu_plugin_tb* block) {
  if (ofFirmware(block)) return;
  const size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t index = 0; index < count; ++index) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, index);
    const uint32_t bits = watched(insn);
    instructions.push_back({registersOf(bits), markOf(bits)});
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, QEMU_PLUGIN_CB_NO_REGS, &instructions.back());
    qemu_plugin_register_vcpu_mem_cb(insn, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, nullptr);
  }
}

/// Whether an argument is NAME and a whole number, which becomes `value`.
bool number(const std::string& word, const std::string& name, uint64_t& value) {
  if (word.rfind(name, 0) != 0 || word.size() == name.size()) return false;
  char* end = nullptr;
  value = std::strtoull(&word[name.size()], &end, 10);
  return *end == '\0' && word[name.size()] != '-';
}

/// What a hart skips; fails for what is neither a count nor `ready`.
uint64_t skipOf(const std::string& word) {
  uint64_t count = kUntilReady;
  if (word != "ready" && !number(word, "", count)) fail("argument skip=" + word + ": must be a count or ready");
  return count;
}

/// A pair of bits; fails for what is none.
Exchange exchangeOf(const std::string& word) {
  Exchange found = {64, 64};
  const size_t dash = std::min(word.find('-'), word.size());
  if (!number(word.substr(0, dash), "", found.one) || dash == word.size() ||
      !number(word.substr(dash + 1), "", found.other) || found.one > 63 || found.other > 63)
    fail("argument exchange=" + word + ": must be BIT-BIT, each from 0 to 63");
  return found;
}

void ended(qemu_plugin_id_t, void*) {
  try {
    finish();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void record(qemu_plugin_id_t id) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, nullptr);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info,
                                                                          int argc, char** argv) {
  std::vector<uint64_t> skips;
  for (int index = 0; index < argc; ++index) {
    const std::string word = argv[index];
    if (word.rfind("skip=", 0) == 0) {
      std::stringstream words(word.substr(5));
      for (std::string each; std::getline(words, each, ':');) skips.push_back(skipOf(each));
    } else if (word.rfind("exchange=", 0) == 0) {
      std::stringstream words(word.substr(9));
      for (std::string each; std::getline(words, each, ':');) exchanges.push_back(exchangeOf(each));
    } else if (word.rfind("output=", 0) == 0) {
      output = word.substr(7);
    } else if (!number(word, "accesses=", most) && !number(word, "harts=", full)) {
      fail("argument " + word + ": must be output=FOLDER, accesses=COUNT, harts=COUNT, skip=COUNT or exchange=BIT-BIT");
    }
  }
  harts.resize(info->system_emulation ? static_cast<size_t>(info->system.max_vcpus) : 1);
  if (skips.empty()) skips.push_back(0);
  if (skips.size() != 1 && skips.size() != full)
    fail("skip has " + std::to_string(skips.size()) + " counts: must be 1 or " + std::to_string(full) + ", as harts");
  if (output.empty() || most == 0) fail("output=FOLDER and accesses=COUNT, at least 1, are needed");
  if (full == 0 || full > harts.size())
    fail("harts=" + std::to_string(full) + ": must be from 1 to the " + std::to_string(harts.size()) + " there are");
  self = id;
  for (size_t number = 0; number < full; ++number) {
    harts[number].left = skips[skips.size() == 1 ? 0 : number];
    awaited += harts[number].left == 0 ? 0 : 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translatedToSkip);
  return 0;
}
