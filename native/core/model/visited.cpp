#include "core/model/visited.hpp"

#include <utility>

namespace pigro::core {

namespace {

// A place is a component entered at one of its called entries, or a component in which runs start: number e for the
// e-th called entry, and called_entries() + c for component c.
class VisitSearch {
 public:
  VisitSearch(const Model& model, Ticker& ticker)
      : model_(model),
        ticker_(ticker),
        places_(static_cast<std::size_t>(model.called_entries() + model.components())),
        visited_(static_cast<std::size_t>(model.nodes())) {}

  std::vector<std::uint8_t> run(std::span<const Id> starts) {
    for (const Id start : starts) visit(model_.called_entries() + model_.component(start), start);
    while (!pending_.empty() && !is_large_) {
      ticker_.poll();
      const auto [place, node] = pending_.back();
      pending_.pop_back();
      if (model_.kind(node) == NodeKind::call) {
        call(place, node);
      } else if (model_.kind(node) == NodeKind::exit) {
        leave(place, node);
      } else {
        for (const Id next : model_.successors(node)) visit(place, next);
      }
    }
    return is_large_ ? std::vector<std::uint8_t>() : std::move(visited_);
  }

 private:
  struct Place {
    std::vector<Word> seen;
    std::vector<std::pair<Id, Id>> callers; // a place and a box in it
    std::vector<Id> exits;
  };

  void visit(Id number, Id node) {
    const Id component = model_.component(node);
    std::vector<Word>& seen = places_[number].seen;
    if (seen.empty()) {
      words_ += model_.words(component);
      is_large_ = words_ > kMostWords + static_cast<std::size_t>(model_.nodes()) / kWordsPerNode;
      if (is_large_) return;
      seen.resize(model_.words(component));
    }
    if (!insert_bit(seen.data(), static_cast<std::size_t>(node - model_.first(component)))) return;
    visited_[model_.subject(node)] = 1;
    pending_.emplace_back(number, node);
  }

  void call(Id number, Id node) {
    const Id callee = model_.ordinal(node), box = model_.box(node);
    places_[callee].callers.emplace_back(number, box);
    for (const Id exit : places_[callee].exits) go_back(number, box, exit);
    visit(callee, model_.subject(node));
  }

  void leave(Id number, Id exit) {
    places_[number].exits.push_back(exit);
    for (const auto& [caller, box] : places_[number].callers) go_back(caller, box, exit);
  }

  void go_back(Id number, Id box, Id exit) {
    ticker_.poll();
    const Id node = model_.return_node(box, model_.ordinal(exit));
    if (node != kNone) visit(number, node);
  }

  static constexpr std::size_t kMostWords = 1 << 16;
  static constexpr std::size_t kWordsPerNode = 8; // at most a byte for each node, and 512 kB

  const Model& model_;
  Ticker& ticker_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::pair<Id, Id>> pending_;
  std::size_t words_ = 0;
  bool is_large_ = false;
};

} // namespace

std::vector<std::uint8_t> visited_nodes(const Model& model, std::span<const Id> starts, Ticker& ticker) {
  return VisitSearch(model, ticker).run(starts);
}

} // namespace pigro::core
