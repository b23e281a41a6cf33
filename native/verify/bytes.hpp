// Numbers and sets out of bytes that may be damaged. Every fault is Malformed, with the place.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "verify/section.hpp"

namespace pigro::verify {

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> all) : all_(all) {}

  bool at_end() const { return at_ == all_.size(); }
  std::size_t left() const { return all_.size() - at_; }

  [[noreturn]] void fail(const char* what) const { throw Malformed("byte " + std::to_string(at_) + ": " + what); }
  void require(bool fine, const char* what) const {
    if (!fine) fail(what);
  }

  std::uint8_t byte() {
    require(!at_end(), "the section ends too early");
    return all_[at_++];
  }

  // LEB128, below 2^31.
  Id number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint64_t next = byte();
      value |= (next & 127) << shift;
      if (next < 128) {
        require(value < std::uint64_t{1} << 31, "the number is too large");
        return static_cast<Id>(value);
      }
    }
    fail("the number is too long");
  }

  Id below(Id end, const char* what) {
    const Id value = number();
    require(value < end, what);
    return value;
  }

  // How many things follow, of at least `each` bytes.
  Id count(std::size_t each) {
    const Id value = number();
    require(static_cast<std::size_t>(value) <= left() / each, "more things than bytes");
    return value;
  }

  std::span<const std::uint8_t> run(Id length) {
    require(static_cast<std::size_t>(length) <= left(), "the section ends too early");
    at_ += static_cast<std::size_t>(length);
    return all_.subspan(at_ - static_cast<std::size_t>(length), static_cast<std::size_t>(length));
  }

  // Sets the bits of a set of numbers below `end` that starts with `head`. Needs: zeroed words for so many bits.
  void set(Id head, Id end, Word* bits) {
    if (head % 2 == 0) {
      sparse_set(head / 2, end, bits);
    } else {
      bitmap(head / 2, end, bits);
    }
  }

  // Visits the members of a list of numbers below `end`.
  template <typename Visit>
  void list(Id end, Visit&& visit) {
    std::int64_t value = 0;
    for (Id rest = count(1); rest > 0; --rest) {
      const std::int64_t step = number();
      value += step % 2 == 0 ? step / 2 : -(step + 1) / 2;
      require(value >= 0 && value < end, "the list has a number out of range");
      visit(static_cast<Id>(value));
    }
  }

 private:
  void sparse_set(Id members, Id end, Word* bits) {
    require(static_cast<std::size_t>(members) <= left(), "more members than bytes");
    std::int64_t value = -1;
    for (; members > 0; --members) {
      value += std::int64_t{1} + number();
      require(value < end, "the set has a number out of range");
      core::set_bit(bits, static_cast<std::size_t>(value));
    }
  }

  // No longer than it need be for numbers below `end`.
  void bitmap(Id length, Id end, Word* bits) {
    const auto bytes = run(length);
    const auto width = static_cast<std::size_t>(end);
    require(bytes.size() <= (width + 7) / 8, "the set has a number out of range");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      require(bytes[i] >> std::min<std::size_t>(8, width - i * 8) == 0, "the set has a number out of range");
      bits[i / 8] |= Word{bytes[i]} << (i % 8 * 8);
    }
  }

  std::span<const std::uint8_t> all_;
  std::size_t at_ = 0;
};

} // namespace pigro::verify
