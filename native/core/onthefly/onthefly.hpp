// CTL* on the fly: is a state formula true in a state? States are made, and formulas asked about
// them, only as far as the answer needs. After [Bhat1995]: a depth-first search for each A over
// assertions (state, set of path formulas), with the answers kept for whoever asks later.
//
// Where runs are cut off (core/onthefly/states.hpp), an answer is sought twice: with the best and with the
// worst that may come after. If both agree, it is the answer.
#pragma once

#include <memory>
#include <optional>

#include "core/formula/obligations.hpp"
#include "core/onthefly/states.hpp"

namespace pigro::core {

// A run on which a path formula is false.
struct CounterRun {
  enum class End : std::uint8_t { here, loop, stop }; // here: however it goes on. Stop: in a dead end
  std::vector<Id> states;
  End end = End::here;
  Id start = kNone; // of a loop: the place of the state that comes after the last one
};

// What a search shares with its parts: memory, a counter, and a way to be stopped.
struct Work : Ticker {
  Work() : Ticker({}) {}
  Arena arena;
  std::int64_t visited = 0; // assertions
};

class PathSearch;

class OnTheFly {
 public:
  using Make = std::function<std::unique_ptr<States>(Work&)>;
  // `bounded`: runs may be cut off. Throws std::invalid_argument for a malformed formula.
  OnTheFly(const Make& states, bool bounded, const FlatFormula& formula);
  ~OnTheFly();
  OnTheFly(const OnTheFly&) = delete;
  OnTheFly& operator=(const OnTheFly&) = delete;

  // The truth of a state formula, by its node. None if it depends on what was cut off.
  // `on_tick` as for Query. After an exception of it, only new questions may be asked of a new object.
  std::optional<bool> value(Id node, Id state, std::function<void(std::size_t)> on_tick);

  // Needs: the formula is A f or !A f. Throws std::invalid_argument if A f is true in the state.
  CounterRun counter_run(Id node, Id state, std::function<void(std::size_t)> on_tick);

  // Does some work on the states, with ticks.
  template <typename Do>
  Id ticking(std::function<void(std::size_t)> on_tick, Do&& work) {
    work_.on_tick = std::move(on_tick);
    struct Off {
      Work& of;
      ~Off() { of.on_tick = nullptr; }
    } const off{work_};
    return work();
  }

  States& states() { return *states_; }
  const PositiveFormula& formula() const { return formula_; }
  std::int64_t visited() const { return work_.visited; } // assertions
  std::int64_t looked_at() const { return looked_at_; }  // states

 private:
  friend class PathSearch;
  class Circuit;
  class Ticking;

  bool holds(Id node, Id state, bool optimistic);
  bool all(Id node, Id state, bool optimistic);
  Obligations& obligations(Id node);
  void look_at(Id state);

  const PositiveFormula formula_;
  Work work_;
  const std::unique_ptr<States> states_;
  const bool bounded_;
  bool met_cut_ = false;
  std::int64_t looked_at_ = 0;
  std::vector<Word> seen_; // states that were looked at
  std::vector<std::unique_ptr<Obligations>> obligations_;
  std::vector<std::unique_ptr<PathSearch>> searches_; // two for each node: optimistic, then pessimistic
  std::vector<std::unique_ptr<Circuit>> circuits_;
};

} // namespace pigro::core
