// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <cstdio>

namespace weir::soc {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string list(const std::vector<uint64_t>& counts) {
  std::string out;
  for (const uint64_t count : counts) out += (out.empty() ? "" : ", ") + std::to_string(count);
  return "[" + out + "]";
}

std::string json(const PageWalks& walks) {
  return "{\"data\": " + list(walks.data) + ", \"instructions\": " + list(walks.instructions) +
         ", \"reads\": " + list(walks.reads) + "}";
}

std::string json(const SlowTime::Counts& counts) {
  return "{\"cycles\": " + std::to_string(counts.cycles) + ", \"instructions\": " + list(counts.instructions) +
         ", \"page_walks\": " + json(counts.walks) + "}";
}

}  // namespace

std::string json(const Summary& summary, const dram::Statistics& statistics) {
  std::string marks, snapshots, cuts;
  for (const Mark& mark : summary.marks)
    marks += (marks.empty() ? "" : ", ") + quoted(mark.text) + ": " +
             (mark.cycle ? std::to_string(*mark.cycle) : std::string("null"));
  for (const CounterSnapshot& snapshot : summary.counter_snapshots)
    snapshots += (snapshots.empty() ? "" : ", ") + ("{\"cycle\": " + std::to_string(snapshot.cycle)) +
                 ", \"dram\": " + snapshot.statistics.json() + "}";
  for (const PowerCut& cut : summary.cuts)
    cuts += (cuts.empty() ? "" : ", ") + ("{\"cycle\": " + std::to_string(cut.cycle)) +
            ", \"console_bytes\": " + std::to_string(cut.console_bytes) + "}";
  return "{\"first_cycle\": " + std::to_string(summary.first_cycle) +
         ", \"cycles\": " + std::to_string(summary.cycles) + ", \"instructions\": " + list(summary.instructions) +
         ", \"page_walks\": " + json(summary.walks) + ", \"slowed\": " + json(summary.slowed) +
         ", \"exit_code\": " + std::to_string(summary.exit_code) + ", \"why\": " + quoted(summary.why) +
         ", \"start_seconds\": " + seconds(summary.start_seconds) + ", \"seconds\": " + seconds(summary.seconds) +
         ", \"violations\": " + std::to_string(summary.violations) + ", \"dram\": " + statistics.json() +
         ", \"marks\": {" + marks + "}, \"counter_snapshots\": [" + snapshots + "], \"cuts\": [" + cuts + "]}";
}

}  // namespace weir::soc
