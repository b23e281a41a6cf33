// The boolean top of a formula: it has no instances. It asks its children at one node, and no more
// of them than the answer needs.
#pragma once

#include "core/levels/level.hpp"

namespace pigro::core {

class BooleanTop final : public Level {
 public:
  using Level::Level;

  // The value at a node with the empty stack. Adds to `asked` the children that decided it, if it is not null.
  bool value_at(Id node, std::vector<Id>* asked);

 protected:
  bool decide(Id node) override { return value_at(node, nullptr); }
  void pass(Instance& instance, Word* values) override;
};

} // namespace pigro::core
