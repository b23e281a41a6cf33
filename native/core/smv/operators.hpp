// The operators of SMV: one table for those that people write, one for those that terms of a machine have.
//
// Everything else that knows operators reads these tables: the grammar, and, by way of pigro._core, the names of nodes,
// the kinds of values, the compiler and the text of labels. A new operator is a row here. If it is no other one of
// terms, it also needs an `Op`, its value (expressions.cpp), and its bits (pigro/engines/game/formulas).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace pigro::core::smv {

// Operators of terms. See expressions.hpp.
enum class Op : std::uint8_t {
  constant, // value
  slot,     // value: which
  negation,
  conjunction, // of any number, as is disjunction
  disjunction,
  exclusive, // or
  equivalence,
  implication,
  equal,
  less,
  less_equal,
  add, // from here to absolute: numbers. Left to right if there are several
  subtract,
  multiply,
  divide,
  modulo,
  range, // a set
  minus,
  minimum,
  maximum,
  absolute,
  member,
  set,       // of any number of values and sets
  choice,    // case: condition, value, condition, value, ...
  condition, // ?:
  element,   // of an array: index, then the elements. Value: the index of the first
  count,     // of true operands
  number_of, // 0 or 1, of a truth value
  truth_of,  // whether a number is not 0
  remember,  // its operand, evaluated once a state
  word_add,  // from here on: words. Value: width, negative if the word is signed
  word_subtract,
  word_multiply,
  word_divide,
  word_modulo,
  word_not,
  word_and,
  word_or,
  word_xor,
  word_left, // shifts
  word_right,
  word_bits, // word, high, low
  word_join, // left, right, width of the right one
  word_wrap, // the word of this width with the same lowest bits
  last
};

inline constexpr int kMany = 1 << 30; // arguments

struct TermOperator {
  Op op;
  const char* name;
  int least; // arguments
  int most;
  bool can_fail = true; // by itself, where its arguments do not
};

inline constexpr TermOperator kTermOperators[] = {
    {Op::constant, "constant", 0, 0, false},
    {Op::slot, "slot", 0, 0, false},
    {Op::negation, "negation", 1, 1, false},
    {Op::conjunction, "conjunction", 1, kMany, false},
    {Op::disjunction, "disjunction", 1, kMany, false},
    {Op::exclusive, "exclusive", 2, 2, false},
    {Op::equivalence, "equivalence", 2, 2, false},
    {Op::implication, "implication", 2, 2, false},
    {Op::equal, "equal", 2, 2, false},
    {Op::less, "less", 2, 2, false},
    {Op::less_equal, "less_equal", 2, 2, false},
    {Op::add, "add", 2, kMany},
    {Op::subtract, "subtract", 2, kMany},
    {Op::multiply, "multiply", 2, kMany},
    {Op::divide, "divide", 2, 2},
    {Op::modulo, "modulo", 2, 2},
    {Op::range, "range", 2, 2},
    {Op::minus, "minus", 1, 1},
    {Op::minimum, "minimum", 2, 2},
    {Op::maximum, "maximum", 2, 2},
    {Op::absolute, "absolute", 1, 1},
    {Op::member, "member", 2, 2, false},
    {Op::set, "set", 1, kMany, false}, // unless it is too large
    {Op::choice, "choice", 2, kMany},
    {Op::condition, "condition", 3, 3, false},
    {Op::element, "element", 2, kMany},
    {Op::count, "count", 1, kMany, false},
    {Op::number_of, "number_of", 1, 1, false},
    {Op::truth_of, "truth_of", 1, 1, false},
    {Op::remember, "remember", 1, 1, false},
    {Op::word_add, "word_add", 2, 2},
    {Op::word_subtract, "word_subtract", 2, 2},
    {Op::word_multiply, "word_multiply", 2, 2},
    {Op::word_divide, "word_divide", 2, 2},
    {Op::word_modulo, "word_modulo", 2, 2},
    {Op::word_not, "word_not", 1, 1},
    {Op::word_and, "word_and", 2, 2},
    {Op::word_or, "word_or", 2, 2},
    {Op::word_xor, "word_xor", 2, 2},
    {Op::word_left, "word_left", 2, 2},
    {Op::word_right, "word_right", 2, 2},
    {Op::word_bits, "word_bits", 3, 3},
    {Op::word_join, "word_join", 3, 3},
    {Op::word_wrap, "word_wrap", 1, 1},
};

