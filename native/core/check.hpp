// One formula on one model: the engines, as policies over the levels.
#pragma once

#include "core/query.hpp"

namespace pigro::core {

struct CheckResult {
  std::vector<bool> holds; // at each start node, with the empty stack
  Counters counters;
};

// Needs: starts are declared nodes of the model. Throws what `on_tick` throws.
// `exhaustive`: every reachable instance of every level, then the verdict is read off.
CheckResult check_exhaustive(const Model& model, const FlatFormula& formula, std::span<const Id> starts,
                             DeadEnds dead_ends, std::function<void()> on_tick);

} // namespace pigro::core
