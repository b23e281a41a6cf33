// Names and pairs of numbers, numbered in the order in which they first come.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::core {

// Open addressing with linear probing. A slot holds a number + 1 and, above it, the hash: most other entries are passed
// by without a look at what they stand for. 0 is a free slot.
class Slots {
 public:
  // The number for which `same` holds, or `fresh` after having taken it in.
  template <typename Same>
  Id find_or_add(std::uint32_t hash, Id fresh, Same same) {
    if (is_full()) grow();
    assert(!is_full()); // so every search ends at a free slot
    std::size_t at = home(hash);
    for (; slots_[at] != 0; at = after(at)) {
      if (slots_[at] >> 32 == hash && same(number(slots_[at]))) return number(slots_[at]);
    }
    slots_[at] = std::uint64_t{hash} << 32 | (static_cast<std::uint32_t>(fresh) + 1);
    ++used_;
    return fresh;
  }

  // What the next one that is new takes, in bytes. 0 if there is room.
  std::size_t bytes_to_grow() const { return is_full() ? grown() * sizeof slots_[0] : 0; }

  // Fetches from memory what a search for this hash looks at first.
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }
  // The first number with this hash, which may be another's. -1 if there is none.
  Id guess(std::uint32_t hash) const {
    return find(hash, [](Id) { return true; });
  }

  template <typename Same>
  Id find(std::uint32_t hash, Same same) const {
    for (std::size_t at = home(hash); slots_[at] != 0; at = after(at)) {
      if (slots_[at] >> 32 == hash && same(number(slots_[at]))) return number(slots_[at]);
    }
    return -1;
  }

 private:
  static Id number(std::uint64_t slot) { return static_cast<Id>(static_cast<std::uint32_t>(slot) - 1); }

  bool is_full() const { return 4 * used_ >= 3 * slots_.size(); }
  // A large table grows by a half: its old slots stand beside the new ones until it has grown.
  std::size_t grown() const { return slots_.size() < kManySlots ? 4 * slots_.size() : slots_.size() / 2 * 3; }
  // By the high bits of the hash, so that slots stay in order when the table grows.
  std::size_t home(std::uint32_t hash) const {
    return static_cast<std::size_t>(std::uint64_t{hash} * slots_.size() >> 32);
  }
  std::size_t after(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }

  void grow() {
    std::vector<std::uint64_t> old(grown());
    old.swap(slots_);
    for (const std::uint64_t each : old) {
      if (each == 0) continue;
      std::size_t at = home(static_cast<std::uint32_t>(each >> 32));
      while (slots_[at] != 0) at = after(at);
      slots_[at] = each;
    }
  }

  static constexpr std::size_t kManySlots = std::size_t{1} << 20;
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(64);
  std::size_t used_ = 0;
};

inline std::uint32_t mixed(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9E3779B97F4A7C15U;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(x >> 32);
}

// Different in each process, so that no file can be written whose names all have the same hash. No order depends on
// hashes.
inline const std::uint64_t kHashSeed = std::random_device{}() * 0x9E3779B97F4A7C15U;

// The hash of a text, taken in eight bytes at a time: for a scanner that finds the end of a name meanwhile.
class TextHash {
 public:
  void take(std::uint64_t eight) {
    hash_ = (hash_ ^ eight) * 0x9E3779B97F4A7C15U;
    hash_ ^= hash_ >> 29;
  }
  // `rest` has the last bytes, fewer than eight, and zeros. `size` is that of the whole text.
  std::uint32_t finish(std::uint64_t rest, std::size_t size) const { return mixed((hash_ ^ rest) + size * kHashSeed); }

 private:
  std::uint64_t hash_ = kHashSeed;
};

// The first eight bytes of a text, the first one lowest. If there are fewer, zeros follow.
inline std::uint64_t eight_bytes(const char* at, std::size_t left) {
  std::uint64_t bytes = 0;
  if (left >= 8) {
    std::memcpy(&bytes, at, 8);
  } else if (left > 0) {
    std::memcpy(&bytes, at, left);
  }
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

inline std::uint32_t hash_of(std::string_view text) {
  TextHash hash;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) hash.take(eight_bytes(at, left));
  return hash.finish(eight_bytes(at, left), text.size());
}

// Whether the first `size` bytes are the same. For short texts, where a call of memcmp takes longer.
inline bool same_bytes(const char* one, const char* two, std::size_t size) {
  const auto differ = [&]<typename T>(T, std::size_t at) {
    T first, second;
    std::memcpy(&first, one + at, sizeof first);
    std::memcpy(&second, two + at, sizeof second);
    return first != second;
  };
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      if (differ(std::uint64_t{}, at)) return false;
    }
    return !differ(std::uint64_t{}, size - 8);
  }
  if (size >= 4) return !differ(std::uint32_t{}, 0) && !differ(std::uint32_t{}, size - 4);
  for (std::size_t at = 0; at < size; ++at) {
    if (one[at] != two[at]) return false;
  }
  return true;
}

