#include "core/paths/path.hpp"

#include <algorithm>

#include "core/paths/path_expand.hpp"

namespace pigro::core {

namespace {

PositiveFormula negated_body(const LevelSpec& spec) {
  const std::vector<Id> labels(spec.leaves.size(), kNone);
  std::vector<bool> quantified;
  for (const Program& leaf : spec.leaves) quantified.push_back(has_children(leaf));
  return PositiveFormula({spec.path.ops, spec.path.left, spec.path.right, labels}, quantified);
}

} // namespace

PathLevel::PathLevel(Query& query, const LevelSpec& spec, std::vector<Level*> children)
    : Level(query, spec, std::move(children)),
      formula_(negated_body(spec)),
      automaton_(formula_, formula_.size() - 1, query, query.arena, &query.counters.branches),
      mark_words_(automaton_.mark_words()),
      all_marks_(mark_words_),
      no_marks_(mark_words_),
      more_(mark_words_) {
  for (Id i = 0; i < automaton_.releases(); ++i) set_bit(all_marks_.data(), kFirstMark + static_cast<std::size_t>(i));
  for (const Program& leaf : spec.leaves) {
    usual_.push_back(usual_value(cover(leaf, spec.children.size(), query.weights())).value);
  }
}

bool PathLevel::decide(Id node) {
  const Id component = model_.component(node);
  find_departures();
  if (stays_first(kFirst, component) && !relevance().may_end(component) && !waits_well()) return false;
  if (roots_.empty()) roots_.assign(static_cast<std::size_t>(model_.components()), kNone);
  Id& table = roots_[component]; // the search for base knows what it found from other start nodes
  if (table == kNone) table = make_table(Role::root, root_operands(component), component, {node, kFirst});
  return base({table, node, kFirst});
}

// The nodes of a component at which some parent may ask for this level, with the first state. If `needed`, only of
// parents that need its context there.
void PathLevel::add_asked_nodes(Id component, bool needed, std::vector<Pair>& to) {
  const Id first_node = model_.first(component);
  const Id end = first_node + model_.width(component);
  std::vector<Word> asked_nodes(model_.words(component));
  if (!query_.policy.skip_irrelevant) {
    for (Id node = first_node; node < end; ++node) to.push_back({node, kFirst});
    return;
  }
  if (covers_.empty()) {
    for (const Parent& parent : parents_) covers_.push_back(covers_in(*parent.level));
  }
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    const auto [parent, child] = parents_[i];
    if (op_of(*parent) == Op::truth) continue; // it asks by holds_at
    if (needed && !(relevance_of(*parent).needs_context(child, component) &&
                    relevance_of(*parent).uses_child(child, component))) {
      continue;
    }
    const Cover& where = covers_[i][child];
    for (Id node = first_node; node < end; ++node) {
      if (model_.kind(node) == NodeKind::call && op_of(*parent) != Op::next) continue;
      const bool covered =
          where.all || std::ranges::any_of(where.atoms, [&](Id atom) { return query_.carries(atom, node); });
      if (covered && insert_bit(asked_nodes.data(), static_cast<std::size_t>(node - first_node))) {
        to.push_back({node, kFirst});
      }
    }
  }
}

// P3: finds the pairs that are asked for under any operand context, with loose tables.
void PathLevel::find_asked() {
  has_asked_ = true;
  asked_.resize(static_cast<std::size_t>(model_.components()));
  for (Id component = 0; component < model_.components(); ++component) {
    query_.poll();
    if (!test_bit(query_.reachable, static_cast<std::size_t>(component))) continue;
    Asked& here = asked_[component];
    add_asked_nodes(component, true, here.starts);
    if (here.starts.empty()) continue;
    if (here.loose == kNone) here.loose = make_table(Role::pool, kLoose, component, {});
    for (const Pair& start : here.starts) add({here.loose, start.node, start.state}, kNowhere, nullptr, nullptr);
  }
  saturate(kNone);
}

