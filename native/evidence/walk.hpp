// From the claims of a certificate to a path that a person can follow.
//
// A sure block says that something is reached. To see how, follow it: from each node to a successor
// that the claim rests on, into calls by the block about the called entry, and out of them by the exit
// that this block promises. Where the block of a component itself promises an exit, the path returns
// to the caller, whose value at the return node is proved as well.
//
// For EU the blocks are ordered, so the path ends. For EG they are not: the choice at a node depends
// on the block alone, so the path closes as soon as it meets a node twice in the same call, or calls
// an entry that is being called by the same block already (then it goes deeper forever: a pump).
//
// Cost: linear in the path and in the blocks that it goes through. Blocks are searched by table.
#pragma once

#include "evidence/opened.hpp"

namespace pigro::evidence {

// How a path goes on: not at all, again from state `start`, the same from there but deeper in each
// round, or in its last state.
enum class End : std::uint8_t { here, loop, pump, stays };

struct Path {
  std::vector<State> states;
  End end = End::here;
  Id start = kNone;
};

class Walk {
 public:
  // Of the operator of a level, which is EU or EG and true in a state.
  Walk(Opened& opened, Id level, State state)
      : opened_(opened), model_(opened.model), level_(level), op_(opened.formula.op(level)), at_(state) {
    states_.push_back(state);
  }

  // A path that shows it. Throws Malformed if the certificate does not lead on. Once only.
  Path run();
  // Whether the path is (the rest of) one that a search took, nearest nodes first. With boxes on the
  // stack, a shorter one might return from the component.
  bool is_shortest();

 private:
  // A call that the path is in: the block that it follows.
  struct Frame {
    Sheet* sheet;
    Id block;  // kNone where any way will do: in an irrelevant component
    Id began;  // the place in the path of its first state
    Id number; // frames are numbered through
  };
  // The way to go on: to a successor, which may be a call node.
  struct Choice {
    Id rank;
    Id node;
    Sheet* sheet = nullptr; // of a call: what it follows
    Id block = kNone;
  };

  std::optional<Path> begin();
  std::optional<Path> step();
  std::optional<Path> leave();
  std::optional<Path> return_to_caller();
  std::optional<Path> closed();
  std::optional<Path> go_on();
  std::optional<Path> call(const Choice& choice);

  std::optional<Frame> first_frame();
  std::optional<Choice> best_step();
  std::optional<Choice> best_call();
  void try_call(Id call, Sheet& sheet, Id block, std::optional<Choice>& best);
  bool is_goal();
  bool is_earlier(const Sheet& sheet, Id block) const;
  // The place of a node in the block that is followed, or kNone if the claim does not rest on it.
  Id rank(Id node);
  std::optional<Id> call_rank(Id call, Sheet& sheet, Id block);
  bool comes_before(Id rank);
  bool smaller(Id one, Id other) const;

  Frame& frame() { return frames_.back(); }
  Frame new_frame(Sheet& sheet, Id block) {
    return {&sheet, block, static_cast<Id>(states_.size()) - 1, frames_made_++};
  }
  void push(const Frame& made);
  void pop();
  Id& pump_of(const Frame& made);
  Path finish(End end, Id start = kNone) { return {std::move(states_), end, start}; }
  Id local(Id node) const { return node - model_.first(model_.component(node)); }
  [[noreturn]] void lost() const { throw verify::Malformed("the certificate does not lead on"); }

  Opened& opened_;
  const Model& model_;
  Id level_;
  Op op_;
  State at_; // the last state of the path. After a return, the same moment at the return node
  std::vector<State> states_;
  std::vector<Frame> frames_;
  Id frames_made_ = 0;
  Id rank_here_ = kNone;
  verify::Table met_;   // frame, node: the place in the path, of EG
  verify::Table pumps_; // block, node of its first state: the frame in frames_, of EG
};

} // namespace pigro::evidence
