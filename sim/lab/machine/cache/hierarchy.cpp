// SPDX-License-Identifier: Apache-2.0
#include "hierarchy.hpp"

#include <algorithm>

namespace weir::lab {

namespace {

uint64_t sets(const CacheConfig& config) { return config.bytes / kLineBytes / config.ways; }

/// MSHRs of the shared cache that prefetches leave to the cores.
unsigned reserved(unsigned mshrs) { return mshrs / 4; }

}  // namespace

Hierarchy::Hierarchy(unsigned cores, const HierarchyConfig& config, Memory& memory)
    : config_(config), memory_(memory), shared_(sets(config.llc), config.llc.ways), refused_(cores), counts_(cores) {
  if (config.l1) {
    for (unsigned core = 0; core < cores; ++core) privates_.emplace_back(sets(*config.l1), config.l1->ways);
    privateMshrs_.resize(cores);
  }
  if (config.prefetcher)
    for (unsigned core = 0; core < cores; ++core) prefetchers_.emplace_back(*config.prefetcher);
}

Answer Hierarchy::refuse(unsigned core) {
  refused_[core] = true;
  return Answer::refused();
}

void Hierarchy::retry(unsigned core, uint64_t now) {
  if (!refused_[core]) return;
  refused_[core] = false;
  cores_[core]->roomAt(now);
}

void Hierarchy::retryAll(uint64_t now) {
  for (unsigned core = 0; core < refused_.size(); ++core) retry(core, now);
}

Answer Hierarchy::access(unsigned core, uint64_t address, bool write, uint64_t token, uint64_t now) {
  const uint64_t line = address / kLineBytes;
  CacheCounts& counts = counts_[core];
  const std::optional<uint64_t> waits = write ? std::nullopt : std::optional(token);
  if (!config_.l1) {
    const Answer answer = shared(core, line, write, waits, now);
    if (answer.kind == Answer::Kind::kRefused) return refuse(core);
    return answer;
  }
  const uint64_t hit = now + config_.l1->cycles;
  if (CacheLine* found = privates_[core].find(line)) {
    ++counts.l1Accesses;
    usePrivate(core, *found, write, now);
    return Answer::known(hit);
  }
  std::vector<L1Mshr>& mshrs = privateMshrs_[core];
  for (L1Mshr& mshr : mshrs)
    if (mshr.line == line) {
      ++counts.l1Accesses;
      mshr.write |= write;
      if (mshr.at != kNever) return Answer::known(std::max(mshr.at, hit));
      if (waits) mshr.tokens.push_back(*waits);
      return Answer::pending();
    }
  if (mshrs.size() == config_.l1->mshrs) return refuse(core);
  const Answer answer = shared(core, line, false, std::nullopt, hit);
  if (answer.kind == Answer::Kind::kRefused) return refuse(core);
  ++counts.l1Accesses;
  ++counts.l1Misses;
  L1Mshr& mshr = mshrs.emplace_back(L1Mshr{line, write, kNever, {}});
  if (answer.kind == Answer::Kind::kKnown) {
    mshr.at = answer.at;
    fills_.push({answer.at, core, line});
  } else if (waits) {
    mshr.tokens.push_back(*waits);
  }
  return answer;
}

void Hierarchy::touch(unsigned core, uint64_t address, bool write) {
  const uint64_t line = address / kLineBytes;
  CacheLine* found = config_.l1 ? privates_[core].find(line) : nullptr;
  if (found != nullptr) {
    usePrivate(core, *found, write, 0);
  } else {
    CacheLine* below = shared_.find(line);
    if (below == nullptr)
      below = place(core, line, 0);
    else
      shared_.use(*below);
    if (config_.l1)
      placePrivate(core, line, write, 0);
    else
      below->dirty |= write;
  }
  writeBacks_.clear();
}

Answer Hierarchy::shared(unsigned core, uint64_t line, bool write, std::optional<uint64_t> token, uint64_t arrival) {
  CacheCounts& counts = counts_[core];
  const uint64_t done = arrival + config_.llc.cycles;
  if (CacheLine* found = shared_.find(line)) {
    ++counts.llcAccesses;
    found->dirty |= write;
    const bool pending = found->pending, prefetched = found->prefetched;
    found->prefetched = false;
    if (pending)
      wait(line, core, token);
    else
      shared_.use(*found);
    if (prefetched) {
      ++counts.usefulPrefetches;
      prefetch(core, line, done);
    }
    return pending ? Answer::pending() : Answer::known(done);
  }
  const auto waits = waiting(line);
  const bool comesBack = waits != writeBacks_.end();
  const bool misses = !comesBack && !inPrivate(line);
  if (shared_.victim(line) == nullptr || (misses && !roomForMiss(0))) return Answer::refused();
  if (comesBack) writeBacks_.erase(waits);
  CacheLine* way = place(core, line, done);
  ++counts.llcAccesses;
  way->dirty = comesBack || write;
  if (!misses) return Answer::known(done);
  ++counts.llcMisses;
  way->pending = true;
  wait(line, core, token);
  requests_.push_back({line, done, core});
  prefetch(core, line, done);
  return Answer::pending();
}

void Hierarchy::wait(uint64_t line, unsigned core, std::optional<uint64_t> token) {
  Mshr& mshr = mshrs_[line];
  if (config_.l1)
    mshr.cores.push_back(core);
  else if (token)
    mshr.tokens.emplace_back(core, *token);
}

std::deque<Hierarchy::Request>::iterator Hierarchy::waiting(uint64_t line) {
  return std::find_if(writeBacks_.begin(), writeBacks_.end(),
                      [line](const Request& request) { return request.line == line; });
}

CacheLine* Hierarchy::place(unsigned core, uint64_t line, uint64_t at) {
  CacheLine* way = shared_.victim(line);
  if (way == nullptr) return nullptr;
  if (way->valid() && way->dirty) {
    ++counts_[core].writeBacks;
    writeBacks_.push_back({way->number, at, core});
  }
  *way = {line};
  shared_.use(*way);
  return way;
}

void Hierarchy::prefetch(unsigned core, uint64_t line, uint64_t at) {
  if (prefetchers_.empty()) return;
  for (const uint64_t target : prefetchers_[core].missed(line)) {
    if (!roomForMiss(reserved(config_.llc.mshrs))) return;
    if (shared_.find(target) != nullptr || inPrivate(target) || waiting(target) != writeBacks_.end()) continue;
    CacheLine* way = place(core, target, at);
    if (way == nullptr) continue;
    ++counts_[core].prefetches;
    way->pending = way->prefetched = true;
    mshrs_.try_emplace(target);
    requests_.push_back({target, at, core});
  }
}

bool Hierarchy::inPrivate(uint64_t line) {
  return std::any_of(privates_.begin(), privates_.end(),
                     [line](SetAssociative& cache) { return cache.find(line) != nullptr; });
}

bool Hierarchy::snoop(unsigned core, uint64_t line, bool write, uint64_t now) {
  bool had = false;
  for (unsigned other = 0; other < privates_.size(); ++other) {
    if (other == core) continue;
    CacheLine* found = privates_[other].find(line);
    if (found == nullptr) continue;
    had = true;
    if (found->dirty) {
      leavePrivate(other, line, now);
      found->dirty = false;
    }
    found->owned = false;
    if (write) *found = {};
  }
  return had;
}

void Hierarchy::leavePrivate(unsigned core, uint64_t line, uint64_t now) {
  if (CacheLine* below = shared_.find(line)) {
    below->dirty = true;
    return;
  }
  // older data that wait to be written are not written any more
  if (const auto older = waiting(line); older != writeBacks_.end()) writeBacks_.erase(older);
  if (CacheLine* way = place(core, line, now)) {
    way->dirty = true;
    return;
  }
  // all ways wait for memory
  ++counts_[core].writeBacks;
  writeBacks_.push_back({line, now, core});
}

void Hierarchy::usePrivate(unsigned core, CacheLine& line, bool write, uint64_t now) {
  privates_[core].use(line);
  if (!write) return;
  if (!line.owned) snoop(core, line.number, true, now);
  line.dirty = line.owned = true;
}

void Hierarchy::placePrivate(unsigned core, uint64_t line, bool write, uint64_t now) {
  SetAssociative& cache = privates_[core];
  CacheLine* way = cache.victim(line);
  if (way->valid() && way->dirty) leavePrivate(core, way->number, now);
  const bool had = snoop(core, line, write, now);
  *way = {line};
  way->dirty = write;
  way->owned = write || !had;
  cache.use(*way);
}

void Hierarchy::fillPrivate(unsigned core, uint64_t line, uint64_t now) {
  std::vector<L1Mshr>& mshrs = privateMshrs_[core];
  const auto mshr = std::find_if(mshrs.begin(), mshrs.end(), [line](const L1Mshr& each) { return each.line == line; });
  placePrivate(core, line, mshr->write, now);
  for (const uint64_t token : mshr->tokens) cores_[core]->arrived(token, now);
  mshrs.erase(mshr);
  retry(core, now);
}

void Hierarchy::fill(uint64_t now) {
  while (!fills_.empty() && fills_.top().at <= now) {
    const Fill next = fills_.top();
    fills_.pop();
    fillPrivate(next.core, next.line, next.at);
  }
}

void Hierarchy::offer(uint64_t now) {
  bool sent = false;
  for (auto each = requests_.begin(); each != requests_.end();) {
    if (each->at <= now && written_.count(each->line) == 0 && memory_.read(each->line, each->core)) {
      ++reads_;
      each = requests_.erase(each);
    } else {
      ++each;
    }
  }
  for (auto each = writeBacks_.begin(); each != writeBacks_.end();) {
    if (each->at <= now && written_.count(each->line) == 0 && mshrs_.count(each->line) == 0 &&
        memory_.write(each->line, each->core)) {
      ++writes_;
      written_.insert(each->line);
      each = writeBacks_.erase(each);
      sent = true;
    } else {
      ++each;
    }
  }
  if (sent) retryAll(now);
}

void Hierarchy::readDone(uint64_t line, uint64_t now) {
  const auto found = mshrs_.find(line);
  const Mshr mshr = std::move(found->second);
  mshrs_.erase(found);
  shared_.find(line)->pending = false;
  for (const auto& [core, token] : mshr.tokens) cores_[core]->arrived(token, now);
  for (const unsigned core : mshr.cores) fillPrivate(core, line, now);
  retryAll(now);
}

void Hierarchy::writeDone(uint64_t line) { written_.erase(line); }

}  // namespace weir::lab
