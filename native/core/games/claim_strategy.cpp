#include "core/games/claim_strategy.hpp"

namespace pigro::core {

StrategyMaker::StrategyMaker(ClaimGame& game) : game_(game), ids_(game.ticker_.allocation_guard()) {
  assert(game.shortcuts_ == Shortcuts::none);
  stamp_.assign(static_cast<std::size_t>(game.closure_.formula().size()), 0);
  truth_.assign(stamp_.size(), 0);
}

ClaimStrategy StrategyMaker::made(std::span<const Id> starts, bool holds) {
  holds_ = holds;
  std::vector<Id> firsts;
  for (const Id start : starts) {
    const Id claim = game_.root_claim(start);
    assert(!game_.store_.is_open(claim) && game_.store_.value(claim) == holds);
    firsts.push_back(number({bottom_of(game_.ways_.model().component(start)), start, claim, game_.closure_.root(), 0}));
  }
  while (!near_.empty() || !pending_.empty()) {
    game_.ticker_.poll();
    std::vector<Id>& from = near_.empty() ? pending_ : near_;
    const Id next = from.back();
    from.pop_back();
    process(next);
  }
  return written(firsts);
}

Id StrategyMaker::bottom_of(Id component) { return frame_of(bottoms_, component, component, true); }

Id StrategyMaker::frame_of_call(Id entry) {
  return frame_of(frame_of_, entry, game_.assumptions_[game_.store_.key(entry).instance].component, false);
}

Id StrategyMaker::frame_of(std::vector<Id>& frames, Id of, Id component, bool is_bottom) {
  frames.resize(std::max(frames.size(), static_cast<std::size_t>(of) + 1), kNone);
  if (frames[of] == kNone) {
    frames[of] = static_cast<Id>(frames_.size());
    frames_.push_back({component, is_bottom, {}, {}});
  }
  return frames[of];
}

Id StrategyMaker::number(const Position& position) {
  const auto pair = [](Id a, Id b) { return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b); };
  const std::uint64_t hash = mix(mix(pair(position.frame, position.node), pair(position.claim, position.formula)),
                                 static_cast<std::uint64_t>(position.seen));
  return ids_.intern(
      hash, [&](Id id) { return positions_[id] == position; },
      [&] {
        const auto id = static_cast<Id>(positions_.size());
        game_.ticker_.push(positions_, position);
        game_.ticker_.push(own_, {0, 0});
        (position.claim == loaded_ ? near_ : pending_).push_back(id);
        return id;
      });
}

void StrategyMaker::process(Id position) {
  const Position here = positions_[position];
  const ModalFormula& all = game_.closure_.formula();
  if (all.is_literal(here.formula)) return;
  const auto first = static_cast<Id>(rests_.size());
  if (game_.ways_.is_call(here.node)) {
    call(position);
  } else {
    load(here.claim);
    const Id left = all.left[here.formula];
    if (game_.closure_.is_variable(here.formula)) {
      rest_on(here, left, std::max<Id>(here.seen, all.priority[here.formula]));
    } else if (all.is_modal(here.formula)) {
      step(here);
    } else {
      const bool one = chooses(here.formula);
      const bool by_left = is_won(left);
      assert(one || by_left);
      if (by_left) rest_on(here, left, here.seen);
      if (!one || !by_left) rest_on(here, all.right[here.formula], here.seen);
    }
  }
  if (rests_.size() > static_cast<std::size_t>(INT32_MAX)) throw std::bad_alloc();
  own_[position] = {first, static_cast<Id>(rests_.size())};
}

// A claim relies first on the entry of the callee, and then on what comes back (J5).
void StrategyMaker::call(Id position) {
  const Position here = positions_[position];
  const Id entry = game_.store_.relied(here.claim, 0);
  const ClaimKey key = game_.store_.key(entry);
  const Id frame = frame_of_call(entry);
  assert(key.node == game_.ways_.model().subject(here.node) && key.formula == here.formula);
  frames_[frame].callers.push_back(position);
  game_.ticker_.push(rests_, number({frame, key.node, entry, here.formula, 0}));
  for (const auto& [each, outcome] : frames_[frame].promises) after_call(position, each, outcome);
}

// The position after a call that left as promised, or kNone if it is a dead end that stops.
Id StrategyMaker::after_call(Id position, const Promise& promise, Id outcome) {
  const Position here = positions_[position];
  const auto& [exit, modality, seen] = promise;
  const Model& model = game_.ways_.model();
  const Id claim = game_.returned(game_.store_.key(here.claim), outcome);
  assert(!game_.store_.is_open(claim) && game_.store_.value(claim) == holds_);
  const Id back = model.return_node(model.box(here.node), model.ordinal(exit));
  if (back != kNone) {
    return number({here.frame, back, claim, modality, seen_in(here.frame, std::max(here.seen, seen))});
  }
  if (game_.ways_.successors(model.nodes() + exit, exit).empty()) return kNone;
  assert(game_.store_.key(claim).node == model.nodes() + exit);
  return number({bottom_of(model.component(exit)), exit, claim, modality, 0});
}

void StrategyMaker::rest_on(const Position& here, Id operand, Id seen) {
  const ModalFormula& all = game_.closure_.formula();
  operand = game_.closure_.canonical(operand);
  Id claim = loaded_;
  if (all.is_literal(operand)) {
    claim = kNone;
  } else if (game_.closure_.is_variable(operand)) {
    claim = claim_at(key_.node, operand);
    assert(relies_on(claim));
  }
  game_.ticker_.push(rests_, number({here.frame, here.node, claim, operand, seen_in(here.frame, seen)}));
}

