#include "core/contexts/places.hpp"

#include <array>
#include <memory_resource>

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
  std::array<std::byte, 4096> buffer; // most searches are short
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  std::pmr::vector<Id> waiting(&memory);
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

void Places::before(Id component, std::span<const Word> to, std::span<Word> found) const {
  assert(to.size() == model_.words(component) && found.size() == to.size());
  for_each_bit(to.data(), to.size(), [&](std::size_t place) {
    for (const Id from : model_.predecessors(node(component, static_cast<Id>(place)))) {
      set_bit(found.data(), static_cast<std::size_t>(place_[from]));
    }
  });
}

} // namespace pigro::core
