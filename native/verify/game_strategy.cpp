#include "verify/game_strategy.hpp"

#include <array>
#include <set>
#include <stdexcept>

namespace pigro::verify {

namespace {

using core::DeadEnds;
using core::Model;
using core::NodeKind;

// As in src/pigro/logic/modal.py.
enum ModalKind : std::uint8_t { kTrue, kFalse, kAtom, kNegated, kAnd, kOr, kDiamond, kBox, kMu, kNu, kVariable };

struct BrokenRule {
  const char* rule;
  const char* what;
  Id number;
};

struct ClaimRow {
  Id frame, node, formula, seen;
  std::span<const Id> rests;
};

class StrategyChecker {
 public:
  StrategyChecker(const Model& model, DeadEnds dead_ends, const ModalView& form, const StrategyView& strategy,
                  std::function<void()> on_tick)
      : model_(model),
        stutters_(dead_ends == DeadEnds::stutter),
        form_(form),
        strategy_(strategy),
        ticker_(std::move(on_tick)) {
    check_form();
    top_ = *std::ranges::max_element(form.priority);
    const std::size_t words = core::words_for(static_cast<std::size_t>(model.nodes()));
    for (const Id label : form.labels) {
      labelled_.emplace_back(words, 0);
      if (label != kNone) model.mark_label(label, labelled_.back().data());
    }
  }

  void check(std::span<const Id> initial) {
    for (Id frame = 0; frame < frames(); ++frame) check_frame(frame);
    for (Id claim = 0; claim < claims(); ++claim) check_row(claim);
    for (Id claim = 0; claim < claims(); ++claim) check_claim(claim);
    check_cycles();
    check_starts(initial);
  }

 private:
  Id frames() const { return static_cast<Id>(strategy_.components.size()); }
  Id claims() const { return static_cast<Id>(strategy_.offsets.size()) - 1; }
  bool is_bottom(Id frame) const { return strategy_.below[frame] != 0; }
  bool is_literal(Id f) const { return form_.ops[f] <= kNegated; }
  bool is_modal(Id f) const { return form_.ops[f] == kDiamond || form_.ops[f] == kBox; }
  // Whether the winner chooses at the formula.
  bool chooses(Id f) const { return (form_.ops[f] == kOr || form_.ops[f] == kDiamond) == strategy_.holds; }
  // A fixpoint is its variable.
  Id meant(Id f) const { return form_.ops[f] == kMu || form_.ops[f] == kNu ? form_.left[f] : f; }

  ClaimRow row(Id claim) const {
    assert(claim >= 0 && claim < claims());
    const auto first = static_cast<std::size_t>(strategy_.offsets[claim]);
    const auto end = static_cast<std::size_t>(strategy_.offsets[claim + 1]);
    assert(first + 4 <= end && end <= strategy_.claims.size());
    const Id* at = strategy_.claims.data() + first;
    return {at[0], at[1], at[2], at[3], {at + 4, end - first - 4}};
  }
  std::span<const Id> promises(Id frame) const { // rows of three
    const auto first = static_cast<std::size_t>(strategy_.promise_offsets[frame]) * 3;
    return strategy_.promises.subspan(first,
                                      static_cast<std::size_t>(strategy_.promise_offsets[frame + 1]) * 3 - first);
  }

  using Promise = std::array<Id, 3>;
  static Promise promise(std::span<const Id> all, std::size_t place) {
    return {all[place * 3], all[place * 3 + 1], all[place * 3 + 2]};
  }

  static void need(bool fine, const char* rule, const char* what, Id number) {
    if (!fine) throw BrokenRule{rule, what, number};
  }

  void check_form() const {
    const auto size = static_cast<Id>(form_.ops.size());
    const auto there = [&](Id f) { return f >= 0 && f < size; };
    bool fine = size > 0 && there(form_.root) && form_.left.size() == form_.ops.size() &&
                form_.right.size() == form_.ops.size() && form_.priority.size() == form_.ops.size();
    for (const Id label : form_.labels) fine &= label >= kNone && label < model_.labels();
    for (Id f = 0; fine && f < size; ++f) {
      const std::uint8_t op = form_.ops[f];
      fine = op <= kVariable && form_.priority[f] >= 0;
      if (op == kAtom || op == kNegated) {
        fine &= form_.left[f] >= 0 && form_.left[f] < static_cast<Id>(form_.labels.size());
      } else if (op > kNegated) {
        fine = fine && there(form_.left[f]) && ((op != kAnd && op != kOr) || there(form_.right[f]));
        if (op == kMu || op == kNu) {
          fine =
              fine && form_.ops[form_.left[f]] == kVariable && form_.priority[form_.left[f]] % 2 == (op == kMu ? 1 : 0);
        }
      }
    }
    if (!fine) throw std::invalid_argument("this is no formula");
  }

