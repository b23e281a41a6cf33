#include "core/games/ways_out.hpp"

#include <cassert>
#include <map>

namespace pigro::core {

Id WaysOut::way(Id exit, Ticker& ticker) {
  const Id component = model_.component(exit);
  if (ways_[component].empty()) split(component, ticker);
  const Id first = ways_[component][model_.ordinal(exit)];
  assert(first <= exit && model_.component(first) == component); // a way out is named by its first exit
  return first;
}

// Begins with one class of exits, and splits it by the successors in one box after the other.
void WaysOut::split(Id component, Ticker& ticker) {
  const std::span<const Id> exits = model_.exits(component);
  std::vector<Id> classes(exits.size(), 0);
  Id count = exits.empty() ? 0 : 1;
  for (const Id box : model_.boxes_calling(component)) {
    if (count == static_cast<Id>(exits.size())) break;
    if (!model_.is_called(box)) continue;
    std::map<std::pair<Id, std::vector<Id>>, Id> split_by;
    for (std::size_t at = 0; at < exits.size(); ++at) {
      const Id node = returned(box, exits[at]);
      const std::span<const Id> after = successors(node, node);
      ticker.poll(static_cast<int>(after.size()) + 1);
      const auto fresh = static_cast<Id>(split_by.size());
      classes[at] = split_by.try_emplace({classes[at], {after.begin(), after.end()}}, fresh).first->second;
    }
    count = static_cast<Id>(split_by.size());
  }
  std::vector<Id> first(static_cast<std::size_t>(count), kNone);
  is_one_[component] = count == 1;
  std::vector<Id>& ways = ways_[component];
  for (std::size_t at = 0; at < exits.size(); ++at) {
    if (first[classes[at]] == kNone) first[classes[at]] = exits[at];
    ways.push_back(first[classes[at]]);
  }
}

} // namespace pigro::core
