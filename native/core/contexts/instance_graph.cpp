#include "core/contexts/instance_graph.hpp"

#include <algorithm>

namespace pigro::core {

InstanceGraph::InstanceGraph(const Places& places, Subformulas formulas, std::vector<std::uint8_t> reached)
    : places_(places),
      model_(places.model()),
      formulas_(std::move(formulas)),
      reached_(std::move(reached)),
      unlisted_(static_cast<std::size_t>(model_.components())) {
  assert(reached_.size() == static_cast<std::size_t>(model_.boxes()));
}

InstanceGraph::Instance& InstanceGraph::place_for(Id added) {
  if (added >= size()) instances_.resize(static_cast<std::size_t>(added) + 1);
  assert(!has(added));
  return instances_[added];
}

void InstanceGraph::add(Id added, Id component) {
  Instance& made = place_for(added);
  made.component = component;
  made.words = model_.words(component);
  made.callee.assign(static_cast<std::size_t>(model_.box_count(component)), kNone);
  made.values.assign(2 * model_.words(component) * static_cast<std::size_t>(formulas_.size()), 0);
}

void InstanceGraph::copy(Id added, Id like) {
  assert(has(like));
  Instance& made = place_for(added);
  const Instance& model = instances_[like];
  made.component = model.component;
  made.words = model.words;
  made.callee = model.callee;
  made.values = model.values;
  const Id first = model_.first_box(made.component);
  for (std::size_t at = 0; at < made.callee.size(); ++at) { // IG1
    if (made.callee[at] == kNone) continue;
    note_caller(made.callee[at], added, first + static_cast<Id>(at));
  }
}

void InstanceGraph::note_caller(Id callee, Id caller, Id box) {
  if (reached_[box] == 0) return;
  const bool is_full =
      model_.return_count(box) == model_.exit_count(model_.callee(box)) && model_.return_count(box) > 0;
  instances_[callee].callers.push_back({caller, box, is_full ? place(model_.first_return(box)) : kNone});
}

void InstanceGraph::forget_caller(Id callee, Id caller, Id box) {
  if (reached_[box] == 0) return;
  std::vector<Caller>& callers = instances_[callee].callers;
  const auto found =
      std::ranges::find_if(callers, [&](const Caller& each) { return each.instance == caller && each.box == box; });
  assert(found != callers.end()); // IG1
  callers.erase(found);
}

void InstanceGraph::bind(Id caller, Id box, Id callee) {
  assert(has(caller) && !was_dropped(caller) && has(callee) && component(caller) == model_.box_component(box));
  Id& called = instances_[caller].callee[slot(box)];
  if (called != kNone) forget_caller(called, caller, box);
  called = callee;
  note_caller(callee, caller, box); // IG1
}

void InstanceGraph::drop(Id instance) {
  assert(has(instance) && !was_dropped(instance));
  Instance& gone = instances_[instance];
  gone.dropped = true;
  const Id first = model_.first_box(gone.component);
  for (std::size_t at = 0; at < gone.callee.size(); ++at) {
    if (gone.callee[at] != kNone) forget_caller(gone.callee[at], instance, first + static_cast<Id>(at));
  }
}

void InstanceGraph::set(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may) {
  assert(sure.size() == words(instance) && may.size() == sure.size());
  auto* to = const_cast<Word*>(values(instance, formula));
  for (std::size_t at = 0; at < sure.size(); ++at) {
    to[at] = sure[at];
    to[sure.size() + at] = may[at];
  }
}

void InstanceGraph::set_unlisted(Id component, Id formula, std::span<const Word> exits) {
  const std::size_t words = model_.exit_words(component);
  assert(exits.size() == words && formula < formulas_.size());
  std::vector<Word>& kept = unlisted_[component];
  kept.resize(words * static_cast<std::size_t>(formulas_.size()));
  std::ranges::copy(exits, kept.begin() + static_cast<std::ptrdiff_t>(words * static_cast<std::size_t>(formula)));
}

Id InstanceGraph::return_place(const Caller& caller, Id exit) const {
  if (caller.first != kNone) return caller.first + exit; // M3, and return nodes are in the order of their numbers
  const Id node = model_.return_node(caller.box, exit);
  return node == kNone ? kNone : place(node);
}

bool InstanceGraph::holds_unlisted(Id box, Id formula, Id exit) const {
  const Id component = model_.callee(box);
  const std::vector<Word>& kept = unlisted_[component];
  const std::size_t words = model_.exit_words(component);
  return !kept.empty() &&
         test_bit(kept.data() + words * static_cast<std::size_t>(formula), static_cast<std::size_t>(exit));
}

} // namespace pigro::core
