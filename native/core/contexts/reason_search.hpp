// FindReason ([Dubslaff2024], Alg. 7): why is a formula unknown? See src/pigro/papers/dubslaff2024/expansion.py, which
// says what an unknown pair hangs on, and in which order the search goes on.
//
// The search goes from pair to pair, keeps an explicit stack, and visits a pair once. It stops at an exit whose value a
// caller knows, and goes on from there when it is asked again, with whatever values there are then.
// Cost: linear in the pairs visited, their edges, and the callers of the exits among them.
#pragma once

#include <functional>
#include <optional>

#include "core/base/ticker.hpp"
#include "core/contexts/instance_graph.hpp"

namespace pigro::core {

class ReasonSearch {
 public:
  struct Pair {
    Id instance;
    Id place;
    Id formula;
  };
  struct Reason {
    Id caller;
    Id box;
    Id formula;
    Id exit;
  };
  // The pairs that one hangs on are brought into the order in which they are to be visited.
  using Order = std::function<void(std::vector<Pair>&)>;

  // `printed`: as in the paper, without runs of many pairs at once, and without a filter for the values of cycles.
  ReasonSearch(const InstanceGraph& graph, Order order, bool printed);

  // Forgets the pairs visited, and starts anew at these. The last one comes first.
  void start(std::vector<Pair> at);
  bool is_done() const { return stack_.empty(); }
  // The next reason, if the search comes to one. May throw what ticks throw, and can't go on then.
  std::optional<Reason> next(Ticker& ticker);

  // Which places were visited, for each instance and formula with any, in the order of their first visits.
  template <typename Visit>
  void for_each_visited(Visit&& visit) const {
    for (const auto& [instance, formula] : touched_) {
      const Word* seen = seen_.data() + graph_.set_at(instance, formula);
      visit(formula, instance, std::span<const Word>(seen, graph_.words(instance)));
    }
  }
  // For `printed`: each visited pair, with the pairs that it hangs on.
  const std::vector<std::pair<Pair, std::vector<Pair>>>& hangs_on() const { return hangs_on_; }

 private:
  Word* seen(Id instance, Id formula) { return seen_.data() + graph_.set_at(instance, formula); }
  bool was_seen(const Pair& pair) { return test_bit(seen(pair.instance, pair.formula), bit(pair.place)); }
  static std::size_t bit(Id place) { return static_cast<std::size_t>(place); }
  std::size_t row(Id instance, Id formula) const {
    return static_cast<std::size_t>(instance) * static_cast<std::size_t>(graph_.formulas().size()) + bit(formula);
  }
  void visit(const Pair& pair);
  std::optional<Reason> outside(const Pair& exit);
  void hang_on(const Pair& pair);
  bool leads_nowhere(const Pair& pair);
  bool is_vain(const Pair& pair);
  void inside(const Pair& pair, Ticker& ticker);
  bool operands(const Pair& pair);
  void run(const Pair& start, Ticker& ticker);
  void prepare_run(const Pair& start);
  bool is_known_call(const Pair& start, Id place);
  bool is_plain(Id instance, Id place) const {
    return test_bit(graph_.places().plain(graph_.component(instance)), static_cast<std::size_t>(place));
  }
  bool is_exit(Id instance, Id place) const { return graph_.places().is_exit(graph_.component(instance), place); }
  std::span<const Id> steps(Id instance, Id place) const {
    return graph_.places().steps(graph_.component(instance), place);
  }
  bool is_open(Id instance, Id formula, Id place) const {
    return test_bit(graph_.unknown(instance, formula), bit(place));
  }

  const InstanceGraph& graph_;
  const Order order_;
  const bool printed_;
  std::vector<Pair> stack_;
  std::vector<Pair> after_;                // what the pair that is visited hangs on
  std::vector<Word> seen_;                 // sets of places that were visited, as in the graph
  std::vector<std::pair<Id, Id>> touched_; // instances and formulas of pairs that were visited
  std::vector<Word> is_touched_;           // whether they are there, by `row`
  std::vector<Id> waiting_;                // places, in `run`
  std::vector<Word> ends_, through_;       // in `run`: where it stops, and where it goes on
  std::vector<std::pair<Pair, std::vector<Pair>>> hangs_on_;
};

} // namespace pigro::core
