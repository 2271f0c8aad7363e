// SPDX-License-Identifier: Apache-2.0
#include "page_moves.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "manager.hpp"

namespace weir::bench {

namespace {

constexpr uint64_t kNvmControl = 0x110, kRemapControl = 0x390, kRemapStatus = 0x394, kBitmapBase = 0x398,
                   kPointerBase = 0x39c, kFrameBase = 0x3a0, kFrameCount = 0x3a4, kFrameIndex = 0x3a8,
                   kFrameStates = 0x3ac, kMovePage = 0x3c0, kMoveFrame = 0x3c8, kMoveCommand = 0x3d0,
                   kMoveStatus = 0x3d4, kMoveResultsLow = 0x3d8, kMoveResultsHigh = 0x3dc, kMoveRate = 0x3e0,
                   kMoveLines = 0x3e4;
constexpr uint32_t kEnable = 1, kTable = 1 << 4, kBusy = 1, kBadPointer = 1 << 4, kDirty = 1u << 31;

constexpr unsigned kQueue = 16;  // commands that have not ended, at most
constexpr uint64_t kSuperpage = 512;
// The first page of the bitmap is one of so many, then its pages, then so many for frames, of which so many are used.
constexpr uint64_t kBitmapStarts = 8, kFramePages = 240, kMostFrames = 128;
// Looks at the status without a command that ended, after which the mover hangs: more than a flush of all frames takes.
constexpr uint64_t kMostPolls = 200'000;

constexpr const char* kResults[] = {"pending",        "done",          "disabled",     "misaligned", "outside_region",
                                    "outside_frames", "already_there", "frame_in_use", "bad_pointer"};

std::string nameOf(uint32_t result) {
  return result < std::size(kResults) ? kResults[result] : "number " + std::to_string(result);
}

}  // namespace

PageMoves::PageMoves(const Memory& memory, Registers registers, const Clear& clear, uint64_t seed)
    : memory_(memory), registers_(std::move(registers)), random_(seed) {
  const uint64_t region = memory.pages - memory.firstPage;
  pointerPages_ = (region * 8 + kPageBytes - 1) / kPageBytes;
  const uint64_t bitmapPages = std::max<uint64_t>(8, (region / kSuperpage * 64 + kPageBytes - 1) / kPageBytes);
  reservedPages_ = kBitmapStarts + bitmapPages + kFramePages;
  bitmapBase_ = random_() % kBitmapStarts;
  frameCount_ = 4 + random_() % (std::min<uint64_t>(memory.frames, kMostFrames) - 3);
  frameBase_ = kBitmapStarts + bitmapPages + random_() % (kFramePages - frameCount_);
  pointerBase_ = memory.firstPage + random_() % (region - pointerPages_);
  clear(bitmapBase_, region / kSuperpage * 64);
  clear(pointerBase_, pointerPages_ * kPageBytes);

  // More than there are frames, some of them neighbours, some at the ends of superpages and of the region.
  const uint64_t few = memory.firstPage + random_() % (region - 8);
  std::vector<uint64_t> pages = {memory.firstPage, memory.firstPage + kSuperpage - 1, memory.firstPage + kSuperpage,
                                 memory.pages - 1};
  for (uint64_t index = 0; index < 8; ++index) pages.push_back(few + index);
  while (pages.size() < 2 * frameCount_) pages.push_back(memory.firstPage + random_() % region);
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  for (const uint64_t page : pages)
    if (!ofTable(page)) pages_.push_back(page);
}

bool PageMoves::reserved(uint64_t page) const { return page < reservedPages_ || ofTable(page); }

void PageMoves::set(uint64_t address, uint32_t value) {
  if (registers_.write(address, value) != Resp::kOkay)
    throw TrafficError("register " + std::to_string(address) + ": the value " + std::to_string(value) + " is refused");
}

void PageMoves::enable() {
  table_ = oneIn(2);
  // as slow as NVM, or as fast as DRAM; as fast as can be, or a little slower than that
  set(kNvmControl, oneIn(2));
  set(kMoveRate, oneIn(4) ? 16 | 300 << 16 : 255 | 1 << 16);
  set(kBitmapBase, static_cast<uint32_t>(bitmapBase_));
  set(kPointerBase, static_cast<uint32_t>(pointerBase_));
  set(kFrameBase, static_cast<uint32_t>(frameBase_));
  set(kFrameCount, static_cast<uint32_t>(frameCount_));
  set(kRemapControl, table_ ? kTable : 0);
  set(kRemapControl, (table_ ? kTable : 0) | kEnable);
  while ((registers_.read(kRemapStatus) & kBusy) != 0) {
  }
}

void PageMoves::disable() {
  if ((registers_.read(kRemapStatus) & kBadPointer) != 0) throw TrafficError("remapping has found a bad pointer");
  set(kRemapControl, table_ ? kTable : 0);
}

/// The result of a command that comes behind all others, and what it changes.
PageMoves::Result PageMoves::expect(Operation operation, uint64_t page, uint64_t frame) {
  if (operation == Operation::kFlush) return Result::kDone;
  const bool promote = operation == Operation::kPromote;
  const uint64_t home = page / kPageBytes, to = frame / kPageBytes;
  if (page % kPageBytes != 0 || (promote && frame % kPageBytes != 0)) return Result::kMisaligned;
  if (home < memory_.firstPage || home >= memory_.pages || (table_ && ofTable(home))) return Result::kOutsideRegion;
  if (promote && (to < frameBase_ || to >= frameBase_ + frameCount_)) return Result::kOutsideFrames;
  if ((where_.count(home) != 0) == promote) return Result::kAlreadyThere;
  if (!promote) {
    where_.erase(home);
    return Result::kDone;
  }
  for (const auto& [other, used] : where_)
    if (used == to) return Result::kFrameInUse;
  where_[home] = to;
  return Result::kDone;
}

void PageMoves::setAddress(uint64_t low, uint64_t& held, uint64_t value) {
  if (static_cast<uint32_t>(value) != static_cast<uint32_t>(held)) set(low, static_cast<uint32_t>(value));
  if (value >> 32 != held >> 32) set(low + 4, static_cast<uint32_t>(value >> 32));
  held = value;
}

void PageMoves::give(Operation operation, uint64_t page, uint64_t frame) {
  if (operation != Operation::kFlush) setAddress(kMovePage, pageHeld_, page);
  if (operation == Operation::kPromote) setAddress(kMoveFrame, frameHeld_, frame);
  while (commands_.size() >= kQueue) poll();
  set(kMoveCommand, static_cast<uint32_t>(operation));
  commands_.push_back({operation, page, frame, expect(operation, page, frame)});
  ++issued_;
}

/// A command that is refused, if it is not by chance good.
void PageMoves::giveBad(uint64_t page, uint64_t frame) {
  const Operation operation = oneIn(2) ? Operation::kPromote : Operation::kEvict;
  page *= kPageBytes;
  frame *= kPageBytes;
  switch (random_() % 7) {
    case 0:
      return give(operation, page + 1 + random_() % (kPageBytes - 1), frame);
    case 1:
      return give(Operation::kPromote, page, frame + 1 + random_() % (kPageBytes - 1));
    case 2: {
      const uint64_t outside[] = {random_() % memory_.firstPage, memory_.firstPage - 1, memory_.pages,
                                  (uint64_t{1} << 20) + page / kPageBytes};
      return give(operation, outside[random_() % std::size(outside)] * kPageBytes, frame);
    }
    case 3: {
      const uint64_t outside[] = {0, frameBase_ - 1, frameBase_ + frameCount_, page / kPageBytes};
      return give(Operation::kPromote, page, outside[random_() % std::size(outside)] * kPageBytes);
    }
    case 4:  // where pointers stand at the pages' homes this is a page like others, of which nobody knows
      if (!table_) return give(Operation::kEvict, pointerBase_ * kPageBytes, frame);
      return give(operation, (pointerBase_ + random_() % pointerPages_) * kPageBytes, frame);
    case 5:  // there is no such command
      if (registers_.write(kMoveCommand, 3) != Resp::kSlvErr) throw TrafficError("a command 3 is not refused");
      return;
    default:  // the page is there already, or the frame in use
      return give(where_.count(page / kPageBytes) != 0 ? Operation::kPromote : Operation::kEvict, page, frame);
  }
}

void PageMoves::next(const std::vector<uint64_t>& hot) {
  poll();
  if (commands_.size() >= kQueue) return;
  const uint64_t page = oneIn(4) ? anyOf(pages_) : anyOf(hot);
  const uint64_t frame = anyFrame();
  const uint64_t kind = random_() % 32;
  if (kind == 0) return give(Operation::kFlush, 0, 0);
  if (kind < 5) return giveBad(page, frame);
  const bool inDram = where_.count(page) != 0;
  give(inDram ? Operation::kEvict : Operation::kPromote, page * kPageBytes, frame * kPageBytes);
}

void PageMoves::poll() {
  const uint32_t status = registers_.read(kMoveStatus);
  if ((status & 0xffff) != (issued_ & 0xffff))
    throw TrafficError("the mover says it took " + std::to_string(status & 0xffff) + " commands, of " +
                       std::to_string(issued_));
  const uint32_t underWay = (status - (status >> 16)) & 0xffff;
  if (underWay > commands_.size()) throw TrafficError("a command of the mover that had ended is under way again");
  if (underWay < commands_.size()) {
    idlePolls_ = 0;
  } else if (!commands_.empty() && ++idlePolls_ > kMostPolls) {
    throw TrafficError("the mover hangs: no command has ended for long");
  }
  if (underWay == commands_.size()) return;
  const uint64_t results = registers_.read(kMoveResultsLow) | static_cast<uint64_t>(registers_.read(kMoveResultsHigh))
                                                                  << 32;
  while (commands_.size() > underWay) {
    const Command command = commands_.front();
    const uint32_t number = issued_ - static_cast<uint32_t>(commands_.size());
    commands_.pop_front();
    const auto result = static_cast<uint32_t>(results >> 4 * (number % kQueue) & 0xf);
    if (result != static_cast<uint32_t>(command.expected))
      throw TrafficError("command " + std::to_string(number) + " of the mover, operation " +
                         std::to_string(static_cast<uint32_t>(command.operation)) + ", page at " +
                         std::to_string(command.page) + ", frame at " + std::to_string(command.frame) +
                         ": the result is " + nameOf(result) + ", must be " +
                         nameOf(static_cast<uint32_t>(command.expected)));
    if (command.expected != Result::kDone)
      ++refused_;
    else
      ++(command.operation == Operation::kPromote ? promoted_
         : command.operation == Operation::kEvict ? evicted_
                                                  : flushed_);
  }
}

void PageMoves::finish() {
  while (!commands_.empty()) poll();
}

void PageMoves::flush() {
  give(Operation::kFlush, 0, 0);
  finish();
  checkFrames(true);
}

void PageMoves::evictAll() {
  while (!where_.empty()) give(Operation::kEvict, where_.begin()->first * kPageBytes, 0);
  finish();
  checkFrames(false);
}

/// Which frames are in use, and after a flush that none of them is dirty.
void PageMoves::checkFrames(bool clean) {
  std::vector<uint32_t> used(memory_.frames / 32);
  for (const auto& [page, frame] : where_) used[(frame - frameBase_) / 32] |= 1u << (frame - frameBase_) % 32;
  set(kFrameIndex, 0);
  for (const uint32_t expected : used)
    if (registers_.read(kFrameStates) != expected) throw TrafficError("the frames in use are others than they must be");
  if (!clean) return;
  set(kFrameIndex, kDirty);
  for (size_t index = 0; index < used.size(); ++index)
    if (registers_.read(kFrameStates) != 0) throw TrafficError("a frame is dirty after a flush");
}

std::string PageMoves::json() {
  return "{\"promoted\": " + std::to_string(promoted_) + ", \"evicted\": " + std::to_string(evicted_) +
         ", \"flushes\": " + std::to_string(flushed_) + ", \"refused\": " + std::to_string(refused_) +
         ", \"lines\": " + std::to_string(registers_.read(kMoveLines)) + "}";
}

}  // namespace weir::bench
