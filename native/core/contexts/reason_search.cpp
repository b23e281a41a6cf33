#include "core/contexts/reason_search.hpp"

#include <algorithm>

namespace pigro::core {

ReasonSearch::ReasonSearch(const InstanceGraph& graph, Order order, bool printed)
    : graph_(graph), order_(std::move(order)), printed_(printed) {}

void ReasonSearch::start(std::vector<Pair> at) {
  for (const auto& [instance, formula] : touched_) seen_[instance].clear();
  touched_.clear();
  hangs_on_.clear();
  stack_ = std::move(at);
}

void ReasonSearch::make_seen(Id instance) {
  assert(graph_.has(instance));
  if (instance >= static_cast<Id>(seen_.size())) seen_.resize(static_cast<std::size_t>(graph_.size()));
  const auto formulas = static_cast<std::size_t>(graph_.formulas().size());
  seen_[instance].assign(graph_.words(instance) * formulas + words_for(formulas), 0);
}

void ReasonSearch::visit(const Pair& pair) {
  set_bit(seen(pair.instance, pair.formula), static_cast<std::size_t>(pair.place));
  Word* touched = seen(pair.instance, graph_.formulas().size());
  if (insert_bit(touched, static_cast<std::size_t>(pair.formula))) touched_.emplace_back(pair.instance, pair.formula);
}

std::optional<ReasonSearch::Reason> ReasonSearch::next(Ticker& ticker) {
  const Model& model = graph_.model();
  const Subformulas& formulas = graph_.formulas();
  while (!stack_.empty()) {
    ticker.poll();
    const Pair pair = stack_.back();
    stack_.pop_back();
    if (!is_open(pair.instance, pair.formula, pair.place)) continue;
    if (test_bit(seen(pair.instance, pair.formula), static_cast<std::size_t>(pair.place))) continue;
    after_.clear();
    const Id node = graph_.node(pair.instance, pair.place);
    const NodeKind kind = formulas.ops[pair.formula] >= Op::next ? model.kind(node) : NodeKind::plain;
    if (kind == NodeKind::exit) {
      if (const std::optional<Reason> reason = outside(pair)) {
        stack_.push_back(pair); // other callers may know more as well
        return reason;
      }
    }
    visit(pair); // line 1
    if (kind == NodeKind::call) {
      const Id callee = graph_.callee(pair.instance, model.box(node));
      if (callee != kNone) hang_on({callee, graph_.place(model.subject(node)), pair.formula});
    } else if (kind != NodeKind::exit) {
      inside(pair, ticker);
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
  const bool is_needed = printed_ || order_;
  if (!is_needed && test_bit(seen(pair.instance, pair.formula), static_cast<std::size_t>(pair.place))) return;
  after_.push_back(pair);
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
    } else if (test_bit(graph_.sure(caller, exit.formula), static_cast<std::size_t>(place))) {
      if (sure_tells) return reason;
    } else if (test_bit(graph_.may(caller, exit.formula), static_cast<std::size_t>(place))) {
      hang_on({caller, place, exit.formula});
    } else if (fail_tells) {
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
  for (const Id to : graph_.model().successors(graph_.node(pair.instance, pair.place))) { // lines 20 and 29
    const Id place = graph_.place(to);
    if (is_open(pair.instance, pair.formula, place)) after_.push_back({pair.instance, place, pair.formula});
  }
}

// The unknown pairs that must be known before the runs from here matter. False if there are no such pairs.
bool ReasonSearch::operands(const Pair& pair) {
  const Model& model = graph_.model();
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
    const Id node = graph_.node(pair.instance, pair.place);
    if (model.successors(node).empty()) add(pair.place, left); // a dead end that stutters
    for (const Id to : model.successors(node)) add(graph_.place(to), left);
    return true;
  }
  assert(op == Op::until || op == Op::globally);
  return (op == Op::until && add(pair.place, right)) || add(pair.place, left);
}

// From a node whose operands are known through others like it, to where the run must stop: one step for many pairs,
// because between calls and exits there is nothing to choose.
void ReasonSearch::run(const Pair& start, Ticker& ticker) {
  const Model& model = graph_.model();
  const Id first = graph_.node(start.instance, start.place);
  const Word* known = seen(start.instance, start.formula);
  const bool is_vain = std::ranges::none_of(model.successors(first), [&](Id to) {
    const Id place = graph_.place(to);
    return is_open(start.instance, start.formula, place) && !test_bit(known, static_cast<std::size_t>(place));
  });
  if (is_vain) return;
  prepare_run(start);
  Word* visited = seen(start.instance, start.formula);
  waiting_.assign(1, first);
  while (!waiting_.empty()) {
    ticker.poll();
    const std::span<const Id> steps = model.successors(waiting_.back());
    waiting_.pop_back();
    for (auto to = steps.rbegin(); to != steps.rend(); ++to) {
      const Id place = graph_.place(*to);
      const auto at = static_cast<std::size_t>(place);
      if (test_bit(through_.data(), at)) {
        clear_bit(through_.data(), at);
        set_bit(visited, at);
        waiting_.push_back(*to);
      } else if (test_bit(ends_.data(), at)) {
        clear_bit(ends_.data(), at);
        if (is_known_call(start, *to)) {
          set_bit(visited, at);
        } else {
          after_.push_back({start.instance, place, start.formula});
        }
      }
    }
  }
}

// A call of an entry that was visited leads nowhere. It is left out at once, where no order asks for it.
bool ReasonSearch::is_known_call(const Pair& start, Id node) {
  const Model& model = graph_.model();
  if (order_ || model.kind(node) != NodeKind::call) return false;
  const Id callee = graph_.callee(start.instance, model.box(node));
  if (callee == kNone) return false;
  return test_bit(seen(callee, start.formula), static_cast<std::size_t>(graph_.place(model.subject(node))));
}

// Sorts the unknown places that were not visited: into those a run goes through, and those where it stops.
void ReasonSearch::prepare_run(const Pair& start) {
  const Id formula = start.formula;
  const Id left = graph_.formulas().left[formula];
  const Id right = graph_.formulas().ops[formula] == Op::until ? graph_.formulas().right[formula] : left;
  const Word* visited = seen(start.instance, formula);
  assert(test_bit(visited, static_cast<std::size_t>(start.place)));
  const Word* plain = graph_.plain(start.instance);
  const auto unknown = [&](Id of, std::size_t at) {
    return graph_.may(start.instance, of)[at] & ~graph_.sure(start.instance, of)[at];
  };
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
