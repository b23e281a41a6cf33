// Which levels does a formula have? The temporal operators of the normal form, children first, each
// with the boolean part of its operands as a straight-line program. The top is the last piece.
//
// Written apart from the engines: see verify.hpp.
#pragma once

#include <span>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::verify {

using core::Id;
using core::kNone;

// The numbers of the normal form (src/pigro/logic/normal.py).
enum class Op : std::uint8_t {
  truth,
  atom,
  negation,
  both,
  either,
  next,
  until,
  always,
  exists,
  path_next,
  path_until,
  path_release,
  path_weak_next,
  path_tick,
  path_calm,
  path_thread
};

// A formula in normal form, as arrays: children before parents, the root last.
struct Form {
  std::span<const std::uint8_t> ops;
  std::span<const Id> left; // of atoms: the atom
  std::span<const Id> right;
  std::span<const Id> atom_labels; // a label or kNone
};

// E[true U false] and EG true: what lemmas are about.
Form lemma_form();

// One operation of a program. `left` and `right` are earlier steps of the same program. Of an atom,
// `left` is the atom, of a temporal operator the place among the piece's children.
struct Step {
  Op op;
  Id left;
  Id right;
};

// A part of a path formula: a state formula, its *leaf*, or an operator over members with lower numbers.
struct Member {
  Op op; // of a leaf: truth
  Id left, right;
  Id step;       // of a leaf: its step
  bool labelled; // of a leaf: labels alone decide it
};

// A level, or the top (with the operator `truth`).
struct Piece {
  Op op;
  Id steps, steps_end;       // its program, in Cut::steps
  Id children, children_end; // in Cut::children, ascending
  Id first;                  // the step of phi1, kNone unless `until`
  Id last;                   // the step of phi2, of phi, or of the top; kNone of `exists`
  Id members = 0;            // of `exists`: the leaves and then the operators of the path formula, in Cut::members
  Id leaves_end = 0;
  Id members_end = 0;
};

struct Cut {
  std::vector<Piece> pieces; // the levels and the top
  std::vector<Step> steps;
  std::vector<Id> children; // levels
  std::vector<Member> members;

  Id levels() const { return static_cast<Id>(pieces.size()) - 1; }
};

// Cuts formulas, and keeps its memory between them.
class Cutter {
 public:
  // The levels of a formula. Throws std::invalid_argument if the arrays are no formula. Atoms with
  // labels from `labels` on are refused. Linear in the size of all programs.
  const Cut& cut(const Form& form, Id labels);

 private:
  void check(const Form& form, Id labels) const;
  void find_paths(const Form& form);
  void add_piece(const Form& form, Op op, Id phi1, Id phi2);
  void add_path_piece(const Form& form, Id body);
  void add_steps(const Form& form, Piece& piece);
  void collect(const Form& form, Id root);
  Step step_for(const Form& form, Id node, const Piece& piece);

  Cut cut_;
  std::vector<Id> level_;   // of each temporal node
  std::vector<Id> seen_by_; // of each node: the last piece that collected it
  std::vector<Id> step_of_; // of each node: its step in that piece
  std::vector<Id> found_, pending_;
  std::vector<bool> is_path_; // of each node
  std::vector<Id> member_of_; // of the nodes of a path formula
};

} // namespace pigro::verify
