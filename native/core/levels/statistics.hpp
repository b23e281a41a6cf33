// Counts that describe a model to a person.
#pragma once

#include "core/model/model.hpp"

namespace pigro::core {

struct Statistics {
  std::int64_t edges = 0;
  std::int64_t calls = 0;
  std::int64_t returns = 0;
  std::int64_t entries = 0;
  std::int64_t exits = 0;
  std::int64_t entry_exits = 0;
  std::int64_t most_exits = 0; // of one component
  std::int64_t recursive_components = 0;
  std::int64_t unreachable_components = 0;
  // Dead ends by kind: plain nodes and return nodes without successor, pairs (box, exit) that are reached
  // without a return node and, under the rsmcheck semantics, calls of entry-exit nodes. Also the first of each.
  std::int64_t dead_plain = 0;
  std::int64_t dead_return = 0;
  std::int64_t dead_missing = 0;
  std::int64_t dead_call = 0;
  Id first_dead_plain = kNone;  // node
  Id first_dead_return = kNone; // node
  Id first_missing_box = kNone;
  Id first_missing_exit = kNone; // node
  Id first_dead_call = kNone;    // node
};

// `starts`: the initial nodes. Linear in the model but for the exits that calls reach.
Statistics count(const Model& model, Semantics semantics, std::span<const Id> starts);

} // namespace pigro::core
