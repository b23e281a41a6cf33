// The tokens of an SMV text. Equal tokens have one number, their *word*. Words of the language have the smallest ones.
#pragma once

#include <string>

#include "core/base/bits.hpp"

namespace pigro::core::smv {

struct Tokens {
  enum class Kind : std::uint8_t { name, number, bits, other };

  std::vector<Id> words; // of each token. Ended by kEnd
  std::vector<Id> begins;
  // By word:
  std::vector<Kind> kinds;
  std::vector<Id> lengths;
  std::vector<Id> first;             // the first token that is this word, kNone for others
  std::vector<std::int64_t> numbers; // the value, if it has at most kLongestNumber digits
};

inline constexpr Id kEnd = 0; // the word after the last token
inline constexpr Id kLongestNumber = 18;

// Reads a text. `known` are the words of the language, the first of them empty. A comment that lacks its end is a
// token.
template <typename Char>
void tokenize(const Char* text, std::size_t size, const std::vector<std::string>& known, Tokens& tokens);

} // namespace pigro::core::smv
