// SPDX-License-Identifier: Apache-2.0
/// @file
/// The formats of text that other simulators have.

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "../../../bench/options.hpp"
#include "../quoted.hpp"
#include "trace.hpp"

namespace weir::lab {

namespace {

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    at = end;
  }
  return found;
}

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

uint64_t number(std::string_view word, const char* what, uint64_t most = ~uint64_t{0}) {
  const auto value = bench::numberOf(word);
  if (!value || *value > most)
    refuse(std::string(what) + " is " + quoted(word) +
           ": must be a number, decimal or hexadecimal after 0x, of at most " + std::to_string(most));
  return *value;
}

uint32_t instructions(std::string_view word) {
  return static_cast<uint32_t>(number(word, "the count of instructions", UINT32_MAX));
}

Access load(uint32_t before, uint64_t address) {
  Access access;
  access.before = before;
  access.physical = address;
  return access;
}

Access store(uint32_t before, uint64_t address) {
  Access access = load(before, address);
  access.write = true;
  return access;
}

void parseSimpleO3(const std::string& line, std::vector<Access>& accesses) {
  const auto parts = words(line);
  if (parts.size() != 2 && parts.size() != 3)
    refuse("has " + std::to_string(parts.size()) + " words: must have 2 or 3, BUBBLES LOAD [STORE]");
  const uint32_t before = instructions(parts[0]);
  accesses.push_back(load(before, number(parts[1], "the address of the load")));
  if (parts.size() == 2) return;
  Access written = store(0, number(parts[2], "the address of the store"));
  written.instruction = false;
  accesses.push_back(written);
}

void parseLoadStore(const std::string& line, std::vector<Access>& accesses) {
  const auto parts = words(line);
  if (parts.size() != 2) refuse("has " + std::to_string(parts.size()) + " words: must have 2, LD|ST ADDRESS");
  const uint64_t address = number(parts[1], "the address");
  if (parts[0] == "LD")
    accesses.push_back(load(0, address));
  else if (parts[0] == "ST")
    accesses.push_back(store(0, address));
  else
    refuse("begins with " + quoted(parts[0]) + ": must begin with LD or ST");
}

void parseUsimm(const std::string& line, std::vector<Access>& accesses) {
  const auto parts = words(line);
  const bool read = parts.size() == 4 && parts[1] == "R", write = parts.size() == 3 && parts[1] == "W";
  if (!read && !write) refuse("is " + quoted(line) + ": must be INSTRUCTIONS R ADDRESS PC or INSTRUCTIONS W ADDRESS");
  const uint32_t before = instructions(parts[0]);
  const uint64_t address = number(parts[2], "the address");
  if (read) number(parts[3], "the program counter");
  accesses.push_back(read ? load(before, address) : store(before, address));
}

std::string hexadecimal(uint64_t value) {
  char digits[19] = "0x";
  return {digits, std::to_chars(digits + 2, digits + sizeof digits, value, 16).ptr};
}

/// A number as std::stoi and std::stoll read it, which take 0x40 for 0 and fail beyond `most`.
std::string decimal(uint64_t value, const char* what, int64_t most) {
  if (value > static_cast<uint64_t>(most))
    refuse(std::string(what) + " is " + std::to_string(value) + ": must be at most " + std::to_string(most) +
           " in simple_o3");
  return std::to_string(value);
}

std::string printSimpleO3(const Access& first, const Access* next, bool& second) {
  // a store that is an instruction of its own would be none any more behind a load
  second = !first.write && next != nullptr && next->write && next->before == 0 && !next->instruction;
  std::string line = decimal(first.before, "the count of instructions", INT32_MAX) + " " +
                     decimal(first.physical, "the address", INT64_MAX);
  if (first.write || second)
    line += " " + decimal(second ? next->physical : first.physical, "the address of the store", INT64_MAX);
  return line + "\n";
}

std::string printLoadStore(const Access& first, const Access*, bool&) {
  return (first.write ? "ST " : "LD ") + hexadecimal(first.physical) + "\n";
}

std::string printUsimm(const Access& first, const Access*, bool&) {
  return std::to_string(first.before) + (first.write ? " W " : " R ") + hexadecimal(first.physical) +
         (first.write ? "\n" : " 0x0\n");
}

constexpr TraceFormat kFormats[] = {{"simple_o3", parseSimpleO3, printSimpleO3},
                                    {"load_store", parseLoadStore, printLoadStore},
                                    {"usimm", parseUsimm, printUsimm}};

}  // namespace

const TraceFormat& formatNamed(const std::string& name) {
  for (const TraceFormat& format : kFormats)
    if (name == format.name) return format;
  throw TraceError("trace format \"" + name + "\": must be weir, simple_o3, load_store or usimm");
}

}  // namespace weir::lab
