// SPDX-License-Identifier: Apache-2.0
/// @file
/// Says what is in a trace, as a line of JSON: instructions, accesses, how many of them write and how many are to
/// virtual addresses of the kernel, which are the upper half, distinct lines of 64 bytes and pages of 4 KiB, and how
/// many accesses are to each colour.
///
/// Options, all `--name value`: `trace` FORMAT:PATH, formats as trace.hpp has them; `masks` with commas between, of the
/// bits of a colour, the lowest first (a bit is the parity of the address bits in its mask); `base`, the address that
/// they count from. Exit code 0, or 2 for a wrong option or a trace that cannot be read.

#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "cache/set_associative.hpp"
#include "options.hpp"
#include "trace/trace.hpp"

using namespace weir::lab;

namespace {

constexpr size_t kMostMasks = 8;
constexpr unsigned kPageShift = 12;

std::vector<uint64_t> masksOf(const std::string& text) {
  std::vector<uint64_t> masks;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    const auto mask = weir::bench::numberOf(word);
    if (!mask || *mask == 0 || masks.size() == kMostMasks)
      throw std::invalid_argument("option --masks " + text + ": must be at most " + std::to_string(kMostMasks) +
                                  " numbers with commas between, none of them 0");
    masks.push_back(*mask);
  }
  return masks;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const weir::bench::Options options(argc, argv, {{"trace", "FORMAT:PATH"}, {"masks", ""}, {"base", "0"}}, 0);
    const auto name = traceName(options.given("trace"));
    if (!name) throw std::invalid_argument("option --trace " + options.text("trace") + ": must be FORMAT:PATH");
    const std::vector<uint64_t> masks = masksOf(options.text("masks"));
    const uint64_t base = options.number("base");
    const auto trace = openTrace(name->path, name->format);
    uint64_t instructions = 0, accesses = 0, writes = 0, kernel = 0;
    std::unordered_set<uint64_t> lines, pages;
    std::vector<uint64_t> colours(size_t{1} << masks.size());
    do {
      const Access access = trace->next();
      instructions += uint64_t{access.before} + (access.instruction ? 1 : 0);
      ++accesses;
      writes += access.write ? 1 : 0;
      kernel += access.virtualAddress >> 63;
      lines.insert(access.physical / kLineBytes);
      pages.insert(access.physical >> kPageShift);
      size_t colour = 0;
      for (size_t bit = 0; bit < masks.size(); ++bit)
        colour |= static_cast<size_t>(__builtin_parityll((access.physical - base) & masks[bit])) << bit;
      ++colours[colour];
    } while (!trace->atBegin());
    std::ostringstream out;
    out << "{\"instructions\": " << instructions << ", \"accesses\": " << accesses << ", \"writes\": " << writes
        << ", \"kernel\": " << kernel << ", \"lines\": " << lines.size() << ", \"pages\": " << pages.size()
        << ", \"colours\": [";
    for (size_t colour = 0; colour < colours.size(); ++colour) out << (colour == 0 ? "" : ", ") << colours[colour];
    out << "]}\n";
    if (std::fputs(out.str().c_str(), stdout) < 0 || std::fflush(stdout) != 0)
      throw std::runtime_error("what is said cannot be written");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "describe: %s\n", error.what());
    return 2;
  }
  return 0;
}
