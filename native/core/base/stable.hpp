// A growing array in an arena. Elements never move: references to them stay valid while new ones are made.
#pragma once

#include <algorithm>

#include "core/base/bits.hpp"

namespace pigro::core {

template <typename T>
class Stable {
 public:
  explicit Stable(Arena& arena) : arena_(arena) {}

  T& operator[](std::size_t index) {
    assert(index < size_);
    return blocks_[index / kBlock][index % kBlock];
  }
  const T& operator[](std::size_t index) const {
    assert(index < size_);
    return blocks_[index / kBlock][index % kBlock];
  }
  void push_back(const T& value) {
    if (size_ % kBlock == 0) blocks_.push_back(arena_.make<T>(kBlock));
    blocks_[size_ / kBlock][size_ % kBlock] = value;
    ++size_;
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBlock = 32;

  Arena& arena_;
  std::vector<T*> blocks_;
  std::size_t size_ = 0;
};

// Ids by what they are and by an owner. Most owners have one id, which is found without hashing.
class OwnedIds {
 public:
  // `owners`: how many there are, if that is known.
  explicit OwnedIds(std::function<void(std::size_t)> before_growth, std::size_t owners = 0)
      : owners_(owners), others_(std::move(before_growth)) {}

  // The id of this owner for which `same(id)`. Otherwise `add()`, which returns the new id.
  template <typename Hash, typename Same, typename Add>
  Id intern(Id owner, Hash&& hash, Same&& same, Add&& add) {
    const auto at = static_cast<std::size_t>(owner);
    if (at >= size_) grow(at);
    if (first_[at] == 0) {
      const Id made = add();
      first_[at] = made + 1;
      return made;
    }
    const Id first = first_[at] - 1;
    return same(first) ? first : others_.intern(hash(), same, add);
  }

 private:
  void grow(std::size_t at) {
    const std::size_t size = std::max({at + 1, 2 * size_, owners_});
    Zeroed<Id> grown = make_zeroed<Id>(size);
    std::copy(first_.get(), first_.get() + size_, grown.get());
    first_ = std::move(grown);
    size_ = size;
  }

  const std::size_t owners_;
  std::size_t size_ = 0;
  Zeroed<Id> first_; // by owner: its first id + 1, or 0
  Interner others_;
};

} // namespace pigro::core