consteval bool are_in_order() {
  std::size_t at = 0;
  for (const TermOperator& each : kTermOperators) {
    if (static_cast<std::size_t>(each.op) != at++) return false;
  }
  return at == static_cast<std::size_t>(Op::last);
}
static_assert(are_in_order());

// What a value can be, as bits: an enumeration may hold numbers and symbols.
enum Kinds : int {
  kBoolean = 1,
  kInteger = 2,
  kSymbol = 4,
  kSet = 8,      // several values at once
  kFormula = 16, // a temporal operator
  kShifted = 32, // a value of the next state
  kWord = 64
};

// How tightly operators bind. A bracket's level is 0.
inline constexpr int kTernary = 4;
inline constexpr int kLoose = 7; // A or E before anything but `[`, X, F and G
inline constexpr int kUntil = 8;
inline constexpr int kTemporal = 9;
inline constexpr int kUnary = 18;

enum class Form : std::uint8_t {
  made,     // the grammar makes it, or the reader of a formula
  infix,    // p & q
  prefix,   // !p
  modal,    // a prefix that only formulas of the mu-calculus have
  function, // max(m, n)
  path      // A [...] and E [...]
};

enum class StepBounds : std::uint8_t { none, plain, brackets }; // EBF 1..2 p, F [1, 2] p

enum Flags : unsigned {
  kChains = 1,       // a + b + c is one node
  kRight = 2,        // it groups to the right
  kConnective = 4,   // of formulas
  kFolded = 8,       // constant numbers are computed at once
  kFormulaOp = 16,   // temporal, or a quantifier
  kOnPaths = 32,     // it is about the future of a path
  kPast = 64,        // it is about the past of a path
  kWithPath = 128,   // a quantifier and an operator on paths, in one
  kOfMu = 256,       // of the mu-calculus
  kBounded = 512,    // it speaks of some steps only. The bounds come before the last operand
  kFirstOnly = 1024, // `takes` is about the first argument. The others are constants, or looked at elsewhere
};
inline constexpr unsigned kPathOp = kFormulaOp | kOnPaths;
inline constexpr unsigned kPastOp = kFormulaOp | kPast;
inline constexpr unsigned kCtlOp = kFormulaOp | kWithPath;
inline constexpr unsigned kMuOp = kFormulaOp | kOfMu;

// An operator, or a leaf: what a node of the syntax is. Its number is its place in the table.
struct Operator {
  const char* name;
  Form form = Form::made;
  const char* sign = ""; // the word that it is written with
  int level = 0;         // of infix and prefix operators
  int least = 1;         // arguments of a function
  int most = 1;
  int takes = 0;          // what its arguments are. If there is a choice, the first one decides
  int gives = 0;          // what it is. 0: what its arguments are
  Op plain = Op::last;    // the operator of terms that it is
  Op on_words = Op::last; // that on words of one width
  unsigned flags = 0;
  StepBounds bounds = StepBounds::none;
  const char* with_bounds = ""; // the operator that it is with bounds in brackets
  const char* also = "";        // another word for it
};

inline constexpr int kNumber = kInteger | kWord;
inline constexpr int kTruth = kBoolean | kWord;
inline constexpr int kEach = kBoolean | kInteger | kWord;

