#include "core/check.hpp"

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

} // namespace

CheckResult check_exhaustive(const Model& model, const FlatFormula& formula, std::span<const Id> starts,
                             DeadEnds dead_ends, std::function<void()> on_tick) {
  const std::vector<LevelSpec> specs = cut_into_levels(formula);
  Query query(model, formula.atom_labels, dead_ends, std::move(on_tick));
  const auto levels = make_levels(query, specs);
  std::set<Id> root_components;
  for (const Id start : starts) root_components.insert(model.component(start));
  for (std::size_t j = 0; j + 1 < levels.size(); ++j) force_instances(query, *levels[j], root_components);

  CheckResult result;
  Level& top = *levels.back();
  for (const Id start : starts) {
    const Id component = model.component(start);
    const Word* value = top.first(top.root_argument(component));
    result.holds.push_back(test_bit(value, static_cast<std::size_t>(start - model.first(component))));
  }
  result.counters = query.counters;
  return result;
}

} // namespace pigro::core
