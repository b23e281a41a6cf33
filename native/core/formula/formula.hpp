// A formula in existential normal form, cut into levels: one per temporal operator, bottom-up.
//
// Between a temporal operator and the temporal operators in its operands lie only boolean
// operators: a Program. The last level is the whole formula's boolean top, without an operator.
// An operator `exists` stands over a path formula, made of `path_next`, `path_until` and
// `path_release`, booleans, and state formulas, its leaves: each leaf is a Program.
//
// Automata in formulas (pigro/logic/threads.py) bring three more path formulas. `path_weak_next` is
// true where a run ends. `path_tick` and `path_calm` are each other's negations: a run chooses at
// each state which of them is true. `path_thread` is its left operand, and implies the right one, another
// thread, which a set needs not have beside it. And operands of a `next`, and the right one of a thread, may come
// after it: a cycle in the formula goes through a `next`.
#pragma once

#include <span>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::core {

// The numbers are shared with pigro.logic.normal.
enum class Op : std::uint8_t {
  truth,
  atom,
  negation,
  conjunction,
  disjunction,
  next,
  until,
  globally,
  exists,
  path_next,
  path_until,
  path_release,
  path_weak_next,
  path_tick,
  path_calm,
  path_thread
};

inline bool is_temporal(Op op) { return op >= Op::next && op <= Op::exists; } // it has a level

// The numbers are shared with pigro.logic.positive.
enum class PathOp : std::uint8_t {
  truth,
  atom,
  negation,
  conjunction,
  disjunction,
  all,
  next,
  until,
  release,
  strong_next,
  tick,
  calm,
  thread
};

// Steps of straight-line code over 64 nodes at a time. Step i leaves its result in slot i.
struct Step {
  enum class Kind : std::uint8_t { truth, atom, child, negation, conjunction, disjunction };
  Kind kind;
  Id left = kNone;  // slot. For atom the atom's index. For child the index among the level's children
  Id right = kNone; // slot
};

struct Program {
  std::vector<Step> steps; // the last one is the result. Empty where the operator has no such operand
};

// The *negation* of the path formula under `exists`: children first, the root last. Atoms are leaves, by number.
struct NegatedPath {
  std::vector<std::uint8_t> ops; // of PathOp
  std::vector<Id> left, right;
};

struct LevelSpec {
  Op op = Op::truth;           // next, until, globally, exists. `truth` for the boolean top
  std::vector<Id> children;    // levels that the programs read, ascending
  Program first;               // phi of EX and EG, phi1 of EU, the whole top
  Program second;              // phi2 of EU
  std::vector<Program> leaves; // of `exists`
  NegatedPath path;            // of `exists`
};

// All programs of a level.
std::vector<const Program*> programs_of(const LevelSpec& spec);
// Whether the program reads a child.
bool has_children(const Program& program);

// The flat normal form as it arrives: children before parents, the root last.
struct FlatFormula {
  std::span<const std::uint8_t> ops;
  std::span<const Id> left;
  std::span<const Id> right;
  std::span<const Id> atom_labels; // label of each atom, kNone if no node carries it
};

// Needs: a well-formed flat formula (throws std::invalid_argument otherwise).
// Leaves: levels with children before parents. The last one is the boolean top.
std::vector<LevelSpec> cut_into_levels(const FlatFormula& formula);

} // namespace pigro::core
