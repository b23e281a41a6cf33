#include "core/model/unflatten.hpp"

#include <algorithm>

namespace pigro::core {

namespace {

Id size_of(const std::vector<Id>& ids) { return static_cast<Id>(ids.size()); }

void add_components(const Model& model, RawArrays& made) {
  made.component_offsets = {0};
  made.box_offsets = {0};
  for (Id c = 0; c < model.components(); ++c) {
    for (Id n = model.first(c); n < model.first(c) + model.width(c) && model.box(n) == kNone; ++n) {
      const std::uint8_t exit = model.kind(n) == NodeKind::exit ? kExitFlag : 0;
      made.node_flags.push_back((model.is_entry(n) ? kEntryFlag : 0) | exit);
    }
    made.component_offsets.push_back(static_cast<Id>(made.node_flags.size()));
    made.box_offsets.push_back(model.first_box(c) + model.box_count(c));
  }
}

void add_boxes(const Model& model, RawArrays& made) {
  made.call_offsets = {0};
  made.return_offsets = {0};
  for (Id b = 0; b < model.boxes(); ++b) {
    made.box_callee.push_back(model.callee(b));
    for (const Id entry : model.listed_calls(b)) made.call_entries.push_back(model.declared_of_node(entry));
    for (Id i = 0; i < model.return_count(b); ++i) {
      made.return_exits.push_back(model.declared_of_node(model.subject(model.first_return(b) + i)));
    }
    made.call_offsets.push_back(size_of(made.call_entries));
    made.return_offsets.push_back(size_of(made.return_exits));
  }
}

// An edge to a node of a box came from a listed call, whatever that became (M2): the call of the subject.
Id target_reference(const Model& model, const RawArrays& made, Id node) {
  const Id box = model.box(node);
  if (box == kNone) return model.declared_of_node(node);
  const auto listed = model.listed_calls(box);
  const auto at = std::ranges::lower_bound(listed, model.subject(node));
  assert(at != listed.end() && *at == model.subject(node));
  return model.declared_nodes() + made.call_offsets[box] + static_cast<Id>(at - listed.begin());
}

// Of the nodes of boxes, only return nodes have successors (M1).
Id source_reference(const Model& model, const RawArrays& made, Id node) {
  const Id box = model.box(node);
  if (box == kNone) return model.declared_of_node(node);
  assert(model.kind(node) == NodeKind::ret);
  return model.declared_nodes() + size_of(made.call_entries) + made.return_offsets[box] + node -
         model.first_return(box);
}

void add_edges(const Model& model, RawArrays& made) {
  made.edge_sources.reserve(static_cast<std::size_t>(model.edges()));
  made.edge_targets.reserve(static_cast<std::size_t>(model.edges()));
  for (Id n = 0; n < model.nodes(); ++n) {
    const auto row = model.successors(n);
    if (row.empty()) continue;
    const Id source = source_reference(model, made, n);
    const auto begin = static_cast<std::ptrdiff_t>(made.edge_targets.size());
    for (const Id after : row) {
      made.edge_sources.push_back(source);
      made.edge_targets.push_back(target_reference(model, made, after));
    }
    std::sort(made.edge_targets.begin() + begin, made.edge_targets.end()); // the same in both semantics
  }
}

void add_labels(const Model& model, RawArrays& made) {
  made.label_offsets = {0};
  for (Id l = 0; l < model.labels(); ++l) {
    for (const Id node : model.labelled(l)) made.label_nodes.push_back(model.declared_of_node(node));
    made.label_offsets.push_back(size_of(made.label_nodes));
  }
}

} // namespace

RawModel raw_of(const RawArrays& arrays) {
  return {.component_offsets = arrays.component_offsets,
          .node_flags = arrays.node_flags,
          .box_offsets = arrays.box_offsets,
          .box_callee = arrays.box_callee,
          .call_offsets = arrays.call_offsets,
          .call_entries = arrays.call_entries,
          .return_offsets = arrays.return_offsets,
          .return_exits = arrays.return_exits,
          .edge_sources = arrays.edge_sources,
          .edge_targets = arrays.edge_targets,
          .label_offsets = arrays.label_offsets,
          .label_nodes = arrays.label_nodes};
}

RawArrays unflatten(const Model& model) {
  RawArrays made;
  add_components(model, made);
  add_boxes(model, made);
  add_edges(model, made);
  add_labels(model, made);
  assert(static_cast<Id>(made.node_flags.size()) == model.declared_nodes());
  return made;
}

} // namespace pigro::core
