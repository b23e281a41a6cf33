// The steps of a vertex; read by the tables and by the search for base alike.
#pragma once

#include <algorithm>

#include "core/levels/path.hpp"
#include "core/levels/statics.hpp"

namespace pigro::core {

template <typename OnEdge, typename OnDescent>
bool PathLevel::expand(const Vertex& at, OnEdge&& edge, OnDescent&& descent) {
  const Table& table = tables_[at.table];
  switch (model_.kind(at.node)) {
    case NodeKind::call:
      return expand_call(at, edge, descent);
    case NodeKind::exit:
      if (table.role == Role::root) { // with the empty stack below, the run stays
        edge({loop_table(table.argument, table.component), at.node, at.state}, no_marks_.data());
      } else if (table.role == Role::loop) {
        return read(at, {&at.node, 1}, edge);
      }
      return false;
    default: {
      const auto successors = model_.successors(at.node);
      if (!successors.empty() || query_.dead_ends == DeadEnds::stop) return read(at, successors, edge);
      return read(at, {&at.node, 1}, edge);
    }
  }
}

template <typename OnEdge>
bool PathLevel::read(const Vertex& at, std::span<const Id> successors, OnEdge&& edge) {
  const Id argument_id = tables_[at.table].argument;
  const bool loose = argument_id == kLoose;
  for (const Branch& branch : automaton_.row(at.state, letter(at.node))) {
    const bool accepted = branch.next == kNone || (successors.empty() && !branch.ends_well);
    if ((loose && accepted) || !applies(branch, argument_id, at.node)) continue;
    if (accepted) return true;
    for (const Id to : successors) edge({at.table, to, branch.next}, branch.marks);
  }
  return false;
}

template <typename OnEdge, typename OnDescent>
bool PathLevel::expand_call(const Vertex& at, OnEdge&& edge, OnDescent&& descent) {
  const Id argument_id = tables_[at.table].argument;
  const Id box = model_.box(at.node);
  const Id component = model_.callee(box);
  const bool loose = argument_id == kLoose;
  const bool returns = model_.return_count(box) == model_.exit_count(component);
  if (calls_cold(box) && (returns || query_.dead_ends == DeadEnds::stutter)) {
    const Settled& cold = settled(at.state);
    if (cold.is_settled) {
      if (cold.hits) return !loose;
      const bool accepts = std::ranges::any_of(cold.after, [](const auto& each) { return each.accepts; });
      if (!loose && accepts && query_.statics->stay(at.node, query_).hit) return true;
      const Word* exits = query_.statics->reach(at.node, query_).exits;
      bool stays = false;
      for_each_bit(exits, model_.exit_words(component), [&](std::size_t exit) {
        const Id node = model_.return_node(box, static_cast<Id>(exit));
        stays = stays || (node == kNone && accepts);
        for (std::size_t i = 0; node != kNone && i < cold.after.size(); ++i) {
          edge({at.table, node, cold.after[i].state}, cold.after[i].marks);
        }
      });
      return !loose && stays;
    }
  }
  const Id called =
      key(loose ? kLoose : callee_argument(argument_id, box), component, {model_.subject(at.node), at.state});
  const Table& callee = tables_[called];
  if (callee.hit) return true;
  descent(called);
  for (std::size_t i = 0; i < callee.exits.size(); ++i) {
    const Pair exit = callee.exits[i];
    const Id node = model_.return_node(box, model_.ordinal(exit.node));
    if (node != kNone) {
      edge({at.table, node, exit.state}, marks_at(callee, exit));
    } else if (!loose && query_.dead_ends == DeadEnds::stutter) {
      edge({loop_table(callee.argument, component), exit.node, exit.state}, no_marks_.data());
    } else if (!loose && may_end(callee.argument, exit.node, exit.state)) {
      return true;
    }
  }
  return false;
}

} // namespace pigro::core
