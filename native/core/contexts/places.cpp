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
  add_rows();
}

void Places::add_rows() {
  rows_.offsets.reserve(node_.size() + 1);
  rows_.ids.reserve(static_cast<std::size_t>(model_.edges()));
  for (const Id node : node_) {
    if (model_.kind(node) == NodeKind::call) {
      assert(model_.successors(node).empty()); // M1
      rows_.ids.push_back(model_.box(node) - model_.first_box(model_.component(node)));
      rows_.ids.push_back(place_[model_.subject(node)]);
    }
    for (const Id to : model_.successors(node)) rows_.ids.push_back(place_[to]);
    rows_.offsets.push_back(static_cast<Id>(rows_.ids.size()));
  }
}

void Places::before(Id component, std::span<const Word> to, std::span<Word> found) const {
  assert(to.size() == model_.words(component) && found.size() == to.size());
  for_each_bit(to.data(), to.size(), [&](std::size_t place) {
    for (const Id from : model_.predecessors(node(component, static_cast<Id>(place)))) {
      set_bit(found.data(), static_cast<std::size_t>(place_[from]));
    }
  });
}

} // namespace pigro::core
