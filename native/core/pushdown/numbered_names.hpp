// A cache of names that end in a number, such as n36737: found by that number, without a hash or a look at their text.
//
// Machines write most pushdown systems, and call symbols so. The cache has a few beginnings of names, for each of them
// an array of ids by number. A beginning is taken in if two names in a row have it, in place of the one that was used
// least. A name that the cache lacks is looked up elsewhere. So the cache changes no number of a name, whatever it
// holds.
//
// Needs: the text outlives the cache. Cost: an array is at most 64 times as long as the names with its beginning.
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

class NumberedNames {
 public:
  // Where the cache has a name, or will have it. -1 for none.
  struct Place {
    std::int32_t beginning = -1;
    std::uint32_t number = 0;
  };
  // A name that was found, with its size. Without one, the size is 0.
  struct Found {
    Place place;
    std::uint32_t size = 0;
  };

  // The longest name from here on that ends in digits and has a known beginning. What follows it may belong to it.
  Found match(const char* at, const char* end) {
    for (std::size_t k = 0; k < beginnings_.size(); ++k) {
      const std::string_view text = beginnings_[k].text;
      if (text.empty() || static_cast<std::size_t>(end - at) < text.size() + kMostDigits + 1) continue;
      if (!same_bytes(at, text.data(), text.size())) continue;
      const char* const digits = at + text.size();
      std::uint32_t number = 0, count = 0;
      for (; count < kMostDigits && is_digit(digits[count]); ++count) number = 10 * number + digit(digits[count]);
      if (count == 0 || (digits[0] == '0' && count > 1)) continue;
      ++beginnings_[k].uses;
      return {{static_cast<std::int32_t>(k), number}, static_cast<std::uint32_t>(text.size()) + count};
    }
    return {};
  }

  // kNone if the cache lacks the name.
  Id find(Place place) const {
    const std::vector<Id>& ids = beginnings_[place.beginning].ids;
    return place.number < ids.size() ? ids[place.number] : kNone;
  }

  void put(Place place, Id id) {
    assert(place.beginning >= 0 && id >= 0);
    Beginning& to = beginnings_[place.beginning];
    if (place.number >= kPerUse * to.uses) return;
    if (place.number >= to.ids.size()) to.ids.resize(place.number + 1, kNone);
    to.ids[place.number] = id;
  }

  // A name that `match` did not find. Leaves: places from before mean nothing any more.
  void learn(std::string_view name) {
    std::size_t size = name.size();
    while (size > 0 && is_digit(name[size - 1])) --size;
    if (size == 0 || size == name.size()) return;
    const std::string_view text = name.substr(0, size);
    if (std::exchange(last_, text) != text || text.find(',') != text.npos) return;
    for (const Beginning& each : beginnings_) {
      if (each.text == text) return; // too many digits, or a zero before them
    }
    *std::ranges::min_element(beginnings_, {}, &Beginning::uses) = {text, {}, 1};
  }

 private:
  static constexpr std::uint32_t kMostDigits = 7, kPerUse = 64;
  struct Beginning {
    std::string_view text; // empty if there is none yet
    std::vector<Id> ids;
    std::uint64_t uses = 0;
  };

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static std::uint32_t digit(char c) { return static_cast<std::uint32_t>(c - '0'); }

  std::array<Beginning, 4> beginnings_;
  std::string_view last_;
};

} // namespace pigro::core
