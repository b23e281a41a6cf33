// The tokens of an SMV text. Equal tokens have one number, their *word*. Words of the language have the smallest ones.
#pragma once

#include <string>

#include "core/base/bits.hpp"

namespace pigro::core::smv {

// How an operator binds. Level 0: the word is none.
struct Rule {
  int level = 0;
  int op = 0;
};

// What a word of the language is. The table is that of pigro.formats.smv.syntax.words.
struct WordRules {
  enum class Bounds : std::uint8_t { none, plain, brackets }; // EBF 1..2 p, F [1, 2] p

  Rule prefix = {};
  Rule infix = {};
  Rule in_type = {}; // infix inside of a type
  int function = 0;  // operator that is written like a function, with so many arguments
  int least = 0;
  int most = 0;
  int quantifier = 0;
  Id closing = kNone; // of an opening bracket
  Bounds bounds = Bounds::none;
  bool is_between = false;    // separates or closes
  bool is_closing = false;    // of some bracket
  bool is_connective = false; // of formulas
  bool is_step = false;       // X, F or G
  bool is_section = false;
  bool is_reserved = false;
  bool is_foreign = false; // of another language
  bool is_missing = false; // a function of NuSMV that is not supported
};

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
