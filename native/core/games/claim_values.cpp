// What a claim is worth by the present values of others, and what that relies on.
#include "core/games/claims.hpp"

namespace pigro::core {

// The largest rank seen, for a claim about `formula` that comes after one about `before`.
Id ClaimGame::seen_at(Id formula, Id before, Id seen, bool at_root) const {
  if (at_root) return closure_.low(formula);
  const Id coming = std::max(closure_.low(formula), closure_.coming(formula));
  return closure_.same_block(formula, before) ? std::max(seen, coming) : coming;
}

// The one step of a node without labels of the formula, over a call of a quiet component as well. Otherwise kNone.
Id ClaimGame::next_ahead(Id node) {
  const Model& model = ways_.model();
  if (ways_.is_unlisted(node) || test_bit(any_label_.data(), static_cast<std::size_t>(node))) return kNone;
  if (model.kind(node) == NodeKind::exit) return kNone;
  if (model.kind(node) == NodeKind::call) {
    const Id component = model.component(model.subject(node));
    const Id way = quiet_[component] ? ways_.only(component, ticker_) : kNone;
    if (way == kNone) return kNone;
    const std::span<const Word> reached(statics_.reach(node, query_).exits, model.exit_words(component));
    if (std::ranges::all_of(reached, [](Word each) { return each == 0; })) return kNone;
    node = ways_.returned(model.box(node), way);
  }
  const std::span<const Id> successors = ways_.successors(node, node);
  return successors.size() == 1 ? successors[0] : kNone;
}

// Where a plain fixpoint has the same value as at this node. The number of steps is bounded, because nodes may go in a
// circle, and many of them may lead into one long path.
Id ClaimGame::ahead(Id node) {
  constexpr int kSteps = 16;
  for (int step = 0; step < kSteps; ++step) {
    const Id next = next_ahead(node);
    if (next == kNone || next == node) break;
    node = next;
  }
  return node;
}

Id ClaimGame::claim(Id wide, Id node, Id formula, Id before, Id seen) {
  if (plain_step(formula) != kNone) node = ahead(node);
  const Id instance = assumptions_.narrowed(wide, closure_.scope(formula), to_ask_);
  const Id now_seen = seen_at(formula, before, seen, assumptions_.is_root(instance));
  return store_.number({instance, node, formula, static_cast<std::uint16_t>(now_seen),
                        static_cast<std::uint16_t>(closure_.rank(formula))});
}

// What comes after a call that left with an outcome.
Id ClaimGame::returned(const ClaimKey& call, Id outcome) {
  const OutcomeOfCall& how = assumptions_.outcome(outcome);
  const Id back = ways_.returned(ways_.model().box(call.node), how.way);
  const Id operand = closure_.operand(how.modality);
  if (plain_step(operand) == how.modality) {
    const std::span<const Id> after = ways_.successors(back, back);
    if (after.size() == 1) return claim(call.instance, after[0], operand, how.modality, how.rank);
  }
  const Id instance = assumptions_.narrowed(call.instance, closure_.scope(how.modality), to_ask_);
  const Id seen = closure_.same_block(how.modality, call.formula) ? std::max<Id>(call.seen, how.rank) : how.rank;
  const bool at_root = assumptions_.is_root(instance);
  const Id now_seen = seen_at(how.modality, how.modality, seen, at_root);
  return store_.number(
      {instance, back, how.modality, static_cast<std::uint16_t>(now_seen), static_cast<std::uint16_t>(how.rank)});
}

bool ClaimGame::evaluate(Id claim) {
  relied_.clear();
  to_ask_.clear();
  needed_.clear();
  has_moved_ = ways_.is_call(store_.key(claim).node);
  return has_moved_ ? evaluate_call(claim) : evaluate_here(claim);
}

bool ClaimGame::evaluate_call(Id claim) {
  const ClaimKey call = store_.key(claim);
  const Id entry = ways_.model().subject(call.node);
  const Id component = ways_.model().component(entry);
  const Id step = closure_.is_variable(call.formula) ? plain_step(call.formula) : kNone;
  if (step != kNone && quiet_[component]) return evaluate_quiet_call(call, step);
  const Id scope = closure_.scope(call.formula);
  const Id place = entry_ids_.number(entry, call.formula);
  if (place == static_cast<Id>(entries_.size())) entries_.emplace_back();
  for (const Id known : entries_[place]) {
    ticker_.poll();
    if (is_granted(call, known)) return rely_on_call(call, known);
  }
  std::vector<Id> differs;
  for (const Id outcome : assumptions_.ever_asked(component, scope)) {
    ticker_.poll();
    const Id back = returned(call, outcome);
    const bool is_inner = !closure_.same_block(assumptions_.outcome(outcome).modality, call.formula);
    if (is_inner && store_.is_open(back)) needed_.push_back(back);
    if (store_.value(back) != assumptions_.by_default(outcome)) differs.push_back(outcome);
  }
  if (!needed_.empty()) return false;
  std::ranges::sort(differs);
  const Id instance = assumptions_.instance(component, scope, differs);
  const Id before = store_.size();
  const Id known = this->claim(instance, entry, call.formula, call.formula, closure_.low(call.formula));
  if (known >= before || std::ranges::find(entries_[place], known) == entries_[place].end()) {
    entries_[place].push_back(known);
  }
  return rely_on_call(call, known);
}

// `mu X. <> X` holds if some exit is reached after which it does, `nu X. [] X` if it does after all.
bool ClaimGame::evaluate_quiet_call(const ClaimKey& call, Id modality) {
  const Model& model = ways_.model();
  const Id component = model.component(model.subject(call.node));
  const bool some = closure_.formula().ops[modality] == ModalOp::diamond;
  const Summary reached = statics_.reach(call.node, query_);
  has_moved_ = false;
  bool decides = false;
  Id last = kNone;
  for_each_bit(reached.exits, model.exit_words(component), [&](std::size_t ordinal) {
    if (decides) return;
    ticker_.poll();
    const Id way = ways_.way(model.exits(component)[ordinal], ticker_);
    if (std::exchange(last, way) == way) return;
    const Id rank = seen_at(modality, call.formula, closure_.low(call.formula), false);
    const Id back = returned(call, assumptions_.outcome(way, modality, rank));
    decides = store_.value(back) == some;
    if (decides) relied_.clear();
    if (relied_.empty() || relied_.back() != back) relied_.push_back(back);
  });
  return decides == some;
}

// Whether an entry that is justified has its value in a call by what comes back there.
bool ClaimGame::is_granted(const ClaimKey& call, Id entry) {
  if (store_.is_open(entry)) return false;
  const Id instance = store_.key(entry).instance;
  const bool value = store_.value(entry);
  for (const Id outcome : assumptions_[instance].asked) {
    if (assumptions_.assumes(instance, outcome) != value) continue;
    const Id back = returned(call, outcome);
    if (store_.value(back) != value) return false;
    const bool is_inner = !closure_.same_block(assumptions_.outcome(outcome).modality, call.formula);
    if (is_inner && store_.is_open(back)) return false;
  }
  return true;
}

bool ClaimGame::rely_on_call(const ClaimKey& call, Id entry) {
  const Id instance = store_.key(entry).instance;
  const bool value = store_.value(entry);
  relied_.push_back(entry);
  for (const Id outcome : assumptions_[instance].asked) {
    if (assumptions_.assumes(instance, outcome) == value) relied_.push_back(returned(call, outcome));
  }
  return value;
}

bool ClaimGame::literal(Id formula, Id node) const {
  const ModalFormula& all = closure_.formula();
  switch (all.ops[formula]) {
    case ModalOp::yes:
      return true;
    case ModalOp::no:
      return false;
    default: {
      const Word* carried = labelled_[all.left[formula]].data();
      return test_bit(carried, static_cast<std::size_t>(ways_.labelled(node))) == (all.ops[formula] == ModalOp::atom);
    }
  }
}

bool ClaimGame::evaluate_here(Id claim) {
  const ClaimKey key = store_.key(claim);
  const ModalFormula& all = closure_.formula();
  const bool unfolds = closure_.is_variable(key.formula);
  const Id seen = unfolds ? std::max<Id>(key.seen, closure_.rank(key.formula)) : key.seen;
  const Id expression = unfolds ? all.left[key.formula] : key.formula;
  ++round_;
  leaves_.clear();
  current_ = claim;
  pending_.assign(1, expression);
  while (!pending_.empty()) {
    const Id f = pending_.back();
    if (stamp_[f] == round_) {
      pending_.pop_back();
      continue;
    }
    const bool joins = all.ops[f] == ModalOp::disjunction;
    if (!joins && all.ops[f] != ModalOp::conjunction) {
      evaluate_leaf(key, key.formula, seen, f);
    } else if (stamp_[all.left[f]] != round_) {
      pending_.push_back(all.left[f]);
      continue;
    } else if ((truth_[all.left[f]] != 0) == joins) {
      truth_[f] = truth_[all.left[f]];
    } else if (stamp_[all.right[f]] != round_) {
      pending_.push_back(all.right[f]);
      continue;
    } else {
      truth_[f] = truth_[all.right[f]];
    }
    stamp_[f] = round_;
    pending_.pop_back();
  }
  collect(expression);
  return truth_[expression] != 0;
}

void ClaimGame::evaluate_leaf(const ClaimKey& key, Id before, Id seen, Id leaf) {
  const ModalFormula& all = closure_.formula();
  const auto first = static_cast<Id>(leaves_.size());
  leaf_outcome_[leaf] = kNone;
  if (all.is_literal(leaf)) {
    truth_[leaf] = literal(leaf, key.node) ? 1 : 0;
  } else if (all.is_modal(leaf)) {
    evaluate_modality(key, before, seen, leaf);
  } else {
    const Id other = claim(key.instance, key.node, closure_.canonical(leaf), before, seen);
    truth_[leaf] = store_.value(other) ? 1 : 0;
    leaves_.push_back(other);
  }
  leaf_[leaf] = {first, static_cast<Id>(leaves_.size())};
}

void ClaimGame::evaluate_modality(const ClaimKey& key, Id before, Id seen, Id modality) {
  if (ways_.is_exit(key.node) && !assumptions_.is_root(key.instance)) {
    const Id rank = seen_at(modality, before, seen, false);
    const Id outcome = assumptions_.outcome(ways_.way(key.node, ticker_), modality, rank);
    truth_[modality] = assumptions_.assumes(key.instance, outcome) ? 1 : 0;
    leaf_outcome_[modality] = outcome;
    return;
  }
  const bool some = closure_.formula().ops[modality] == ModalOp::diamond;
  const Id operand = closure_.operand(modality);
  const bool is_literal = closure_.formula().is_literal(operand);
  const std::span<const Id> successors = ways_.successors(key.node, key.node);
  const auto first = leaves_.size();
  const std::size_t count = successors.size();
  const std::size_t start = count == 0 ? 0 : store_.hint(current_) % count;
  truth_[modality] = some ? 0 : 1;
  for (std::size_t step = 0; step < count; ++step) {
    ticker_.poll();
    const std::size_t at = start + step < count ? start + step : start + step - count;
    Id other = kNone;
    bool holds = false;
    if (is_literal) {
      holds = literal(operand, successors[at]);
    } else {
      other = claim(key.instance, successors[at], operand, before, seen);
      holds = store_.value(other);
    }
    if (holds == some) { // this one decides
      leaves_.resize(first);
      store_.hint(current_) = static_cast<std::uint32_t>(at);
      truth_[modality] = some ? 1 : 0;
      step = count;
    }
    if (other != kNone) leaves_.push_back(other);
  }
}

// What the value of the expression relies on: of operands that decide alone, one.
void ClaimGame::collect(Id expression) {
  const ModalFormula& all = closure_.formula();
  ++round_;
  pending_.assign(1, expression);
  while (!pending_.empty()) {
    const Id f = pending_.back();
    pending_.pop_back();
    if (stamp_[f] == round_) continue;
    stamp_[f] = round_;
    const bool joins = all.ops[f] == ModalOp::disjunction;
    if (joins || all.ops[f] == ModalOp::conjunction) {
      const Id left = all.left[f];
      const Id right = all.right[f];
      const bool one_decides = (truth_[f] != 0) == joins;
      if (!one_decides) {
        pending_.push_back(left);
        pending_.push_back(right);
      } else {
        const bool by_left = stamp_[left] >= round_ - 1 && (truth_[left] != 0) == joins;
        pending_.push_back(by_left ? left : right);
      }
      continue;
    }
    for (Id at = leaf_[f].first; at < leaf_[f].second; ++at) relied_.push_back(leaves_[at]);
    if (leaf_outcome_[f] != kNone) to_ask_.emplace_back(store_.key(current_).instance, leaf_outcome_[f]);
  }
}

} // namespace pigro::core
