// Numbers, sets and lists as bytes, as certificates are written (docs/certificate-format.md).
#pragma once

#include <string>

#include "core/base/bits.hpp"

namespace pigro::core {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_.push_back(static_cast<char>(value | 0x80));
    text_.push_back(static_cast<char>(value));
  }
  void number(Id value) {
    assert(value >= 0); // kNone has a way of its own to be written, wherever it can be
    number(static_cast<std::uint64_t>(value));
  }

  // The members of a set of `words` words, as numbers or as a bit map, whichever is shorter.
  void set(const Word* members, std::size_t words) {
    std::size_t count = 0;
    std::size_t size = 0;
    std::size_t next = 0; // one more than the last member
    for_each_bit(members, words, [&](std::size_t member) {
      ++count;
      size += size_of(member - next);
      next = member + 1;
    });
    const std::size_t map = (next + 7) / 8;
    assert(next <= words * kWordBits && count <= next);
    if (map < size) return bit_map(members, map);
    number(count * 2);
    next = 0;
    for_each_bit(members, words, [&](std::size_t member) {
      number(static_cast<std::uint64_t>(member - next));
      next = member + 1;
    });
  }

  void list(std::span<const Id> members) {
    number(members.size());
    Id last = 0;
    for (const Id member : members) {
      assert(member >= 0);
      const std::int64_t step = std::int64_t{member} - last;
      number(static_cast<std::uint64_t>(step >= 0 ? 2 * step : -2 * step - 1));
      last = member;
    }
  }

  std::string take() { return std::move(text_); }

 private:
  static std::size_t size_of(std::uint64_t value) {
    return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
  }

  void bit_map(const Word* members, std::size_t size) {
    number(size * 2 + 1);
    for (std::size_t i = 0; i < size; ++i) {
      text_.push_back(static_cast<char>(members[i / sizeof(Word)] >> (i % sizeof(Word) * 8)));
    }
  }

  std::string text_;
};

} // namespace pigro::core
