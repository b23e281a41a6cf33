#include "core/onthefly/states.hpp"

#include <algorithm>
#include <limits>

namespace pigro::core {

ModelStates::ModelStates(const Model& model, std::span<const Id> atom_labels, DeadEnds dead_ends, Id depth,
                         std::function<void(std::size_t)> before_allocating)
    : model_(model),
      stutter_(dead_ends == DeadEnds::stutter),
      flat_(model.boxes() == 0),
      depth_(depth == kNone ? std::numeric_limits<Id>::max() : depth),
      before_allocating_(std::move(before_allocating)) {
  for (const Id label : atom_labels) {
    atoms_.push_back(make_zeroed<Word>(words_for(static_cast<std::size_t>(model.nodes())) + 1));
    if (label != kNone) model.mark_label(label, atoms_.back().get());
  }
  stacks_.number(kNone, kNone); // the empty one
  height_.push_back(0);
}

Id ModelStates::numbered(PairTable& table, Id first, Id second) {
  ask(table.bytes_to_grow());
  return table.number(first, second);
}

Id ModelStates::pushed(Id stack, Id box) {
  assert(stack == kEmpty || model_.callee(stacks_.second(stack)) == model_.box_component(box));
  const Id made = numbered(stacks_, stack, box);
  if (made == static_cast<Id>(height_.size())) push(height_, height_[stack] + 1);
  assert(stack < made && height_.size() == static_cast<std::size_t>(stacks_.size()));
  return made;
}

Id ModelStates::state(std::span<const Id> stack, Id node) {
  if (flat_) return node;
  Id at = kEmpty;
  for (const Id box : stack) at = pushed(at, box);
  assert(at == kEmpty || model_.callee(stacks_.second(at)) == model_.component(node));
  return numbered(pairs_, at, node);
}

std::span<const Id> ModelStates::next(Id state, std::size_t) {
  assert(!is_cut(state));
  std::span<const Id> found;
  if (flat_) {
    found = model_.successors(state);
    const bool loops = found.empty() && (stutter_ || model_.kind(state) == NodeKind::exit);
    if (!loops) return found;
    loop_ = state;
    return {&loop_, 1};
  }
  while (static_cast<std::size_t>(state) >= first_.size()) {
    push(first_, kNone);
    push(count_, Id{0});
  }
  if (first_[state] == kNone) compute(state);
  return {next_.data() + first_[state], static_cast<std::size_t>(count_[state])};
}

void ModelStates::compute(Id state) {
  Id stack = pairs_.first(state);
  Id node = pairs_.second(state);
  first_[state] = static_cast<Id>(next_.size());
  assert(model_.kind(node) != NodeKind::call); // a call and the entry are one moment
  bool loops = stutter_;
  if (model_.kind(node) == NodeKind::exit) {
    loops = loops || stack == kEmpty;
    // An exit and the return node are one moment: the step is the return node's.
    node = stack == kEmpty ? kNone : model_.return_node(stacks_.second(stack), model_.ordinal(node));
    if (node != kNone) stack = stacks_.first(stack);
  }
  if (node != kNone) {
    for (const Id after : model_.successors(node)) {
      const bool called = model_.kind(after) == NodeKind::call;
      push(next_, called ? numbered(pairs_, pushed(stack, model_.box(after)), model_.subject(after))
                         : numbered(pairs_, stack, after));
    }
  }
  count_[state] = static_cast<Id>(next_.size()) - first_[state];
  if (count_[state] == 0 && loops) {
    push(next_, state);
    count_[state] = 1;
  }
  assert(!stutter_ || count_[state] > 0);
}

Id recursive_component(const Model& model, std::span<const Id> starts) {
  enum : std::uint8_t { fresh, open, closed };
  std::vector<std::uint8_t> colour(static_cast<std::size_t>(model.components()), fresh);
  std::vector<std::pair<Id, Id>> path; // a component, and how many of its boxes were looked at
  for (const Id start : starts) {
    if (colour[model.component(start)] != fresh) continue;
    path.emplace_back(model.component(start), 0);
    colour[model.component(start)] = open;
    while (!path.empty()) {
      auto& [component, looked] = path.back();
      if (looked == model.box_count(component)) {
        colour[component] = closed;
        path.pop_back();
        continue;
      }
      const Id box = model.first_box(component) + looked++;
      if (model.call_count(box) == 0) continue;
      const Id callee = model.callee(box);
      if (colour[callee] == open) return callee;
      if (colour[callee] == closed) continue;
      colour[callee] = open;
      path.emplace_back(callee, 0);
    }
  }
  return kNone;
}

} // namespace pigro::core
