#include "core/levels/globally.hpp"

#include <algorithm>
#include <limits>

#include "core/levels/statics.hpp"

namespace pigro::core {

Id GloballyLevel::key(Id operands, Id entry) {
  return key_ids_.intern(
      operands, [&] { return mix(mix(3, static_cast<std::uint64_t>(operands)), static_cast<std::uint64_t>(entry)); },
      [&](Id id) { return keys_[id].operands == operands && keys_[id].entry == entry; },
      [&] {
        const Id component = operand_context(operands).component;
        assert(model_.component(entry) == component);
        keys_.push_back({.operands = operands,
                         .entry = entry,
                         .first_node = model_.first(component),
                         .phi = first(operands),
                         .visited = nullptr,
                         .on_path = nullptr,
                         .exits = nullptr,
                         .parents = query_.policy.certify ? query_.arena.make<Id>(model_.width(component)) : nullptr});
        Key& made = keys_[keys_.size() - 1];
        made.visited = words_or(&made.own_visited, model_.words(component));
        made.on_path = words_or(&made.own_path, model_.words(component));
        made.exits = words_or(&made.own_exits, model_.exit_words(component));
        return static_cast<Id>(keys_.size() - 1);
      });
}

Summary GloballyLevel::summary(Id operands, Id entry) {
  assert(path_.empty());
  const Id id = key(operands, entry);
  if (keys_[id].progress != Progress::finished) {
    enter(id, entry);
    search();
  }
  assert(keys_[id].progress == Progress::finished); // L5
  return {keys_[id].hit, keys_[id].exits};
}

Summary GloballyLevel::summary_of_call(Id operands, Id call) {
  const Id box = model_.box(call);
  if (calls_irrelevant(box)) return query_.statics->stay(call, query_);
  return summary(callee_operands(operands, box), model_.subject(call));
}

bool GloballyLevel::decide(Id node) {
  const Id component = model_.component(node);
  if (is_irrelevant(component)) return true; // phi never fails (N3), and there is always a maximal run
  const Id root = root_operands(component);
  const bool backward = query_.policy.direction == Direction::backward;
  const Summary found =
      backward ? Summary{backward_.base(root, node), backward_.reach(root, node)} : summary(root, node);
  if (found.hit) return true;
  // With the empty stack a phi-run may also stay at an exit. That is no hit: the key may be shared
  // with a recursive call, which returns.
  bool stays = false;
  for (std::size_t i = 0; i < model_.exit_words(component); ++i) stays = stays || found.exits[i] != 0;
  return stays;
}

void GloballyLevel::search() {
  while (!path_.empty()) {
    query_.poll();
    if (advance()) close_lasso();
  }
}

bool GloballyLevel::enter(Id id, Id node) {
  Key& at = keys_[id];
  const auto bit = static_cast<std::size_t>(node - at.first_node);
  if (model_.kind(node) != NodeKind::call && !test_bit(at.phi, bit)) {
    if (node == at.entry && at.progress == Progress::fresh) at.progress = Progress::finished;
    return false;
  }
  if (!insert_bit(at.visited, bit)) return test_bit(at.on_path, bit);
  ++query_.counters.visited;
  if (at.parents != nullptr) at.parents[bit] = node == at.entry ? kNone : path_.back().node;
  if (node == at.entry) at.progress = Progress::open;
  assert(at.progress == Progress::open); // a finished key is not searched again (L5)
  set_bit(at.on_path, bit);
  query_.push(path_, {.key = id, .node = node});
  return false;
}

bool GloballyLevel::advance() {
  Frame& frame = path_.back();
  switch (model_.kind(frame.node)) {
    case NodeKind::exit:
      assert(test_bit(keys_[frame.key].phi, static_cast<std::size_t>(frame.node - keys_[frame.key].first_node)));
      set_bit(keys_[frame.key].exits, static_cast<std::size_t>(model_.ordinal(frame.node)));
      leave();
      return false;
    case NodeKind::call:
      return advance_call(frame);
    default: {
      const auto successors = model_.successors(frame.node);
      if (successors.empty()) return true; // a dead end stays, or ends the path: EG phi = phi
      if (static_cast<std::size_t>(frame.next) == successors.size()) {
        leave();
        return false;
      }
      return enter(frame.key, successors[frame.next++]);
    }
  }
}

// First the callee, to its end. Only then the return nodes of its exits, which are complete now.
bool GloballyLevel::advance_call(Frame& frame) {
  if (frame.exits == nullptr) {
    if (frame.callee == kNone) return descend(frame);
    assert(keys_[frame.callee].progress == Progress::finished && !keys_[frame.callee].hit); // L5
    frame.exits = keys_[frame.callee].exits;
  }
  const Id box = model_.box(frame.node);
  while (frame.next < model_.return_count(box)) {
    const Id node = model_.first_return(box) + frame.next++;
    if (test_bit(frame.exits, static_cast<std::size_t>(model_.ordinal(node)))) return enter(frame.key, node);
  }
  if (lacks_return(frame.exits, box)) return true;
  leave();
  return false;
}

bool GloballyLevel::descend(Frame& frame) {
  const Id box = model_.box(frame.node);
  if (calls_irrelevant(box)) {
    const Summary found = query_.statics->stay(frame.node, query_);
    frame.exits = found.exits;
    return found.hit;
  }
  const Id id = key(callee_operands(keys_[frame.key].operands, box), model_.subject(frame.node));
  frame.callee = id;
  const Key& called = keys_[id];
  if (called.progress == Progress::open) return true; // recursion without return
  if (called.progress == Progress::finished) return called.hit;
  return enter(id, called.entry); // `frame` is not valid after this
}

// Some exit is reached for which the box has no return node: the path stays there.
bool GloballyLevel::lacks_return(const Word* exits, Id box) const {
  if (model_.return_count(box) == model_.exit_count(model_.callee(box))) return false;
  bool lacks = false;
  for_each_bit(exits, model_.exit_words(model_.callee(box)), [&](std::size_t ordinal) {
    lacks = lacks || model_.return_node(box, static_cast<Id>(ordinal)) == kNone;
  });
  return lacks;
}

void GloballyLevel::leave() {
  const Frame& frame = path_.back();
  Key& here = keys_[frame.key];
  assert(test_bit(here.on_path, static_cast<std::size_t>(frame.node - here.first_node)) && !here.hit);
  assert(here.progress == Progress::open);
  clear_bit(here.on_path, static_cast<std::size_t>(frame.node - here.first_node));
  if (frame.node == here.entry) here.progress = Progress::finished;
  if (here.parents != nullptr) keep(frame.key, frame.node);
  path_.pop_back();
}

void GloballyLevel::keep(Id id, Id node) {
  query_.push(steps_, {node, keys_[id].last});
  keys_[id].last = static_cast<Id>(steps_.size() - 1);
}

// Every key on the path has its entry on the path (else it would be finished): all reach the lasso.
void GloballyLevel::close_lasso() {
  for (const Frame& frame : path_) {
    Key& here = keys_[frame.key];
    assert(here.hit || test_bit(here.on_path, static_cast<std::size_t>(here.entry - here.first_node)));
    if (here.parents != nullptr) {
      if (!here.hit) here.last = kNone; // what it has left does not count any more
      keep(frame.key, frame.node);
    }
    here.hit = true;
    here.progress = Progress::finished;
  }
  path_.clear();
}

// Greatest fixpoint: a node dies when its last living successor dies.
void GloballyLevel::pass(Instance& instance, Word* values) {
  constexpr Id kForever = std::numeric_limits<Id>::max();
  const Id operands = instance.operands;
  const Id component = operand_context(operands).component;
  const Word* phi = first(operands);
  const Id first_node = model_.first(component);
  const auto width = static_cast<std::size_t>(model_.width(component));
  if (query_.policy.direction == Direction::backward) return backward_.pass(operands, instance.mask, values);
  living_.assign(width, 0); // living successors. 0: dead
  call_exits_.resize(std::max(call_exits_.size(), width));
  dead_.clear();
  const auto bit = [&](Id node) { return static_cast<std::size_t>(node - first_node); };
  Id deaths = 0;
  Id mortal = 0;                  // living nodes that may die
  const auto die = [&](Id node) { // when certifying, the trail is the order of deaths
    dead_.push_back(node);
    clear_bit(values, bit(node));
    if (instance.trail != nullptr) instance.trail[bit(node)] = deaths++;
  };
  for (std::size_t w = 0; w < words_for(width); ++w) values[w] = ~Word{0};
  if (width > 0) values[words_for(width) - 1] = tail_mask(width);

  for (Id node = first_node; bit(node) < width; ++node) {
    Id& count = living_[bit(node)];
    switch (model_.kind(node)) {
      case NodeKind::exit:
        count = test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(node))) ? kForever : 0;
        break;
      case NodeKind::call: {
        const Id box = model_.box(node);
        const Summary called = summary_of_call(operands, node);
        call_exits_[bit(node)] = called.exits;
        for (Id i = 0; i < model_.return_count(box); ++i) {
          const auto ordinal = static_cast<std::size_t>(model_.ordinal(model_.first_return(box) + i));
          count += test_bit(called.exits, ordinal) ? 1 : 0;
        }
        if (called.hit || lacks_return(called.exits, box)) count = kForever;
        break;
      }
      default:
        if (test_bit(phi, bit(node))) {
          const auto successors = static_cast<Id>(model_.successors(node).size());
          count = successors == 0 ? kForever : successors;
        }
    }
    if (count == 0) {
      die(node);
    } else if (count != kForever) {
      ++mortal;
    }
  }
  const auto lose_successor = [&](Id node) {
    Id& count = living_[bit(node)];
    if (count == 0 || count == kForever || --count > 0) return;
    die(node);
    --mortal;
  };
  while (!dead_.empty()) {
    query_.poll();
    const Id node = dead_.back();
    dead_.pop_back();
    if (mortal == 0) continue; // the rest changes nothing, but the number of polls stays the same
    for (const Id before : model_.predecessors(node)) lose_successor(before);
    if (model_.kind(node) != NodeKind::ret) continue;
    const Id box = model_.box(node);
    for (Id i = 0, call = model_.first_call(box); i < model_.call_count(box); ++i, ++call) {
      assert(call_exits_[bit(call)] != nullptr);
      if (test_bit(call_exits_[bit(call)], static_cast<std::size_t>(model_.ordinal(node)))) lose_successor(call);
    }
  }
}

} // namespace pigro::core
