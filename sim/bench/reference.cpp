// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace weir::bench {

ReferenceMemory::ReferenceMemory(uint64_t base, uint64_t bytes, Initial initial)
    : base_(base),
      bytes_(bytes),
      initialContent_(std::move(initial)),
      initial_(std::make_shared<Write>(Write{0, 0, ~0u, ~0u})) {}

bool ReferenceMemory::holds(uint64_t address, uint64_t bytes) const {
  return address >= base_ && bytes <= bytes_ && address - base_ <= bytes_ - bytes;
}

uint64_t ReferenceMemory::readBegins(uint64_t cycle) {
  reads_.push_back({cycle, false});
  return firstRead_ + reads_.size() - 1;
}

void ReferenceMemory::readEnds(uint64_t read) {
  reads_.at(read - firstRead_).done = true;
  while (!reads_.empty() && reads_.front().done) {
    reads_.pop_front();
    ++firstRead_;
  }
}

uint64_t ReferenceMemory::oldestRead() const { return reads_.empty() ? kNever : reads_.front().begin; }

uint64_t ReferenceMemory::writeBegins(uint64_t cycle, unsigned port, unsigned id) {
  writes_[nextWrite_].write = std::make_shared<Write>(Write{cycle, kNever, port, id});
  return nextWrite_++;
}

void ReferenceMemory::writeBytes(uint64_t write, uint64_t address, const uint8_t* data, uint64_t strobe,
                                 unsigned bytes) {
  OpenWrite& open = writes_.at(write);
  const uint64_t number = (address - base_) / kLineBytes;
  const unsigned at = (address - base_) % kLineBytes;
  if (at + bytes > kLineBytes) throw std::logic_error("ReferenceMemory::writeBytes: a beat crosses a line");
  const uint64_t enabled = bytes == 64 ? strobe : strobe & ((uint64_t{1} << bytes) - 1);
  const uint64_t mask = enabled << at;
  std::vector<Entry>& entries = line(number).entries;
  // Beats of one burst that do not overlap are one entry; a FIXED burst's are one each, as a read may see between them.
  if (entries.back().write != open.write || (entries.back().mask & mask) != 0) {
    entries.push_back({open.write, 0, {}});
    open.lines.push_back(number);
  }
  entries.back().mask |= mask;
  for (unsigned i = 0; i < bytes; ++i)
    if ((enabled >> i) & 1) entries.back().data[at + i] = data[i];
}

void ReferenceMemory::writeEnds(uint64_t write, uint64_t cycle) {
  auto open = writes_.extract(write);
  open.mapped().write->end = cycle;
  for (const uint64_t number : open.mapped().lines) prune(line(number));
}

void ReferenceMemory::touch(uint64_t address, unsigned bytes) {
  const uint64_t first = (address - base_) / kLineBytes;
  const uint64_t last = (address - base_ + bytes - 1) / kLineBytes;
  for (uint64_t number = first; number <= last; ++number) line(number);
}

std::vector<uint64_t> ReferenceMemory::touched() const {
  std::vector<uint64_t> addresses;
  for (const auto& [number, line] : lines_) addresses.push_back(base_ + number * kLineBytes);
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

ReferenceMemory::Line& ReferenceMemory::line(uint64_t number) {
  auto [found, added] = lines_.try_emplace(number);
  if (added) {
    found->second.entries.push_back({initial_, ~uint64_t{0}, initialContent_(number * kLineBytes)});
  }
  return found->second;
}

/// Whether `later` comes after `earlier` in AXI's order and was answered before `before`: then nothing that begins at
/// `before` may still see `earlier`. Entries of one write are ordered by their place in the line.
bool ReferenceMemory::supersedes(const Entry& later, const Entry& earlier, uint64_t before) {
  const Write& after = *later.write;
  const Write& first = *earlier.write;
  if (after.end >= before) return false;
  return first.end < after.begin || (first.port == after.port && first.id == after.id);
}

uint64_t ReferenceMemory::legalMask(const Line& line, size_t index, uint64_t before) const {
  const Entry& entry = line.entries[index];
  uint64_t mask = entry.mask;
  for (size_t later = index + 1; later < line.entries.size() && mask != 0; ++later)
    if (supersedes(line.entries[later], entry, before)) mask &= ~line.entries[later].mask;
  return mask;
}

/// Forget what no read, in flight or to come, may see any more.
void ReferenceMemory::prune(Line& line) {
  const uint64_t before = oldestRead();
  for (size_t index = 0; index < line.entries.size(); ++index)
    line.entries[index].mask = legalMask(line, index, before);
  size_t kept = 0;  // never ends at 0: the last write of a byte is superseded by none
  for (size_t index = 0; index < line.entries.size(); ++index) {
    if (line.entries[index].mask == 0) continue;
    if (kept != index) line.entries[kept] = std::move(line.entries[index]);
    ++kept;
  }
  line.entries.resize(kept);
}

std::optional<std::string> ReferenceMemory::check(uint64_t read, uint64_t address, const uint8_t* data,
                                                  unsigned bytes) {
  const uint64_t begin = reads_.at(read - firstRead_).begin;
  checkedBytes_ += bytes;
  const Line& held = line((address - base_) / kLineBytes);
  const unsigned at = (address - base_) % kLineBytes;
  const uint64_t wanted = (bytes == 64 ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << at;
  uint64_t explained = 0;
  for (size_t index = held.entries.size(); index-- > 0 && explained != wanted;) {
    uint64_t open = legalMask(held, index, begin) & wanted & ~explained;
    const LineData& legal = held.entries[index].data;
    for (; open != 0; open &= open - 1) {
      const unsigned byte = static_cast<unsigned>(__builtin_ctzll(open));
      if (legal[byte] == data[byte - at]) explained |= uint64_t{1} << byte;
    }
  }
  if (explained == wanted) return std::nullopt;

  const unsigned byte = static_cast<unsigned>(__builtin_ctzll(wanted & ~explained));
  char text[160];
  std::snprintf(text, sizeof text, "byte at 0x%llx (read of %u bytes at 0x%llx) is 0x%02x; legal:",
                static_cast<unsigned long long>(address + byte - at), bytes, static_cast<unsigned long long>(address),
                data[byte - at]);
  std::string message = text;
  for (size_t index = 0; index < held.entries.size(); ++index) {
    if ((legalMask(held, index, begin) >> byte & 1) == 0) continue;
    const Entry& entry = held.entries[index];
    if (entry.write == initial_)
      std::snprintf(text, sizeof text, " 0x%02x (initial)", entry.data[byte]);
    else if (entry.write->end == kNever)
      std::snprintf(text, sizeof text, " 0x%02x (write of port %u id %u, begun in cycle %llu, not answered)",
                    entry.data[byte], entry.write->port, entry.write->id,
                    static_cast<unsigned long long>(entry.write->begin));
    else
      std::snprintf(text, sizeof text, " 0x%02x (write of port %u id %u, cycles %llu to %llu)", entry.data[byte],
                    entry.write->port, entry.write->id, static_cast<unsigned long long>(entry.write->begin),
                    static_cast<unsigned long long>(entry.write->end));
    message += text;
  }
  return message;
}

}  // namespace weir::bench