// Leaves first, up to the first operator.
// clang-format off: a row for each
inline constexpr Operator kOperators[] = {
    {.name = "GONE"}, // replaced by a node with more arguments
    {.name = "NAME"}, // with dots
    {.name = "CONSTANT"},
    {.name = "WORD"}, // a constant: value and width, the width negative if it is signed
    {.name = "NOT", .form = Form::prefix, .sign = "!", .level = kUnary, .takes = kTruth, .plain = Op::negation,
     .on_words = Op::word_not, .flags = kConnective},
    {.name = "MINUS", .form = Form::prefix, .sign = "-", .level = kUnary, .takes = kNumber, .plain = Op::minus,
     .flags = kFolded},
    {.name = "NEXT"},
    {.name = "AND", .form = Form::infix, .sign = "&", .level = 6, .takes = kTruth, .plain = Op::conjunction,
     .on_words = Op::word_and, .flags = kConnective | kChains},
    {.name = "OR", .form = Form::infix, .sign = "|", .level = 5, .takes = kTruth, .plain = Op::disjunction,
     .on_words = Op::word_or, .flags = kConnective | kChains},
    {.name = "XOR", .form = Form::infix, .sign = "xor", .level = 5, .takes = kTruth, .plain = Op::exclusive,
     .on_words = Op::word_xor, .flags = kConnective},
    {.name = "XNOR", .form = Form::infix, .sign = "xnor", .level = 5, .takes = kTruth, .plain = Op::equivalence,
     .flags = kConnective},
    {.name = "IFF", .form = Form::infix, .sign = "<->", .level = 3, .takes = kTruth, .plain = Op::equivalence,
     .flags = kConnective},
    {.name = "IMPLIES", .form = Form::infix, .sign = "->", .level = 2, .takes = kTruth, .plain = Op::implication,
     .flags = kConnective | kRight},
    {.name = "EQ", .form = Form::infix, .sign = "=", .level = 10, .plain = Op::equal},
    {.name = "NE", .form = Form::infix, .sign = "!=", .level = 10},
    {.name = "LT", .form = Form::infix, .sign = "<", .level = 10, .takes = kNumber, .gives = kBoolean,
     .plain = Op::less},
    {.name = "GT", .form = Form::infix, .sign = ">", .level = 10, .takes = kNumber, .gives = kBoolean},
    {.name = "LE", .form = Form::infix, .sign = "<=", .level = 10, .takes = kNumber, .gives = kBoolean,
     .plain = Op::less_equal},
    {.name = "GE", .form = Form::infix, .sign = ">=", .level = 10, .takes = kNumber, .gives = kBoolean},
    {.name = "IN", .form = Form::infix, .sign = "in", .level = 11, .plain = Op::member},
    {.name = "UNION", .form = Form::infix, .sign = "union", .level = 12, .plain = Op::set, .flags = kChains},
    {.name = "ADD", .form = Form::infix, .sign = "+", .level = 14, .takes = kNumber, .plain = Op::add,
     .on_words = Op::word_add, .flags = kChains | kFolded},
    {.name = "SUB", .form = Form::infix, .sign = "-", .level = 14, .takes = kNumber, .plain = Op::subtract,
     .on_words = Op::word_subtract, .flags = kChains | kFolded},
    {.name = "MUL", .form = Form::infix, .sign = "*", .level = 15, .takes = kNumber, .plain = Op::multiply,
     .on_words = Op::word_multiply, .flags = kChains | kFolded},
    {.name = "DIV", .form = Form::infix, .sign = "/", .level = 15, .takes = kNumber, .plain = Op::divide,
     .on_words = Op::word_divide, .flags = kFolded},
    {.name = "MOD", .form = Form::infix, .sign = "mod", .level = 15, .takes = kNumber, .plain = Op::modulo,
     .on_words = Op::word_modulo, .flags = kFolded},
    {.name = "RANGE", .form = Form::infix, .sign = "..", .level = 16, .takes = kInteger, .gives = kInteger | kSet,
     .plain = Op::range},
    {.name = "SET", .plain = Op::set},
    {.name = "CASE", .plain = Op::choice}, // condition, value, condition, value, ...
    {.name = "ITE", .plain = Op::condition, .flags = kRight},
    {.name = "EX", .form = Form::prefix, .sign = "EX", .level = kTemporal, .flags = kCtlOp},
    {.name = "EF", .form = Form::prefix, .sign = "EF", .level = kTemporal, .flags = kCtlOp},
    {.name = "EG", .form = Form::prefix, .sign = "EG", .level = kTemporal, .flags = kCtlOp},
    {.name = "AX", .form = Form::prefix, .sign = "AX", .level = kTemporal, .flags = kCtlOp},
    {.name = "AF", .form = Form::prefix, .sign = "AF", .level = kTemporal, .flags = kCtlOp},
    {.name = "AG", .form = Form::prefix, .sign = "AG", .level = kTemporal, .flags = kCtlOp},
    {.name = "EU", .flags = kCtlOp},
    {.name = "AU", .flags = kCtlOp},
    {.name = "A", .form = Form::path, .sign = "A", .flags = kFormulaOp},
    {.name = "E", .form = Form::path, .sign = "E", .flags = kFormulaOp},
    {.name = "X", .form = Form::prefix, .sign = "X", .level = kTemporal, .flags = kPathOp},
    {.name = "F", .form = Form::prefix, .sign = "F", .level = kTemporal, .flags = kPathOp,
     .bounds = StepBounds::brackets, .with_bounds = "F_IN"},
    {.name = "G", .form = Form::prefix, .sign = "G", .level = kTemporal, .flags = kPathOp,
     .bounds = StepBounds::brackets, .with_bounds = "G_IN"},
    {.name = "U", .form = Form::infix, .sign = "U", .level = kUntil, .flags = kPathOp},
    {.name = "W", .form = Form::infix, .sign = "W", .level = kUntil, .flags = kPathOp},
    {.name = "R", .form = Form::infix, .sign = "V", .level = kUntil, .flags = kPathOp, .also = "R"},
    {.name = "Y", .form = Form::prefix, .sign = "Y", .level = kTemporal, .flags = kPastOp},
    {.name = "Z", .form = Form::prefix, .sign = "Z", .level = kTemporal, .flags = kPastOp},
    {.name = "O", .form = Form::prefix, .sign = "O", .level = kTemporal, .flags = kPastOp,
     .bounds = StepBounds::brackets, .with_bounds = "O_IN"},
    {.name = "H", .form = Form::prefix, .sign = "H", .level = kTemporal, .flags = kPastOp,
     .bounds = StepBounds::brackets, .with_bounds = "H_IN"},
    {.name = "S", .form = Form::infix, .sign = "S", .level = kUntil, .flags = kPastOp},
    {.name = "T", .form = Form::infix, .sign = "T", .level = kUntil, .flags = kPastOp},
    {.name = "INDEX"},
    {.name = "BITS", .takes = kWord, .gives = kWord, .flags = kFirstOnly}, // word, high, low
    {.name = "DOT"}, // instance, name
    {.name = "ARRAY"},
    {.name = "SHL", .form = Form::infix, .sign = "<<", .level = 13, .takes = kWord, .gives = kWord,
     .on_words = Op::word_left, .flags = kFirstOnly},
    {.name = "SHR", .form = Form::infix, .sign = ">>", .level = 13, .takes = kWord, .gives = kWord,
     .on_words = Op::word_right, .flags = kFirstOnly},
    {.name = "JOIN", .form = Form::infix, .sign = "::", .level = 17, .takes = kWord, .gives = kWord},
    {.name = "COUNT", .form = Form::function, .sign = "count", .most = kMany, .takes = kBoolean, .gives = kInteger,
     .plain = Op::count},
    {.name = "MAX", .form = Form::function, .sign = "max", .least = 2, .most = 2, .takes = kInteger,
     .gives = kInteger, .plain = Op::maximum, .flags = kFolded},
    {.name = "MIN", .form = Form::function, .sign = "min", .least = 2, .most = 2, .takes = kInteger,
     .gives = kInteger, .plain = Op::minimum, .flags = kFolded},
    {.name = "ABS", .form = Form::function, .sign = "abs", .takes = kInteger, .gives = kInteger,
     .plain = Op::absolute, .flags = kFolded},
    {.name = "TOINT", .form = Form::function, .sign = "toint", .takes = kEach, .gives = kInteger},
    {.name = "BOOL", .form = Form::function, .sign = "bool", .takes = kEach, .gives = kBoolean},
    {.name = "WORD1", .form = Form::function, .sign = "word1", .takes = kBoolean, .gives = kWord},
    {.name = "SIGNED", .form = Form::function, .sign = "signed", .takes = kWord, .gives = kWord},
    {.name = "UNSIGNED", .form = Form::function, .sign = "unsigned", .takes = kWord, .gives = kWord},
    {.name = "EXTEND", .form = Form::function, .sign = "extend", .least = 2, .most = 2, .takes = kWord,
     .gives = kWord, .flags = kFirstOnly},
    {.name = "RESIZE", .form = Form::function, .sign = "resize", .least = 2, .most = 2, .takes = kWord,
     .gives = kWord, .flags = kFirstOnly},
    {.name = "SWCONST", .form = Form::function, .sign = "swconst", .least = 2, .most = 2, .takes = kInteger,
     .gives = kWord, .flags = kFirstOnly},
    {.name = "UWCONST", .form = Form::function, .sign = "uwconst", .least = 2, .most = 2, .takes = kInteger,
     .gives = kWord},
    {.name = "SIZEOF", .form = Form::function, .sign = "sizeof", .takes = kWord, .gives = kInteger},
    {.name = "EBF", .form = Form::prefix, .sign = "EBF", .level = kTemporal, .flags = kCtlOp | kBounded,
     .bounds = StepBounds::plain},
    {.name = "EBG", .form = Form::prefix, .sign = "EBG", .level = kTemporal, .flags = kCtlOp | kBounded,
     .bounds = StepBounds::plain},
    {.name = "ABF", .form = Form::prefix, .sign = "ABF", .level = kTemporal, .flags = kCtlOp | kBounded,
     .bounds = StepBounds::plain},
    {.name = "ABG", .form = Form::prefix, .sign = "ABG", .level = kTemporal, .flags = kCtlOp | kBounded,
     .bounds = StepBounds::plain},
    {.name = "EBU", .form = Form::infix, .sign = "BU", .level = kUntil, .flags = kCtlOp | kBounded,
     .bounds = StepBounds::plain}, // args: left, low, high, right
    {.name = "ABU", .flags = kCtlOp | kBounded},
    {.name = "F_IN", .flags = kPathOp | kBounded},
    {.name = "G_IN", .flags = kPathOp | kBounded},
    {.name = "O_IN", .flags = kPastOp | kBounded},
    {.name = "H_IN", .flags = kPastOp | kBounded},
    {.name = "DIAMOND", .form = Form::modal, .sign = "<", .level = kTemporal, .flags = kMuOp},
    {.name = "BOX", .form = Form::modal, .sign = ">", .level = kTemporal, .flags = kMuOp},
    {.name = "MU", .form = Form::modal, .sign = "mu", .level = 1, .flags = kMuOp}, // a fixpoint binds loosest
    {.name = "NU", .form = Form::modal, .sign = "nu", .level = 1, .flags = kMuOp},
};
// clang-format on

// The number of an operator. At compile time, a name that is not there is an error.
constexpr int operator_named(std::string_view name) {
  int number = 0;
  for (const Operator& each : kOperators) {
    if (name == each.name) return number;
    ++number;
  }
  throw std::out_of_range("no such operator");
}

inline constexpr int kFirstOperator = operator_named("NOT");
inline constexpr int kGoneNode = operator_named("GONE");
inline constexpr int kNameNode = operator_named("NAME");

} // namespace pigro::core::smv
