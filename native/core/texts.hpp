// Many short texts in one string of UTF-8, such as the names of all nodes.
//
// Needs: nothing of its arguments. Leaves: text i is text[offsets[i] .. offsets[i + 1]); these rows
// cover the string and are cut between characters, or std::invalid_argument is thrown. Whether the
// string as a whole is UTF-8 is up to the caller. Cost: linear in the number of texts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/model.hpp"

namespace pigro::core {

class Texts {
 public:
  Texts(std::span<const Id> offsets, std::string_view text) {
    if (offsets.empty() || offsets.front() != 0) throw std::invalid_argument("they do not begin at 0");
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      if (offsets[i] < offsets[i - 1]) throw std::invalid_argument("they do not ascend");
    }
    if (static_cast<std::size_t>(offsets.back()) != text.size()) {
      throw std::invalid_argument("they do not end with the text");
    }
    for (const Id at : offsets) {
      const bool inside = static_cast<std::size_t>(at) < text.size() && (text[at] & 0xC0) == 0x80;
      if (inside) throw std::invalid_argument("they cut a character");
    }
    offsets_.assign(offsets.begin(), offsets.end());
    text_ = text;
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t index) const {
    return std::string_view(text_).substr(static_cast<std::size_t>(offsets_[index]),
                                          static_cast<std::size_t>(offsets_[index + 1] - offsets_[index]));
  }
  const std::vector<Id>& offsets() const { return offsets_; }
  const std::string& text() const { return text_; }

 private:
  std::vector<Id> offsets_;
  std::string text_;
};

} // namespace pigro::core
