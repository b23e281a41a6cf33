// Bit sets as runs of 64-bit words, and the arena that holds them.
#pragma once

#include <sys/mman.h>

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace pigro::core {

using Id = std::int32_t;    // a node, box, component, label, instance or key. -1 is "none"
using Word = std::uint64_t; // 64 bits of a bit set

inline constexpr Id kNone = -1;
inline constexpr std::size_t kWordBits = 64;
inline constexpr std::size_t kLarge = std::size_t{1} << 22; // bytes that are worth asking for

inline std::size_t words_for(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

inline bool test_bit(const Word* words, std::size_t bit) {
  return ((words[bit / kWordBits] >> (bit % kWordBits)) & 1U) != 0;
}

inline void set_bit(Word* words, std::size_t bit) { words[bit / kWordBits] |= Word{1} << (bit % kWordBits); }

inline void clear_bit(Word* words, std::size_t bit) { words[bit / kWordBits] &= ~(Word{1} << (bit % kWordBits)); }

inline void assign_bit(Word* words, std::size_t bit, bool value) {
  value ? set_bit(words, bit) : clear_bit(words, bit);
}

// Sets the bit. True if it was clear before.
inline bool insert_bit(Word* words, std::size_t bit) {
  Word& word = words[bit / kWordBits];
  const Word mask = Word{1} << (bit % kWordBits);
  const bool fresh = (word & mask) == 0;
  word |= mask;
  return fresh;
}

// The 64 bits that start at any bit position. Needs: one readable word after the last used one.
inline Word word_at(const Word* words, std::size_t bit) {
  const std::size_t index = bit / kWordBits;
  const std::size_t shift = bit % kWordBits;
  if (shift == 0) return words[index];
  return (words[index] >> shift) | (words[index + 1] << (kWordBits - shift));
}

// The bits of the last word that belong to a set of `bits` bits.
inline Word tail_mask(std::size_t bits) {
  const std::size_t rest = bits % kWordBits;
  return rest == 0 ? ~Word{0} : (Word{1} << rest) - 1;
}

template <typename Visit>
void for_each_bit(const Word* words, std::size_t count, Visit&& visit) {
  for (std::size_t i = 0; i < count; ++i) {
    for (Word word = words[i]; word != 0; word &= word - 1) {
      visit(i * kWordBits + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 33);
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// Asks for large pages for memory that was not touched yet: most of what a search does in a model of 10^7 nodes is
// to wait for the places of small pages. Systems without them do nothing.
inline void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  if (bytes < kLarge) return;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(kPage - 1);
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

template <typename T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(std::size_t count) {
    T* memory = std::allocator<T>().allocate(count);
    prefer_large_pages(memory, count * sizeof(T));
    return memory;
  }
  void deallocate(T* memory, std::size_t count) { std::allocator<T>().deallocate(memory, count); }
  template <typename Other>
  bool operator==(const LargePages<Other>&) const {
    return true;
  }
};

// A long array, such as one number for each node of a model.
template <typename T>
using Column = std::vector<T, LargePages<T>>;

// A zeroed array. Large ones cost only the pages that are touched.
template <typename T>
using Zeroed = std::unique_ptr<T[], Free>;

template <typename T>
Zeroed<T> make_zeroed(std::size_t count) {
  static_assert(std::is_trivial_v<T>);
  auto* memory = static_cast<T*>(std::calloc(count == 0 ? 1 : count, sizeof(T)));
  if (memory == nullptr) throw std::bad_alloc();
  return Zeroed<T>(memory);
}

// Zeroed memory for many small arrays that live as long as the arena. Addresses never move.
class Arena {
 public:
  // A zeroed array of `count` values. A valid pointer even for none.
  template <typename T>
  T* make(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(Word));
    return reinterpret_cast<T*>(words(words_for(count * sizeof(T) * 8)));
  }

  // An array of ids, all kNone.
  Id* make_ids(std::size_t count) {
    Id* ids = make<Id>(count);
    for (std::size_t i = 0; i < count; ++i) ids[i] = kNone;
    return ids;
  }

 private:
  static constexpr std::size_t kFirstBlock = 256;
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 20;

  Word* words(std::size_t count) {
    if (count == 0) count = 1;
    if (count > left_) grow(count);
    assert(count <= left_);
    Word* result = next_;
    next_ += count;
    left_ -= count;
    return result;
  }

  void grow(std::size_t count) {
    block_ = std::min(block_ * 2, kLargestBlock);
    const std::size_t size = std::max(block_, count);
    blocks_.push_back(make_zeroed<Word>(size));
    prefer_large_pages(blocks_.back().get(), size * sizeof(Word));
    next_ = blocks_.back().get();
    left_ = size;
  }

  std::vector<Zeroed<Word>> blocks_;
  std::size_t block_ = kFirstBlock;
  Word* next_ = nullptr;
  std::size_t left_ = 0;
};

// Open-addressing table from a hash to dense ids that the caller stores. The caller compares.
class Interner {
 public:
  // `before_growth` is told how many bytes a large table is about to take, and may throw.
  explicit Interner(std::function<void(std::size_t)> before_growth = {}) : before_growth_(std::move(before_growth)) {}

  // The id with this hash for which `same(id)`. Otherwise `add()`, which returns the new id.
  template <typename Same, typename Add>
  Id intern(std::uint64_t hash, Same&& same, Add&& add) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    assert(size_ < slots_.size() && std::has_single_bit(slots_.size())); // so every search ends at a free slot
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.id == kNone) {
        const Id id = add();
        assert(id >= static_cast<Id>(size_)); // ids are dense, and `add` adds nothing else
        slot = {hash, id};
        ++size_;
        return id;
      }
      if (slot.hash == hash && same(slot.id)) return slot.id;
    }
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    Id id = kNone;
  };

  void grow() {
    const std::size_t size = slots_.empty() ? 16 : slots_.size() * 2;
    if (before_growth_ && size * sizeof(Slot) >= kLarge) before_growth_(size * sizeof(Slot));
    std::vector<Slot> old(size);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id == kNone) continue;
      std::size_t at = slot.hash & mask;
      while (slots_[at].id != kNone) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::function<void(std::size_t)> before_growth_;
};

} // namespace pigro::core
