// The names of a pushdown system, numbered in the order in which they first come.
//
// Machines write most pushdown systems, and number their symbols: n36737. Such a name is found by its number, without a
// hash or a look at its text. There are a few known beginnings, each with an array of ids. A beginning is taken in if
// two names in a row have it, in place of the one that was used least.
//
// A name is found by its beginning and number, or by its hash, or by both. So a name that is found neither way is new.
// Cost: linear. An array is at most 64 times as long as the names that were asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/names.hpp"

namespace pigro::core {

class PushdownNames {
 public:
  // A known beginning and a number. No beginning is -1.
  struct Place {
    std::int32_t beginning = -1;
    std::uint32_t number = 0;
  };

  PushdownNames() { table_.number({}); }

  // The number of a name, which is copied if it is new.
  Id number(std::string_view name) {
    return number(name, hash_of(name), place_of(name), [&] { return table_.copied(name); });
  }
  // Needs: the text outlives this, `hash` is hash_of(name), and `place` is where the name belongs.
  Id number_lasting(std::string_view name, std::uint32_t hash, Place place) {
    return number(name, hash, place, [&] { return name; });
  }

  // The bytes by which the array of a known beginning grows if a new name comes to this place. 0 if it does not grow.
  std::size_t bytes_to_grow(Place place) const {
    if (place.beginning < 0) return 0;
    const auto& [text, ids, uses] = beginnings_[place.beginning];
    if (place.number < ids.capacity() || place.number >= kPerUse * (uses + 1)) return 0;
    return std::max<std::size_t>(place.number + 1, 2 * ids.size()) * sizeof(Id);
  }

  std::string_view operator[](Id id) const { return table_[id]; }
  Id size() const { return table_.size(); }
  void reserve(std::size_t more) { table_.reserve(more); }
  const NameTable& table() const { return table_; } // to fetch from memory what is needed soon

  // The longest text from here on that is a known beginning with a number, and its size: 0 if there is none.
  std::pair<Place, std::uint32_t> match(const char* at, const char* end) const {
    for (std::size_t k = 0; k < beginnings_.size(); ++k) {
      const std::string_view text = beginnings_[k].text;
      if (text.empty() || static_cast<std::size_t>(end - at) < text.size() + kMostDigits + 1) continue;
      if (!same_bytes(at, text.data(), text.size())) continue;
      const char* const digits = at + text.size();
      std::uint32_t count = 0;
      while (count < kMostDigits && is_digit(digits[count])) ++count;
      const Place place = numbered(k, {digits, count});
      if (place.beginning >= 0) return {place, static_cast<std::uint32_t>(text.size()) + count};
    }
    return {};
  }

  // -1 if the name is not found this way.
  Id find(Place place) const {
    const std::vector<Id>& ids = beginnings_[place.beginning].ids;
    return place.number < ids.size() ? ids[place.number] : -1;
  }

  Place place_of(std::string_view name) const {
    const std::size_t size = without_digits(name);
    if (size == name.size()) return {};
    for (std::size_t k = 0; k < beginnings_.size(); ++k) {
      if (size > 0 && beginnings_[k].text == name.substr(0, size)) return numbered(k, name.substr(size));
    }
    return {};
  }

  // Tells of a name without a place, whose text outlives this. Leaves: places from before mean nothing any more.
  void learn(std::string_view name) {
    const std::size_t size = without_digits(name);
    if (size == 0 || size == name.size()) return;
    const std::string_view text = name.substr(0, size);
    if (std::exchange(last_, text) != text) return;
    for (const Beginning& each : beginnings_) {
      if (each.text == text) return; // the number is too long, or begins with 0
    }
    Beginning& least = *std::ranges::min_element(beginnings_, {}, &Beginning::uses);
    for (const Id id : least.ids) {
      if (id >= 0) table_.list(id);
    }
    least = {text, {}, 1};
  }

 private:
  static constexpr std::uint32_t kMostDigits = 7, kPerUse = 64;
  struct Beginning {
    std::string_view text; // does not end in a digit. Empty if there is none yet
    std::vector<Id> ids;   // by number, or -1
    std::uint64_t uses = 0;
  };

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static std::size_t without_digits(std::string_view name) {
    std::size_t size = name.size();
    while (size > 0 && is_digit(name[size - 1])) --size;
    return size;
  }

  // Only numbers that stand for one text have a place.
  static Place numbered(std::size_t beginning, std::string_view digits) {
    if (digits.empty() || digits.size() > kMostDigits || (digits[0] == '0' && digits.size() > 1)) return {};
    std::uint32_t number = 0;
    for (const char each : digits) number = 10 * number + static_cast<std::uint32_t>(each - '0');
    return {static_cast<std::int32_t>(beginning), number};
  }

  template <typename Keep>
  Id number(std::string_view name, std::uint32_t hash, Place place, Keep keep) {
    assert(place.beginning == place_of(name).beginning && place.number == place_of(name).number);
    if (place.beginning < 0) return table_.number(name, hash, keep);
    const Id known = find(place);
    if (known >= 0) return known;
    Beginning& to = beginnings_[place.beginning];
    if (place.number >= kPerUse * ++to.uses) return table_.number(name, hash, keep);
    const Id listed = table_.find(name, hash);
    if (place.number >= to.ids.size()) to.ids.resize(place.number + 1, -1);
    return to.ids[place.number] = listed >= 0 ? listed : table_.add_unlisted(keep());
  }

  NameTable table_;
  std::array<Beginning, 4> beginnings_;
  std::string_view last_; // the beginning of the last name that was told of
};

} // namespace pigro::core
