// Sets of path formulas, and how a run can break all formulas of a set: the proof rules of
// [Bhat1995] on assertions s |- A Phi, "on all paths from s some formula of Phi is true".
//
// The rules Bhat1 to Bhat6 (R1 to R6 in the paper) stay in one state. Apart from nested quantifiers
// they read only the labels of the state. So they are worked out once for each set and *letter*:
// the truth of all propositional formulas that occur. The result is a row of branches: where all tests of a branch
// are false, Phi holds only if the branch's next set holds in all next states (Bhat7). A branch without
// next set breaks Phi there.
//
// An endless path through branches is a counterexample unless some release formula f R g is, from
// some point on, always kept: it is under an X, and g is in no set on the way (the path is then
// *successful* in the paper). Invariants:
//   O1  the root set is set 0. No set is empty. Equal sets have one number.
//   O2  a set has no formula that the rules add anyway: no g beside f U g, f | g or g | f. It has no thread that
//       another one implies.
//   O3  no branch of a row is implied by another one (fewer tests, a smaller next set, fewer kept), unless there are
//       very many.
#pragma once

#include <bit>

#include "core/base/names.hpp"
#include "core/base/ticker.hpp"
#include "core/formula/formula.hpp"

namespace pigro::core {

// A formula in positive form (pigro/logic/positive.py), checked.
class PositiveFormula {
 public:
  // Atoms in `quantified` are not known by the letter alone. Throws std::invalid_argument for malformed input.
  explicit PositiveFormula(const FlatFormula& formula, const std::vector<bool>& quantified = {});

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

inline constexpr std::size_t kFirstMark = 3; // the bits before are free for tables of marks (core/paths/path.hpp)

struct Branch {
  std::span<const Id> tests; // formulas with quantifiers, by node. All must be false
  Id next = kNone;           // a set
  const Word* kept = nullptr;
  const Word* marks = nullptr; // bit kFirstMark + i: release i is not kept
  bool ends_well = false;      // at a dead end under `stop`, Phi holds: it has an X that is true without a next state
};

class Obligations {
 public:
  // `branches` is told how many branches the largest row has so far. It may be null.
  Obligations(const PositiveFormula& formula, Id path_formula, Ticker& ticker, Arena& arena,
              std::int64_t* branches = nullptr);
  Obligations(const Obligations&) = delete;
  Obligations& operator=(const Obligations&) = delete;

  // The letter of a state at this place. `holds(formula)` tells the truth of propositional formulas there.
  template <typename Holds>
  Id letter(Id place, Holds&& holds) {
    const auto at = static_cast<std::size_t>(place);
    if (at >= letter_at_.size()) grow(at + 1);
    Id& known = letter_at_[at]; // plus 1
    if (known == 0) known = letter_of(holds) + 1;
    return known - 1;
  }

  // The same where `word(formula)` tells the truth at 64 places at a time, from the one that is a multiple of 64.
  template <typename HoldWord>
  Id letter_by_words(Id place, HoldWord&& word) {
    const auto at = static_cast<std::size_t>(place);
    if (at >= letter_at_.size()) grow(at + 1);
    if (letter_at_[at] == 0) find_letters(at / kWordBits * kWordBits, word);
    return letter_at_[at] - 1;
  }

  // The letter by the truth of propositional formulas alone.
  template <typename Holds>
  Id letter_of(Holds&& holds) {
    std::vector<Word> truth(words_for(propositions_.size()));
    for (std::size_t i = 0; i < propositions_.size(); ++i) {
      if (holds(propositions_[i])) set_bit(truth.data(), i);
    }
    return letter_number(truth);
  }

  using Row = std::span<const Branch>;
  // The row of a number stays valid.
  Row row(Id number) const { return rows_[number]; }
  Row row(Id set, Id letter) { return rows_[row_number(set, letter)]; }
  Id row_number(Id set, Id letter) {
    const Id known = row_numbers_.find(set, letter);
    return known == kNone ? make_row(set, letter) : known;
  }

  // The formulas of a set, by node.
  template <typename Visit>
  void for_each_member(Id set, Visit&& visit) const {
    for_each_bit(sets_[set], words_, [&](std::size_t member) { visit(members_[member]); });
  }
  Id sets() const { return static_cast<Id>(sets_.size()); }
  Id releases() const { return static_cast<Id>(releases_.size()); }
  std::size_t release_words() const { return release_words_; }
  std::size_t mark_words() const { return words_for(kFirstMark + releases_.size()); }

 private:
  struct Draft;
  void collect(Id path_formula);
  void grow(std::size_t places);
  Id number(std::vector<Word> set);
  Id letter_number(const std::vector<Word>& truth);
  bool is_known(Id node) const { return proposition_[place_[node]] != kNone; }
  bool is_true(Id node, Id letter) const {
    assert(is_known(node) && letter < static_cast<Id>(letters_.size()));
    return test_bit(letters_[letter], static_cast<std::size_t>(proposition_[place_[node]]));
  }
  template <typename HoldWord>
  void find_letters(std::size_t first, HoldWord&& word);
  Id make_row(Id set, Id letter);
  bool is_decided_by_labels(Id set) const;
  void work_out(Draft draft, Id letter, std::vector<Draft>& pending, std::vector<Draft>& done) const;
  bool implies(const Draft& one, const Draft& other) const;
  Branch branch_of(const Draft& draft);

  const PositiveFormula& formula_;
  Ticker& ticker_;
  Arena& arena_;
  std::int64_t* const branches_;
  std::vector<Id> members_;                    // formulas that can be in a set, by node. Ascending
  std::vector<Id> place_;                      // of each node: its number among the members
  std::vector<Id> propositions_, proposition_; // by number, and of each member its number
  std::vector<Id> releases_, release_;
  Id tick_ = kNone, calm_ = kNone; // members
  std::size_t words_ = 0;
  std::size_t release_words_ = 0;
  std::vector<Word> columns_, truth_; // scratch of find_letters
  Interner set_numbers_, letter_numbers_;
  std::vector<const Word*> sets_, letters_;
  Growing<Id> letter_at_; // by place
  PairTable row_numbers_; // by set and letter
  std::vector<Row> rows_;
};

// Places with the letter of an earlier one are found together: most have the same.
template <typename HoldWord>
void Obligations::find_letters(std::size_t first, HoldWord&& word) {
  assert(first % kWordBits == 0 && first + kWordBits <= letter_at_.size());
  columns_.clear();
  for (const Id formula : propositions_) columns_.push_back(word(formula));
  for (Word left = ~Word{0}; left != 0;) {
    const auto one = static_cast<std::size_t>(std::countr_zero(left));
    Word alike = left;
    truth_.assign(words_for(columns_.size()), 0);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool holds = (columns_[i] >> one & 1U) != 0;
      if (holds) set_bit(truth_.data(), i);
      alike &= holds ? columns_[i] : ~columns_[i];
    }
    const Id found = letter_number(truth_) + 1;
    left &= ~alike;
    for (; alike != 0; alike &= alike - 1)
      letter_at_[first + static_cast<std::size_t>(std::countr_zero(alike))] = found;
  }
}

} // namespace pigro::core
