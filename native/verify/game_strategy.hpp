// Does a strategy win the game of a formula of the mu-calculus on a recursive state machine?
//
// The *winner* says that the formula holds if it does, and that it fails if it fails. A *frame* stands for calls of one
// component, or for the bottom of the stack. It has *promises*: an exit, a modality that is asked there, and the
// largest priority seen since the call. The caller promises to win whatever comes back like this. A *claim* says that
// the winner wins at (node, formula) in a frame, where `seen` is the largest priority since the frame was entered. It
// names the claims that it *rests* on. A strategy is right if
//
//   W1  frames, promises and claims speak of what there is, and claims stand in the component of their frame.
//       Promises ascend. `seen` is not larger than all priorities. At the bottom it is 0, and nothing is promised.
//   W2  a claim about a label is true for the winner, and rests on nothing.
//   W3  at a call node, another claim rests on one at the entry, about the same formula, in a frame that is not at the
//       bottom and with `seen` 0. For each promise of that frame it rests on a claim about the modality at the return
//       node, in its own frame, with the larger of the two priorities. Where there is no return node, the exit is a
//       dead end: if it stutters, the claim is one at the exit, at the bottom. Otherwise the winner must not be the one
//       who chooses, and there is no claim.
//   W4  a variable rests on the body of its fixpoint, with the larger of `seen` and its priority.
//   W5  `&` and `|` rest on one operand if the winner chooses, else on both.
//   W6  a modality rests on its operand at one successor if the winner chooses, else at all of them. A dead end that
//       stutters is its own successor, and so is an exit at the bottom.
//   W7  in a frame that is not at the bottom, a modality at an exit is promised with `seen`, and rests on nothing.
//   W8  on no cycle of claims that rest on each other the largest priority has the loser's parity. The step from a
//       variable has its priority. The step from a call to what comes after it has that of the promise.
//   W9  if the formula holds, a claim about it starts at the bottom at each initial node. If it fails, at one.
//
// docs/certificate-rules.md proves that a right strategy wins. Nothing is searched for, and nothing of the engine is
// used. Cost: the claims and what they rest on, times the priorities of the loser's parity for W8.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model.hpp"
#include "verify/store.hpp"

namespace pigro::verify {

// A formula of the mu-calculus in positive normal form. src/pigro/logic/modal.py says what the arrays hold.
struct ModalView {
  std::span<const std::uint8_t> ops;
  std::span<const Id> left, right, priority;
  Id root;
  std::span<const Id> labels; // of each atom, that of the model, or kNone
};

struct StrategyView {
  bool holds;
  std::span<const Id> starts;          // claims
  std::span<const Id> components;      // of the frames
  std::span<const std::uint8_t> below; // of the frames: whether they are at the bottom
  std::span<const Id> promise_offsets; // frames + 1
  std::span<const Id> promises;        // rows of exit, modality, seen
  std::span<const Id> offsets;         // claims + 1
  std::span<const Id> claims;          // rows of frame, node, formula, seen, and claims that it rests on
};

// Nothing if the strategy is right, else the first fault. Throws std::invalid_argument if `form` is no formula.
// `on_tick` is called every few thousand steps, and may throw to stop.
std::optional<std::string> check_strategy(const core::Model& model, core::DeadEnds dead_ends, const ModalView& form,
                                          const StrategyView& strategy, std::span<const Id> initial,
                                          std::function<void()> on_tick = {});

} // namespace pigro::verify
