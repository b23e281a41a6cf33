#include "core/check.hpp"

#include <algorithm>
#include <set>

#include "core/level.hpp"

namespace pigro::core {

namespace {

std::vector<std::unique_ptr<Level>> make_levels(Query& query, const std::vector<LevelSpec>& specs) {
  std::vector<std::unique_ptr<Level>> levels;
  for (const LevelSpec& spec : specs) {
    std::vector<Level*> children;
    for (const Id child : spec.children) children.push_back(levels[child].get());
    levels.push_back(Level::make(query, spec, std::move(children)));
  }
  return levels;
}

// Asks for every instance that calls lead to from the roots.
void force_instances(Query& query, Level& level, const std::set<Id>& root_components) {
  for (const Id component : root_components) level.root(component);
  for (Id instance = 0; instance < level.instances(); ++instance) {
    level.values(instance);
    const Id component = level.component_of(instance);
    for (Id i = 0; i < query.model.box_count(component); ++i) {
      query.poll();
      const Id box = query.model.first_box(component) + i;
      if (query.model.call_count(box) > 0) level.callee(instance, box);
    }
  }
}

// Forward, a component is searched once for each entry that is called; backward, once for all of
// them, carrying sets of exits. Measured on the random models of [Dubslaff2024]: see docs/benchmarks.md.
Policy policy_for(Engine engine, const Model& model) {
  if (engine == Engine::exhaustive) return Policy::exhaustive();
  if (engine == Engine::demand_forward) return Policy::demand(Direction::forward);
  if (engine == Engine::demand_backward) return Policy::demand(Direction::backward);
  std::int64_t forward = 0;
  std::int64_t backward = 0;
  for (Id component = 0; component < model.components(); ++component) {
    forward += std::int64_t{model.called_entries(component)} * model.width(component);
    backward += std::int64_t{model.width(component)} * static_cast<std::int64_t>(1 + model.exit_words(component));
  }
  constexpr std::int64_t kWorthwhile = 2;
  return Policy::demand(forward > kWorthwhile * backward ? Direction::backward : Direction::forward);
}

} // namespace

Setting make_setting(const Model& model, StaticSummaries& statics, std::vector<Id> starts, DeadEnds dead_ends,
                     Engine engine, Proofs proofs) {
  std::vector<Word> reachable = model.reachable_components(starts);
  Policy policy = policy_for(engine, model);
  if (proofs != Proofs::none) {
    policy.certify = true;
    policy.shortest = proofs == Proofs::shortest;
    policy.direction = Direction::forward;  // whose searches leave paths
    std::ranges::fill(reachable, ~Word{0}); // R9 speaks of all components
  }
  return {model, statics, std::move(starts), std::move(reachable), dead_ends, policy};
}

CheckResult check(const Setting& setting, const FlatFormula& formula, std::function<void(std::size_t)> on_tick) {
  const Model& model = setting.model;
  const std::vector<LevelSpec> specs = cut_into_levels(formula);
  Query query(model, &setting.statics, setting.reachable.data(), formula.atom_labels, setting.dead_ends, setting.policy,
              std::move(on_tick));
  const auto levels = make_levels(query, specs);
  if (setting.policy.everything) {
    std::set<Id> root_components;
    for (const Id start : setting.starts) root_components.insert(model.component(start));
    for (std::size_t j = 0; j + 1 < levels.size(); ++j) force_instances(query, *levels[j], root_components);
  }
  CheckResult result;
  for (const Id start : setting.starts) result.holds.push_back(levels.back()->holds_at(start));
  result.counters = query.counters;
  if (setting.policy.certify) {
    const auto began = std::chrono::steady_clock::now();
    result.certificate = certify(query, levels, specs, setting.starts, result.holds);
    result.certify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  return result;
}

} // namespace pigro::core