// An exit pair of a loose pool: a bit of the component's masks, and a pair that is asked for at the return nodes.
void PathLevel::ask_callers(Id component, Pair exit) {
  asked_[component].bits.push_back(exit);
  for (const Id box : model_.boxes_calling(component)) {
    const Id caller = model_.box_component(box);
    if (model_.call_count(box) == 0 && !query_.policy.any_box) continue;
    if (!test_bit(query_.reachable, static_cast<std::size_t>(caller))) continue;
    const Id node = model_.return_node(box, model_.ordinal(exit.node));
    if (node == kNone) continue;
    Asked& above = asked_[caller];
    if (above.loose == kNone) above.loose = make_table(Role::pool, kLoose, caller, {});
    above.starts.push_back({node, exit.state});
    add({above.loose, node, exit.state}, kNowhere, nullptr, nullptr);
  }
}

const PathLevel::Asked& PathLevel::asked(Id component) {
  if (!has_asked_) find_asked();
  Asked& found = asked_[component];
  if (found.bit_of.empty() && !found.bits.empty()) {
    const Table& loose = tables_[found.loose];
    found.bit_of.assign(loose.pairs.size(), kNone);
    for (std::size_t i = 0; i < found.bits.size(); ++i) {
      found.bit_of[number(loose, found.bits[i])] = static_cast<Id>(i);
    }
  }
  return found;
}

// The number of a pair in a pool, or kNone if it is not there.
Id PathLevel::number(const Table& pool, Pair pair) const {
  const auto state = static_cast<std::size_t>(pair.state);
  if (state >= pool.rows.size() || pool.rows[state].numbers == nullptr) return kNone;
  return pool.rows[state].numbers[pair.node - pool.first_node] - 1;
}

// The number of an exit pair among the bits of its component's masks, or kNone if it is not one of them.
Id PathLevel::bit(Id component, Pair exit) {
  const Asked& here = asked(component);
  if (here.bits.empty()) return kNone;
  const Id found = number(tables_[here.loose], exit);
  return found == kNone ? kNone : here.bit_of[found];
}

std::size_t PathLevel::mask_words(Id component) { return words_for(asked(component).bits.size()); }

// An exit that only the pairs of other nodes lead to, with another state, has no value of its own.
bool PathLevel::agrees(const Instance& instance, const Word* values, Id exit) {
  const Id component = model_.component(exit);
  const Pair pair{exit, kFirst};
  if (number(tables_[pool(instance.operands, component)], pair) == kNone) return true;
  return test_bit(instance.mask, static_cast<std::size_t>(bit(component, pair))) ==
         test_bit(values, static_cast<std::size_t>(exit - model_.first(component)));
}

// Whether an accepted run stays at the exit, from each of the states.
void PathLevel::find_loops(Id operands, Id component, std::span<const Pair> exits, Word* mask) {
  const Id table = loop_table(operands, component);
  for (const Pair& exit : exits) {
    if (base({table, exit.node, exit.state})) set_bit(mask, static_cast<std::size_t>(bit(component, exit)));
  }
}

const Word* PathLevel::loop_mask(Id operands) {
  const Id component = operand_context(operands).component;
  const std::vector<Pair>& bits = asked(component).bits;
  Word* mask = query_.arena.make<Word>(words_for(bits.size()));
  find_loops(operands, component, bits, mask);
  return mask;
}

Id PathLevel::callee(Id instance_id, Id box) {
  const Id component = component_of(instance_id);
  if (instance(instance_id).callees == nullptr) {
    instance(instance_id).callees = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(component)));
  }
  Id& known = instance(instance_id).callees[box - model_.first_box(component)];
  if (known != kNone) return known;

  const Id operands = callee_operands(instance(instance_id).operands, box); // L4
  values(instance_id);
  const Id called = model_.callee(box);
  const std::vector<Pair>& bits = asked(called).bits;
  std::vector<Word> mask(std::max<std::size_t>(words_for(bits.size()), 1)); // L3
  std::vector<Pair> without;
  const Table& here = tables_[pool(instance(instance_id).operands, component)];
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Id node = model_.return_node(box, model_.ordinal(bits[i].node));
    if (node == kNone) {
      without.push_back(bits[i]);
    } else if (test_bit(instance(instance_id).pairs, static_cast<std::size_t>(number(here, {node, bits[i].state})))) {
      set_bit(mask.data(), i);
    }
  }
  if (query_.dead_ends == DeadEnds::stutter) {
    if (!without.empty()) find_loops(operands, called, without, mask.data());
  } else {
    for (const Pair& exit : without) {
      if (may_end(operands, exit.node, exit.state)) set_bit(mask.data(), static_cast<std::size_t>(bit(called, exit)));
    }
  }
  return known = intern_instance(operands, mask.data());
}

