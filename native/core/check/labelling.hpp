// Where a formula holds: in any state, and in which of the states that runs reach.
//
// Source: [Finis2012], sections 1.1 and 1.3 (global model checking). Lemma 3.3.3: call stacks with one context agree on
// the formula. A state is a call stack and a node. The stacks under which the formula holds at a node are accepted by a
// finite automaton that reads the boxes of a stack, outermost first. Its states are contexts: operand contexts of the
// formula's boolean top. A stack leads to one context, whose program has the value at every node.
//
// Invariants:
//   Lab1  the value at a return node is that at the exit in the callee's context, and the value at a call node is not
//       asked for: the state is at the entry.
//   Lab2  pairs are in the order of a breadth-first search, so that a shortest stack leads to each.
// Cost: contexts are made when they are first asked for. `reach` asks for all that runs reach, with a visit of each
// component for each of its contexts and called entries.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/base/names.hpp"
#include "core/formula/query.hpp"
#include "core/levels/boolean_top.hpp"
#include "core/model/visited.hpp"

namespace pigro::core {

class Labelling {
 public:
  // Throws std::invalid_argument for a formula that is not well-formed.
  Labelling(const Model& model, StaticSummaries& statics, DeadEnds dead_ends, const FlatFormula& formula);
  Labelling(const Labelling&) = delete;
  Labelling& operator=(const Labelling&) = delete;

  const Model& model() const { return query_.model; }
  // All work polls it. What it throws leaves a labelling that must not be used again.
  Ticker& ticker() { return query_; }

  // The context of a component with the empty stack.
  Id root(Id component) { return top_.root_operands(component); }
  // The context that a box of the context's component calls.
  Id callee(Id context, Id box) { return top_.callee_operands(context, box); }
  Id component(Id context) const { return top_.component_of_operands(context); }
  Id contexts() const { return static_cast<Id>(top_.operand_context_count()); }
  // The formula's value at every node of the component (bit = node - first node). Lab1
  const Word* values(Id context) { return top_.first(context); }

  // Makes all contexts that called boxes lead to from those that there are.
  void close();
  // Finds the states that runs from these nodes reach. To be called once.
  void reach(std::span<const Id> starts);

  struct ReachedState {
    std::vector<Id> boxes; // outermost first
    Id node;
  };
  // After `reach`: whether the formula has this value in a reached state at the declared node.
  bool is_reached(Id node, bool value) const { return where_[value ? 1 : 0][node].pair != kNone; }
  // Such a state, with as few boxes as there can be. Needs: is_reached(node, value).
  ReachedState reached_state(Id node, bool value) const;

 private:
  // A node under the stack of a pair.
  struct Where {
    Id pair = kNone;
    Id node = kNone;
  };
  // A caller's pair and the box of the call. Of the first pairs none.
  struct Call {
    Id pair;
    Id box;
    Id depth; // boxes on the stack
  };

  void add_pair(Id context, Id place, Call call);
  void note(Id pair, const std::vector<Word>& seen);
  void note_value(Id pair, Id node, bool value);

  const std::vector<LevelSpec> specs_;
  const std::vector<Word> components_; // all of them
  Query query_;
  const std::vector<std::unique_ptr<Level>> levels_;
  BooleanTop& top_;

  PairTable pairs_;                         // of a context, and a place of core/model/visited.hpp
  std::vector<Call> calls_;                 // by pair
  std::array<std::vector<Where>, 2> where_; // by value and declared node
  std::array<std::vector<Word>, 2> known_;  // by value: nodes, a component after the other in words of their own
  std::vector<std::size_t> known_from_;     // the first word of each component
};

} // namespace pigro::core
