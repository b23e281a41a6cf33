// The nodes that runs visit, exactly: a call returns only from exits that its callee reaches from the called entry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

// One byte for each node: is it the declared node of a state that some run from `starts` visits? Nothing if that takes
// too much memory, because components have many called entries. Cost: linear in the graph, for each called entry.
std::vector<std::uint8_t> visited_nodes(const Model& model, std::span<const Id> starts, Ticker& ticker);

} // namespace pigro::core
