// Nodes by their places in their components: the exits first, and then the others by number
// (src/pigro/papers/dubslaff2024/shape.py, SH1). A set of nodes of a component has a bit for each place.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "core/model/model.hpp"

namespace pigro::core {

class Places {
 public:
  struct Call {
    Id slot;  // the box, by its number in the component
    Id entry; // the place in the callee
  };

  explicit Places(const Model& model);

  const Model& model() const { return model_; }
  Id place(Id node) const { return place_[node]; }
  Id node(Id component, Id place) const {
    assert(place >= 0 && place < model_.width(component));
    return node_[model_.first(component) + place];
  }

  // The places of nodes whose step is an edge: all but exits and call nodes.
  const Word* plain(Id component) const { return plain_.data() + plain_first_[component]; }
  bool is_exit(Id component, Id place) const { return place < model_.exit_count(component); }
  // Where the edges of a node lead, in the order of the model. Needs: it is plain.
  std::span<const Id> steps(Id component, Id place) const { return rows_[model_.first(component) + place]; }
  // Needs: it is the place of a call node.
  Call call(Id component, Id place) const {
    const std::span<const Id> row = rows_[model_.first(component) + place];
    return {row[0], row[1]};
  }

  // Adds to `found` the places with an edge into `to`.
  void before(Id component, std::span<const Word> to, std::span<Word> found) const;

 private:
  void add_rows();

  const Model& model_;
  Column<Id> place_; // by node
  Column<Id> node_;  // by place, component after component
  Rows rows_;        // in the same order: the steps of a node, or the box and entry of a call node
  std::vector<Word> plain_;
  std::vector<std::size_t> plain_first_; // by component
};

} // namespace pigro::core