// Texts by number. They are copied, so that nothing else need stay alive, unless the caller keeps them.
class NameTable {
 public:
  NameTable() = default;
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  Id number(std::string_view name) { return number(name, hash_of(name)); }
  // Needs: `hash` is hash_of(name).
  Id number(std::string_view name, std::uint32_t hash) {
    return number(name, hash, [&] { return copied(name); });
  }
  // A new name is stored as the text that keep() returns. Needs: that text equals `name` and outlives this table.
  template <typename Keep>
  Id number(std::string_view name, std::uint32_t hash, Keep keep) {
    assert(hash == hash_of(name));
    const Id fresh = size();
    const Id found = slots_.find_or_add(hash, fresh, [&](Id id) { return is_name(id, name); });
    if (found == fresh) names_.push_back(keep());
    assert(names_[found] == name);
    return found;
  }
  // -1 if the name is not listed.
  Id find(std::string_view name, std::uint32_t hash) const {
    return slots_.find(hash, [&](Id id) { return is_name(id, name); });
  }

  // A name that is not found here until it is listed. Needs: it is new, and its text outlives this table.
  Id add_unlisted(std::string_view name) {
    names_.push_back(name);
    return size() - 1;
  }
  void list(Id id) {
    [[maybe_unused]] const Id found =
        slots_.find_or_add(hash_of(names_[id]), id, [&](Id other) { return is_name(other, names_[id]); });
    assert(found == id);
  }

  // The text in memory of this table.
  std::string_view copied(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > left_) {
      left_ = text.size() > block_size ? text.size() : block_size;
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
      next_ = blocks_.back().get();
    }
    char* const to = next_;
    std::memcpy(to, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    return {to, text.size()};
  }

  // Room for so many more names.
  void reserve(std::size_t more) { names_.reserve(names_.size() + more); }

  std::string_view operator[](Id id) const { return names_[id]; }
  Id size() const { return static_cast<Id>(names_.size()); }

  // The three places that `number` looks at, one after the other. To look up many names, fetch the first places of all
  // of them from memory, then the second ones, then the third ones.
  void prefetch_slot(std::uint32_t hash) const { slots_.prefetch(hash); }
  Id prefetch_name(std::uint32_t hash) const {
    const Id guess = slots_.guess(hash);
    if (guess >= 0) prefetch_entry(guess);
    return guess;
  }
  void prefetch_entry(Id guess) const { __builtin_prefetch(&names_[guess]); }
  void prefetch_text(Id guess) const { __builtin_prefetch(names_[guess].data()); }

 private:
  bool is_name(Id id, std::string_view name) const {
    return names_[id].size() == name.size() && same_bytes(names_[id].data(), name.data(), name.size());
  }

  static constexpr std::size_t block_size = 1 << 16;
  std::vector<std::string_view> names_;
  Slots slots_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

// Pairs by number.
class PairTable {
 public:
  Id number(Id first, Id second) {
    const std::uint64_t key = key_of(first, second);
    const Id fresh = size();
    const Id found = slots_.find_or_add(hash(key), fresh, [&](Id id) { return keys_[id] == key; });
    if (found == fresh) keys_.push_back(key);
    assert(keys_[found] == key);
    return found;
  }
  // -1 if there is no such pair.
  Id find(Id first, Id second) const {
    const std::uint64_t key = key_of(first, second);
    return slots_.find(hash(key), [&](Id id) { return keys_[id] == key; });
  }

  // What the next pair that is new takes, in bytes, if that is much.
  std::size_t bytes_to_grow() const {
    return slots_.bytes_to_grow() + (keys_.size() == keys_.capacity() ? 2 * keys_.size() * sizeof keys_[0] : 0);
  }

  Id first(Id id) const { return static_cast<Id>(keys_[id] >> 32); }
  Id second(Id id) const { return static_cast<Id>(keys_[id] & 0xFFFFFFFFU); }
  Id size() const { return static_cast<Id>(keys_.size()); }

 private:
  // With the seed, so that no file can be written whose pairs all have nearly the same hash.
  static std::uint32_t hash(std::uint64_t key) { return mixed(key ^ kHashSeed); }
  static std::uint64_t key_of(Id first, Id second) {
    return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
  }
  std::vector<std::uint64_t> keys_;
  Slots slots_;
};

} // namespace pigro::core
