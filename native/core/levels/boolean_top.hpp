// The boolean top of a formula: it has no instances. It asks its children at one node, and no more
// of them than the answer needs. Or, for an operand context, at all nodes of the component.
#pragma once

#include "core/levels/level.hpp"

namespace pigro::core {

class BooleanTop final : public Level {
 public:
  using Level::Level;

  // The value at a node with the empty stack. Adds to `asked` the children that decided it, if it is not null.
  bool value_at(Id node, std::vector<Id>* asked);

  // The value at every node of an operand context's component is that of `first` (bit = node - first node).
  using Level::callee_operands;
  using Level::first;
  using Level::operand_context_count;
  Id component_of_operands(Id operands) const { return operand_context(operands).component; }

 protected:
  bool decide(Id node) override { return value_at(node, nullptr); }
  void pass(Instance& instance, Word* values) override;
};

} // namespace pigro::core
