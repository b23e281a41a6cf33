// Reads a JSON text value by value, straight from its bytes.
//
// Needs: valid UTF-8, which outlives the views. Leaves: every text that is taken to its end is JSON for every decoder,
// no object has a key twice, and strings are what any decoder would give. Whatever is wrong, rare or large ends the
// reading with `Unusual`: who wants to know which of these it is asks a decoder that explains. Cost: one pass.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_keys.hpp"

namespace pigro::core {

class JsonReader {
 public:
  struct Unusual {};

  explicit JsonReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  std::string_view string() {
    if (next() != '"') throw Unusual();
    ++at_;
    const char* const begin = at_;
    find_special();
    assert(at_ < end_);
    if (*at_ == '"') return {begin, static_cast<std::size_t>(at_++ - begin)};
    return escaped(begin);
  }

  bool boolean() {
    const bool value = next() == 't';
    word(value ? "true" : "false");
    return value;
  }

  // Takes a null, if the next value is one.
  bool null() {
    if (next() != 'n') return false;
    word("null");
    return true;
  }

  bool is_list() { return next() == '['; }

  // Calls item() for each item, which takes it.
  template <typename Item>
  void list(Item&& item) {
    take('[');
    if (next() != ']') {
      item();
      while (next() == ',') {
        ++at_;
        item();
      }
    }
    take(']');
  }

  // Calls member(key) for each member, which takes its value.
  template <typename Member>
  void object(Member&& member) {
    const std::size_t first = keys_.size();
    take('{');
    if (next() != '}') {
      for (;; ++at_) {
        const std::string_view key = string();
        for (std::size_t i = first; i < keys_.size(); ++i) {
          if (keys_[i] == key) throw Unusual();
        }
        keys_.push_back(key);
        if (keys_.size() - first > kMostKeys) throw Unusual(); // there are better ways to compare many
        take(':');
        member(key);
        if (next() != ',') break;
      }
    }
    take('}');
    assert(keys_.size() >= first); // objects inside have taken theirs away
    keys_.resize(first);
  }

  // Takes a value of any kind. `seen(key)` is told of all keys in it.
  template <typename Seen>
  void skip(Seen& seen, int depth = 0) {
    if (depth == kDeepest) throw Unusual();
    switch (next()) {
      case '"':
        string();
        return;
      case '{':
        return object([&](std::string_view key) {
          seen(key);
          skip(seen, depth + 1);
        });
      case '[':
        return list([&] { skip(seen, depth + 1); });
      case 't':
      case 'f':
        boolean();
        return;
      case 'n':
        return word("null");
      default:
        number();
    }
  }

  // Needs: one whole value was taken. Only blanks may follow.
  void finish() {
    skip_blanks();
    if (at_ != end_) throw Unusual();
  }

 private:
  static constexpr std::size_t kMostKeys = 32;
  static constexpr int kDeepest = 32;
  static constexpr int kMostDigits = 15;

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  // The first byte of what comes next.
  char next() {
    skip_blanks();
    if (at_ == end_) throw Unusual();
    return *at_;
  }

  void take(char c) {
    if (next() != c) throw Unusual();
    ++at_;
  }

  void word(std::string_view wanted) {
    if (static_cast<std::size_t>(end_ - at_) < wanted.size() || std::memcmp(at_, wanted.data(), wanted.size()) != 0) {
      throw Unusual();
    }
    at_ += wanted.size();
  }

  int digits() {
    const char* const begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ - begin > kMostDigits ? 0 : static_cast<int>(at_ - begin);
  }

  // Without an exponent, and no longer than any decoder can take.
  void number() {
    if (*at_ == '-') ++at_;
    const char* const begin = at_;
    const int whole = digits();
    if (whole == 0 || (whole > 1 && *begin == '0')) throw Unusual();
    if (at_ == end_ || *at_ != '.') return;
    ++at_;
    if (digits() == 0) throw Unusual();
  }

  // Goes on to the next quote, backslash or control character of a string, eight bytes at a time.
  void find_special() {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    constexpr std::uint64_t kHigh = 0x8080808080808080U;
    const auto zero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
    for (; end_ - at_ >= 8; at_ += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at_, 8);
      const std::uint64_t control = (bytes - kOnes * 0x20) & ~bytes;
      if (((zero(bytes ^ kOnes * '"') | zero(bytes ^ kOnes * '\\') | control) & kHigh) != 0) break;
    }
    while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) ++at_;
    if (at_ == end_ || static_cast<unsigned char>(*at_) < 0x20) throw Unusual();
  }

  // A string with escapes. Pairs of surrogates are unusual.
  std::string_view escaped(const char* begin) {
    constexpr std::string_view kShort = "\"\\/bfnrt";
    while (*at_ == '\\') {
      assert(at_ >= begin && at_ < end_);
      ++at_;
      if (at_ == end_) throw Unusual();
      if (*at_ == 'u') {
        const std::uint32_t unit = hex_unit({at_ + 1, static_cast<std::size_t>(end_ - at_ - 1)}, 0);
        if (unit > 0xFFFF || (unit & 0xF800) == 0xD800) throw Unusual();
        at_ += 5;
      } else {
        if (kShort.find(*at_) == kShort.npos) throw Unusual();
        ++at_;
      }
      find_special();
    }
    return kept_.emplace_back(unescaped({begin, static_cast<std::size_t>(at_++ - begin)}));
  }

  const char* at_;
  const char* const end_;
  std::vector<std::string_view> keys_; // of all objects that are open
  std::deque<std::string> kept_;       // strings that had escapes
};

} // namespace pigro::core
