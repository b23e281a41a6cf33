// A formula in existential normal form, cut into levels: one per temporal operator, bottom-up.
//
// Between a temporal operator and the temporal operators in its arguments lie only boolean
// operators: a Program. The last level is the whole formula's boolean top, without an operator.
#pragma once

#include <span>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::core {

// The numbers are shared with pigro.logic.normal.
enum class Op : std::uint8_t { truth, atom, negation, conjunction, disjunction, next, until, globally };

inline bool is_temporal(Op op) { return op >= Op::next; }

// Steps of straight-line code over 64 nodes at a time; step i leaves its result in slot i.
struct Step {
  enum class Kind : std::uint8_t { truth, atom, child, negation, conjunction, disjunction };
  Kind kind;
  Id left = kNone;  // slot; for atom the atom's index; for child the index among the level's children
  Id right = kNone; // slot
};

struct Program {
  std::vector<Step> steps; // the last one is the result; empty where the operator has no such argument
};

struct LevelSpec {
  Op op = Op::truth;        // next, until, globally; truth for the boolean top
  std::vector<Id> children; // levels that the programs read, ascending
  Program first;            // phi of EX and EG, phi1 of EU, the whole top
  Program second;           // phi2 of EU
};

// The flat normal form as it arrives: children before parents, the root last.
struct FlatFormula {
  std::span<const std::uint8_t> ops;
  std::span<const Id> left;
  std::span<const Id> right;
  std::span<const Id> atom_labels; // label of each atom, kNone if no node carries it
};

// Needs: a well-formed flat formula (throws std::invalid_argument otherwise).
// Leaves: levels with children before parents; the last one is the boolean top.
std::vector<LevelSpec> cut_into_levels(const FlatFormula& formula);

} // namespace pigro::core
