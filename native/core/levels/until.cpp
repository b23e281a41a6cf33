#include "core/levels/until.hpp"

#include <algorithm>

#include "core/levels/statics.hpp"

namespace pigro::core {

Id UntilLevel::key(Id operands, Id entry) {
  return key_ids_.intern(
      operands, [&] { return mix(mix(2, static_cast<std::uint64_t>(operands)), static_cast<std::uint64_t>(entry)); },
      [&](Id id) { return keys_[id].operands == operands && keys_[id].entry == entry; },
      [&] {
        const Id component = operand_context(operands).component;
        assert(model_.component(entry) == component);
        const Id id = static_cast<Id>(keys_.size());
        keys_.push_back({.operands = operands,
                         .entry = entry,
                         .first_node = model_.first(component),
                         .phi1 = first(operands),
                         .phi2 = second(operands),
                         .visited = nullptr,
                         .exits = nullptr,
                         .parents = ids_if(query_.policy.certify, component),
                         .lengths = ids_if(query_.policy.shortest, component)});
        Key& made = keys_[id];
        made.visited = words_or(&made.own_visited, model_.words(component));
        made.exits = words_or(&made.own_exits, model_.exit_words(component));
        visit(id, made, entry, kNone, 0);
        return id;
      });
}

Id* UntilLevel::ids_if(bool wanted, Id component) {
  return wanted ? query_.arena.make<Id>(static_cast<std::size_t>(model_.width(component))) : nullptr;
}

Summary UntilLevel::summary(Id operands, Id entry) {
  const Id id = key(operands, entry);
  while (!is_idle() && !(keys_[id].hit && query_.policy.stop_at_hit)) {
    query_.poll();
    if (query_.policy.shortest) {
      take_nearest();
      continue;
    }
    const Pending at = pending_.back();
    pending_.pop_back();
    if (!keys_[at.key].hit) step(at);
  }
  assert(keys_[id].hit || is_idle()); // L5
  return {keys_[id].hit, keys_[id].exits};
}

const Id* UntilLevel::lengths(Id operands, Id entry) {
  const Word* exits = summary(operands, entry).exits;
  assert(query_.policy.shortest && is_idle());
  const Key& at = keys_[key(operands, entry)];
  const auto nodes = model_.exits(operand_context(operands).component);
  Id* found = query_.arena.make<Id>(nodes.size());
  for_each_bit(exits, words_for(nodes.size()), [&](std::size_t exit) { found[exit] = length(at, nodes[exit]); });
  return found;
}

void UntilLevel::rank(Ranked at, Id after) {
  const auto place = static_cast<std::size_t>(after);
  if (place >= by_length_.size()) by_length_.resize(place + 1);
  query_.push(by_length_[place], at);
  nearest_ = std::min(nearest_, place);
  ++ranked_;
}

void UntilLevel::take_nearest() {
  assert(ranked_ > 0 && pending_.empty());
  while (by_length_[nearest_].empty()) ++nearest_;
  const Ranked at = by_length_[nearest_].back();
  const Id after = static_cast<Id>(nearest_);
  by_length_[nearest_].pop_back();
  --ranked_;
  Key& here = keys_[at.key];
  if (here.hit) return;
  if (at.is_hit) {
    here.hit_after = after;
    return hit({at.key, at.node});
  }
  const auto bit = static_cast<std::size_t>(at.node - here.first_node);
  if (!insert_bit(here.visited, bit)) return;
  ++query_.counters.visited;
  if (here.parents != nullptr) here.parents[bit] = at.from;
  here.lengths[bit] = after;
  step({at.key, at.node});
}

Summary UntilLevel::summary_of_call(Id operands, Id call) {
  const Id box = model_.box(call);
  if (calls_irrelevant(box)) return query_.statics->reach(call, query_);
  return summary(callee_operands(operands, box), model_.subject(call));
}

bool UntilLevel::decide(Id node) {
  if (is_irrelevant(model_.component(node))) return false; // phi2 is out of reach (N3)
  const Id root = root_operands(model_.component(node));
  if (query_.policy.direction == Direction::backward) return backward_.base(root, node);
  return summary(root, node).hit;
}

void UntilLevel::visit(Id id, const Key& at, Id node, Id from, Id after) {
  assert(&at == &keys_[id]);
  assert(model_.component(node) == model_.component(at.entry));
  const auto bit = static_cast<std::size_t>(node - at.first_node);
  if (at.lengths != nullptr) {
    if (!at.hit && !test_bit(at.visited, bit)) rank({id, node, from, false}, after);
    return;
  }
  if (at.hit || !insert_bit(at.visited, bit)) return;
  if (at.parents != nullptr) at.parents[bit] = from;
  ++query_.counters.visited;
  query_.push(pending_, {id, node});
}

void UntilLevel::visit_returns(Id id, Id call, const Word* exits, const Id* lengths) {
  const Id box = model_.box(call);
  const Id before = length(keys_[id], call);
  assert(test_bit(keys_[id].visited, static_cast<std::size_t>(call - keys_[id].first_node)));
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    const Id exit = model_.ordinal(node);
    if (!test_bit(exits, static_cast<std::size_t>(exit))) continue;
    visit(id, keys_[id], node, call, lengths == nullptr ? 0 : before + lengths[exit]);
  }
}

