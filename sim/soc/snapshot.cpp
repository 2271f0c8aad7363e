// SPDX-License-Identifier: Apache-2.0
// A snapshot's file, numbers little-endian as the host has them: a Header, then the state in chunks, each an LZ4 block
// behind its length (uint32).
#include "snapshot.hpp"

#include <lz4.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "whole_file.hpp"

namespace weir::soc {

namespace {

constexpr std::array<char, 8> kMagic = {'W', 'E', 'I', 'R', 'S', 'N', 'A', 'P'};
constexpr uint32_t kVersion = 2;
constexpr size_t kChunk = size_t{1} << 24;
// Bytes that a byte of an LZ4 block can stand for, at most: 255 of a match, each told by a byte.
constexpr uint64_t kMostExpansion = 256;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t reserved = 0;
  uint64_t build = 0;     // of the program that wrote it
  uint64_t length = 0;    // of the state
  uint64_t packed = 0;    // bytes that follow
  uint64_t checksum = 0;  // of all of the file, in which this is 0
};

// FNV-1a (Fowler, Noll, Vo) over words of eight bytes in place of bytes, the last filled with zeros.
uint64_t hash(const uint8_t* bytes, size_t length) {
  uint64_t value = 0xcbf29ce484222325u ^ length;
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min<size_t>(8, length - at));
    value = (value ^ word) * 0x100000001b3u;
    value ^= value >> 29;  // so that high bits count too
  }
  return value;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw std::runtime_error("snapshot " + file + " " + why);
}

std::vector<uint8_t> read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) refuse(file, "cannot be read");
  std::vector<uint8_t> bytes(std::filesystem::file_size(file));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) refuse(file, "cannot be read");
  return bytes;
}

// What this program is, down to the last instruction: a hash of it.
uint64_t build_id() {
  static const uint64_t id = [] {
    const std::vector<uint8_t> program = read_file("/proc/self/exe");
    return hash(program.data(), program.size());
  }();
  return id;
}

std::string hexadecimal(uint64_t id) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(id));
  return text;
}

std::vector<uint8_t> pack(const std::vector<uint8_t>& state) {
  std::vector<uint8_t> packed;
  std::vector<char> block(static_cast<size_t>(LZ4_compressBound(static_cast<int>(kChunk))));
  for (size_t at = 0; at < state.size(); at += kChunk) {
    const int length = static_cast<int>(std::min(kChunk, state.size() - at));
    const int size = LZ4_compress_default(reinterpret_cast<const char*>(state.data() + at), block.data(), length,
                                          static_cast<int>(block.size()));
    const auto word = static_cast<uint32_t>(size);
    const auto* begin = reinterpret_cast<const uint8_t*>(&word);
    packed.insert(packed.end(), begin, begin + sizeof word);
    packed.insert(packed.end(), block.data(), block.data() + size);
  }
  return packed;
}

std::vector<uint8_t> unpack(const std::string& file, const uint8_t* packed, size_t size, uint64_t length) {
  // before memory is taken for what the file says
  if (length / kMostExpansion > size) refuse(file, "is damaged");
  std::vector<uint8_t> state(length);
  size_t from = 0;
  for (size_t at = 0; at < length; at += kChunk) {
    const size_t expected = std::min<size_t>(kChunk, length - at);
    uint32_t block = 0;
    if (size - from < sizeof block) refuse(file, "is damaged");
    std::memcpy(&block, packed + from, sizeof block);
    from += sizeof block;
    if (size - from < block ||
        LZ4_decompress_safe(reinterpret_cast<const char*>(packed + from), reinterpret_cast<char*>(state.data() + at),
                            static_cast<int>(block), static_cast<int>(expected)) != static_cast<int>(expected))
      refuse(file, "is damaged");
    from += block;
  }
  if (from != size) refuse(file, "is damaged");
  return state;
}

}  // namespace

void write_snapshot(const std::string& file, const std::vector<uint8_t>& state) {
  const std::vector<uint8_t> packed = pack(state);
  Header header;
  header.build = build_id();
  header.length = state.size();
  header.packed = packed.size();
  std::vector<uint8_t> bytes(sizeof header);
  bytes.insert(bytes.end(), packed.begin(), packed.end());
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = hash(bytes.data(), bytes.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  write_whole("snapshot", file, bytes.data(), bytes.size());
}

std::vector<uint8_t> read_snapshot(const std::string& file) {
  std::vector<uint8_t> bytes = read_file(file);
  Header header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    refuse(file, "is no snapshot of a simulated machine");
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  if (header.version != kVersion)
    refuse(file, "is of version " + std::to_string(header.version) + "; this program reads version " +
                     std::to_string(kVersion));
  const uint64_t build = build_id();
  if (header.build != build)
    refuse(file, "is of build " + hexadecimal(header.build) + "; this program is build " + hexadecimal(build) +
                     ": save it anew");
  const size_t size = bytes.size() - sizeof header;
  if (size < header.packed)
    refuse(file,
           "is cut short: " + std::to_string(size) + " bytes behind its header of " + std::to_string(header.packed));
  const uint64_t checksum = header.checksum;
  header.checksum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  if (size > header.packed || hash(bytes.data(), bytes.size()) != checksum) refuse(file, "is damaged");
  return unpack(file, bytes.data() + sizeof header, size, header.length);
}

}  // namespace weir::soc
