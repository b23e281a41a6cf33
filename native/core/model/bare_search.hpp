// The least that any check of a whole model could do: the yardstick of the benchmarks.
#pragma once

#include <span>

#include "core/model/model.hpp"

namespace pigro::core {

// How many nodes a search from these nodes reaches, if a call leads to its entry and to all return nodes of its box.
// One bit for a node, whatever the calls are in.
Id count_reachable(const Model& model, std::span<const Id> starts);

} // namespace pigro::core
