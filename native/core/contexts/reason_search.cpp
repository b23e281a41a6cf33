#include "core/contexts/reason_search.hpp"

#include <algorithm>
#include <limits>

namespace pigro::core {

ReasonSearch::ReasonSearch(const InstanceGraph& graph, Order order, bool printed)
    : graph_(graph), order_(std::move(order)), printed_(printed) {}

void ReasonSearch::start(std::vector<Pair> at) {
  for (const auto& [instance, formula] : touched_) seen_[instance].clear();
  touched_.clear();
  hangs_on_.clear();
  stack_ = std::move(at);
}

Word* ReasonSearch::seen(Id instance, Id formula) {
  assert(graph_.has(instance));
  if (instance >= static_cast<Id>(seen_.size())) seen_.resize(static_cast<std::size_t>(graph_.size()));
  std::vector<Word>& sets = seen_[instance];
  const std::size_t words = graph_.words(instance);
  if (sets.empty()) {
    const auto formulas = static_cast<std::size_t>(graph_.formulas().size());
    sets.assign(words * formulas + words_for(formulas), 0);
  }
  return sets.data() + words * static_cast<std::size_t>(formula);
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
  for (const auto& [caller, box] : graph_.callers(exit.instance)) {
    if (!graph_.is_reached(box)) continue;
    const Id place = graph_.return_place(box, exit.place);
    const Reason reason{caller, box, exit.formula, exit.place};
    if (place == kNone) {
      if (graph_.holds_unlisted(box, exit.formula, exit.place) ? sure_tells : fail_tells) return reason;
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
  const Id formula = start.formula;
  const Id left = graph_.formulas().left[formula];
  const Id right = graph_.formulas().ops[formula] == Op::until ? graph_.formulas().right[formula] : left;
  Word* visited = seen(start.instance, formula);
  assert(test_bit(visited, static_cast<std::size_t>(start.place)));
  if (runs_ == std::numeric_limits<Id>::max()) {
    std::ranges::fill(ended_, 0);
    runs_ = 0;
  }
  ++runs_;
  const auto width = static_cast<std::size_t>(model.width(graph_.component(start.instance)));
  if (ended_.size() < width) ended_.resize(width, 0);
  waiting_.assign(1, graph_.node(start.instance, start.place));
  while (!waiting_.empty()) {
    ticker.poll();
    const std::span<const Id> steps = model.successors(waiting_.back());
    waiting_.pop_back();
    for (auto to = steps.rbegin(); to != steps.rend(); ++to) {
      const Id place = graph_.place(*to);
      if (!is_open(start.instance, formula, place) || test_bit(visited, static_cast<std::size_t>(place))) continue;
      const NodeKind kind = model.kind(*to);
      const bool goes_on = kind != NodeKind::exit && kind != NodeKind::call && !is_open(start.instance, left, place) &&
                           !is_open(start.instance, right, place);
      if (goes_on) {
        set_bit(visited, static_cast<std::size_t>(place));
        waiting_.push_back(*to);
      } else if (ended_[place] != runs_) {
        ended_[place] = runs_;
        after_.push_back({start.instance, place, formula});
      }
    }
  }
}

} // namespace pigro::core
