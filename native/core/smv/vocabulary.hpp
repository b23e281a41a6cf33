// The words of SMV: operators by the table of operators.hpp, brackets, and reserved words.
//
// Loosest to tightest: `->` (right), `<->`, `?:` (right), `|` with `xor` and `xnor`, `&`, a loose `A` or `E`, `U` with
// `V`, `S` and `T`, the unary temporal operators, comparisons, `in`, `union`, `<< >>`, `+ -`, `* / mod`, `..`, `::`,
// and the unary `!` and `-`. `AG x = 1` therefore is `AG (x = 1)`, `!x = y` is `(!x) = y`, and `G p U q & r` is
// `((G p) U q) & r`, as in NuSMV.
#pragma once

#include <string>
#include <vector>

#include "core/base/bits.hpp"
#include "core/smv/operators.hpp"

namespace pigro::core::smv {

// How an operator binds. Level 0: the word is none.
struct Rule {
  int level = 0;
  int op = 0;
};

// What a word of the language is.
struct WordRules {
  Rule prefix = {};
  Rule infix = {};
  Rule in_type = {}; // infix inside of a type
  int function = 0;  // operator that is written like a function
  int quantifier = 0;
  Id closing = kNone; // of an opening bracket
  StepBounds bounds = StepBounds::none;
  bool is_between = false;    // separates or closes
  bool is_closing = false;    // of some bracket
  bool is_connective = false; // of formulas
  bool is_step = false;       // X, F or G
  bool is_section = false;
  bool is_reserved = false;
  bool is_foreign = false; // of another language
  bool is_missing = false; // a function of NuSMV that is not supported
};

struct Vocabulary {
  // `foreign` and `missing` are words that are refused. Bounds have at most `steps`. With `modal`, formulas may have
  // fixpoints and modalities.
  Vocabulary(const std::vector<std::string>& foreign, const std::vector<std::string>& missing, std::int64_t steps,
             bool modal);
  Id find(std::string_view word) const; // throws std::out_of_range

  std::vector<std::string> words; // the first is empty: the end
  std::vector<WordRules> rules;
  std::int64_t farthest; // step of bounds
  struct Signs {
    Id square, square_end, round, round_end, curly, case_, next, colon, semicolon, comma, question, dot, plus, range,
        esac;
    Id until, release, bounded_until, exists, true_, false_, exit;
  } signs = {}; // those that the grammar itself knows

 private:
  void add_operator(int op, const Operator& row, bool modal);
  WordRules& rule(std::string_view word) { return rules[find(word)]; }
};

} // namespace pigro::core::smv
