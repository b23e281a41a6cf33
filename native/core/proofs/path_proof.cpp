#include "core/proofs/path_proof.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace pigro::core {

namespace {

[[noreturn]] void contradicting_paths() { throw std::logic_error("the searches for paths contradict each other"); }

// Marks a number. True if it was not marked before.
bool mark_first(std::vector<bool>& marked, Id number) {
  const auto at = static_cast<std::size_t>(number);
  if (at >= marked.size()) marked.resize(std::max(at + 1, 2 * marked.size()));
  if (marked[at]) return false;
  return marked[at] = true;
}

bool is_marked(const std::vector<bool>& marked, Id number) {
  return static_cast<std::size_t>(number) < marked.size() && marked[static_cast<std::size_t>(number)];
}

} // namespace

// ---- values of instances (K5, K8, K9)

PathProof::Values& PathProof::values_of(Id instance) {
  if (static_cast<std::size_t>(instance) >= values_.size()) values_.resize(instances_.size()); // references stay valid
  return values_[static_cast<std::size_t>(instance)];
}

void PathProof::settle(Id instance, Id node) {
  wanted_.push_back({instance, vertex(instance, node, PathLevel::kFirst)});
  drain();
}

void PathProof::drain() {
  while (!wanted_.empty()) {
    query_.poll();
    const Wanted next = wanted_.back();
    wanted_.pop_back();
    settle_vertex(next.instance, next.vertex);
  }
}

void PathProof::settle_vertex(Id instance, Id vertex) {
  if (graph_.live(vertex)) return claim_live(vertex);
  find_values(instance, vertex);
  const Id known = values_of(instance).known[vertex];
  if (known == kOpen) return; // not needed: the level does not know it either
  if (known == kFalse) return claim_bound(instance, vertex);
  claim_value(instance, vertex);
}

// Of an exit: kGoal if the formula is true there, kFalse, or kOpen.
Id PathProof::exit_value(Id instance, Id vertex) {
  const Instance& at = instances_[instance];
  const ProofGraph::Place place = graph_.place(vertex);
  if (at.free) return kOpen;
  if (at.low == kNone) return graph_.live(graph_.staying(place.operands, place.node, place.state)) ? kGoal : kFalse;
  const Id bit = path_.bit(model_.component(place.node), {place.node, place.state});
  if (bit == kNone) return kOpen;
  return test_bit(path_.instance(at.low).mask, static_cast<std::size_t>(bit)) ? kGoal : kFalse;
}

// Of all vertices that this one leads to inside the invocation.
void PathProof::find_values(Id instance, Id start) {
  std::map<Id, Id>& known = values_of(instance).known;
  if (known.contains(start)) return;
  std::vector<Id> found{start};
  std::set<Id> are_found{start};
  std::vector<std::pair<Id, std::pair<Id, Id>>> before; // target, and vertex with move
  std::vector<Id> good, open;
  known[start] = kFalse;
  const auto note = [&](Id vertex) {
    if (graph_.is_exit(vertex)) known[vertex] = exit_value(instance, vertex);
    if (known[vertex] == kGoal) good.push_back(vertex);
    if (known[vertex] == kOpen) open.push_back(vertex);
  };
  note(start);
  for (std::size_t i = 0; i < found.size(); ++i) {
    query_.poll();
    for (std::size_t j = 0; j < graph_.moves(found[i]).size(); ++j) {
      const auto [to, inside] = [&] { // the graph may grow before the next one
        const Move& move = graph_.moves(found[i])[j];
        return std::pair(move.to, move.inside);
      }();
      if (!inside) continue;
      before.push_back({to, {found[i], static_cast<Id>(j)}});
      const auto [at, fresh] = known.try_emplace(to, kFalse);
      if (fresh) {
        found.push_back(to);
        are_found.insert(to);
        note(to);
      } else if (!are_found.contains(to)) {
        if (at->second == kGoal || at->second >= 0) good.push_back(to);
        if (at->second == kOpen) open.push_back(to);
      }
    }
  }
  std::ranges::sort(before);
  const auto spread = [&](std::vector<Id>& pending, auto&& value_of) {
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const Id to = pending[i];
      auto row = std::ranges::lower_bound(before, to, {}, [](const auto& each) { return each.first; });
      for (; row != before.end() && row->first == to; ++row) {
        const auto& from = row->second;
        Id& value = known[from.first];
        assert(are_found.contains(from.first)); // values of earlier searches stay
        if (value != kFalse) continue;
        value = value_of(from.second);
        pending.push_back(from.first);
      }
    }
  };
  spread(good, [](Id move) { return move; });
  spread(open, [](Id) { return kOpen; });
}

