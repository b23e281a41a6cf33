// Memory that the verifier keeps from one section to the next: words, small tables, and a ticker.
//
// All three are cleared in constant time, so that a small certificate costs nothing that a large one
// before it has left behind.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::verify {

using core::Id;
using core::kNone;
using core::Word;

// Words for many bit sets that live until the next reset. Addresses never move.
class Pool {
 public:
  // `count` words of any content.
  Word* take(std::size_t count) {
    while (at_ < blocks_.size() && count > blocks_[at_].size - used_) next_block();
    if (at_ == blocks_.size()) grow(count);
    assert(used_ + count <= blocks_[at_].size);
    Word* const result = blocks_[at_].words.get() + used_;
    used_ += count;
    return result;
  }

  Word* zeros(std::size_t count) {
    Word* const result = take(count);
    std::fill_n(result, count, Word{0});
    return result;
  }

  // Forgets all words. What an unusually large section took goes back.
  void reset() {
    if (total_ > kKept) {
      blocks_.clear();
      total_ = 0;
    }
    at_ = used_ = 0;
  }

 private:
  static constexpr std::size_t kLeastBlock = std::size_t{1} << 13;
  static constexpr std::size_t kKept = std::size_t{1} << 23; // 64 MiB
  static constexpr std::size_t kMost = std::size_t{1} << 28; // 2 GiB: few bytes can ask for many words

  struct Block {
    std::unique_ptr<Word[]> words;
    std::size_t size = 0;
  };

  void next_block() {
    ++at_;
    used_ = 0;
  }

  void grow(std::size_t count) {
    const std::size_t size = std::max({count, kLeastBlock, total_ / 2});
    if (total_ + size > kMost) throw std::bad_alloc();
    blocks_.push_back({std::unique_ptr<Word[]>(new Word[size]), size});
    total_ += size;
    used_ = 0;
  }

  std::vector<Block> blocks_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
  std::size_t total_ = 0;
};

// From pairs of ids to ids, by open addressing. A slot counts only if it has the current stamp.
class Table {
 public:
  // What stands for the pair, or kNone.
  Id find(Id first, Id second) const {
    if (size_ == 0) return kNone;
    const Slot& slot = slots_[place(key_of(first, second))];
    return slot.stamp == stamp_ ? slot.value : kNone;
  }

  // The place of the pair's value, with kNone if it is new. Valid until the next call.
  Id& operator()(Id first, Id second) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    assert(size_ < slots_.size() && std::has_single_bit(slots_.size())); // so every search ends at a free slot
    const std::uint64_t key = key_of(first, second);
    Slot& slot = slots_[place(key)];
    if (slot.stamp != stamp_) {
      slot = {key, kNone, stamp_};
      ++size_;
    }
    return slot.value;
  }

  void clear() {
    size_ = 0;
    if (++stamp_ == 0 || slots_.size() > kKept) {
      slots_.clear();
      stamp_ = 1;
    }
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 20;

  struct Slot {
    std::uint64_t key = 0;
    Id value = kNone;
    std::uint32_t stamp = 0;
  };

  static std::uint64_t key_of(Id first, Id second) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) | static_cast<std::uint32_t>(second);
  }

  // The slot with this key, or the free one where it would be.
  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = core::mix(0, key) & mask;
    while (slots_[at].stamp == stamp_ && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.stamp == stamp_) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t stamp_ = 1;
};

// Long work polls this with the number of its steps. `on_tick` runs every few thousand steps and may throw.
// This is no `core::Ticker`, because the verifier shares as little as possible with the core.
class Ticker {
 public:
  explicit Ticker(std::function<void()> on_tick = {}) : on_tick_(std::move(on_tick)) {}

  void poll(std::size_t steps) {
    assert(spent_ < kSteps);
    spent_ += steps;
    if (spent_ < kSteps) return;
    spent_ = 0;
    if (on_tick_) on_tick_();
  }

 private:
  static constexpr std::size_t kSteps = std::size_t{1} << 14;

  std::function<void()> on_tick_;
  std::size_t spent_ = 0;
};

} // namespace pigro::verify
