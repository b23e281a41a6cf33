// Many short texts in one string of UTF-8, such as the names of all nodes.
//
// Needs: nothing of the offsets and the order. The string outlives this. Whether it is UTF-8 as a
// whole is up to the caller. Leaves: text i is text[offsets[i] .. offsets[i + 1]). These rows cover
// the string and are cut between characters. With an order, which lists all texts ascending by
// bytes, no two texts are equal, and a text is found by binary search. std::invalid_argument names
// the fault of other arguments. Cost: linear in the texts. An order that comes with them is
// why: sorting takes longer than reading a model, and a hash table can be attacked.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/bits.hpp"

namespace pigro::core {

// Texts behind each other: text i is text[offsets[i] .. offsets[i + 1]).
struct JoinedTexts {
  std::vector<Id> offsets{0};
  std::string text;

  // Throws std::length_error if an offset does not fit.
  template <typename Each>
  static JoinedTexts of(const std::vector<Each>& texts) {
    std::size_t size = 0;
    for (const Each& each : texts) size += each.size();
    if (size > static_cast<std::size_t>(std::numeric_limits<Id>::max())) throw std::length_error("too much text");
    JoinedTexts made;
    made.text.reserve(size);
    made.offsets.reserve(texts.size() + 1);
    for (const Each& each : texts) {
      made.text += each;
      made.end_text();
    }
    return made;
  }

  // The next text is all that was added to the string since the one before. Throws std::length_error as above.
  void end_text() {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<Id>::max()))
      throw std::length_error("too much text");
    assert(static_cast<std::size_t>(offsets.back()) <= text.size());
    offsets.push_back(static_cast<Id>(text.size()));
  }
};

class Texts {
 public:
  Texts(std::vector<Id> offsets, std::string_view text, std::optional<std::vector<Id>> order)
      : offsets_(std::move(offsets)), text_(text) {
    check_offsets();
    if (!order) return;
    order_ = std::move(*order);
    check_order();
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t index) const {
    assert(index < size());
    return {text_.data() + offsets_[index], static_cast<std::size_t>(offsets_[index + 1] - offsets_[index])};
  }
  // The number of a text, or kNone. Without an order, all texts are looked at.
  Id find(std::string_view wanted) const {
    if (!has_order()) {
      for (std::size_t i = 0; i < size(); ++i) {
        if ((*this)[i] == wanted) return static_cast<Id>(i);
      }
      return kNone;
    }
    const auto at = std::ranges::lower_bound(order_, wanted, {}, [&](Id id) { return at_id(id); });
    return at != order_.end() && at_id(*at) == wanted ? *at : kNone;
  }
  const std::vector<Id>& offsets() const { return offsets_; }
  bool has_order() const { return order_.size() == size(); }
  // Ascending by bytes. Made if there was none.
  std::vector<Id> order() const {
    if (has_order()) return order_;
    std::vector<Id> made(size());
    std::iota(made.begin(), made.end(), 0);
    std::ranges::sort(made, {}, [&](Id id) { return at_id(id); });
    return made;
  }

 private:
  std::string_view at_id(Id id) const { return (*this)[static_cast<std::size_t>(id)]; }

  static void require(bool fine, const char* otherwise) {
    if (!fine) throw std::invalid_argument(otherwise);
  }

  void check_offsets() const {
    require(!offsets_.empty() && offsets_.front() == 0, "its offsets do not begin at 0");
    require(std::ranges::is_sorted(offsets_), "its offsets do not ascend");
    require(static_cast<std::size_t>(offsets_.back()) == text_.size(), "its offsets do not end with it");
    for (const Id at : offsets_) {
      const bool inside = static_cast<std::size_t>(at) < text_.size() && (text_[at] & 0xC0) == 0x80;
      require(!inside, "its offsets cut a character");
    }
  }

  void check_order() const {
    require(order_.size() == size(), "its order has another length");
    for (const Id id : order_) require(id >= 0 && static_cast<std::size_t>(id) < size(), "its order names no text");
    for (std::size_t i = 1; i < order_.size(); ++i) {
      require(at_id(order_[i - 1]) < at_id(order_[i]), "it is not distinct, or not in order");
    }
  }

  std::vector<Id> offsets_;
  std::vector<Id> order_;
  std::string_view text_;
};

} // namespace pigro::core