// Along the moves to an exit in T, or to a vertex that has its claim already.
void PathProof::claim_value(Id instance, Id vertex) {
  Values& at = values_of(instance);
  std::vector<Id> chain;
  while (at.claimed.insert(vertex).second) {
    chain.push_back(vertex);
    const Id known = at.known.at(vertex);
    assert(known == kGoal || known >= 0); // true: by an exit, or by a move
    if (known == kGoal) {
      const ProofGraph::Place exit = graph_.place(vertex);
      const Id ordinal = model_.ordinal(exit.node);
      at.used.insert({exit.state, ordinal});
      want_pair(instance, ordinal, exit.state, true);
      break;
    }
    const Move move = graph_.moves(vertex)[static_cast<std::size_t>(known)];
    use_move(vertex, move, kNone);
    vertex = move.to;
  }
  Values& again = values_of(instance);
  again.sure.insert(again.sure.end(), chain.rbegin(), chain.rend());
}

void PathProof::claim_bound(Id instance, Id start) {
  claim_dead(start);
  std::vector<Id> open;
  const auto add = [&](Id vertex) {
    if (!values_of(instance).bounded.insert(vertex).second) return;
    values_of(instance).bound.push_back(vertex);
    open.push_back(vertex);
  };
  add(start);
  while (!open.empty()) {
    query_.poll();
    const Id vertex = open.back();
    open.pop_back();
    if (graph_.is_exit(vertex)) {
      const ProofGraph::Place exit = graph_.place(vertex);
      want_pair(instance, model_.ordinal(exit.node), exit.state, false);
    }
    for (const Move& move : graph_.moves(vertex)) {
      if (move.inside) add(move.to);
    }
  }
}

void PathProof::want_pair(Id id, Id exit, Id state, bool value) {
  if (instances_[id].free) contradicting_paths();
  Values& at = values_of(id);
  if (!(value ? at.yes : at.no).insert({state, exit}).second) return;
  if (instances_[id].root) claim_staying(id, exit, state, value);
  for (Id caller = instances_[id].callers; caller != kNone; caller = callers_[caller].next) {
    carry_pair(callers_[caller], id, exit, state, value);
  }
}

// The value at the exit is the caller's at the return node.
void PathProof::carry_pair(const Caller& caller, Id id, Id exit, Id state, bool value) {
  const Id back = model_.return_node(caller.box, exit);
  if (back != kNone) {
    wanted_.push_back({caller.instance, vertex(caller.instance, back, state)});
    return;
  }
  if (query_.dead_ends == DeadEnds::stutter) return claim_staying(id, exit, state, value);
  const Id operands = operand_contexts_[instances_[id].operands].found;
  const Id node = model_.exits(operand_contexts_[instances_[id].operands].component)[exit];
  if (!value) return bound_branches(operands, node, state, true);
  for (const Branch& end : path_.automaton_.row(state, path_.letter(node))) {
    if ((end.next != kNone && end.ends_well) || !path_.applies(end, operands, node)) continue;
    return use_branch(end, operands, node);
  }
  contradicting_paths();
}

void PathProof::claim_staying(Id id, Id exit, Id state, bool value) {
  const OperandContext& at = operand_contexts_[instances_[id].operands];
  const Id staying = graph_.staying(at.found, model_.exits(at.component)[exit], state);
  value ? claim_live(staying) : claim_dead(staying);
}

void PathProof::carry_masks(const Caller& caller, Id id) {
  const Values at = values_of(id);
  for (const auto& [state, exit] : at.yes) carry_pair(caller, id, exit, state, true);
  for (const auto& [state, exit] : at.no) carry_pair(caller, id, exit, state, false);
}

