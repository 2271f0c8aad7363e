// SPDX-License-Identifier: Apache-2.0
#include "out_of_order.hpp"

#include <algorithm>

namespace weir::lab {

namespace {

/// At least as many loads as can be under way, and as many again whose data later ones may name. What is no instruction
/// of its own takes a place in the load queue alone.
size_t loadsKept(unsigned reorderBuffer, unsigned loadQueue) {
  size_t kept = 1;
  while (kept < 4 * size_t{std::max(reorderBuffer, loadQueue)}) kept *= 2;
  return kept;
}

}  // namespace

OutOfOrderCore::OutOfOrderCore(unsigned number, const OutOfOrderConfig& config, std::unique_ptr<Trace> trace,
                               DataPort& caches)
    : number_(number),
      config_(config),
      trace_(std::move(trace)),
      caches_(caches),
      loads_(loadsKept(config.reorderBuffer, config.loadQueue)) {
  next_ = trace_->next();
  beforeNext_ = next_.before;
}

void OutOfOrderCore::cycle(uint64_t now) {
  bool moved = retire(now);
  moved |= drain(now);
  // a load goes to the caches in the cycle it enters, if its address is known
  moved |= enter(now);
  moved |= issue(now);
  if (moved) {
    wake_ = now + 1;
    return;
  }
  wake_ = kNever;
  if (!buffer_.empty()) {
    const Entry& head = buffer_.front();
    wake_ = head.kind == Kind::kLoad ? load(head.load).done : head.done;
  }
  if (!loadRefused_)
    for (const uint64_t number : waiting_) wake_ = std::min(wake_, addressKnown(number));
}

bool OutOfOrderCore::retire(uint64_t now) {
  unsigned room = config_.width;
  while (!buffer_.empty()) {
    Entry& head = buffer_.front();
    const uint64_t done = head.kind == Kind::kLoad ? load(head.load).done : head.done;
    if (done > now) break;
    const unsigned leaving = std::min(room, head.instructions);
    if (leaving == 0 && head.instructions != 0) break;
    room -= leaving;
    buffered_ -= leaving;
    retired_ += leaving;
    head.instructions -= leaving;
    if (head.instructions != 0) break;
    if (head.kind == Kind::kLoad) ++loadsLeft_;
    if (head.kind == Kind::kStore) ++storesLeft_;
    buffer_.pop_front();
  }
  return room != config_.width;
}

bool OutOfOrderCore::drain(uint64_t now) {
  if (storeRefused_ || storesTaken_ == storesLeft_) return false;
  if (caches_.access(number_, stores_.front().address, true, 0, now).kind == Answer::Kind::kRefused) {
    storeRefused_ = true;
    return false;
  }
  stores_.pop_front();
  ++storesTaken_;
  return true;
}

bool OutOfOrderCore::enter(uint64_t now) {
  bool entered = false;
  unsigned room = std::min(config_.width, config_.reorderBuffer - buffered_);
  while (true) {
    if (beforeNext_ != 0) {
      const uint32_t plain = std::min(room, beforeNext_);
      if (plain == 0) break;
      buffer_.push_back({Kind::kPlain, plain, now + 1, 0});
      room -= plain;
      buffered_ += plain;
      beforeNext_ -= plain;
      entered = true;
      if (beforeNext_ != 0) break;
    }
    const unsigned instructions = next_.instruction ? 1 : 0;
    if (room < instructions) break;
    if (next_.write) {
      if (stores_.size() == config_.storeQueue) break;
      stores_.push_back({next_.physical, next_.bytes});
      ++storesEntered_;
      buffer_.push_back({Kind::kStore, instructions, now + 1, 0});
    } else {
      if (loadsEntered_ - loadsLeft_ == config_.loadQueue) break;
      const uint64_t number = loadsEntered_++;
      // one that the reorder buffer has no room for is done
      const bool known = next_.dependsOn == 0 || next_.dependsOn > std::min<uint64_t>(number, config_.reorderBuffer);
      load(number) = {next_.physical, known ? number : number - next_.dependsOn, kNever, next_.bytes, storesEntered_};
      waiting_.push_back(number);
      buffer_.push_back({Kind::kLoad, instructions, kNever, number});
    }
    room -= instructions;
    buffered_ += instructions;
    entered = true;
    next_ = trace_->next();
    beforeNext_ = next_.before;
  }
  return entered;
}

uint64_t OutOfOrderCore::addressKnown(uint64_t number) {
  const uint64_t parent = load(number).parent;
  return parent == number ? 0 : load(parent).done;
}

bool OutOfOrderCore::issue(uint64_t now) {
  if (loadRefused_) return false;
  unsigned ports = config_.loadPorts;
  bool issued = false;
  for (auto each = waiting_.begin(); each != waiting_.end() && ports != 0;) {
    const uint64_t number = *each;
    if (addressKnown(number) > now) {
      ++each;
      continue;
    }
    Load& entry = load(number);
    if (forwarded(entry)) {
      entry.done = now + 1;
    } else {
      const Answer answer = caches_.access(number_, entry.address, false, number, now);
      if (answer.kind == Answer::Kind::kRefused) {
        loadRefused_ = true;
        break;
      }
      if (answer.kind == Answer::Kind::kKnown) entry.done = answer.at;
    }
    --ports;
    issued = true;
    each = waiting_.erase(each);
  }
  return issued;
}

bool OutOfOrderCore::forwarded(const Load& entry) const {
  uint64_t number = storesTaken_;
  for (const Store& store : stores_) {
    if (number++ == entry.storesBefore) break;
    if (store.address <= entry.address && entry.address + entry.bytes <= store.address + store.bytes) return true;
  }
  return false;
}

void OutOfOrderCore::arrived(uint64_t token, uint64_t at) {
  load(token).done = at;
  wake_ = std::min(wake_, at);
}

void OutOfOrderCore::roomAt(uint64_t at) {
  loadRefused_ = storeRefused_ = false;
  wake_ = std::min(wake_, at);
}

}  // namespace weir::lab