void UntilLevel::step(Pending at) {
  if (model_.kind(at.node) == NodeKind::call) return step_call(at);
  Key& here = keys_[at.key];
  const auto bit = static_cast<std::size_t>(at.node - here.first_node);
  assert(test_bit(here.visited, bit) && !here.hit);
  if (test_bit(here.phi2, bit)) {
    here.hit_after = length(here, at.node);
    return hit(at);
  }
  if (!test_bit(here.phi1, bit)) return;
  if (model_.kind(at.node) == NodeKind::exit) return reach_exit(at.key, at.node);
  const Id after = length(here, at.node) + 1;
  for (const Id successor : model_.successors(at.node)) visit(at.key, here, successor, at.node, after);
}

void UntilLevel::step_call(Pending at) {
  const Id box = model_.box(at.node);
  if (calls_irrelevant(box)) {
    const Summary found = query_.statics->reach(at.node, query_);
    return visit_returns(at.key, at.node, found.exits, found.lengths);
  }
  const Id callee = key(callee_operands(keys_[at.key].operands, box), model_.subject(at.node));
  Key& called = keys_[callee];
  if (called.hit) return hit_through(at, called);
  query_.push(callers_, {at.key, at.node, called.callers});
  called.callers = static_cast<Id>(callers_.size() - 1);
  if (called.lengths == nullptr) return visit_returns(at.key, at.node, called.exits, nullptr);
  for_each_bit(called.exits, model_.exit_words(model_.callee(box)),
               [&](std::size_t exit) { leave_by(callee, static_cast<Id>(exit), {at.key, at.node, kNone}); });
}

// The callee leaves through an exit: the caller goes on at the return node, if there is one.
void UntilLevel::leave_by(Id id, Id ordinal, const Caller& caller) {
  const Id node = model_.return_node(model_.box(caller.call), ordinal);
  if (node == kNone) return;
  const Key& here = keys_[id];
  const Id exit = model_.exits(model_.component(here.entry))[ordinal];
  assert(test_bit(here.exits, static_cast<std::size_t>(ordinal)));
  visit(caller.key, keys_[caller.key], node, caller.call, length(keys_[caller.key], caller.call) + length(here, exit));
}

// The callee of a call is hit: so is the caller, at once or, when certifying, in its turn.
void UntilLevel::hit_through(Pending call, const Key& called) {
  if (called.lengths == nullptr) return hit(call);
  rank({call.key, call.node, kNone, true}, length(keys_[call.key], call.node) + called.hit_after);
}