void PathProof::carry_to_root(Id id) {
  const Values at = values_of(id);
  for (const auto& [state, exit] : at.yes) claim_staying(id, exit, state, true);
  for (const auto& [state, exit] : at.no) claim_staying(id, exit, state, false);
}

// ---- live vertices (K3, K4)

void PathProof::claim_live(Id vertex) {
  if (!graph_.live(vertex)) contradicting_paths();
  SureBlock block{.kind = Kind::live, .operands = kNone, .exits = {}, .places = {}};
  while (!is_marked(live_, vertex)) {
    query_.poll();
    const ProofGraph::Part& part = graph_.part(graph_.part_of(vertex));
    if (graph_.acceptance(vertex) == nullptr && part.accepting && part.base == vertex) {
      claim_loop(vertex);
      break;
    }
    mark_first(live_, vertex);
    block.places.push_back(place(vertex));
    if (graph_.acceptance(vertex) != nullptr) {
      use_acceptance(vertex);
      break;
    }
    if (graph_.next(vertex) == nullptr) contradicting_paths();
    const Move move = *graph_.next(vertex);
    use_move(vertex, move, kNone);
    vertex = move.to;
  }
  std::ranges::reverse(block.places);
  if (!block.places.empty()) sure_.push_back(std::move(block));
}

// For each mark, a closed walk from the base that has it.
void PathProof::claim_loop(Id base) {
  const Id part = graph_.part_of(base);
  std::map<Id, std::pair<Id, Move>> from{{base, {kNone, {}}}}; // how the vertices of the part are reached
  std::vector<Id> found{base};
  std::multimap<Id, std::pair<Id, Move>> before;
  for (std::size_t i = 0; i < found.size(); ++i) {
    query_.poll();
    for (const Move& move : graph_.moves(found[i])) {
      if (graph_.part_of(move.to) != part) continue;
      before.insert({move.to, {found[i], move}});
      if (from.try_emplace(move.to, found[i], move).second) found.push_back(move.to);
    }
  }
  std::map<Id, Move> towards; // of all but the base
  std::vector<Id> pending{base};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const auto [first, last] = before.equal_range(pending[i]);
    for (auto at = first; at != last; ++at) {
      const auto& [vertex, move] = at->second;
      if (vertex != base && towards.try_emplace(vertex, move).second) pending.push_back(vertex);
    }
  }
  SureBlock block{.kind = Kind::loop, .operands = kNone, .exits = {}, .places = {place(base)}};
  const auto add = [&](Id vertex, const Move& move, Id mark) {
    use_move(vertex, move, mark);
    block.places.push_back(place(vertex));
    mark_first(live_, vertex);
  };
  const auto walk = [&](Id vertex, const Move& with, Id mark) {
    std::vector<std::pair<Id, Move>> after;
    for (Id at = with.to; at != base; at = towards.at(at).to) after.push_back({at, towards.at(at)});
    for (std::size_t i = after.size(); i-- > 0;) add(after[i].first, after[i].second, kNone);
    add(vertex, with, mark);
    for (auto at = from.at(vertex); at.first != kNone; at = from.at(at.first)) add(at.first, at.second, kNone);
  };
  const Id marks = path_.automaton_.releases();
  for (Id mark = marks == 0 ? kNone : 0; mark < marks; ++mark) {
    bool done = false;
    for (std::size_t i = 0; i < found.size() && !done; ++i) {
      for (const Move& move : graph_.moves(found[i])) {
        if (done || graph_.part_of(move.to) != part || (mark != kNone && !graph_.has_mark(move, mark))) continue;
        done = true;
        walk(found[i], move, mark);
      }
    }
    if (!done) contradicting_paths();
  }
  mark_first(live_, base);
  sure_.push_back(std::move(block));
}

void PathProof::use_branch(const Branch& branch, Id operands, Id node) {
  for (const Id test : branch.tests) need_leaf(operands, test, node);
}

void PathProof::use_move(Id from, const Move& move, Id mark) {
  const ProofGraph::Place at = graph_.place(from);
  use_branch(*move.branch, at.operands, graph_.node_read(from));
  if (mark != kNone && test_bit(move.branch->marks, kFirstMark + static_cast<std::size_t>(mark))) mark = kNone;
  if (move.call != kNone) use_call(at.operands, move.call, move.key, move.exit, mark);
}

