// SPDX-License-Identifier: Apache-2.0
/// @file
/// A TCG plugin that writes the accesses of each hart as a trace of the lab.
///
/// Arguments: `output=FOLDER`, where hart N's trace becomes FOLDER/hart-N.trace.zst; `accesses=COUNT`, after which a
/// hart records no more; `harts=COUNT`, how many must have done so for the recording to end; and `skip=COUNT`,
/// instructions of a hart before its first access that is recorded, or `skip=ready`: all before it executes ORI x0, x0,
/// 0x7a3. What is recorded begins where a hart executes 0x7a1 in its place, and ends for all at 0x7a2, or when so many
/// harts have their count; QEMU is ended then. The kernel's accesses are among them, page walks are not. An access names the load that its address comes
/// from, by way of integer registers.
///
/// A hart that waits in the kernel for another one reads the same words again and again: QEMU runs harts in turn, each
/// for millions of instructions. So what the kernel reads anew of its last eight reads, with nothing written and
/// nothing of a program in between, is not recorded, nor are the instructions before it.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "../../machine/trace/trace.hpp"
#include "qemu_plugin.hpp"
#include "registers.hpp"

using namespace weir::lab;

extern "C" __attribute__((visibility("default"))) const int qemu_plugin_version = 1;

namespace {

struct Instruction {
  Registers registers;
  unsigned mark;
};

/// The upper half of the address space is the kernel's.
constexpr bool isKernel(uint64_t virtualAddress) { return virtualAddress >> 63 != 0; }

/// The last reads of a hart in the kernel, as long as it does nothing else.
class Waiting {
 public:
  /// Whether an access repeats one of them; to be told of each.
  bool repeats(bool kernelRead, uint64_t address) {
    if (!kernelRead) {
      known_ = next_ = 0;
      return false;
    }
    const auto end = last_.begin() + known_;
    if (std::find(last_.begin(), end, address) != end) return true;
    last_[next_] = address;
    next_ = (next_ + 1) % last_.size();
    known_ = std::min<size_t>(known_ + 1, last_.size());
    return false;
  }

 private:
  std::array<uint64_t, 8> last_{};
  size_t known_ = 0, next_ = 0;
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
  Waiting waiting;
};

/// In place of the instructions to be skipped: all until kReady.
constexpr uint64_t kUntilReady = UINT64_MAX;

std::string output;
uint64_t most = 0, full = 0;
std::vector<Hart> harts;
std::deque<Instruction> instructions;  // they stay where they are
bool recording = false;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "capture: %s\n", what.c_str());
  std::_Exit(2);
}

void finish() {
  recording = false;
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

void executed(unsigned number, void* data) {
  const Instruction& instruction = *static_cast<const Instruction*>(data);
  if (instruction.mark == kBegin) recording = true;
  if (!recording) return;
  if (instruction.mark == kEnd) end();
  Hart& hart = harts[number];
  if (hart.left != 0) {
    if (hart.left == kUntilReady) {
      if (instruction.mark == kReady) hart.left = 0;
    } else {
      --hart.left;
    }
    return;
  }
  ++hart.before;
  hart.first = true;
  const Registers& registers = instruction.registers;
  hart.addressFrom = hart.from[registers.address];
  if (registers.written == 0) return;
  hart.from[registers.written] =
      registers.load ? hart.loads + 1 : std::max(hart.from[registers.source1], hart.from[registers.source2]);
}

void accessed(unsigned number, qemu_plugin_meminfo_t info, uint64_t address, void*) try {
  if (!recording) return;
  qemu_plugin_hwaddr* where = qemu_plugin_get_hwaddr(info, address);
  if (where == nullptr || qemu_plugin_hwaddr_is_io(where)) return;
  Hart& hart = harts[number];
  if (hart.accesses == most || hart.left != 0) return;
  const bool write = qemu_plugin_mem_is_store(info);
  if (hart.waiting.repeats(!write && isKernel(address), address)) {
    hart.before = 0;
    return;
  }
  if (hart.file == nullptr) hart.file = createTrace(output + "/hart-" + std::to_string(number) + ".trace.zst", "weir");
  Access access;
  access.before = hart.first ? hart.before - 1 : 0;
  access.write = write;
  access.instruction = hart.first;
  access.bytes = static_cast<uint8_t>(1 << qemu_plugin_mem_size_shift(info));
  access.physical = qemu_plugin_hwaddr_phys_addr(where);
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

void translated(qemu_plugin_id_t, qemu_plugin_tb* block) {
  const size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t index = 0; index < count; ++index) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, index);
    uint32_t bits = 0;
    std::memcpy(&bits, qemu_plugin_insn_data(insn), std::min<size_t>(qemu_plugin_insn_size(insn), sizeof bits));
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

void ended(qemu_plugin_id_t, void*) {
  try {
    finish();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info,
                                                                          int argc, char** argv) {
  uint64_t skip = 0;
  for (int index = 0; index < argc; ++index) {
    const std::string word = argv[index];
    if (word == "skip=ready")
      skip = kUntilReady;
    else if (word.rfind("output=", 0) == 0)
      output = word.substr(7);
    else if (!number(word, "accesses=", most) && !number(word, "harts=", full) && !number(word, "skip=", skip))
      fail("argument " + word + ": must be output=FOLDER, accesses=COUNT, harts=COUNT, skip=COUNT or skip=ready");
  }
  harts.resize(info->system_emulation ? static_cast<size_t>(info->system.max_vcpus) : 1);
  for (Hart& hart : harts) hart.left = skip;
  if (output.empty() || most == 0) fail("output=FOLDER and accesses=COUNT, at least 1, are needed");
  if (full == 0 || full > harts.size())
    fail("harts=" + std::to_string(full) + ": must be from 1 to the " + std::to_string(harts.size()) + " there are");
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, nullptr);
  return 0;
}
