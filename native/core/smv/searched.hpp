// The states of a machine for the search on the fly.
#pragma once

#include "core/model/model.hpp"
#include "core/onthefly/states.hpp"
#include "core/smv/space.hpp"

namespace pigro::core::smv {

class MachineStates : public States {
 public:
  // An atom is a condition of the machine. kNone: it is false everywhere. The machine outlives this.
  MachineStates(const Machine& machine, std::span<const Id> conditions, DeadEnds dead_ends, Ticker& ticker)
      : space_(machine, ticker, true),
        conditions_(conditions.begin(), conditions.end()),
        stutter_(dead_ends == DeadEnds::stutter) {}

  Space& space() { return space_; }
  // The first state without successors that was seen, other than an exit, or kNone.
  Id dead_end() const { return dead_end_; }
  Id size() const override { return space_.size(); }
  Id place(Id state) const override { return state; }
  bool carries(Id atom, Id state) override {
    return conditions_[atom] != kNone && space_.holds(state, conditions_[atom]);
  }
  bool is_cut(Id) const override { return false; }
  std::span<const Id> next(Id state, std::size_t position) override {
    const std::span<const Id> found = space_.next(state, position);
    if (!found.empty()) return found;
    const bool is_exit = space_.is_exit(state);
    if (!is_exit && dead_end_ == kNone) dead_end_ = state;
    if (!stutter_ && !is_exit) return found;
    loop_ = state;
    return {&loop_, 1};
  }

 private:
  Space space_;
  std::vector<Id> conditions_;
  const bool stutter_;
  Id loop_ = 0;
  Id dead_end_ = kNone;
};

} // namespace pigro::core::smv
