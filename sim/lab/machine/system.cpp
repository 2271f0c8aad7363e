// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>
#include <set>

#include "../../bench/options.hpp"
#include "quoted.hpp"

namespace weir::lab {

namespace {

/// The fields of a map, each to be read once.
class Fields {
 public:
  /// Of a node that is named at `mark`.
  Fields(const std::string& path, const std::string& name, const YAML::Node& node, const YAML::Mark& mark)
      : path_(path), name_(name), node_(node) {
    if (!node.IsMap()) fail(mark, name.empty() ? "the file" : name, "must be a map of fields" + no(node));
    std::set<std::string> names;
    for (const auto& each : node_)
      if (each.first.IsScalar() && !names.insert(each.first.Scalar()).second)
        fail(each.first.Mark(), full(each.first.Scalar()), "is there twice");
  }

  YAML::Node at(const std::string& field) {
    read_.insert(field);
    const YAML::Node found = node_[field];
    if (!found) fail(node_.Mark(), full(field), "is missing");
    return found;
  }

  Fields map(const std::string& field) {
    const YAML::Node found = at(field);
    return {path_, full(field), found, mark(field)};
  }

  /// Of what may be left out; nothing where it is `none`.
  std::optional<Fields> mapOrNone(const std::string& field) {
    const YAML::Node found = at(field);
    if (found.IsScalar() && found.Scalar() == "none") return std::nullopt;
    if (!found.IsMap()) fail(mark(field), full(field), "must be none or a map of fields" + no(found));
    return map(field);
  }

  /// Of one of these words; its place among them.
  unsigned choice(const std::string& field, const std::vector<std::string>& words) {
    const YAML::Node found = at(field);
    std::string all;
    for (unsigned index = 0; index < words.size(); ++index) {
      if (found.IsScalar() && found.Scalar() == words[index]) return index;
      all += (index == 0 ? "" : index + 1 == words.size() ? " or " : ", ") + words[index];
    }
    fail(mark(field), full(field) + text(found), "must be " + all);
  }

  uint64_t number(const std::string& field, uint64_t least, uint64_t most, bool powerOfTwo = false) {
    const YAML::Node found = at(field);
    // not as YAML has numbers: 0100 would be octal
    const auto value = found.IsScalar() ? bench::numberOf(found.Scalar()) : std::nullopt;
    if (!value || *value < least || *value > most || (powerOfTwo && (*value & (*value - 1)) != 0))
      fail(mark(field), full(field) + text(found),
           std::string("must be ") + (powerOfTwo ? "a power of two from " : "") + std::to_string(least) + " to " +
               std::to_string(most));
    return *value;
  }
  unsigned count(const std::string& field, unsigned least, unsigned most, bool powerOfTwo = false) {
    return static_cast<unsigned>(number(field, least, most, powerOfTwo));
  }

  /// Refuse fields that nobody asked for.
  void done() const {
    for (const auto& each : node_) {
      const std::string field = each.first.as<std::string>();
      if (read_.count(field) != 0) continue;
      std::string known;
      for (const std::string& name : read_) known += (known.empty() ? "" : ", ") + name;
      fail(each.first.Mark(), full(shown(field)), "there is no such field; there are " + known);
    }
  }

  std::string full(const std::string& field) const { return name_.empty() ? field : name_ + "." + field; }

  /// Of a field's name: an empty value has the place of what is behind it.
  YAML::Mark mark(const std::string& field) const {
    for (const auto& each : node_)
      if (each.first.IsScalar() && each.first.Scalar() == field) return each.first.Mark();
    return node_.Mark();
  }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what, const std::string& why) const {
    throw SystemError(path_ + ":" + std::to_string(mark.line + 1) + ": " + what + ": " + why);
  }

  static std::string text(const YAML::Node& node) {
    return node.IsScalar() ? " = " + shown(node.Scalar()) : node.IsNull() ? " is empty" : "";
  }

  /// That it is not what is there.
  static std::string no(const YAML::Node& node) {
    return node.IsScalar() ? ", not " + shown(node.Scalar()) : node.IsSequence() ? ", not a list" : ", not empty";
  }

 private:
  const std::string path_, name_;
  const YAML::Node node_;
  std::set<std::string> read_;
};

CacheConfig cache(Fields fields) {
  CacheConfig config{};
  config.bytes = fields.number("kibibytes", 1, 1 << 20) * 1024;
  config.ways = fields.count("ways", 1, 64);
  config.cycles = fields.count("cycles", 1, 1000);
  config.mshrs = fields.count("mshrs", 1, 1024);
  fields.done();
  const uint64_t setBytes = uint64_t{config.ways} * kLineBytes;
  const uint64_t sets = config.bytes / setBytes;
  if (config.bytes % setBytes != 0 || (sets & (sets - 1)) != 0)
    fields.fail(fields.mark("kibibytes"), fields.full("kibibytes") + " = " + std::to_string(config.bytes / 1024),
                "must be a power of two of sets of " + std::to_string(config.ways) + " ways of 64 bytes");
  return config;
}

}  // namespace

System readSystem(const std::string& path) try {
  if (!std::filesystem::is_regular_file(path)) throw SystemError(path + ": is no file");
  const std::vector<YAML::Node> documents = YAML::LoadAllFromFile(path);
  if (documents.size() != 1)
    throw SystemError(path + ": has " + std::to_string(documents.size()) + " documents: must be 1");
  Fields file(path, "", documents[0], documents[0].Mark());
  System system{};

  Fields cores = file.map("cores");
  system.cores = cores.count("count", 1, 64);
  system.clockRatio = cores.count("clock_ratio", 1, 64);
  cores.choice("model", {"out_of_order"});
  system.core.reorderBuffer = cores.count("reorder_buffer", 1, 4096);
  system.core.width = cores.count("width", 1, 64);
  system.core.loadQueue = cores.count("load_queue", 1, 4096);
  system.core.storeQueue = cores.count("store_queue", 1, 4096);
  system.core.loadPorts = cores.count("load_ports", 1, 64);
  cores.done();

  Fields caches = file.map("caches");
  if (const auto l1 = caches.mapOrNone("l1")) system.caches.l1 = cache(*l1);
  system.caches.llc = cache(caches.map("llc"));
  system.caches.writeBacks = caches.count("write_backs", 1, 4096);
  if (auto stride = caches.mapOrNone("prefetcher")) {
    StrideConfig config{};
    config.entries = stride->count("pages", 1, 4096, true);
    config.degree = stride->count("degree", 1, 16);
    config.distance = stride->count("distance", 1, 63);
    stride->done();
    system.caches.prefetcher = config;
  }
  caches.done();

  Fields memory = file.map("memory");
  system.ideal = memory.choice("model", {"weir", "ideal"}) == 1;
  if (system.ideal) system.idealCycles = memory.count("cycles", 1, 100000);
  system.writesDropped = memory.choice("writes", {"served", "dropped"}) == 1;
  system.base = memory.number("base", 0, uint64_t{1} << 63);
  if (system.base % kLineBytes != 0)
    memory.fail(memory.mark("base"), "memory.base = " + std::to_string(system.base), "must be a multiple of 64");
  memory.done();
  file.done();
  return system;
} catch (const YAML::Exception& error) {
  throw SystemError(path + ": " + error.what());
}

}  // namespace weir::lab