void PathProof::use_acceptance(Id vertex) {
  const ProofGraph::Acceptance how = *graph_.acceptance(vertex);
  const Id found = graph_.place(vertex).operands;
  use_branch(*how.branch, found, graph_.node_read(vertex));
  if (how.call == kNone) return;
  use_call(found, how.call, how.key, how.exit, kNone);
  use_branch(*how.end, path_.callee_operands(found, model_.box(how.call)), how.exit.node);
}

void PathProof::use_call(Id found, Id call, Id key, Pair exit, Id mark) {
  link(operands_of(found), model_.box(call));
  if (key != kNone) claim_way({key, exit, mark});
}

// ---- ways (K2)

void PathProof::claim_way(const Way& way) {
  if (ways_.contains(way)) return;
  struct Task {
    Way way;
    bool open = false;
    SureBlock block = {};
  };
  std::vector<Task> tasks;
  tasks.push_back({.way = way});
  while (!tasks.empty()) {
    query_.poll();
    const std::size_t at = tasks.size() - 1;
    if (tasks[at].open) {
      sure_.push_back(std::move(tasks[at].block));
      tasks.pop_back();
    } else if (!ways_.insert(tasks[at].way).second) {
      tasks.pop_back();
    } else {
      std::vector<Way> rests_on;
      tasks[at].block = way_block(tasks[at].way, rests_on);
      tasks[at].open = true;
      for (const Way& each : rests_on) {
        if (!ways_.contains(each)) tasks.push_back({.way = each});
      }
    }
  }
}

// Back from the exit to the entry, by arrivals.
PathProof::SureBlock PathProof::way_block(const Way& way, std::vector<Way>& rests_on) {
  const PathLevel::Table& table = path_.tables_[way.key];
  SureBlock block{.kind = Kind::way, .operands = operands_of(table.operands), .exits = {way.exit}, .places = {}};
  Pair at = way.exit;
  Id mark = way.mark;
  for (;;) {
    query_.poll();
    const auto last = path_.last_step(way.key, at, mark);
    if (!last) contradicting_paths();
    const Pair from = last->from;
    if (model_.kind(at.node) != NodeKind::call) {
      block.places.push_back(place_of(table.operands, at.node, at.state, false));
    }
    if (from.node == kNone) break;
    if (model_.kind(from.node) == NodeKind::call) {
      const Id box = model_.box(from.node);
      const Id callee = path_.callee_operands(table.operands, box);
      const Id key = path_.key(callee, model_.callee(box), {model_.subject(from.node), from.state});
      const Pair exit{model_.exits(model_.callee(box))[model_.ordinal(at.node)], at.state};
      link(operands_of(table.operands), box);
      rests_on.push_back({key, exit, last->mark});
    } else {
      use_step(table.operands, from, at, last->mark);
    }
    mark = last->mark_before;
    at = from;
  }
  return block;
}

// The branch of a step inside a key.
void PathProof::use_step(Id found, Pair from, Pair to, Id mark) {
  for (const Branch& branch : path_.automaton_.row(from.state, path_.letter(from.node))) {
    if (branch.next != to.state || !path_.applies(branch, found, from.node)) continue;
    if (mark != kNone && !test_bit(branch.marks, kFirstMark + static_cast<std::size_t>(mark))) continue;
    return use_branch(branch, found, from.node);
  }
  contradicting_paths();
}

// ---- bounds (K6, K7)

void PathProof::claim_dead(Id start) {
  if (graph_.live(start)) contradicting_paths();
  if (!mark_first(dead_, start)) return;
  std::vector<Id> open{start};
  while (!open.empty()) {
    query_.poll();
    const Id vertex = open.back();
    open.pop_back();
    if (graph_.is_exit(vertex)) continue;
    dead_vertices_.push_back(vertex);
    bound_moves(vertex);
    for (const Move& move : graph_.moves(vertex)) {
      if (mark_first(dead_, move.to)) open.push_back(move.to);
    }
  }
}

