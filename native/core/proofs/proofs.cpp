#include "core/proofs/proofs.hpp"

#include <algorithm>
#include <stdexcept>

namespace pigro::core {

namespace {

// An engine that contradicts itself. Its verdict is not proved.
[[noreturn]] void contradiction() { throw std::logic_error("the searches contradict each other"); }

template <typename Visit>
void for_each_return(const Model& model, Id call, const Word* exits, Visit&& visit) {
  const Id box = model.box(call);
  for (Id i = 0, node = model.first_return(box); i < model.return_count(box); ++i, ++node) {
    if (test_bit(exits, static_cast<std::size_t>(model.ordinal(node)))) visit(node);
  }
}

} // namespace

// ---- EX

void NextProof::settle(Id id, Id node) {
  const Id at = instances_[id].operands;
  const Id component = operand_contexts_[at].component;
  assert(model_.component(node) == component && model_.kind(node) != NodeKind::call);
  const Word* phi = first(at);
  if (model_.kind(node) == NodeKind::exit) {
    const bool value = instances_[id].low == kNone ? is_set(phi, component, node)
                                                   : is_set(values(instances_[id].low), component, node);
    if (!instances_[id].free) want_exit(id, model_.ordinal(node), value);
    return;
  }
  const auto successors = model_.successors(node);
  if (successors.empty()) {
    if (query_.dead_ends == DeadEnds::stutter) need(&OperandContext::first, at, node);
    return;
  }
  struct Seen {
    Id operands;
    Id node;
    bool value;
  };
  std::vector<Seen> seen;
  for (const Id next : successors) {
    if (model_.kind(next) == NodeKind::call) {
      const Id callee = link(at, model_.box(next));
      const Id entry = model_.subject(next);
      seen.push_back({callee, entry, is_set(first(callee), operand_contexts_[callee].component, entry)});
    } else {
      seen.push_back({at, next, is_set(phi, component, next)});
    }
  }
  const auto good = std::ranges::find(seen, true, &Seen::value);
  if (good != seen.end()) return need(&OperandContext::first, good->operands, good->node);
  for (const Seen& each : seen) need(&OperandContext::first, each.operands, each.node);
}

// ---- EU and EG

void SearchProof::settle(Id id, Id node) {
  const Instance& at = instances_[id];
  const bool value = is_set(values(at.low), model_.component(node), node);
  if (model_.kind(node) == NodeKind::exit && !at.free) return want_exit(id, model_.ordinal(node), value);
  value ? grow_sure(id, node) : grow_bound(id, node);
}

void SearchProof::grow_bound(Id id, Id node) {
  Instance& at = instances_[id];
  const Id here = at.operands;
  const Id component = operand_contexts_[here].component;
  grow(at.bound, here);
  const Word* phi = first(here); // of EU, phi1
  std::vector<Id> open;
  const auto add = [&](Id next) {
    if (insert_bit(at.bound.nodes, static_cast<std::size_t>(next - model_.first(component)))) open.push_back(next);
  };
  add(node);
  while (!open.empty()) {
    query_.poll();
    const Id next = open.back();
    open.pop_back();
    assert(!is_set(values(at.high), component, next)); // C1
    if (spec_.op == Op::until) need(&OperandContext::second, here, next);
    if (!is_set(phi, component, next)) {
      need(&OperandContext::first, here, next);
    } else if (model_.kind(next) == NodeKind::exit) {
      set_bit(at.bound.exits, static_cast<std::size_t>(model_.ordinal(next)));
      want_exit(id, model_.ordinal(next), false);
    } else {
      for (const Id after : model_.successors(next)) {
        if (model_.kind(after) != NodeKind::call) {
          add(after);
        } else {
          for_each_return(model_, after, bound_call(here, after), add);
        }
      }
    }
  }
}

// ---- EU

void UntilProof::start(Id id, Id node, bool value) {
  if (starts_irrelevant(id, false)) return;
  const Id start_key = key(operand_contexts_[instances_[id].operands].found, node);
  assert(until_.keys_[start_key].hit == value); // C1
  if (value) return prove_key(start_key, true, kNone);
  prove_key(start_key, false, kNone);
  const Id component = model_.component(node);
  for_each_bit(until_.keys_[start_key].exits, model_.exit_words(component),
               [&](std::size_t exit) { want_exit(id, static_cast<Id>(exit), false); });
}

void UntilProof::open(Block& block, Id id, Id exit) {
  const UntilLevel::Key& at = until_.keys_[id];
  block.operands = operands_of(at.operands);
  block.entry = at.entry;
  block.sure ? open_sure(block, at, exit) : open_bound(block, at);
}

// All that the search visited.
void UntilProof::open_bound(Block& block, const UntilLevel::Key& at) {
  if (at.hit) contradiction();
  const OperandContext& here = operand_contexts_[block.operands];
  const std::size_t words = model_.words(here.component);
  Word* nodes = query_.arena.make<Word>(words);
  std::copy(at.visited, at.visited + words, nodes);
  for_each_bit(at.visited, words, [&](std::size_t bit) {
    query_.poll();
    const Id node = at.first_node + static_cast<Id>(bit);
    assert(model_.kind(node) == NodeKind::call || !test_bit(at.phi2, bit)); // C1: else it were hit
    if (model_.kind(node) != NodeKind::call) return;
    clear_bit(nodes, bit);
    bound_call(block.operands, node);
  });
  for (std::size_t w = 0; w < words; ++w) {
    here.second[w] |= nodes[w];
    here.first[w] |= nodes[w] & ~at.phi1[w];
  }
  block.nodes = nodes;
  block.exits = at.exits;
}

// The path that the search took, backwards from where it ended.
void UntilProof::open_sure(Block& block, const UntilLevel::Key& at, Id exit) {
  const Id component = operand_contexts_[block.operands].component;
  Word* exits = query_.arena.make<Word>(model_.exit_words(component));
  block.exits = exits;
  Id node = at.hit_at;
  if (exit != kNone) {
    node = model_.exits(component)[exit];
    set_bit(exits, static_cast<std::size_t>(exit));
  } else if (node == kNone) {
    contradiction();
  } else {
    if (model_.kind(node) == NodeKind::call) {
      sure_call(block.operands, node, kNone);
    } else {
      need(&OperandContext::second, block.operands, node);
      block.order.push_back(node);
    }
    node = at.parents[node - at.first_node];
  }
  for (; node != kNone; node = at.parents[node - at.first_node]) {
    query_.poll();
    if (model_.kind(node) == NodeKind::call) {
      assert(!block.order.empty() && model_.box(block.order.back()) == model_.box(node));
      sure_call(block.operands, node, model_.ordinal(block.order.back())); // the return node
    } else {
      need(&OperandContext::first, block.operands, node);
      block.order.push_back(node);
    }
  }
}

// Along the trail to where it ends, or to a node that has its claim already.
void UntilProof::grow_sure(Id id, Id node) {
  Instance& at = instances_[id];
  const Id here = at.operands;
  const Id component = operand_contexts_[here].component;
  grow(at.sure, here);
  const Id* next_of = trail(at.low);
  const Word* phi2 = second(here);
  std::vector<Id>& order = at.sure.order;
  const auto begin = static_cast<std::ptrdiff_t>(order.size());
  const Id first_node = model_.first(component);
  while (node != kNone && insert_bit(at.sure.nodes, static_cast<std::size_t>(node - first_node))) {
    query_.poll();
    assert(is_set(values(at.low), component, node)); // C1
    order.push_back(node);
    if (is_set(phi2, component, node)) {
      need(&OperandContext::second, here, node);
      break;
    }
    need(&OperandContext::first, here, node);
    if (model_.kind(node) == NodeKind::exit) {
      set_bit(at.sure.exits, static_cast<std::size_t>(model_.ordinal(node)));
      want_exit(id, model_.ordinal(node), true);
      break;
    }
    node = next_of[node - first_node];
    if (node == kNone) contradiction();
    if (model_.kind(node) == NodeKind::call) {
      const Id back = next_of[node - first_node];
      sure_call(here, node, back == kNone ? kNone : model_.ordinal(back));
      node = back;
    }
  }
  std::reverse(order.begin() + begin, order.end());
}

// ---- EG

void GloballyProof::start(Id id, Id node, bool value) {
  if (starts_irrelevant(id, true)) return;
  const Id start_key = key(operand_contexts_[instances_[id].operands].found, node);
  const GloballyLevel::Key& at = globally_.keys_[start_key];
  assert(at.progress == GloballyLevel::Progress::finished && (value || !at.hit)); // L5, C1
  if (!value) return prove_key(start_key, false, kNone);
  if (at.hit) return prove_key(start_key, true, kNone);
  for (Id exit = 0; exit < model_.exit_count(model_.component(node)); ++exit) {
    if (!test_bit(at.exits, static_cast<std::size_t>(exit))) continue;
    want_exit(id, exit, true);
    return prove_key(start_key, true, exit);
  }
  contradiction();
}

void GloballyProof::open(Block& block, Id id, Id exit) {
  const GloballyLevel::Key& at = globally_.keys_[id];
  block.operands = operands_of(at.operands);
  block.entry = at.entry;
  if (!block.sure) return open_bound(block, at);
  exit == kNone ? open_lasso(block, at) : open_exit(block, at, exit);
}

// All that the search left, in that order. Before them, where phi fails.
void GloballyProof::open_bound(Block& block, const GloballyLevel::Key& at) {
  if (at.hit) contradiction();
  const OperandContext& here = operand_contexts_[block.operands];
  Word* border = query_.arena.make<Word>(model_.words(here.component));
  const auto look = [&](Id node) {
    const auto bit = static_cast<std::size_t>(node - at.first_node);
    if (test_bit(at.visited, bit) || !insert_bit(border, bit)) return;
    need(&OperandContext::first, block.operands, node);
    block.order.push_back(node);
  };
  look(at.entry);
  for (Id step = at.last; step != kNone; step = globally_.steps_[step].before) {
    query_.poll();
    const Id node = globally_.steps_[step].node;
    if (model_.kind(node) == NodeKind::call) {
      for_each_return(model_, node, bound_call(block.operands, node), look);
    } else {
      for (const Id next : model_.successors(node)) {
        if (model_.kind(next) != NodeKind::call) look(next);
      }
    }
  }
  const auto begin = static_cast<std::ptrdiff_t>(block.order.size());
  for (Id step = at.last; step != kNone; step = globally_.steps_[step].before) {
    const Id node = globally_.steps_[step].node;
    if (model_.kind(node) != NodeKind::call) block.order.push_back(node);
  }
  std::reverse(block.order.begin() + begin, block.order.end());
  block.exits = at.exits;
}

bool GloballyProof::stays_in_call(Id here, Id call) {
  const Summary found = called(here, call);
  if (found.hit) {
    sure_call(here, call, kNone);
    return true;
  }
  const Id box = model_.box(call);
  for (Id exit = 0; exit < model_.exit_count(model_.callee(box)); ++exit) {
    if (!test_bit(found.exits, static_cast<std::size_t>(exit)) || model_.return_node(box, exit) != kNone) continue;
    sure_call(here, call, exit);
    return true;
  }
  return false;
}

// The nodes of this key on the search's path when it closed a lasso.
void GloballyProof::open_lasso(Block& block, const GloballyLevel::Key& at) {
  if (!at.hit) contradiction();
  const OperandContext& here = operand_contexts_[block.operands];
  Word* nodes = query_.arena.make<Word>(model_.words(here.component));
  block.exits = query_.arena.make<Word>(model_.exit_words(here.component));
  block.nodes = nodes;
  Id after = kNone; // on the path after the node
  for (Id step = at.last; step != kNone; step = globally_.steps_[step].before) {
    query_.poll();
    const Id node = globally_.steps_[step].node;
    if (model_.kind(node) != NodeKind::call) {
      set_bit(nodes, static_cast<std::size_t>(node - at.first_node));
      need(&OperandContext::first, block.operands, node);
    } else if (after != kNone) {
      assert(model_.kind(after) == NodeKind::ret && model_.box(after) == model_.box(node));
      sure_call(block.operands, node, model_.ordinal(after));
    }
    after = node;
  }
  const Id last = globally_.steps_[at.last].node;
  if (model_.kind(last) != NodeKind::call || stays_in_call(block.operands, last)) return;
  Id back = kNone; // where the call returns to the path
  for_each_return(model_, last, called(block.operands, last).exits, [&](Id node) {
    if (test_bit(nodes, static_cast<std::size_t>(node - at.first_node))) back = node;
  });
  if (back == kNone) contradiction();
  sure_call(block.operands, last, model_.ordinal(back));
}

// The search's path to an exit.
void GloballyProof::open_exit(Block& block, const GloballyLevel::Key& at, Id exit) {
  const Id component = operand_contexts_[block.operands].component;
  Word* nodes = query_.arena.make<Word>(model_.words(component));
  Word* exits = query_.arena.make<Word>(model_.exit_words(component));
  assert(test_bit(at.exits, static_cast<std::size_t>(exit))); // C1
  set_bit(exits, static_cast<std::size_t>(exit));
  block.nodes = nodes;
  block.exits = exits;
  Id after = kNone;
  for (Id node = model_.exits(component)[exit]; node != kNone; node = at.parents[node - at.first_node]) {
    query_.poll();
    if (model_.kind(node) == NodeKind::call) {
      assert(after != kNone && model_.kind(after) == NodeKind::ret && model_.box(after) == model_.box(node));
      sure_call(block.operands, node, model_.ordinal(after));
    } else {
      set_bit(nodes, static_cast<std::size_t>(node - at.first_node));
      need(&OperandContext::first, block.operands, node);
    }
    after = node;
  }
}

// From one living node to the next.
void GloballyProof::grow_sure(Id id, Id node) {
  Instance& at = instances_[id];
  const Id here = at.operands;
  const Id component = operand_contexts_[here].component;
  grow(at.sure, here);
  const Word* living = values(at.low);
  while (insert_bit(at.sure.nodes, static_cast<std::size_t>(node - model_.first(component)))) {
    query_.poll();
    assert(is_set(living, component, node)); // C1
    need(&OperandContext::first, here, node);
    if (model_.kind(node) == NodeKind::exit) {
      set_bit(at.sure.exits, static_cast<std::size_t>(model_.ordinal(node)));
      return want_exit(id, model_.ordinal(node), true);
    }
    const auto successors = model_.successors(node);
    if (successors.empty()) return;
    const auto next = std::ranges::find_if(successors, [&](Id each) { return is_set(living, component, each); });
    if (next == successors.end()) contradiction();
    node = *next;
    if (model_.kind(node) != NodeKind::call) continue;
    const Id call = node;
    if (stays_in_call(here, call)) return;
    node = kNone;
    for_each_return(model_, call, called(here, call).exits, [&](Id back) {
      if (is_set(living, component, back)) node = back;
    });
    if (node == kNone) contradiction();
    sure_call(here, call, model_.ordinal(node));
  }
}

// By the order of their deaths.
void GloballyProof::put_in_order(const Instance& instance, Growth& growth) {
  const Id component = operand_contexts_[instance.operands].component;
  const Id first_node = model_.first(component);
  for_each_bit(growth.nodes, model_.words(component),
               [&](std::size_t bit) { growth.order.push_back(first_node + static_cast<Id>(bit)); });
  const Id* death = trail(instance.high);
  std::ranges::sort(growth.order, {}, [&](Id node) { return death[node - first_node]; });
}

} // namespace pigro::core
