// One formula on one model, and many formulas on one model.
#pragma once

#include "core/statics.hpp"

namespace pigro::core {

struct CheckResult {
  std::vector<bool> holds; // at each start node, with the empty stack
  Counters counters;
};

// `demand` goes backward where components have many entries; the others are for whoever knows better.
enum class Engine : std::uint8_t { exhaustive, demand, demand_forward, demand_backward };

Policy policy_for(Engine engine, const Model& model);

// Needs: starts are declared nodes of the model; statics of this model. Throws what `on_tick` throws.
CheckResult check(const Model& model, StaticSummaries& statics, const FlatFormula& formula, std::span<const Id> starts,
                  DeadEnds dead_ends, Policy policy, std::function<void()> on_tick);

} // namespace pigro::core
