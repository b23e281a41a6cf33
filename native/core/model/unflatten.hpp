// The arrays that a model was built from, made again from its normal form.
//
// Needs: nothing. Leaves: a RawModel that builds a model with the same normal form, node for node, in
// the semantics of `model`. In the other semantics, the model that the original arrays would build.
// The arrays do not depend on the semantics of `model`: repeated edges and repeated listed calls are
// gone, and rows are sorted. Cost: linear in the model, but for sorting rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/model.hpp"

namespace pigro::core {

struct RawArrays {
  std::vector<Id> component_offsets;
  std::vector<std::uint8_t> node_flags;
  std::vector<Id> box_offsets, box_callee;
  std::vector<Id> call_offsets, call_entries;
  std::vector<Id> return_offsets, return_exits;
  std::vector<Id> edge_sources, edge_targets;
  std::vector<Id> label_offsets, label_nodes;
};

// The arrays as `Model` takes them. Needs: they outlive the result.
RawModel raw_of(const RawArrays& arrays);

RawArrays unflatten(const Model& model);

} // namespace pigro::core
