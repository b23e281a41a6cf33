#include "core/games/closure.hpp"

#include <map>

namespace pigro::core {

Closure::Closure(std::shared_ptr<const ModalFormula> formula, Ticker& ticker) : formula_(std::move(formula)) {
  const auto size = static_cast<std::size_t>(formula_->size());
  claimed_.assign(size, 0);
  claimed_[root()] = 1;
  for (Id f = 0; f < formula_->size(); ++f) {
    if (is_variable(f)) claimed_[f] = 1;
    if (formula_->is_modal(f)) claimed_[f] = claimed_[operand(f)] = 1;
  }
  find_blocks(ticker);
  rank_blocks();
  find_scopes(ticker);
  find_plain_steps();
}

template <typename Visit>
void Closure::each_operand(Id f, Visit visit) const {
  if (formula_->is_literal(f)) return;
  visit(formula_->left[f]);
  if (formula_->ops[f] == ModalOp::conjunction || formula_->ops[f] == ModalOp::disjunction) visit(formula_->right[f]);
}

// Tarjan's algorithm, with a stack of its own. Blocks come out inner ones first.
void Closure::find_blocks(Ticker& ticker) {
  const auto size = static_cast<std::size_t>(formula_->size());
  std::vector<Id> order(size, kNone);
  std::vector<Id> low(size, 0);
  std::vector<Id> kept; // subformulas whose block is not complete
  std::vector<std::pair<Id, int>> path;
  block_.assign(size, kNone);
  Id next = 0;
  const auto enter = [&](Id f) {
    order[f] = low[f] = next++;
    kept.push_back(f);
    path.emplace_back(f, 0);
  };
  enter(formula_->root);
  while (!path.empty()) {
    ticker.poll();
    const Id f = path.back().first;
    const int place = path.back().second;
    Id child = kNone;
    int at = 0;
    each_operand(f, [&](Id g) {
      if (at++ == place) child = g;
    });
    if (child != kNone) {
      ++path.back().second;
      if (order[child] == kNone) {
        enter(child);
      } else if (block_[child] == kNone) {
        low[f] = std::min(low[f], order[child]);
      }
      continue;
    }
    path.pop_back();
    if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[f]);
    if (low[f] != order[f]) continue;
    blocks_.emplace_back();
    while (true) {
      const Id member = kept.back();
      kept.pop_back();
      block_[member] = static_cast<Id>(blocks_.size()) - 1;
      blocks_.back().push_back(member);
      if (member == f) break;
    }
  }
}

void Closure::rank_blocks() {
  const auto size = static_cast<std::size_t>(formula_->size());
  rank_.assign(size, 0);
  low_.assign(size, 0);
  top_.assign(size, 0);
  std::vector<Id> after(size, 0); // the least rank that relies on the subformula from outside of its block
  for (const std::vector<Id>& members : blocks_) {
    Id base = 0;
    Id least = kNone;
    Id most = 0;
    for (const Id f : members) {
      each_operand(f, [&](Id g) {
        if (!same_block(f, g)) base = std::max(base, after[g]);
      });
      if (!is_variable(f)) continue;
      const Id priority = formula_->priority[f];
      least = least == kNone ? priority : std::min(least, priority);
      most = std::max(most, priority);
    }
    if (least == kNone) { // one subformula, on no cycle
      rank_[members[0]] = low_[members[0]] = top_[members[0]] = base;
      after[members[0]] = base + (claimed_[members[0]] != 0 ? 1 : 0);
      ranks_ = std::max(ranks_, base + 1);
      continue;
    }
    base += (base + least) % 2; // H1: rank and priority have one parity
    for (const Id f : members) {
      rank_[f] = base + (is_variable(f) ? static_cast<Id>(formula_->priority[f]) - least : 0);
      low_[f] = base;
      top_[f] = base + most - least;
      after[f] = top_[f] + 1;
      assert(!is_variable(f) || (rank_[f] - formula_->priority[f]) % 2 == 0); // H1
      each_operand(
          f, [&]([[maybe_unused]] Id g) { assert(same_block(f, g) || claimed_[g] == 0 || top_[g] < base); }); // H2
    }
    ranks_ = std::max(ranks_, base + most - least + 1);
  }
  coming_ = rank_;
  for (Id f = 0; f < formula_->size(); ++f) { // operands first, but for the bodies of variables
    if (block_[f] == kNone || is_variable(f)) continue;
    Id first = kNone;
    each_operand(f, [&](Id g) {
      if (same_block(f, g)) first = first == kNone ? coming_[g] : std::min(first, coming_[g]);
    });
    if (first != kNone) coming_[f] = first;
  }
}

