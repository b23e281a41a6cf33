// Tokens to expressions: operator precedence parsing with explicit stacks.
//
// Values, conditions and formulas share one grammar. Which words are operators and how tightly they bind is in
// operators.hpp.
//
// Nodes are in postfix order. A node has its last argument, and each argument the one before it, so that a chain such
// as a & b & c grows by one argument at a time.
#pragma once

#include <unordered_map>

#include "core/smv/tokens.hpp"
#include "core/smv/vocabulary.hpp"

namespace pigro::core::smv {

// A mistake in an expression: the token, another one that matters, a word and a number, by the kind of mistake.
struct Mistake {
  enum class Kind : std::uint8_t {
    expression, // one was expected, at `place`
    name,       // the same
    sign,       // `word` was expected
    steps,      // a number of them was expected
    no_step,    // bounds from `low` to `high`
    far_step,
    refused,    // a bounded operator that is not supported
    unfinished, // the bracket `word` at `other` is not closed. `low`: how far it was
    grouping,   // p U q V r
    joined,     // A [p & q U r U s]
    arguments,  // `low` of them for a function
    number,     // it is too long
    missing,    // a function that is not supported
    real,       // a number with a point
  };
  Kind kind;
  Id place;
  Id other = kNone;
  Id word = kNone;
  std::int64_t low = 0;
  std::int64_t high = 0;

  static const char* what() { return "mistake"; }
};

struct Reading {
  bool chains = true;   // a + b + c is one node
  bool grouped = true;  // U groups to the left
  bool in_type = false; // .. binds loosest
};

struct SyntaxNode {
  int op;
  Id at;
  Id first;          // node of the subexpression
  Id last = kNone;   // argument
  Id before = kNone; // the argument before this one, of the same parent
  Id count = 0;
  std::int64_t value = 0; // of a leaf: the word, or the number
  enum class Leaf : std::uint8_t { none, word, number, truth, bits } leaf = Leaf::none;
};

class Grammar {
 public:
  Grammar(const Vocabulary& vocabulary, const Tokens& tokens)
      : vocabulary_(vocabulary), tokens_(tokens), signs_(vocabulary.signs) {}

  // Reads an expression from a token on. The token after it. Its nodes are `nodes`, the last one is the root.
  // `on_bits` is told of every constant that is a word. Throws Mistake.
  Id read(Id place, const Reading& reading);
  std::vector<SyntaxNode> nodes;
  std::function<void(Id place)> on_bits;

 private:
  struct Waiting { // an operator, or a bracket, whose level is 0
    int level;
    int op;
    Id at;
  };
  struct Open {
    Id sign; // the word, or kArray for the [ of an array
    Id at;
    std::size_t base;    // how many values lie below it
    bool splits = false; // A [p U q] as in CTL
    int step = 0;        // of case: 1 after the colon. Of one that splits: 1 after U, 2 after BU
  };
  struct Frame { // a bracket that is looked at
    Id at;
    std::size_t owner; // the frame of the `A [` that it belongs to: itself, or the next one outside
    int untils = 0;    // directly inside
    Id first_until = 0;
    bool joined = false; // by a connective directly inside
    int others = 0;      // operators on paths but U directly inside
  };
  static constexpr Id kArray = -2;

  Id word(Id place) const { return tokens_.words[place]; }
  const WordRules& rules(Id place) const {
    const Id found = word(place);
    return static_cast<std::size_t>(found) < vocabulary_.rules.size() ? vocabulary_.rules[found] : none_;
  }
  bool is_name(Id place) const { return tokens_.kinds[word(place)] == Tokens::Kind::name; }
  bool is_number(Id place) const { return tokens_.kinds[word(place)] == Tokens::Kind::number; }

  bool operand(Id& place);
  void step(Id place);
  Id bounds(Id place);
  Id open(Id place);
  void leaf(Id place);
  std::int64_t number(Id place) const;
  Id postfix(Id place);
  void infix(const Rule& rule, Id place);
  void check_group(Id place) const;
  bool between(Id place);
  void close();
  Id closed(const Open& done, std::span<const Id> inside);
  void finish(Id place);
  void reduce(int level);
  [[noreturn]] void unfinished(const Open& open, Id place) const;

  Id add_leaf(int op, Id at, SyntaxNode::Leaf leaf, std::int64_t value);
  Id add_over(int op, std::span<const Id> args, Id at);
  Id add_over(int op, std::initializer_list<Id> args, Id at);
  Id chained(Id left, Id right, Id at);
  void take(Id node, Id argument);

  bool splits(Id place);
  void scan(Id place);
  Id width_of_bounds(Id place) const;
  void note(std::vector<Frame>& frames, Id place) const;
  static bool is_split(const Frame& frame);

  const Vocabulary& vocabulary_;
  const Tokens& tokens_;
  const Vocabulary::Signs& signs_;
  const WordRules none_;
  Reading reading_;
  std::vector<Waiting> stack_;
  std::vector<Id> values_;
  std::vector<Open> opened_;
  std::unordered_map<Id, bool> known_; // whether an `A [` splits, by token
};

} // namespace pigro::core::smv
