// The boolean top of a formula: it has no instances; it asks its children at one node, and no more
// of them than the answer needs.
#pragma once

#include "core/level.hpp"

namespace pigro::core {

class TopLevel final : public Level {
 public:
  using Level::Level;

 protected:
  bool decide(Id node) override;
  void pass(const Instance& instance, Word* values) override;
};

} // namespace pigro::core
