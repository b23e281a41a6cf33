// Nodes by their places in their components: the exits first, and then the others by number
// (src/pigro/engines/dubslaff2024/shape.py, SH1). A set of nodes of a component has a bit for each place.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "core/model/model.hpp"

namespace pigro::core {

class Places {
 public:
  explicit Places(const Model& model);

  const Model& model() const { return model_; }
  Id place(Id node) const { return place_[node]; }
  Id node(Id component, Id place) const {
    assert(place >= 0 && place < model_.width(component));
    return node_[model_.first(component) + place];
  }

  // The places of nodes whose step is an edge: all but exits and call nodes.
  const Word* plain(Id component) const { return plain_.data() + plain_first_[component]; }

  // Adds to `front` the places of `room` from which an edge, or a path through `room`, leads into it.
  void reach(Id component, std::span<Word> front, std::span<const Word> room) const;
  // Adds to `found` the places with an edge into `to`.
  void before(Id component, std::span<const Word> to, std::span<Word> found) const;

 private:
  const Model& model_;
  Column<Id> place_; // by node
  Column<Id> node_;  // by place, component after component
  std::vector<Word> plain_;
  std::vector<std::size_t> plain_first_; // by component
};

} // namespace pigro::core
