#include "core/games/claims.hpp"

namespace pigro::core {

ClaimGame::ClaimGame(WaysOut& ways, StaticSummaries& statics, DeadEnds dead_ends,
                     std::shared_ptr<const ModalFormula> formula, std::span<const Id> labels, Shortcuts shortcuts,
                     Ticker& ticker)
    : ticker_(ticker),
      shortcuts_(shortcuts),
      closure_(std::move(formula), ticker),
      ways_(ways),
      assumptions_(closure_, ticker),
      store_(ticker),
      statics_(statics),
      query_(ways.model(), nullptr, nullptr, {}, dead_ends, {}, ticker.on_tick) {
  const Model& model = ways.model();
  const auto words = words_for(static_cast<std::size_t>(model.nodes()));
  ticker.before_allocating((labels.size() + 1) * words * sizeof(Word));
  any_label_.assign(words, 0);
  for (const Id label : labels) {
    labelled_.emplace_back(words, 0);
    if (label == kNone) continue;
    model.mark_label(label, labelled_.back().data());
    for (std::size_t at = 0; at < words; ++at) any_label_[at] |= labelled_.back()[at];
  }
  const auto size = static_cast<std::size_t>(closure_.formula().size());
  stamp_.assign(size, 0);
  truth_.assign(size, 0);
  leaf_.assign(size, {0, 0});
  leaf_outcome_.assign(size, kNone);
  if (closure_.ranks() > UINT16_MAX) throw std::bad_alloc();
  queue_.resize(static_cast<std::size_t>(closure_.ranks()) + 1);
  emptied_.assign(queue_.size(), 0);
  find_quiet(labels);
}

void ClaimGame::find_quiet(std::span<const Id> labels) {
  const Model& model = ways_.model();
  quiet_.assign(static_cast<std::size_t>(model.components()), true);
  std::vector<Id> pending;
  const auto add = [&](Id component) {
    if (!quiet_[component]) return;
    quiet_[component] = false;
    pending.push_back(component);
  };
  for (const Id label : labels) {
    if (label == kNone) continue;
    for (const Id node : model.labelled(label)) add(model.component(node));
  }
  while (!pending.empty()) {
    const Id component = pending.back();
    pending.pop_back();
    for (const Id box : model.boxes_calling(component)) add(model.box_component(box));
  }
}

Id ClaimGame::root_claim(Id start) {
  const Id f = closure_.root();
  return claim(assumptions_.root(ways_.model().component(start)), start, f, f, closure_.low(f));
}

bool ClaimGame::settle(Id start) {
  const Id wanted = root_claim(start);
  if (store_.is_open(wanted)) push(wanted);
  while (!is_closed(wanted)) {
    const Id next = pop();
    if (next == kNone) break;
    if (!store_.is_open(next)) continue;
    ticker_.poll();
    ++evaluations_;
    const bool value = evaluate(next);
    const bool asks = ask_all();    // also of instances that were narrowed on the way (U2)
    if (asks || !needed_.empty()) { // values may change
      push(next);
      for (const Id each : needed_) push(each);
    } else if (!defer(next)) {
      justify(next, value);
    }
  }
  assert(!store_.is_open(wanted));
  return store_.value(wanted);
}

void ClaimGame::push(Id claim) {
  const Id rank = store_.key(claim).rank;
  ticker_.push(queue_[rank], claim);
  lowest_ = std::min(lowest_, rank);
}

Id ClaimGame::pop() {
  for (; lowest_ < static_cast<Id>(queue_.size()); ++lowest_) {
    if (!queue_[lowest_].empty()) {
      const Id claim = queue_[lowest_].back();
      queue_[lowest_].pop_back();
      return claim;
    }
    emptied_[lowest_] = ++now_;
  }
  return kNone;
}

// Open claims of lower rank come first (J2).
bool ClaimGame::defer(Id claim) {
  const auto rank = store_.key(claim).rank;
  bool defers = false;
  for (const Id each : relied_) {
    if (!store_.is_open(each) || store_.key(each).rank >= rank) continue;
    if (!defers) push(claim);
    defers = true;
    push(each);
  }
  return defers;
}

void ClaimGame::justify(Id claim, bool value) {
  const bool changes = value != store_.value(claim);
  std::vector<Id> reliers;
  if (changes) store_.each_relier(claim, [&](Id each) { reliers.push_back(each); });
  store_.justify(claim, value, relied_, ++now_);
  for (const Id each : reliers) take_back(each);
  for (const Id each : relied_) {
    assert(store_.value(each) == value);                                              // J1
    assert(!store_.is_open(each) || store_.key(each).rank >= store_.key(claim).rank); // J2
    raise(each, store_.height(claim));
    if (store_.is_open(each)) push(each); // J4
  }
  if (has_moved_) {
    std::vector<Id>& callers = assumptions_[store_.key(relied_[0]).instance].callers;
    if (callers.empty() || callers.back() != claim) callers.push_back(claim);
  }
}

// Opens a claim again, and what J1 and J2 ask for above it.
void ClaimGame::take_back(Id first) {
  std::vector<Id> pending{first};
  while (!pending.empty()) {
    const Id claim = pending.back();
    pending.pop_back();
    if (store_.is_open(claim)) continue;
    ticker_.poll();
    assert(!is_final(claim));
    const bool changes = store_.value(claim) != store_.by_default(claim);
    store_.reopen(claim);
    push(claim);
    if (changes) {
      store_.each_relier(claim, [&](Id each) { pending.push_back(each); });
    } else if (store_.key(claim).rank < closure_.top(store_.key(claim).formula)) {
      above(claim, pending);
    }
  }
}

// Notes that a claim of this rank may be above this one, and so above what this one relies on. Heights only grow, so
// this takes linear time for each rank, all in all. Final claims are never opened, so theirs are not needed.
void ClaimGame::raise(Id first, std::uint16_t height) {
  if (store_.height(first) >= height) return;
  std::vector<Id> pending{first};
  while (!pending.empty()) {
    const Id claim = pending.back();
    pending.pop_back();
    if (store_.height(claim) >= height || is_final(claim)) continue;
    ticker_.poll();
    searched_ += static_cast<std::int64_t>(store_.relied_count(claim));
    store_.height(claim) = height;
    for (std::size_t at = 0; at < store_.relied_count(claim); ++at) pending.push_back(store_.relied(claim, at));
  }
}

// The nearest claims above one that have a larger rank.
void ClaimGame::above(Id first, std::vector<Id>& found) {
  if (store_.height(first) <= store_.key(first).rank) return;
  mark_.resize(static_cast<std::size_t>(store_.size()), 0);
  const auto rank = store_.key(first).rank;
  ++search_;
  std::vector<Id> pending{first};
  while (!pending.empty()) {
    const Id claim = pending.back();
    pending.pop_back();
    store_.each_relier(claim, [&](Id each) {
      ticker_.poll();
      ++searched_;
      if (mark_[each] == search_) return;
      mark_[each] = search_;
      if (store_.height(each) > rank) (store_.key(each).rank > rank ? found : pending).push_back(each);
    });
  }
}

// Notes what the evaluation asked. True if that was new.
bool ClaimGame::ask_all() {
  bool is_new = false;
  std::vector<Id> fresh;
  while (!to_ask_.empty()) {
    const auto [instance, outcome] = to_ask_.back();
    to_ask_.pop_back();
    fresh.clear();
    assumptions_.ask(instance, outcome, fresh);
    for (const Id each : fresh) notify(each, outcome);
    is_new |= !fresh.empty();
  }
  return is_new;
}

// Calls of an instance that asks about one more outcome must rely on what comes back with it (J5).
void ClaimGame::notify(Id instance, Id outcome) {
  const bool assumed = assumptions_.assumes(instance, outcome);
  std::vector<Id>& callers = assumptions_[instance].callers;
  std::erase_if(callers, [&](Id caller) {
    return store_.is_open(caller) || is_final(caller) || store_.key(store_.relied(caller, 0)).instance != instance;
  });
  for (const Id caller : std::vector<Id>(callers)) {
    if (store_.is_open(caller) || store_.value(caller) != assumed) continue;
    const ClaimKey key = store_.key(caller);
    const Id back = returned(key, outcome);
    const bool is_top = closure_.same_block(store_.key(back).formula, key.formula) &&
                        store_.key(back).rank == closure_.top(key.formula);
    if (store_.value(back) == assumed && (is_top || is_final(back))) { // J2 holds without more
      store_.rely_also(caller, back);
      raise(back, store_.height(caller));
      if (store_.is_open(back)) push(back);
    } else {
      take_back(caller);
    }
  }
}

bool ClaimGame::is_closed(Id claim) {
  if (store_.is_open(claim)) return false;
  const Id f = store_.key(claim).formula;
  if (store_.value(claim) != store_.by_default(claim) && store_.key(claim).rank == closure_.top(f)) return true;
  if (is_final(claim)) return true;
  if (evaluations_ < next_search_) return false;
  return nothing_open_below(claim);
}

bool ClaimGame::nothing_open_below(Id first) {
  mark_.resize(static_cast<std::size_t>(store_.size()), 0);
  ++search_;
  std::int64_t visited = 0;
  std::vector<Id> pending{first};
  mark_[first] = search_;
  bool found = false;
  while (!pending.empty() && !found) {
    const Id claim = pending.back();
    pending.pop_back();
    for (std::size_t place = 0; place < store_.relied_count(claim); ++place) {
      ticker_.poll();
      ++visited;
      const Id each = store_.relied(claim, place);
      if (mark_[each] == search_) continue;
      mark_[each] = search_;
      found |= store_.is_open(each);
      pending.push_back(each);
    }
  }
  searched_ += visited;
  next_search_ = evaluations_ + visited + 16;
  return !found;
}

} // namespace pigro::core
