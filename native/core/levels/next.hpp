// EX phi: read off the successors. A call node and the entry it calls are one moment, so the next
// step of a call node is the next step of the entry, seen in the callee.
#pragma once

#include "core/levels/level.hpp"

namespace pigro::core {

class NextLevel final : public Level {
 public:
  using Level::Level;

 protected:
  bool decide(Id node) override;
  void pass(const Instance& instance, Word* values) override;

 private:
  bool some_successor(Id node, const Word* phi, Id first_node) const;
};

} // namespace pigro::core
