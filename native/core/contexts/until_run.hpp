// E [f U g] in instances that may call each other: the two runs of RefineTernary ([Dubslaff2024], Alg. 1, lines 26 to
// 35). See src/pigro/papers/dubslaff2024/fixpoints.py.
//
// Both are least fixpoints, found backward from where the formula holds, or may hold. A call node has the value of the
// entry that it calls. If the callee is in the group, the run finds that value. Otherwise it is read.
// A run goes on where an earlier one ended: values only get more definite. The pessimistic one starts at new grounds.
// The optimistic one is left out if no unknown node can have lost its grounds (InstanceGraph::stale).
// Cost: linear in the unknown call nodes of the group, and for an optimistic run in all its unknown nodes and edges.
#pragma once

#include "core/contexts/instance_graph.hpp"

namespace pigro::core {

class UntilRun {
 public:
  // `by_context`: exits and operands as in the paper, where only the context counts at exits. `improved`: at an exit
  // with an unknown context the formula fails if both operands do.
  UntilRun(InstanceGraph& graph, bool by_context, bool improved);

  // Makes the values of the formula in the group more definite. Needs: E U.
  // Calls `changed` with each instance that changed, in the order of the group.
  template <typename Changed>
  void run(Id formula, std::span<const Id> group, Changed&& changed) {
    run(formula, group);
    for (const Member& each : members_) {
      if (each.changed) changed(each.instance);
    }
  }

 private:
  struct Member {
    Id instance;
    std::size_t first_word; // in `found_` and `room_`
    Id link = kNone;        // the first of the call nodes that call it
    bool changed = false;
  };
  struct Link {
    Id entry;  // in the callee
    Id caller; // by its place in the group
    Id place;
    Id next;
  };

  void run(Id formula, std::span<const Id> group);
  void find(Id formula, bool optimistic);
  void start(Id formula, Id at, bool optimistic);
  void start_calls(Id formula, Id at, bool optimistic);
  void start_steps(Id formula, Id at);
  void add(Id at, std::size_t place);
  void go_on();

  InstanceGraph& graph_;
  const bool by_context_, improved_;
  std::vector<Id> at_; // by instance, in the group. kNone: it is not there
  std::vector<Member> members_;
  std::vector<Link> links_;
  bool has_lost_; // an unknown call node of the group calls an entry where the formula fails
  std::vector<Word> found_, room_;
  std::vector<std::pair<Id, Id>> waiting_; // members and places
};

} // namespace pigro::core