  void check_frame(Id frame) { // W1
    const Id component = strategy_.components[frame];
    need(component >= 0 && component < model_.components(), "W1", "frame", frame);
    const std::span<const Id> all = promises(frame);
    need(!is_bottom(frame) || all.empty(), "W1", "frame", frame);
    for (std::size_t at = 0; at < all.size(); at += 3) {
      ticker_.poll(1);
      need(all[at] >= 0 && all[at] < model_.nodes() && model_.kind(all[at]) == NodeKind::exit &&
               model_.component(all[at]) == component && is_formula(all[at + 1]) && is_modal(all[at + 1]) &&
               all[at + 2] >= 0 && all[at + 2] <= top_ && (at == 0 || promise(all, at / 3 - 1) < promise(all, at / 3)),
           "W1", "frame", frame);
    }
  }

  bool is_formula(Id f) const { return f >= 0 && f < static_cast<Id>(form_.ops.size()) && meant(f) == f; }

  void check_row(Id claim) { // W1
    const ClaimRow here = row(claim);
    ticker_.poll(1 + here.rests.size());
    need(here.frame >= 0 && here.frame < frames() && here.node >= 0 && here.node < model_.nodes() &&
             model_.component(here.node) == strategy_.components[here.frame] && is_formula(here.formula) &&
             here.seen >= 0 && here.seen <= top_ && (!is_bottom(here.frame) || here.seen == 0),
         "W1", "claim", claim);
    for (const Id other : here.rests) need(other >= 0 && other < claims(), "W1", "claim", claim);
  }

  bool says(Id claim, Id frame, Id node, Id formula, Id seen) const {
    const ClaimRow here = row(claim);
    return here.frame == frame && here.node == node && here.formula == meant(formula) &&
           here.seen == (is_bottom(frame) ? 0 : seen);
  }

  bool is_true(Id literal, Id node) const {
    if (form_.ops[literal] <= kFalse) return form_.ops[literal] == kTrue;
    return core::test_bit(labelled_[form_.left[literal]].data(), static_cast<std::size_t>(node)) ==
           (form_.ops[literal] == kAtom);
  }

  void check_claim(Id claim) {
    const ClaimRow here = row(claim);
    ticker_.poll(1 + here.rests.size());
    assert(steps_.size() == first_step(claim));
    if (is_literal(here.formula)) {
      need(here.rests.empty() && is_true(here.formula, here.node) == strategy_.holds, "W2", "claim", claim);
    } else if (model_.kind(here.node) == NodeKind::call) {
      need(is_call(here), "W3", "claim", claim);
      return;
    } else if (form_.ops[here.formula] == kVariable) {
      const Id seen = std::max(here.seen, form_.priority[here.formula]);
      need(here.rests.size() == 1 && says(here.rests[0], here.frame, here.node, form_.left[here.formula], seen), "W4",
           "claim", claim);
    } else if (!is_modal(here.formula)) {
      need(is_boolean(here), "W5", "claim", claim);
    } else if (model_.kind(here.node) == NodeKind::exit && !is_bottom(here.frame)) {
      need(here.rests.empty() && is_promised(here), "W7", "claim", claim);
    } else {
      need(is_step(here), "W6", "claim", claim);
    }
    steps_.resize(steps_.size() + here.rests.size(),
                  form_.ops[here.formula] == kVariable ? form_.priority[here.formula] : 0);
  }

  bool is_call(const ClaimRow& here) { // W3
    if (here.rests.empty()) return false;
    const Id callee = row(here.rests[0]).frame;
    if (is_bottom(callee) || !says(here.rests[0], callee, model_.subject(here.node), here.formula, 0)) return false;
    const std::span<const Id> all = promises(callee);
    std::size_t next = 1;
    steps_.push_back(0);
    for (std::size_t at = 0; at < all.size(); at += 3) {
      ticker_.poll(1);
      const Id back = model_.return_node(model_.box(here.node), model_.ordinal(all[at]));
      if (back == kNone && !stutters_) {
        if (chooses(all[at + 1])) return false;
        continue;
      }
      if (next == here.rests.size()) return false;
      const Id after = here.rests[next++];
      const Id frame = row(after).frame;
      if (back == kNone ? !is_bottom(frame) || !says(after, frame, all[at], all[at + 1], 0)
                        : !says(after, here.frame, back, all[at + 1], std::max(here.seen, all[at + 2]))) {
        return false;
      }
      steps_.push_back(all[at + 2]);
    }
    return next == here.rests.size();
  }

  bool is_boolean(const ClaimRow& here) const { // W5
    assert(form_.ops[here.formula] == kAnd || form_.ops[here.formula] == kOr);
    const auto at = [&](std::size_t place, Id operand) {
      return says(here.rests[place], here.frame, here.node, operand, here.seen);
    };
    const Id left = form_.left[here.formula];
    const Id right = form_.right[here.formula];
    if (chooses(here.formula)) return here.rests.size() == 1 && (at(0, left) || at(0, right));
    return here.rests.size() == 2 && at(0, left) && at(1, right);
  }

  bool is_promised(const ClaimRow& here) const { // W7
    const std::span<const Id> all = promises(here.frame);
    const Promise wanted{here.node, here.formula, here.seen};
    std::size_t first = 0;
    for (std::size_t end = all.size() / 3; first < end;) { // the first that is not smaller
      const std::size_t middle = first + (end - first) / 2;
      (promise(all, middle) < wanted ? first = middle + 1 : end = middle);
    }
    return first < all.size() / 3 && promise(all, first) == wanted;
  }

