// The nodes of a recursive state machine as games see them: dead ends that stutter, and ways out of components.
//
// Exits of a component are one *way out* if their return nodes have the same successors in every box that calls it: a
// game asks about an exit only at modalities, after its labels. A dead end that stutters leads to itself, so it is a
// way out of its own. An exit that a box does not list, and that stutters, is in the caller a node of its own with the
// labels of the exit.
#pragma once

#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

class WaysOut {
 public:
  WaysOut(const Model& model, DeadEnds dead_ends)
      : model_(model), stutters_(dead_ends == DeadEnds::stutter), ways_(static_cast<std::size_t>(model.components())) {}

  const Model& model() const { return model_; }
  // The exit that stands for all exits on the same way out.
  Id way(Id exit, Ticker& ticker);
  // Where a call that leaves by this way goes on: a node of the caller.
  Id returned(Id box, Id way) const {
    const Id node = model_.return_node(box, model_.ordinal(way));
    return node == kNone ? model_.nodes() + way : node;
  }
  bool is_unlisted(Id node) const { return node >= model_.nodes(); }
  bool is_call(Id node) const { return !is_unlisted(node) && model_.kind(node) == NodeKind::call; }
  bool is_exit(Id node) const { return !is_unlisted(node) && model_.kind(node) == NodeKind::exit; }
  // The node whose labels it carries.
  Id labelled(Id node) const { return is_unlisted(node) ? node - model_.nodes() : node; }
  // The steps from a node that is no call, and from an exit only with the empty stack. `own` holds the node itself.
  std::span<const Id> successors(Id node, const Id& own) const {
    if (!is_unlisted(node)) {
      if (model_.kind(node) == NodeKind::exit) return {&own, 1};
      if (!model_.successors(node).empty()) return model_.successors(node);
    }
    return stutters_ ? std::span<const Id>(&own, 1) : std::span<const Id>();
  }

 private:
  void split(Id component, Ticker& ticker);

  const Model& model_;
  const bool stutters_;
  std::vector<std::vector<Id>> ways_; // of each component, once it was asked: the way of each exit
};

} // namespace pigro::core
