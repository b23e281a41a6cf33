#include "core/contexts/reason_search.hpp"

#include <algorithm>

namespace pigro::core {

ReasonSearch::ReasonSearch(const InstanceGraph& graph, Order order, bool printed)
    : graph_(graph), order_(std::move(order)), printed_(printed) {}

void ReasonSearch::start(std::vector<Pair> at) {
  for (const auto& [instance, formula] : touched_) {
    std::fill_n(seen(instance, formula), graph_.words(instance), Word{0});
    clear_bit(is_touched_.data(), row(instance, formula));
  }
  touched_.clear();
  hangs_on_.clear();
  stack_ = std::move(at);
}

void ReasonSearch::visit(const Pair& pair) {
  set_bit(seen(pair.instance, pair.formula), bit(pair.place));
  if (insert_bit(is_touched_.data(), row(pair.instance, pair.formula))) {
    touched_.emplace_back(pair.instance, pair.formula);
  }
}

std::optional<ReasonSearch::Reason> ReasonSearch::next(Ticker& ticker) {
  seen_.resize(graph_.set_words()); // the graph may have grown
  is_touched_.resize(words_for(row(graph_.size(), 0)));
  while (!stack_.empty()) {
    ticker.poll();
    const Pair pair = stack_.back();
    stack_.pop_back();
    if (!is_open(pair.instance, pair.formula, pair.place)) continue;
    if (was_seen(pair)) continue;
    after_.clear();
    const bool steps_inside = graph_.formulas().ops[pair.formula] < Op::next || is_plain(pair.instance, pair.place);
    const bool is_outside = !steps_inside && is_exit(pair.instance, pair.place);
    if (is_outside) {
      if (const std::optional<Reason> reason = outside(pair)) {
        stack_.push_back(pair); // other callers may know more as well
        return reason;
      }
    }
    visit(pair); // line 1
    if (steps_inside) {
      inside(pair, ticker);
    } else if (!is_outside) {
      const auto [slot, entry] = graph_.places().call(graph_.component(pair.instance), pair.place);
      const Id callee = graph_.callee(pair.instance, slot);
      if (callee != kNone) hang_on({callee, entry, pair.formula});
    }
    if (printed_) hangs_on_.emplace_back(pair, after_);
    if (order_) order_(after_);
    stack_.insert(stack_.end(), after_.rbegin(), after_.rend());
  }
  return std::nullopt;
}

// A pair that the one visited hangs on. One that was visited leads nowhere, but has its place in an order.
void ReasonSearch::hang_on(const Pair& pair) {
  if (!is_open(pair.instance, pair.formula, pair.place)) return;
  if (!printed_ && !order_) {
    if (was_seen(pair)) return;
    if (leads_nowhere(pair)) {
      set_bit(seen(pair.instance, pair.formula), bit(pair.place)); // its visit
      return;
    }
  }
  after_.push_back(pair);
}

// Whether a visit would find nothing, now or later: known values stay known. Most return nodes are such, because all
// exceptions of a call are handled in one place. False if the pair is the first of its instance and formula, so that
// `touched_` has the same order.
bool ReasonSearch::leads_nowhere(const Pair& pair) {
  const Op op = graph_.formulas().ops[pair.formula];
  if (op != Op::until && op != Op::globally) return false;
  if (!is_plain(pair.instance, pair.place)) return false;
  if (!test_bit(is_touched_.data(), row(pair.instance, pair.formula))) return false;
  if (op == Op::until && is_open(pair.instance, graph_.formulas().right[pair.formula], pair.place)) return false;
  return !is_open(pair.instance, graph_.formulas().left[pair.formula], pair.place) && is_vain(pair);
}

// Whether no step from the node leads to an unknown pair that was not visited.
bool ReasonSearch::is_vain(const Pair& pair) {
  const Word* visited = seen(pair.instance, pair.formula);
  return std::ranges::none_of(steps(pair.instance, pair.place), [&](Id to) {
    return is_open(pair.instance, pair.formula, to) && !test_bit(visited, bit(to));
  });
}

// The first box that knows at its return node what a cycle would not (lines 8 and 9). If there is none, the unknown
// return nodes (line 11).
std::optional<ReasonSearch::Reason> ReasonSearch::outside(const Pair& exit) {
  const Op op = graph_.formulas().ops[exit.formula];
  const bool sure_tells = printed_ || op != Op::globally;
  const bool fail_tells = printed_ || op != Op::until;
  for (const InstanceGraph::Caller& each : graph_.callers(exit.instance)) {
    const Id caller = each.instance;
    const Id place = graph_.return_place(each, exit.place);
    const Reason reason{caller, each.box, exit.formula, exit.place};
    if (place == kNone) {
      if (graph_.holds_unlisted(each.box, exit.formula, exit.place) ? sure_tells : fail_tells) return reason;
    } else if (is_open(caller, exit.formula, place)) {
      hang_on({caller, place, exit.formula});
    } else if (test_bit(graph_.sure(caller, exit.formula), bit(place)) ? sure_tells : fail_tells) {
      return reason;
    }
  }
  return std::nullopt;
}

void ReasonSearch::inside(const Pair& pair, Ticker& ticker) {
  if (operands(pair)) return;
  if (!printed_) {
    run(pair, ticker);
    return;
  }
  for (const Id to : steps(pair.instance, pair.place)) { // lines 20 and 29
    if (is_open(pair.instance, pair.formula, to)) after_.push_back({pair.instance, to, pair.formula});
  }
}

// The unknown pairs that must be known before the runs from here matter. False if there are no such pairs.
bool ReasonSearch::operands(const Pair& pair) {
  const Op op = graph_.formulas().ops[pair.formula];
  const Id left = graph_.formulas().left[pair.formula];
  const Id right = graph_.formulas().right[pair.formula];
  const auto add = [&](Id place, Id formula) {
    if (!is_open(pair.instance, formula, place)) return false;
    after_.push_back({pair.instance, place, formula});
    return true;
  };
  if (op < Op::next) {
    assert(op > Op::atom); // the others are known
    add(pair.place, left);
    if (right != kNone) add(pair.place, right);
    return true;
  }
  if (op == Op::next) {
    const std::span<const Id> next = steps(pair.instance, pair.place);
    if (next.empty()) add(pair.place, left); // a dead end that stutters
    for (const Id to : next) add(to, left);
    return true;
  }
  assert(op == Op::until || op == Op::globally);
  return (op == Op::until && add(pair.place, right)) || add(pair.place, left);
}

// From a node whose operands are known through others like it, to where the run must stop: one step for many pairs,
// because between calls and exits there is nothing to choose.
void ReasonSearch::run(const Pair& start, Ticker& ticker) {
  if (is_vain(start)) return;
  prepare_run(start);
  Word* visited = seen(start.instance, start.formula);
  waiting_.assign(1, start.place);
  while (!waiting_.empty()) {
    ticker.poll();
    const std::span<const Id> next = steps(start.instance, waiting_.back());
    waiting_.pop_back();
    for (auto to = next.rbegin(); to != next.rend(); ++to) {
      const std::size_t at = bit(*to);
      if (test_bit(through_.data(), at)) {
        clear_bit(through_.data(), at);
        set_bit(visited, at);
        waiting_.push_back(*to);
      } else if (test_bit(ends_.data(), at)) {
        clear_bit(ends_.data(), at);
        if (is_known_call(start, *to)) {
          set_bit(visited, at);
        } else {
          after_.push_back({start.instance, *to, start.formula});
        }
      }
    }
  }
}

// A call of an entry that was visited leads nowhere. It is left out at once, where no order asks for it.
bool ReasonSearch::is_known_call(const Pair& start, Id place) {
  if (order_ || is_exit(start.instance, place) || is_plain(start.instance, place)) return false;
  const auto [slot, entry] = graph_.places().call(graph_.component(start.instance), place);
  const Id callee = graph_.callee(start.instance, slot);
  return callee != kNone && test_bit(seen(callee, start.formula), bit(entry));
}

// Sorts the unknown places that were not visited: into those a run goes through, and those where it stops.
void ReasonSearch::prepare_run(const Pair& start) {
  const Id formula = start.formula;
  const Id left = graph_.formulas().left[formula];
  const Id right = graph_.formulas().ops[formula] == Op::until ? graph_.formulas().right[formula] : left;
  const Word* visited = seen(start.instance, formula);
  assert(test_bit(visited, bit(start.place)));
  const Word* plain = graph_.places().plain(graph_.component(start.instance));
  const auto unknown = [&](Id of, std::size_t at) { return graph_.unknown(start.instance, of)[at]; };
  const std::size_t words = graph_.words(start.instance);
  ends_.resize(words);
  through_.resize(words);
  for (std::size_t at = 0; at < words; ++at) {
    const Word fresh = unknown(formula, at) & ~visited[at];
    through_[at] = fresh & plain[at] & ~unknown(left, at) & ~unknown(right, at);
    ends_[at] = fresh & ~through_[at];
  }
}

} // namespace pigro::core
