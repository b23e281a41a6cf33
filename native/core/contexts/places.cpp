#include "core/contexts/places.hpp"

namespace pigro::core {

Places::Places(const Model& model)
    : model_(model), place_(static_cast<std::size_t>(model.nodes())), node_(static_cast<std::size_t>(model.nodes())) {
  for (Id component = 0; component < model.components(); ++component) {
    const Id first = model.first(component);
    plain_first_.push_back(plain_.size());
    plain_.resize(plain_.size() + model.words(component));
    Word* plain = plain_.data() + plain_first_.back();
    Id exits = 0;
    Id others = model.exit_count(component);
    for (Id node = first; node < first + model.width(component); ++node) {
      const bool is_exit = model.kind(node) == NodeKind::exit;
      const Id place = is_exit ? exits++ : others++;
      assert(!is_exit || model.ordinal(node) == place);
      if (!is_exit && model.kind(node) != NodeKind::call) set_bit(plain, static_cast<std::size_t>(place));
      place_[node] = place;
      node_[first + place] = node;
    }
    assert(exits == model.exit_count(component));
  }
}

void Places::reach(Id component, std::span<Word> front, std::span<const Word> room) const {
  assert(front.size() == model_.words(component) && room.size() == front.size());
  std::vector<Id> waiting;
  for_each_bit(front.data(), front.size(),
               [&](std::size_t place) { waiting.push_back(node(component, static_cast<Id>(place))); });
  while (!waiting.empty()) {
    const Id to = waiting.back();
    waiting.pop_back();
    for (const Id from : model_.predecessors(to)) {
      const auto at = static_cast<std::size_t>(place_[from]);
      if (test_bit(room.data(), at) && insert_bit(front.data(), at)) waiting.push_back(from);
    }
  }
}

std::vector<Word> Places::before(Id component, std::span<const Word> to) const {
  assert(to.size() == model_.words(component));
  std::vector<Word> found(to.size(), 0);
  for_each_bit(to.data(), to.size(), [&](std::size_t place) {
    for (const Id from : model_.predecessors(node(component, static_cast<Id>(place)))) {
      set_bit(found.data(), static_cast<std::size_t>(place_[from]));
    }
  });
  return found;
}

} // namespace pigro::core
