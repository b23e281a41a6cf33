// Words whose numbers do not fit beside the sentinels: those from 2^62 on, or below -2^62, of words of 63 or 64 bits.
//
// Each such number has an id, which is a value between the symbols and the integers. Equal numbers have equal ids, so
// values are compared and hashed as they are. Ids are never given back. Several threads may use one object.
#pragma once

#include <cassert>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "core/base/bits.hpp"

namespace pigro::core::smv {

using Value = std::int64_t;
inline constexpr Value kUnknown = std::numeric_limits<Value>::min();
inline constexpr Value kFirstWide = kUnknown + (Value{1} << 31);
inline constexpr Value kLeastInteger = kUnknown + (Value{1} << 32);
inline constexpr int kPlainBits = 62; // words with at most so many bits have no ids

inline bool is_wide(Value value) { return value >= kFirstWide && value < kLeastInteger; }

__extension__ typedef __int128 WideNumber; // of a word of at most 64 bits, signed or not

class WideWords {
 public:
  // The value that stands for a number.
  Value value(WideNumber number) {
    if (is_plain(number)) return static_cast<Value>(number);
    const std::scoped_lock lock(mutex_);
    const auto [found, fresh] = ids_[number < 0 ? 0 : 1].try_emplace(static_cast<std::uint64_t>(number), kFirstWide);
    if (!fresh) return found->second;
    if (static_cast<Value>(numbers_.size()) >= kLeastInteger - kFirstWide) throw std::length_error("words");
    numbers_.push_back(number);
    found->second = kFirstWide + static_cast<Value>(numbers_.size()) - 1;
    assert(is_wide(found->second));
    return found->second;
  }

  // Needs: an integer, or an id of this object.
  WideNumber number(Value value) const {
    if (!is_wide(value)) return value;
    const std::scoped_lock lock(mutex_);
    return numbers_.at(static_cast<std::size_t>(value - kFirstWide));
  }

 private:
  static bool is_plain(WideNumber number) {
    constexpr WideNumber kLimit = WideNumber{1} << kPlainBits;
    return number >= -kLimit && number < kLimit;
  }

  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Value> ids_[2]; // of negative numbers, and of others. By their lowest bits
  std::deque<WideNumber> numbers_;
};

} // namespace pigro::core::smv
