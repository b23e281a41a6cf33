#include "core/model/bare_search.hpp"

namespace pigro::core {

Id count_reachable(const Model& model, std::span<const Id> starts) {
  const auto seen = make_zeroed<Word>(words_for(static_cast<std::size_t>(model.nodes())));
  std::vector<Id> pending;
  Id count = 0;
  const auto reach = [&](Id node) {
    if (!insert_bit(seen.get(), static_cast<std::size_t>(node))) return;
    pending.push_back(node);
    ++count;
  };
  for (const Id start : starts) reach(start);
  while (!pending.empty()) {
    const Id node = pending.back();
    pending.pop_back();
    if (model.kind(node) != NodeKind::call) {
      for (const Id next : model.successors(node)) reach(next);
      continue;
    }
    const Id box = model.box(node);
    reach(model.subject(node));
    for (Id i = 0; i < model.return_count(box); ++i) reach(model.first_return(box) + i);
  }
  assert(count <= model.nodes());
  return count;
}

} // namespace pigro::core
