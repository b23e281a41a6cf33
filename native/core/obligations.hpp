// Sets of path formulas, and how a run can break all formulas of a set: the proof rules of
// [Bhat1995] on assertions s |- A Phi, "on all paths from s some formula of Phi is true".
//
// The rules R1 to R6 stay in one state; they are worked out once for each set. What is left is a
// list of branches: in a state where all tests of a branch are false, the set Phi holds only if the
// branch's next set holds in all next states (R7). A branch without next set breaks Phi there.
//
// An endless path through branches is a counterexample unless some release formula f R g, from some
// point on, is always kept: it is in the next sets, and g is in no set on the way (a path that is
// *successful* in the paper). Invariants:
//   O1  the root set is set 0; a set is never empty; equal sets have one number.
//   O2  tests of a branch: propositional ones first; none is a constant or the negation of another.
//   O3  no branch of a set is implied by another one: fewer tests, a smaller next set, fewer kept.
#pragma once

#include "core/formula.hpp"
#include "core/query.hpp"

namespace pigro::core {

// The numbers are shared with pigro.logic.positive.
enum class PathOp : std::uint8_t { truth, atom, negation, conjunction, disjunction, all, next, until, release };

// A formula in positive form (pigro/logic/positive.py), checked.
class PositiveFormula {
 public:
  // Throws std::invalid_argument for what is malformed.
  explicit PositiveFormula(const FlatFormula& formula);

  Id size() const { return static_cast<Id>(ops_.size()); }
  PathOp op(Id node) const { return static_cast<PathOp>(ops_[node]); }
  Id left(Id node) const { return left_[node]; }
  Id right(Id node) const { return right_[node]; }
  bool is_path(Id node) const { return is_path_[node]; }
  bool is_quantified(Id node) const { return is_quantified_[node]; } // it is or has an A
  bool is_true(Id node) const { return op(node) == PathOp::truth; }
  bool is_false(Id node) const { return op(node) == PathOp::negation && is_true(left(node)); }

 private:
  std::vector<std::uint8_t> ops_;
  std::vector<Id> left_, right_;
  std::vector<bool> is_path_, is_quantified_;
};

struct Branch {
  std::span<const Id> tests; // state formulas, by node; all must be false
  Id next = kNone;           // a set
  const Word* kept = nullptr;
  bool ends_well = false; // where runs stop, Phi holds if this branch is reached: there is a weak X
};

class Obligations {
 public:
  Obligations(const PositiveFormula& formula, Id path_formula, Query& query);
  Obligations(const Obligations&) = delete;
  Obligations& operator=(const Obligations&) = delete;

  std::span<const Branch> branches(Id set) {
    if (!expanded_[set]) expand(set);
    return {branches_[set].data(), branches_[set].size()};
  }
  Id sets() const { return static_cast<Id>(sets_.size()); }
  std::size_t release_words() const { return release_words_; }
  Id releases() const { return static_cast<Id>(releases_.size()); }

 private:
  struct Draft;
  void collect(Id path_formula);
  Id number(const Word* set);
  void expand(Id set);
  void work_out(Draft draft, std::vector<Draft>& pending, std::vector<Draft>& done);
  bool implies(const Draft& one, const Draft& other) const;
  void keep(Id set, std::vector<Draft>& drafts);

  const PositiveFormula& formula_;
  Query& query_;
  std::vector<Id> members_; // formulas that can be in a set, by node; ascending
  std::vector<Id> place_;   // of each node: its number among the members
  std::vector<Id> releases_, release_place_;
  std::size_t words_ = 0;
  std::size_t release_words_ = 0;
  Interner interner_;
  std::vector<const Word*> sets_;
  std::vector<bool> expanded_;
  std::vector<std::vector<Branch>> branches_;
};

} // namespace pigro::core