void PathProof::bound_moves(Id vertex) {
  const ProofGraph::Place at = graph_.place(vertex);
  const Id here = operands_of(at.operands);
  bound_branches(at.operands, graph_.node_read(vertex), at.state, false);
  for (const Move& move : graph_.moves(vertex)) {
    if (move.call == kNone || move.key != kNone) continue;
    const Id box = model_.box(move.call);
    link(here, box);
    const Id callee = model_.callee(box);
    if (model_.exit_count(callee) == 0) continue;
    const Id found = path_.callee_operands(at.operands, box);
    const Id key = path_.key(found, callee, {model_.subject(move.call), move.branch->next});
    bound_key(key);
    if (query_.dead_ends != DeadEnds::stop) continue;
    for (const Pair& exit : path_.tables_[key].exits) {
      if (model_.return_node(box, model_.ordinal(exit.node)) != kNone) continue;
      bound_branches(found, exit.node, exit.state, true);
    }
  }
}

// Branches that can't be taken have a test that fails.
void PathProof::bound_branches(Id found, Id node, Id state, bool only_ends) {
  for (const Branch& branch : path_.automaton_.row(state, path_.letter(node))) {
    if (only_ends && branch.next != kNone && branch.ends_well) continue;
    for (const Id test : branch.tests) {
      if (path_.leaf(static_cast<std::size_t>(leaf_of(test)), found, node)) continue;
      need_leaf(found, test, node);
      break;
    }
  }
}

void PathProof::bound_key(Id key) {
  if (!keys_.insert(key).second) return;
  const PathLevel::Table& table = path_.tables_[key];
  if (table.hit) contradicting_paths();
  bound_.push_back({.operands = operands_of(table.operands), .entry = table.start, .key = key, .vertices = {}});
}

void PathProof::close() {
  drain();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Values& at = values_[i];
    const Id here = instances_[i].operands;
    if (!at.sure.empty()) {
      SureBlock block{.kind = Kind::value, .operands = here, .exits = {}, .places = {}};
      for (const auto& [state, exit] : at.used) {
        block.exits.push_back({model_.exits(operand_contexts_[here].component)[exit], state});
      }
      for (const Id vertex : at.sure) block.places.push_back(place(vertex));
      sure_.push_back(std::move(block));
    }
    if (!at.bound.empty())
      bound_.push_back({.operands = here, .entry = {kNone, kNone}, .key = kNone, .vertices = at.bound});
  }
  std::ranges::stable_sort(dead_vertices_, {}, [&](Id vertex) { return graph_.part_of(vertex); });
}

// ---- questions to the children

// Tests are negated leaves.
Id PathProof::leaf_of(Id test) const { return path_.formula_.left(path_.formula_.left(test)); }

void PathProof::need_leaf(Id found, Id test, Id node) {
  const auto at = static_cast<std::size_t>(operands_of(found));
  const auto leaf = static_cast<std::size_t>(leaf_of(test));
  if (at >= leaves_.size()) leaves_.resize(at + 1);
  leaves_[at].resize(spec_.leaves.size());
  const Id component = operand_contexts_[at].component;
  if (leaves_[at][leaf] == nullptr) leaves_[at][leaf] = query_.arena.make<Word>(model_.words(component));
  set_bit(leaves_[at][leaf], static_cast<std::size_t>(node - model_.first(component)));
}

Word PathProof::needed(Id id, std::size_t word) {
  const auto at = static_cast<std::size_t>(id);
  if (at >= leaves_.size()) return 0;
  const std::size_t node = static_cast<std::size_t>(model_.first(operand_contexts_[at].component)) + word * kWordBits;
  Word open = 0;
  for (std::size_t leaf = 0; leaf < leaves_[at].size(); ++leaf) {
    if (leaves_[at][leaf] == nullptr || leaves_[at][leaf][word] == 0) continue;
    open |= leaves_[at][leaf][word] & left_open(spec_.leaves[leaf], node);
  }
  return open;
}

PathProof::Place PathProof::place(Id vertex) {
  const ProofGraph::Place at = graph_.place(vertex);
  return place_of(at.operands, graph_.node_read(vertex), at.state, graph_.stays(vertex));
}

PathProof::Place PathProof::place_of(Id found, Id node, Id state, bool stays) {
  const Id here = operands_of(found);
  const Id component = operand_contexts_[here].component;
  const Id local = stays ? model_.width(component) + model_.ordinal(node) : node - model_.first(component);
  return {here, state, local};
}

} // namespace pigro::core