  bool is_step(const ClaimRow& here) {                                          // W6
    assert(is_modal(here.formula) && model_.kind(here.node) != NodeKind::call); // M1
    const bool is_exit = model_.kind(here.node) == NodeKind::exit;
    std::span<const Id> after = model_.successors(here.node);
    if (is_exit || (after.empty() && stutters_)) after = {&here.node, 1};
    const auto leads = [&](Id claim, Id node) {
      return says(claim, here.frame, node, form_.left[here.formula], here.seen);
    };
    if (chooses(here.formula)) {
      return here.rests.size() == 1 && std::ranges::any_of(after, [&](Id node) { return leads(here.rests[0], node); });
    }
    if (here.rests.size() != after.size()) return false;
    for (std::size_t at = 0; at < after.size(); ++at) {
      if (!leads(here.rests[at], after[at])) return false;
    }
    return true;
  }

  void check_cycles() { // W8
    std::set<Id> priorities;
    for (const Id step : steps_) {
      ticker_.poll(1);
      if ((step % 2 == 0) != strategy_.holds) priorities.insert(step);
    }
    for (const Id most : priorities) check_cycles(most);
  }

  // Needs: `most` is of the loser's parity. There is no cycle with this priority and no larger one.
  void check_cycles(Id most) {
    assert((most % 2 == 0) != strategy_.holds && steps_.size() == first_step(claims()));
    const std::vector<Id> group = groups(most);
    for (Id claim = 0; claim < claims(); ++claim) {
      const std::span<const Id> rests = row(claim).rests;
      for (std::size_t place = 0; place < rests.size(); ++place) {
        ticker_.poll(1);
        need(steps_[first_step(claim) + place] != most || group[claim] != group[rests[place]], "W8", "claim", claim);
      }
    }
  }

  std::size_t first_step(Id claim) const {
    return static_cast<std::size_t>(strategy_.offsets[claim]) - static_cast<std::size_t>(claim) * 4;
  }

  // Of each claim, the strong component that it is in, by steps of priorities up to `most`. Tarjan's algorithm.
  std::vector<Id> groups(Id most) {
    const auto size = static_cast<std::size_t>(claims());
    std::vector<Id> order(size, kNone), low(size, 0), group(size, kNone), kept;
    std::vector<std::pair<Id, std::size_t>> path;
    Id next = 0;
    Id found = 0;
    const auto enter = [&](Id claim) {
      order[claim] = low[claim] = next++;
      kept.push_back(claim);
      path.emplace_back(claim, 0);
    };
    for (Id start = 0; start < claims(); ++start) {
      if (order[start] == kNone) enter(start);
      while (!path.empty()) {
        ticker_.poll(1);
        const auto [claim, place] = path.back();
        const std::span<const Id> rests = row(claim).rests;
        if (place < rests.size()) {
          ++path.back().second;
          const Id other = rests[place];
          if (steps_[first_step(claim) + place] > most) continue;
          if (order[other] == kNone) {
            enter(other);
          } else if (group[other] == kNone) {
            low[claim] = std::min(low[claim], order[other]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[claim]);
        if (low[claim] != order[claim]) continue;
        for (Id member = kNone; member != claim;) {
          member = kept.back();
          kept.pop_back();
          group[member] = found;
        }
        ++found;
      }
    }
    assert(kept.empty() && next == claims());
    return group;
  }

  void check_starts(std::span<const Id> initial) { // W9
    std::set<Id> started;
    for (const Id start : strategy_.starts) {
      need(start >= 0 && start < claims() && is_bottom(row(start).frame) &&
               says(start, row(start).frame, row(start).node, form_.root, 0),
           "W9", "claim", start);
      started.insert(row(start).node);
    }
    const auto is_started = [&](Id node) { return started.contains(node); };
    need(strategy_.holds ? std::ranges::all_of(initial, is_started) : std::ranges::any_of(initial, is_started), "W9",
         "formula", form_.root);
  }

  const Model& model_;
  const bool stutters_;
  const ModalView& form_;
  const StrategyView& strategy_;
  Ticker ticker_;
  Id top_ = 0;                              // the largest priority
  std::vector<std::vector<Word>> labelled_; // of each atom, the nodes that carry it
  std::vector<Id> steps_;                   // of each claim, for each that it rests on: the priority of the step
};

} // namespace

std::optional<std::string> check_strategy(const Model& model, DeadEnds dead_ends, const ModalView& form,
                                          const StrategyView& strategy, std::span<const Id> initial,
                                          std::function<void()> on_tick) {
  try {
    StrategyChecker(model, dead_ends, form, strategy, std::move(on_tick)).check(initial);
  } catch (const BrokenRule& broken) {
    return std::string(broken.rule) + " at " + broken.what + " " + std::to_string(broken.number);
  }
  return std::nullopt;
}

} // namespace pigro::verify
