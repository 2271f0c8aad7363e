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
#include "trace/trace.hpp"

using namespace weir::lab;

namespace {

struct Named {
  std::string format, path;
};

Named named(const weir::traffic::Options& options, const std::string& option) {
  const std::string& text = options.text(option);
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size())
    throw std::invalid_argument("option --" + option + " " + text + ": must be FORMAT:PATH");
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const weir::traffic::Options options(argc, argv, {{"from", "FORMAT:PATH"}, {"to", "FORMAT:PATH"}});
    const Named from = named(options, "from"), to = named(options, "to");
    const auto trace = openTrace(from.path, from.format);
    std::error_code absent;
    if (std::filesystem::equivalent(from.path, to.path, absent))
      throw std::invalid_argument("option --to " + to.path + ": is the file of --from");
    const auto writer = createTrace(to.path, to.format);
    try {
      do writer->write(trace->next());
      while (!trace->atBegin());
      writer->close();
    } catch (...) {
      // a trace that is cut would be taken for a whole one
      if (std::filesystem::is_regular_file(to.path, absent)) std::filesystem::remove(to.path, absent);
      throw;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "convert: %s\n", error.what());
    return 2;
  }
  return 0;
}