void UntilLevel::reach_exit(Id id, Id exit) {
  const Key& here = keys_[id];
  assert(test_bit(here.phi1, static_cast<std::size_t>(exit - here.first_node)));
  const Id ordinal = model_.ordinal(exit);
  if (!insert_bit(here.exits, static_cast<std::size_t>(ordinal))) return;
  for (Id at = here.callers; at != kNone; at = callers_[at].next) leave_by(id, ordinal, callers_[at]);
}

void UntilLevel::hit(Pending by) {
  hits_.push_back(by);
  while (!hits_.empty()) {
    const Pending next = hits_.back();
    Key& here = keys_[next.key];
    hits_.pop_back();
    if (here.hit) continue;
    assert(model_.kind(next.node) == NodeKind::call ||
           test_bit(here.phi2, static_cast<std::size_t>(next.node - here.first_node)));
    here.hit = true;
    here.hit_at = next.node;
    for (Id at = here.callers; at != kNone; at = callers_[at].next) {
      const Pending caller{callers_[at].key, callers_[at].call};
      here.lengths == nullptr ? hits_.push_back(caller) : hit_through(caller, here);
    }
  }
}

// Least fixpoint: from phi2, true exits and hit calls backwards over phi1-nodes.
void UntilLevel::pass(Instance& instance, Word* values) {
  Id* trail = instance.trail; // when certifying: the node after each true one, kNone where it ends
  const Id operands = instance.operands;
  const Id component = operand_context(operands).component;
  const Word* phi1 = first(operands);
  const Word* phi2 = second(operands);
  const Id first_node = model_.first(component);
  if (query_.policy.direction == Direction::backward) return backward_.pass(operands, instance.mask, values);
  const std::size_t words = model_.words(component);
  call_exits_.resize(std::max(call_exits_.size(), static_cast<std::size_t>(model_.width(component))));
  stack_.clear();
  const auto bit = [&](Id node) { return static_cast<std::size_t>(node - first_node); };
  auto open = static_cast<std::size_t>(model_.width(component)); // nodes that may still become true
  const auto make_true = [&](Id node, Id next) {
    if (!insert_bit(values, bit(node))) return;
    stack_.push_back(node);
    --open;
    if (trail != nullptr) trail[bit(node)] = next;
  };

  // What is true without a step: phi2. But the mask tells it of exits, and the callee of calls.
  std::copy(phi2, phi2 + words, values);
  for (const Id exit : model_.exits(component)) {
    assign_bit(values, bit(exit), test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(exit))));
  }
  for (Id i = 0, box = model_.first_box(component); i < model_.box_count(component); ++i, ++box) {
    for (Id j = 0, call = model_.first_call(box); j < model_.call_count(box); ++j, ++call) {
      const Summary called = summary_of_call(operands, call);
      call_exits_[bit(call)] = called.exits;
      assign_bit(values, bit(call), called.hit);
    }
  }
  for_each_bit(values, words, [&](std::size_t i) {
    stack_.push_back(first_node + static_cast<Id>(i));
    if (trail != nullptr) trail[i] = kNone;
  });
  open -= stack_.size();
  for (const Id exit : model_.exits(component)) open -= test_bit(values, bit(exit)) ? 0 : 1; // M1
  for (std::size_t i = 0; i < stack_.size(); ++i) { // the first one first, for short trails
    query_.poll();
    if (open == 0) continue; // the rest changes nothing, but the number of polls stays the same
    const Id node = stack_[i];
    for (const Id before : model_.predecessors(node)) {
      if (test_bit(phi1, bit(before))) make_true(before, node);
    }
    if (model_.kind(node) != NodeKind::ret) continue;
    const Id box = model_.box(node);
    for (Id j = 0, call = model_.first_call(box); j < model_.call_count(box); ++j, ++call) {
      assert(call_exits_[bit(call)] != nullptr && !model_.predecessors(call).empty()); // M4
      if (test_bit(call_exits_[bit(call)], static_cast<std::size_t>(model_.ordinal(node)))) make_true(call, node);
    }
  }
}

} // namespace pigro::core