std::vector<Id> Closure::reached(Id f, std::vector<Id>& stamp, Ticker& ticker) const {
  std::vector<Id> found;
  std::vector<Id> pending{f};
  stamp[f] = f;
  while (!pending.empty()) {
    ticker.poll();
    const Id g = pending.back();
    pending.pop_back();
    if (formula_->is_modal(g)) found.push_back(g);
    each_operand(g, [&](Id h) {
      if (stamp[h] == f) return;
      stamp[h] = f;
      pending.push_back(h);
    });
  }
  std::ranges::sort(found);
  return found;
}

void Closure::find_scopes(Ticker& ticker) {
  const auto size = static_cast<std::size_t>(formula_->size());
  scope_.assign(size, kNone);
  std::vector<Id> stamp(size, kNone);
  std::map<std::vector<Id>, Id> numbers;
  for (const std::vector<Id>& members : blocks_) {
    Id number = kNone;
    for (const Id f : members) {
      if (claimed_[f] == 0) continue;
      if (number == kNone) {
        std::vector<Id> found = reached(f, stamp, ticker);
        const auto [place, fresh] = numbers.try_emplace(found, static_cast<Id>(members_.size()));
        if (fresh) members_.push_back(std::move(found));
        number = place->second;
      }
      scope_[f] = number; // all of a block lead to the same
    }
  }
}

// What each subformula is without labels: true, false, a modality, or none of these.
void Closure::find_plain_steps() {
  constexpr Id kTrue = -2;
  constexpr Id kFalse = -3;
  plain_step_.assign(static_cast<std::size_t>(formula_->size()), kNone);
  std::vector<Id> is(plain_step_);
  for (Id f = 0; f < formula_->size(); ++f) { // operands first
    switch (formula_->ops[f]) {
      case ModalOp::yes:
      case ModalOp::negated:
        is[f] = kTrue;
        break;
      case ModalOp::no:
      case ModalOp::atom:
        is[f] = kFalse;
        break;
      case ModalOp::diamond:
      case ModalOp::box:
        is[f] = f;
        break;
      case ModalOp::conjunction:
      case ModalOp::disjunction: {
        const Id neutral = formula_->ops[f] == ModalOp::conjunction ? kTrue : kFalse;
        const Id deciding = neutral == kTrue ? kFalse : kTrue;
        const Id left = is[formula_->left[f]];
        const Id right = is[formula_->right[f]];
        is[f] = left == deciding || right == deciding ? deciding
                : left == neutral                     ? right
                : right == neutral || left == right   ? left
                                                      : kNone;
        break;
      }
      default:
        break;
    }
  }
  for (Id f = 0; f < formula_->size(); ++f) {
    if (!is_variable(f) || low_[f] != top_[f]) continue;
    const Id step = is[formula_->left[f]];
    const ModalOp wanted = rank_[f] % 2 == 0 ? ModalOp::box : ModalOp::diamond;
    if (step >= 0 && formula_->ops[step] == wanted && operand(step) == f) plain_step_[f] = step;
  }
}

bool Closure::in_scope(Id modality, Id scope) const { return std::ranges::binary_search(members_[scope], modality); }

} // namespace pigro::core
