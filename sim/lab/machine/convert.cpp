// SPDX-License-Identifier: Apache-2.0
/// @file
/// Writes a trace in another format.
///
/// Options, both `--name value`: `from` and `to` FORMAT:PATH, formats as trace.hpp has them. Exit code 0, or 2 for a
/// wrong option or a trace that cannot be read or written.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "options.hpp"
#include "trace/bytes.hpp"
#include "trace/trace.hpp"

using namespace weir::lab;

namespace {

TraceName named(const weir::bench::Options& options, const std::string& option) {
  if (const auto name = traceName(options.given(option))) return *name;
  throw std::invalid_argument("option --" + option + " " + options.text(option) + ": must be FORMAT:PATH");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const weir::bench::Options options(argc, argv, {{"from", "FORMAT:PATH"}, {"to", "FORMAT:PATH"}}, 0);
    const TraceName from = named(options, "from"), to = named(options, "to");
    const auto trace = openTrace(from.path, from.format);
    std::error_code absent;
    if (std::filesystem::equivalent(from.path, to.path, absent))
      throw std::invalid_argument("option --to " + to.path + ": is the file of --from");
    if (const auto place = placeOfNew(to.path); place && std::filesystem::equivalent(from.path, *place, absent))
      throw std::invalid_argument("option --to " + to.path + ": is written as " + *place + ", the file of --from");
    const auto writer = createTrace(to.path, to.format);
    do writer->write(trace->next());
    while (!trace->atBegin());
    writer->close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "convert: %s\n", error.what());
    return 2;
  }
  return 0;
}