void StrategyMaker::step(const Position& here) {
  if (game_.ways_.is_exit(key_.node) && !game_.assumptions_.is_root(key_.instance)) return promise(here);
  const Id operand = game_.closure_.operand(here.formula);
  const bool is_literal = game_.closure_.formula().is_literal(operand);
  for (const Id successor : game_.ways_.successors(key_.node, key_.node)) {
    game_.ticker_.poll();
    if (chooses(here.formula) && !is_won_after(successor, operand)) continue;
    assert(is_won_after(successor, operand));
    const Id claim = is_literal ? kNone : claim_at(successor, operand);
    game_.ticker_.push(rests_, number({here.frame, game_.ways_.labelled(successor), claim, operand, here.seen}));
    if (chooses(here.formula)) break;
  }
}

void StrategyMaker::promise(const Position& here) {
  const Promise made{here.node, here.formula, here.seen};
  const Id how = outcome(here.formula);
  if (!frames_[here.frame].promises.try_emplace(made, how).second) return;
  for (const Id caller : std::vector<Id>(frames_[here.frame].callers)) after_call(caller, made, how);
}

Id StrategyMaker::outcome(Id modality) {
  const Id rank = game_.seen_at(modality, key_.formula, seen_, false);
  return game_.assumptions_.outcome(game_.ways_.way(key_.node, game_.ticker_), modality, rank);
}

void StrategyMaker::load(Id claim) {
  if (claim == loaded_) return;
  assert(near_.empty());
  loaded_ = claim;
  key_ = game_.store_.key(claim);
  seen_ = key_.seen;
  if (game_.closure_.is_variable(key_.formula)) seen_ = std::max(seen_, game_.closure_.rank(key_.formula));
  ++round_;
  mark_.resize(static_cast<std::size_t>(game_.store_.size()), 0);
  for (std::size_t at = 0; at < game_.store_.relied_count(claim); ++at) {
    game_.ticker_.poll();
    mark_[game_.store_.relied(claim, at)] = round_;
  }
}

// Whether a boolean operand inside of the loaded claim is won by what the claim relies on.
bool StrategyMaker::is_won(Id expression) {
  const Closure& closure = game_.closure_;
  const ModalFormula& all = closure.formula();
  std::vector<Id> pending{closure.canonical(expression)};
  while (!pending.empty()) {
    game_.ticker_.poll();
    const Id f = pending.back();
    if (stamp_[f] == round_) {
      pending.pop_back();
      continue;
    }
    if (all.ops[f] != ModalOp::conjunction && all.ops[f] != ModalOp::disjunction) {
      truth_[f] = is_leaf_won(f) ? 1 : 0;
    } else {
      const Id left = closure.canonical(all.left[f]);
      const Id right = closure.canonical(all.right[f]);
      if (stamp_[left] != round_) {
        pending.push_back(left);
        continue;
      }
      if ((truth_[left] != 0) == chooses(f)) {
        truth_[f] = truth_[left];
      } else if (stamp_[right] != round_) {
        pending.push_back(right);
        continue;
      } else {
        truth_[f] = truth_[right];
      }
    }
    stamp_[f] = round_;
    pending.pop_back();
  }
  return truth_[closure.canonical(expression)] != 0;
}

bool StrategyMaker::is_leaf_won(Id leaf) {
  const ModalFormula& all = game_.closure_.formula();
  if (all.is_literal(leaf)) return game_.literal(leaf, key_.node) == holds_;
  if (!all.is_modal(leaf)) return relies_on(claim_at(key_.node, leaf));
  if (game_.ways_.is_exit(key_.node) && !game_.assumptions_.is_root(key_.instance)) {
    const Id how = outcome(leaf);
    return game_.assumptions_.assumes(key_.instance, how) == holds_ && game_.assumptions_.has_asked(key_.instance, how);
  }
  const bool one = chooses(leaf);
  for (const Id successor : game_.ways_.successors(key_.node, key_.node)) {
    if (is_won_after(successor, game_.closure_.operand(leaf)) == one) return one;
  }
  return !one;
}

bool StrategyMaker::is_won_after(Id successor, Id operand) {
  if (game_.closure_.formula().is_literal(operand)) return game_.literal(operand, successor) == holds_;
  return relies_on(claim_at(successor, operand));
}

ClaimStrategy StrategyMaker::written(std::span<const Id> starts) {
  ClaimStrategy made;
  made.holds = holds_;
  made.starts.assign(starts.begin(), starts.end());
  for (const Frame& frame : frames_) {
    made.components.push_back(frame.component);
    made.below.push_back(frame.is_bottom ? 1 : 0);
    for (const auto& [promise, outcome] : frame.promises) {
      made.promises.insert(made.promises.end(), promise.begin(), promise.end());
    }
    made.promise_offsets.push_back(static_cast<Id>(made.promises.size() / 3));
  }
  const Id count = static_cast<Id>(positions_.size());
  for (Id at = 0; at < count; ++at) {
    game_.ticker_.poll();
    const Position here = positions_[at];
    for (const Id each : {here.frame, here.node, here.formula, here.seen}) game_.ticker_.push(made.claims, each);
    for (Id place = own_[at].first; place < own_[at].second; ++place) game_.ticker_.push(made.claims, rests_[place]);
    if (game_.ways_.is_call(here.node) && !game_.closure_.formula().is_literal(here.formula)) {
      for (const auto& [promise, outcome] : frames_[positions_[rests_[own_[at].first]].frame].promises) {
        const Id after = after_call(at, promise, outcome);
        if (after != kNone) game_.ticker_.push(made.claims, after);
      }
    }
    if (made.claims.size() > static_cast<std::size_t>(INT32_MAX)) throw std::bad_alloc();
    made.offsets.push_back(static_cast<Id>(made.claims.size()));
  }
  assert(count == static_cast<Id>(positions_.size())); // what comes after calls was there
  return made;
}

} // namespace pigro::core
