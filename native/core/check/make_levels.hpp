// The levels of a formula, children first. The last one is its boolean top.
#pragma once

#include <memory>
#include <vector>

#include "core/levels/level.hpp"
#include "core/paths/path.hpp"

namespace pigro::core {

// `elsewhere(number)`: a level that works on another thread, or null.
template <typename Elsewhere>
std::vector<std::unique_ptr<Level>> make_levels(Query& query, const std::vector<LevelSpec>& specs,
                                                Elsewhere&& elsewhere) {
  std::vector<std::unique_ptr<Level>> levels;
  for (const LevelSpec& spec : specs) {
    std::vector<Level*> children;
    for (const Id child : spec.children) {
      assert(static_cast<std::size_t>(child) < levels.size()); // children come first
      children.push_back(levels[child].get());
    }
    if (std::unique_ptr<Level> other = elsewhere(levels.size())) {
      levels.push_back(std::move(other));
    } else if (spec.op == Op::exists) {
      levels.push_back(std::make_unique<PathLevel>(query, spec, std::move(children)));
    } else {
      levels.push_back(Level::make(query, spec, std::move(children)));
    }
  }
  return levels;
}

inline std::vector<std::unique_ptr<Level>> make_levels(Query& query, const std::vector<LevelSpec>& specs) {
  return make_levels(query, specs, [](std::size_t) { return nullptr; });
}

} // namespace pigro::core
