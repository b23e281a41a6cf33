// The subformulas of a formula of the mu-calculus as claims need them: blocks, ranks and scopes.
//
// A *block* is a strongly connected set of subformulas, where a variable leads to the body of its fixpoint. A play that
// leaves a block never comes back, so blocks are ranked one above the other, inner ones first, and every block keeps
// the order and the parity of its priorities. A *claimed* formula is a variable, a modality, or an operand of one. All
// other booleans are evaluated in place.
//
//   H1  The rank of a variable is even for nu and odd for mu, and grows with its priority inside of a block.
//   H2  All ranks of a block are larger than those of the blocks that it leads to.
#pragma once

#include <memory>
#include <vector>

#include "core/base/ticker.hpp"
#include "core/games/game.hpp"

namespace pigro::core {

class Closure {
 public:
  Closure(std::shared_ptr<const ModalFormula> formula, Ticker& ticker);

  const ModalFormula& formula() const { return *formula_; }
  Id root() const { return canonical(formula_->root); }
  // A fixpoint is its variable.
  Id canonical(Id f) const {
    while (formula_->ops[f] == ModalOp::mu || formula_->ops[f] == ModalOp::nu) f = formula_->left[f];
    return f;
  }
  Id operand(Id modality) const { return canonical(formula_->left[modality]); }
  bool is_variable(Id f) const { return formula_->ops[f] == ModalOp::variable; }

  Id block(Id f) const { return block_[f]; }
  bool same_block(Id f, Id g) const { return block_[f] == block_[g]; }
  Id rank(Id f) const { return rank_[f]; }     // of a variable. Of others the lowest of the block
  Id low(Id f) const { return low_[f]; }       // the least rank of the block
  Id top(Id f) const { return top_[f]; }       // the largest rank of the block
  Id coming(Id f) const { return coming_[f]; } // the least rank among the variables of the block that come first
  Id ranks() const { return ranks_; }          // all ranks are below

  // Of a variable that is, where no node carries a label of the formula, a least fixpoint `<> X` or a greatest `[] X`:
  // the modality. Otherwise kNone.
  Id plain_step(Id variable) const { return plain_step_[variable]; }

  Id scope(Id f) const { return scope_[f]; } // of a claimed formula: which modalities it leads to, as a number
  Id scopes() const { return static_cast<Id>(members_.size()); }
  bool in_scope(Id modality, Id scope) const;
  const std::vector<Id>& modalities(Id scope) const { return members_[scope]; }

 private:
  template <typename Visit>
  void each_operand(Id f, Visit visit) const;
  void find_blocks(Ticker& ticker);
  void rank_blocks();
  void find_scopes(Ticker& ticker);
  void find_plain_steps();
  std::vector<Id> reached(Id f, std::vector<Id>& stamp, Ticker& ticker) const;

  std::shared_ptr<const ModalFormula> formula_;
  std::vector<Id> block_;
  std::vector<std::vector<Id>> blocks_; // inner ones first
  std::vector<Id> rank_, low_, top_, coming_, scope_, plain_step_;
  std::vector<std::uint8_t> claimed_;
  std::vector<std::vector<Id>> members_; // of each scope, ascending
  Id ranks_ = 0;
};

} // namespace pigro::core
