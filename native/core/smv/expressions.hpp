// Expressions of SMV modules as a pool of nodes, and their values in a state.
//
// A value is one number: a truth value, a symbol and EXIT are numbers below all integers. A word is the integer that
// it stands for, or an id where that is too large (wide.hpp). An expression reads variables from *slots*: one for the
// current and one for the next value of each variable, and one for each input. A slot that has no value yet is
// kUnknown.
//
// EXIT, which every variable of a module that is called may be: it equals only itself, counts as false, compares false,
// and arithmetic with it is EXIT.
//
// Invariants:
//   V1  children have smaller numbers than their parents, and no expression is nested more than kDeepest levels.
//   V2  a value of a sentinel kind (below kLeastInteger) is never the result of arithmetic on integers.
#pragma once

#include <optional>

#include "core/smv/operators.hpp"
#include "core/smv/wide.hpp"

namespace pigro::core::smv {

inline constexpr Value kExit = kUnknown + 1;
inline constexpr Value kFalse = kUnknown + 2;
inline constexpr Value kTrue = kUnknown + 3;
inline constexpr Value kFirstSymbol = kUnknown + 16;
inline constexpr std::size_t kWidestSet = 100'000; // values of a range or set inside an expression
inline constexpr int kDeepest = 2000;

inline bool is_integer(Value value) { return value >= kLeastInteger; }
inline Value truth(bool holds) { return holds ? kTrue : kFalse; }

// What goes wrong when an expression is evaluated: `at` is the place of the node.
struct Fault {
  enum class Kind : std::uint8_t { zero, overflow, empty, wide, large, no_case, compute, index, outside, shift };
  Kind kind;
  Id at = kNone;
  Value first = 0;
  Value second = 0;
  Id variable = kNone;
  std::vector<Value> state = {}; // outside: the values before

  static const char* what() { return "no value"; }
};

// The value of an operator on constant numbers. No value if it has none, or if some number on the way is not smaller
// than `limit`, without its sign.
std::optional<Value> folded(Op op, std::span<const Value> values, Value limit);

class Expressions {
 public:
  // Throws std::invalid_argument for malformed nodes.
  Id add(Op op, std::span<const Id> args, Value value, Id at);
  Id size() const { return static_cast<Id>(nodes_.size()); }

  struct Node {
    Op op;
    bool is_set;      // it has several values
    bool looks_ahead; // it reads slots other than current ones
    bool can_fail;    // tables must not skip it, so that they change no error
    std::int16_t depth;
    Id at;
    Id first;
    Id count;
    Value value;
    Id table = kNone; // of a disjunction: its Alternatives
  };
  const Node& node(Id id) const { return nodes_[id]; }
  std::span<const Id> args(const Node& node) const {
    return {args_.data() + node.first, static_cast<std::size_t>(node.count)};
  }

  // `slot = constant` or `slot in {constants}`: the slot and the values. Otherwise, and for too large a set, false.
  bool is_test(Id id, Value& slot, std::vector<Value>& values) const;

  // A `case` by tables: where conditions in a row need certain values of one slot, only the branches that fit the value
  // are tried.
  struct Segment {
    Value slot = -1; // -1: the branch in `single` alone
    Id single = 0;
    std::unordered_map<Value, std::vector<std::pair<Id, bool>>> branches; // by value. Whether the test is all there is
  };
  const std::vector<Segment>& segments(Id id) const { return tables_.at(id); }

  // A long disjunction by a table: most operands need certain values of the same slots, such as `x = 1 & y = 2 & ...`.
  // Only operands that fit the values of these slots are looked at, in their order, with those that need none.
  struct Alternatives {
    std::vector<Value> slots;
    std::vector<std::pair<std::uint64_t, Id>> fitting; // ascending. By a hash of the values, the operand
    std::vector<Id> others;                            // ascending
  };
  // None for a short disjunction, or one without such operands.
  const Alternatives* alternatives(const Node& node) const {
    return node.table == kNone ? nullptr : &alternatives_[node.table];
  }
  void set_current_slots(Value count) { current_ = count; }
  WideWords& wide() const { return *wide_; }
  // All expressions and domains whose values meet share one.
  void set_wide(std::shared_ptr<WideWords> wide) { wide_ = std::move(wide); }

 private:
  void check(Op op, std::span<const Id> args, Value value) const;
  using Needs = std::vector<std::pair<Value, Value>>; // slots and values, ascending, each slot once
  void tabulate(Id id);
  void find_alternatives(Id id);
  Needs needs(Id operand) const;

  std::vector<Node> nodes_;
  std::vector<Id> args_;
  std::unordered_map<Id, std::vector<Segment>> tables_;
  std::vector<Alternatives> alternatives_;
  Value current_ = 0;
  std::shared_ptr<WideWords> wide_ = std::make_shared<WideWords>();
};

class Evaluator {
 public:
  explicit Evaluator(const Expressions& pool) : pool_(pool) {}

  // Needs: all slots that matter are known. The expression is no set. Throws Fault.
  Value value(Id id, const Value* slots) { return eval<false>(id, slots); }
  // The value if the known slots decide it, else kUnknown. Throws nothing.
  Value maybe(Id id, const Value* slots) { return eval<true>(id, slots); }
  // All values, each once.
  void values(Id id, const Value* slots, std::vector<Value>& found);

  void state_changed() { now_ = ++clock_; }
  void slot_changed() { ahead_ = ++clock_; }

 private:
  struct Memory {
    std::uint64_t when = 0;
    bool partial = false;
    Value value = kUnknown;
  };

  struct SetMemory {
    std::uint64_t when = 0;
    std::vector<Value> values = {};
  };

  template <bool partial>
  Value eval(Id id, const Value* slots);
  template <bool partial>
  Value remembered(const Expressions::Node& node, Id id, const Value* slots);
  template <bool partial>
  Value chosen(const Expressions::Node& node, Id id, const Value* slots);
  template <bool partial>
  Value arithmetic(const Expressions::Node& node, const Value* slots);
  template <bool partial>
  Value word(const Expressions::Node& node, const Value* slots);
  Value wrapped(std::uint64_t bits, Value width); // the word of a width, negative if it is signed, with these bits
  template <bool partial>
  Value disjunction(const Expressions::Node& node, const Value* slots);
  template <bool partial>
  Value membership(const Expressions::Node& node, const Value* slots);
  Id branch(Id id, const Value* slots); // of a case. The value
  void collect(Id id, const Value* slots, std::vector<Value>& found);

  const Expressions& pool_;
  std::vector<Memory> memory_;
  std::unordered_map<Id, SetMemory> sets_; // references stay valid
  std::uint64_t clock_ = 1;
  std::uint64_t now_ = 1;
  std::uint64_t ahead_ = 1;
};

} // namespace pigro::core::smv
