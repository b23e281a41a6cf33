// The nodes that runs visit, exactly: a call returns only from exits that its callee reaches from the called entry.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

// A *place* is a component entered at one of its called entries, or a component in which runs start: number e for the
// e-th called entry of the model, and called_entries() + c for component c.
// Source: tabulation of [Reps1995]. Cost: linear in the graph, for each called entry.
class Visits {
 public:
  Visits(const Model& model, Ticker& ticker)
      : model_(model),
        ticker_(ticker),
        places_(static_cast<std::size_t>(model.called_entries() + model.components())) {}

  // Visits what runs from `starts` visit. False if that takes more words for sets of nodes.
  bool search(std::span<const Id> starts, std::size_t most_words = std::numeric_limits<std::size_t>::max());

  Id start_place(Id component) const { return model_.called_entries() + component; }
  // The nodes of the component that runs visit there before they leave it, as bits. Empty if no run comes there.
  const std::vector<Word>& seen(Id place) const { return places_[place].seen; }
  // The exits among them.
  const std::vector<Id>& exits(Id place) const { return places_[place].exits; }
  // Calls visit(node) for every node, more than once if it is seen at several places.
  template <typename Visit>
  void for_each_seen(Visit&& visit) const {
    for (const Place& place : places_) {
      for_each_bit(place.seen.data(), place.seen.size(),
                   [&](std::size_t bit) { visit(place.first_node + static_cast<Id>(bit)); });
    }
  }

 private:
  struct Place {
    Id first_node = kNone;
    std::vector<Word> seen;
    std::vector<std::pair<Id, Id>> callers; // a place and a box in it
    std::vector<Id> exits;
  };

  void visit(Id place, Id node);
  void call(Id place, Id node);
  void leave(Id place, Id exit);
  void go_back(Id place, Id box, Id exit);

  const Model& model_;
  Ticker& ticker_;
  std::vector<Place> places_;
  std::vector<std::pair<Id, Id>> pending_;
  std::size_t words_ = 0; // of all sets
};

// One byte for each node: is it the declared node of a state that some run from `starts` visits? Nothing if that takes
// too much memory, because components have many called entries.
std::vector<std::uint8_t> visited_nodes(const Model& model, std::span<const Id> starts, Ticker& ticker);

} // namespace pigro::core
