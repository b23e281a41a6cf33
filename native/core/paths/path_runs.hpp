// A run that shows why E f is true, for people.
//
// The search for base (path_graph.cpp) leaves a graph of visited vertices in which an accepted vertex, or a strongly
// connected part with all marks, can be reached. A breadth-first search finds the way there, the *stem*. In a part with
// all marks a closed walk is put together that has every mark, the *loop*. One without calls that stay open is
// preferred. Each such call of the loop pushes a box, so every round ends deeper than it began: a *pump*.
//
// Where walks pass a call by its summary, the callee's own way is filled in: back from the exit pair over the arrivals
// at pairs (P5), for one mark at a time if the walk wants one. Nothing recurses. Cost: linear in the visited vertices,
// once for each mark, and in the states of the run. These can be exponential in the calls. A run of more than
// kMostStates is not made.
#pragma once

#include "core/base/names.hpp"
#include "core/paths/path.hpp"

namespace pigro::core {

// States are seen as in the evidence of CTL: a call and the entry are one moment, at the entry. An exit and the return
// are one, at the exit.
struct Run {
  // here: however it goes on. Loop: after the last state comes the one at `start`. Pump: from the last state it goes on
  // as from `start`, deeper in each round. Stays: in the last state forever, or to its end.
  enum class End : std::uint8_t { here, loop, pump, stays };

  static constexpr std::size_t kMostStates = 1'000'000;

  std::vector<Id> nodes;  // of each state
  std::vector<Id> stacks; // of each state: 0 is empty. Pair s - 1 of `boxes` is the stack below and the box on top
  PairTable boxes;
  End end = End::here;
  Id start = kNone;
  bool is_too_long = false; // it is not complete
};

} // namespace pigro::core