// Leaves: base of all pairs that the starts lead to, and the edges between those that are not true, backwards.
void PathLevel::solve(Id pool_id, std::span<const Pair> starts) {
  for (const Pair& start : starts) base({pool_id, start.node, start.state});
  Table& pool = tables_[pool_id];
  const std::size_t count = pool.pairs.size();
  if (pool.solved == count) return;
  std::vector<Id> from, to;
  for (std::size_t i = 0; i < count; ++i) {
    query_.poll();
    const Vertex at{pool_id, pool.pairs[i].node, pool.pairs[i].state};
    if (base(at)) continue;
    const auto edge = [&](const Vertex& next, const Word*) {
      if (next.table != pool_id) return;
      query_.push(from, static_cast<Id>(i));
      query_.push(to, number(pool, {next.node, next.state}));
    };
    const Steps steps = expand(at, edge);
    if (steps.called != kNone) expand_returns(at, steps.called, edge);
  }
  pool.before_offsets.assign(count + 1, 0);
  for (const Id each : to) ++pool.before_offsets[each + 1];
  for (std::size_t i = 0; i < count; ++i) pool.before_offsets[i + 1] += pool.before_offsets[i];
  pool.before.resize(to.size());
  std::vector<Id> next(pool.before_offsets.begin(), pool.before_offsets.end() - 1);
  for (std::size_t i = 0; i < to.size(); ++i) pool.before[next[to[i]]++] = from[i];
  pool.solved = count;
}

// The pairs from which base is true or an exit pair with `is_true` is reached, as bits by number.
template <typename IsTrue>
const Word* PathLevel::pairs_leading_to(Id pool_id, IsTrue&& is_true_at) {
  Table& pool = tables_[pool_id];
  Word* found = query_.arena.make<Word>(words_for(pool.pairs.size()));
  std::vector<Id> pending;
  for (std::size_t i = 0; i < pool.pairs.size(); ++i) {
    const auto [node, state] = pool.pairs[i];
    const bool is_exit = model_.kind(node) == NodeKind::exit;
    if (is_exit ? is_true_at(pool.pairs[i]) : base({pool_id, node, state})) {
      set_bit(found, i);
      pending.push_back(static_cast<Id>(i));
    }
  }
  while (!pending.empty()) {
    query_.poll();
    const Id at = pending.back();
    pending.pop_back();
    for (Id i = pool.before_offsets[at]; i < pool.before_offsets[at + 1]; ++i) {
      if (insert_bit(found, static_cast<std::size_t>(pool.before[i]))) pending.push_back(pool.before[i]);
    }
  }
  return found;
}

void PathLevel::take_values(const Table& pool, const Word* pairs, Word* values) const {
  for (std::size_t i = 0; i < pool.pairs.size(); ++i) {
    if (pool.pairs[i].state == kFirst && test_bit(pairs, i)) {
      set_bit(values, static_cast<std::size_t>(pool.pairs[i].node - pool.first_node));
    }
  }
}

void PathLevel::pass(Instance& instance, Word* values) {
  const Id component = operand_context(instance.operands).component;
  const Id table = pool(instance.operands, component);
  solve(table, asked(component).starts);
  instance.pairs = pairs_leading_to(table, [&](Pair exit) {
    const Id at = bit(component, exit);
    assert(at != kNone); // P3
    return at != kNone && test_bit(instance.mask, static_cast<std::size_t>(at));
  });
  take_values(tables_[table], instance.pairs, values);
}

Level::Bounds PathLevel::bounds(Id component) {
  if (bounds_.empty()) bounds_.resize(static_cast<std::size_t>(model_.components()));
  Bounds& known = bounds_[component];
  if (known.least != nullptr) return known;
  const Id table = pool(context_free_operands(component), component);
  std::vector<Pair> starts;
  add_asked_nodes(component, false, starts);
  solve(table, starts);
  Word* least = query_.arena.make<Word>(model_.words(component));
  Word* most = query_.arena.make<Word>(model_.words(component));
  take_values(tables_[table], pairs_leading_to(table, [](Pair) { return false; }), least);
  take_values(tables_[table], pairs_leading_to(table, [](Pair) { return true; }), most);
  return known = {least, most};
}

} // namespace pigro::core
