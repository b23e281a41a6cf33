#include "core/model/visited.hpp"

namespace pigro::core {

bool Visits::search(std::span<const Id> starts, std::size_t most_words) {
  for (const Id start : starts) visit(start_place(model_.component(start)), start);
  while (!pending_.empty() && words_ <= most_words) {
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
  return words_ <= most_words;
}

void Visits::visit(Id place, Id node) {
  const Id component = model_.component(node);
  std::vector<Word>& seen = places_[place].seen;
  if (seen.empty()) {
    const std::size_t words = model_.words(component);
    words_ += words;
    if (words * sizeof(Word) >= kLarge) ticker_.before_allocating(words * sizeof(Word));
    seen.resize(words);
    places_[place].first_node = model_.first(component);
  }
  if (insert_bit(seen.data(), static_cast<std::size_t>(node - model_.first(component)))) {
    ticker_.push(pending_, {place, node});
  }
}

void Visits::call(Id place, Id node) {
  const Id callee = model_.ordinal(node), box = model_.box(node);
  places_[callee].callers.emplace_back(place, box);
  for (const Id exit : places_[callee].exits) go_back(place, box, exit);
  visit(callee, model_.subject(node));
}

void Visits::leave(Id place, Id exit) {
  places_[place].exits.push_back(exit);
  for (const auto& [caller, box] : places_[place].callers) go_back(caller, box, exit);
}

void Visits::go_back(Id place, Id box, Id exit) {
  ticker_.poll();
  const Id node = model_.return_node(box, model_.ordinal(exit));
  if (node != kNone) visit(place, node);
}

std::vector<std::uint8_t> visited_nodes(const Model& model, std::span<const Id> starts, Ticker& ticker) {
  constexpr std::size_t kMostWords = 1 << 16;
  constexpr std::size_t kNodesPerWord = 8; // at most a byte for each node, and 512 kB
  const auto nodes = static_cast<std::size_t>(model.nodes());
  Visits visits(model, ticker);
  if (!visits.search(starts, kMostWords + nodes / kNodesPerWord)) return {};
  std::vector<std::uint8_t> visited(nodes);
  visits.for_each_seen([&](Id node) { visited[model.subject(node)] = 1; });
  return visited;
}

} // namespace pigro::core
