// SPDX-License-Identifier: Apache-2.0
#include "archive.hpp"

#include <cstring>

namespace weir::dram {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {'W', 'E', 'I', 'R', 'S', 'A', 'V', 'E'};

}  // namespace

Archive::Archive() : reading_(false), bytes_(kMagic.begin(), kMagic.end()) {
  std::uint32_t version = kVersion;
  Archive::move(&version, sizeof version);
}

Archive::Archive(std::vector<std::uint8_t> bytes, std::string place)
    : reading_(true), bytes_(std::move(bytes)), place_(std::move(place)) {
  std::array<std::uint8_t, 8> magic{};
  Archive::move(magic.data(), magic.size());
  if (magic != kMagic) throw ArchiveError(place_ + ": is no archive of a simulated machine");
  std::uint32_t version = 0;
  Archive::move(&version, sizeof version);
  if (version != kVersion)
    throw ArchiveError(place_ + ": is of version " + std::to_string(version) + "; this program reads version " +
                       std::to_string(kVersion));
}

void Archive::move(void* value, std::size_t length) {
  if (length == 0) return;
  if (!reading_) {
    const auto* from = static_cast<const std::uint8_t*>(value);
    bytes_.insert(bytes_.end(), from, from + length);
    return;
  }
  if (length > bytes_.size() - at_) refuse("is cut short");
  std::memcpy(value, bytes_.data() + at_, length);
  at_ += length;
}

void Archive::raw(const char* name, void* bytes, std::size_t length) {
  path_.push_back(name);
  move(bytes, length);
  path_.pop_back();
}

std::size_t Archive::size(std::size_t size, std::size_t bytes) {
  std::uint64_t length = size;
  Archive::move(&length, sizeof length);
  if (reading_ && length > (bytes_.size() - at_) / bytes)
    refuse("is cut short, with " + std::to_string(length) + " elements to come");
  return static_cast<std::size_t>(length);
}

void Archive::item(bool& value) {
  std::uint8_t byte = value ? 1 : 0;
  move(&byte, sizeof byte);
  value = byte != 0;
}

void Archive::item(std::string& value) {
  std::string text = value;
  text.resize(size(text.size(), 1));
  Archive::move(text.data(), text.size());
  value = text;
}

void Archive::section(const std::string& name) {
  std::string found = name;
  item(found);
  if (found != name) throw ArchiveError(place_ + ": holds '" + found + "' where '" + name + "' is expected");
}

void Archive::agree(const std::string& what, const std::string& text) {
  std::string found = text;
  item(found);
  if (found != text) throw ArchiveError(place_ + ": " + what + " is " + found + " there and " + text + " here");
}

void Archive::finish() const {
  if (at_ != bytes_.size())
    throw ArchiveError(place_ + ": " + std::to_string(bytes_.size() - at_) + " bytes lie behind its end");
}

std::string Archive::path() const {
  std::string text;
  for (const char* name : path_) text += (text.empty() ? "" : ".") + std::string(name);
  return text;
}

void Archive::refuse(const std::string& why) const {
  throw ArchiveError(place_ + ": " + why + (path_.empty() ? "" : " at " + path()));
}

}  // namespace weir::dram
