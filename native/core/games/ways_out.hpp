// The nodes of a recursive state machine as games see them: dead ends that stutter, and ways out of components.
//
// Exits of a component are one *way out* if their return nodes have the same successors in every box that calls it: a
// game asks about an exit only at modalities, after its labels. A dead end that stutters leads to itself, so it is a
// way out of its own. An exit that a box does not list, and that stutters, is in the caller a node of its own with the
// labels of the exit.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

class WaysOut {
 public:
  WaysOut(const Model& model, DeadEnds dead_ends)
      : model_(model),
        stutters_(dead_ends == DeadEnds::stutter),
        ways_(static_cast<std::size_t>(model.components())),
        is_one_(ways_.size()) {}

  const Model& model() const { return model_; }
  // The exit that stands for all exits on the same way out.
  Id way(Id exit, Ticker& ticker);
  // The way of all exits of a component, if they are on one. Otherwise kNone.
  Id only(Id component, Ticker& ticker) {
    if (model_.exits(component).empty()) return kNone;
    const Id first = way(model_.exits(component)[0], ticker);
    return is_one_[component] ? first : kNone;
  }
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
  std::vector<bool> is_one_;          // and whether all exits are one way
};

// The ways out of a model, kept from one formula to the next. A game has them alone: while one uses them, another one
// finds its own, so no thread waits.
class KeptWays {
 public:
  KeptWays() = default;
  ~KeptWays() {
    for (auto& each : kept_) delete each.load();
  }
  KeptWays(const KeptWays&) = delete;
  KeptWays& operator=(const KeptWays&) = delete;

  std::unique_ptr<WaysOut> take(const Model& model, DeadEnds dead_ends) {
    std::unique_ptr<WaysOut> found(of(dead_ends).exchange(nullptr));
    return found ? std::move(found) : std::make_unique<WaysOut>(model, dead_ends);
  }
  // Needs: ways that were taken for these dead ends, and no search in them that was interrupted.
  void give_back(std::unique_ptr<WaysOut> ways, DeadEnds dead_ends) { delete of(dead_ends).exchange(ways.release()); }

 private:
  std::atomic<WaysOut*>& of(DeadEnds dead_ends) { return kept_[dead_ends == DeadEnds::stutter ? 1 : 0]; }

  std::array<std::atomic<WaysOut*>, 2> kept_{};
};

} // namespace pigro::core
