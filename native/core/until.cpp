#include "core/until.hpp"

#include "core/statics.hpp"

namespace pigro::core {

Id UntilLevel::key(Id argument_id, Id entry) {
  const std::uint64_t hash = mix(mix(2, static_cast<std::uint64_t>(argument_id)), static_cast<std::uint64_t>(entry));
  return key_ids_.intern(
      hash, [&](Id id) { return keys_[id].argument == argument_id && keys_[id].entry == entry; },
      [&] {
        const Id component = argument(argument_id).component;
        const Id id = static_cast<Id>(keys_.size());
        keys_.push_back({.argument = argument_id,
                         .entry = entry,
                         .first_node = model_.first(component),
                         .phi1 = first(argument_id),
                         .phi2 = second(argument_id),
                         .visited = query_.arena.make<Word>(model_.words(component)),
                         .exits = query_.arena.make<Word>(model_.exit_words(component)),
                         .parents = query_.policy.certify ? query_.arena.make<Id>(model_.width(component)) : nullptr});
        visit(id, entry, kNone);
        return id;
      });
}

Summary UntilLevel::summary(Id argument_id, Id entry) {
  const Id id = key(argument_id, entry);
  while (!pending_.empty() && !(keys_[id].hit && query_.policy.stop_at_hit)) {
    query_.poll();
    const Pending at = next();
    if (!keys_[at.key].hit) step(at);
  }
  assert(keys_[id].hit || pending_.empty()); // L5
  return {keys_[id].hit, keys_[id].exits};
}

// The last one first, which is quick. For a proof the first one, for short paths.
UntilLevel::Pending UntilLevel::next() {
  if (!query_.policy.certify) {
    const Pending at = pending_.back();
    pending_.pop_back();
    return at;
  }
  const Pending at = pending_[taken_++];
  if (taken_ == pending_.size()) {
    pending_.clear();
    taken_ = 0;
  }
  return at;
}

Summary UntilLevel::summary_of_call(Id argument_id, Id call) {
  const Id box = model_.box(call);
  if (calls_cold(box)) return query_.statics->reach(call, query_);
  return summary(callee_argument(argument_id, box), model_.subject(call));
}

bool UntilLevel::decide(Id node) {
  if (is_cold(model_.component(node))) return false; // phi2 is out of reach (N3)
  const Id root = root_argument(model_.component(node));
  if (query_.policy.direction == Direction::backward) return backward_.base(root, node);
  return summary(root, node).hit;
}

void UntilLevel::visit(Id id, Id node, Id from) {
  const Key& at = keys_[id];
  const auto bit = static_cast<std::size_t>(node - at.first_node);
  if (at.hit || !insert_bit(at.visited, bit)) return;
  if (at.parents != nullptr) at.parents[bit] = from;
  ++query_.counters.visited;
  query_.push(pending_, {id, node});
}

void UntilLevel::visit_returns(Id id, Id call, const Word* exits) {
  const Id box = model_.box(call);
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    if (test_bit(exits, static_cast<std::size_t>(model_.ordinal(node)))) visit(id, node, call);
  }
}

void UntilLevel::step(Pending at) {
  if (model_.kind(at.node) == NodeKind::call) return step_call(at);
  const Key& here = keys_[at.key];
  const auto bit = static_cast<std::size_t>(at.node - here.first_node);
  if (test_bit(here.phi2, bit)) return hit(at);
  if (!test_bit(here.phi1, bit)) return;
  if (model_.kind(at.node) == NodeKind::exit) return reach_exit(at.key, at.node);
  for (const Id successor : model_.successors(at.node)) visit(at.key, successor, at.node);
}

void UntilLevel::step_call(Pending at) {
  const Id box = model_.box(at.node);
  if (calls_cold(box)) return visit_returns(at.key, at.node, query_.statics->reach(at.node, query_).exits);
  const Id callee = key(callee_argument(keys_[at.key].argument, box), model_.subject(at.node));
  Key& called = keys_[callee];
  if (called.hit) return hit(at);
  query_.push(callers_, {at.key, at.node, called.callers});
  called.callers = static_cast<Id>(callers_.size() - 1);
  visit_returns(at.key, at.node, called.exits);
}

void UntilLevel::reach_exit(Id id, Id exit) {
  const Key& here = keys_[id];
  const Id ordinal = model_.ordinal(exit);
  if (!insert_bit(here.exits, static_cast<std::size_t>(ordinal))) return;
  for (Id at = here.callers; at != kNone; at = callers_[at].next) {
    const Id node = model_.return_node(model_.box(callers_[at].call), ordinal);
    if (node != kNone) visit(callers_[at].key, node, callers_[at].call); // a missing return node leads nowhere
  }
}

void UntilLevel::hit(Pending by) {
  hits_.push_back(by);
  while (!hits_.empty()) {
    const Pending next = hits_.back();
    Key& here = keys_[next.key];
    hits_.pop_back();
    if (here.hit) continue;
    here.hit = true;
    here.hit_at = next.node;
    for (Id at = here.callers; at != kNone; at = callers_[at].next) {
      hits_.push_back({callers_[at].key, callers_[at].call});
    }
  }
}

// Least fixpoint: from phi2, true exits and hit calls backwards over phi1-nodes.
void UntilLevel::pass(const Instance& instance, Word* values) {
  Id* trail = instance.trail; // when certifying: the node after each true one, kNone where it ends
  const Id argument_id = instance.argument;
  const Id component = argument(argument_id).component;
  const Word* phi1 = first(argument_id);
  const Word* phi2 = second(argument_id);
  const Id first_node = model_.first(component);
  const Id end = first_node + model_.width(component);
  if (query_.policy.direction == Direction::backward) return backward_.pass(argument_id, instance.mask, values);
  call_exits_.assign(static_cast<std::size_t>(model_.width(component)), nullptr);
  stack_.clear();
  const auto bit = [&](Id node) { return static_cast<std::size_t>(node - first_node); };
  const auto make_true = [&](Id node, Id next) {
    if (!insert_bit(values, bit(node))) return;
    stack_.push_back(node);
    if (trail != nullptr) trail[bit(node)] = next;
  };

  for (Id node = first_node; node < end; ++node) {
    switch (model_.kind(node)) {
      case NodeKind::exit:
        if (test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(node)))) make_true(node, kNone);
        break;
      case NodeKind::call: {
        const Summary called = summary_of_call(argument_id, node);
        call_exits_[bit(node)] = called.exits;
        if (called.hit) make_true(node, kNone);
        break;
      }
      default:
        if (test_bit(phi2, bit(node))) make_true(node, kNone);
    }
  }
  while (!stack_.empty()) {
    query_.poll();
    const Id node = stack_.back();
    stack_.pop_back();
    for (const Id before : model_.predecessors(node)) {
      if (test_bit(phi1, bit(before))) make_true(before, node);
    }
    if (model_.kind(node) != NodeKind::ret) continue;
    const Id box = model_.box(node);
    for (Id i = 0, call = model_.first_call(box); i < model_.call_count(box); ++i, ++call) {
      if (test_bit(call_exits_[bit(call)], static_cast<std::size_t>(model_.ordinal(node)))) make_true(call, node);
    }
  }
}

} // namespace pigro::core
