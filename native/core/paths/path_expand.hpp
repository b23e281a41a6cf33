// The steps of a vertex. Read by the tables and by the search for base alike.
#pragma once

#include <algorithm>

#include "core/levels/statics.hpp"
#include "core/paths/path.hpp"

namespace pigro::core {

template <typename OnEdge>
PathLevel::Steps PathLevel::expand(const Vertex& at, OnEdge&& edge) {
  const Table& table = tables_[at.table];
  switch (model_.kind(at.node)) {
    case NodeKind::call:
      return expand_call(at, edge);
    case NodeKind::exit:
      if (table.role == Role::root) { // with the empty stack below, the run stays
        edge({loop_table(table.operands, table.component), at.node, at.state}, no_marks_.data());
      } else if (table.role == Role::loop) {
        return {.accepted = read(at, {&at.node, 1}, edge)};
      }
      return {};
    default: {
      const auto successors = model_.successors(at.node);
      if (!successors.empty() || query_.dead_ends == DeadEnds::stop) return {.accepted = read(at, successors, edge)};
      return {.accepted = read(at, {&at.node, 1}, edge)};
    }
  }
}

template <typename OnEdge>
bool PathLevel::read(const Vertex& at, std::span<const Id> successors, OnEdge&& edge) {
  const Id operands = tables_[at.table].operands;
  const bool loose = operands == kLoose;
  for (const Branch& branch : automaton_.row(at.state, letter(at.node))) {
    const bool accepted = branch.next == kNone || (successors.empty() && !branch.ends_well);
    if ((loose && accepted) || !applies(branch, operands, at.node)) continue;
    if (accepted) return true;
    for (const Id to : successors) edge({at.table, to, branch.next}, branch.marks);
  }
  return false;
}

template <typename OnEdge>
PathLevel::Steps PathLevel::expand_call(const Vertex& at, OnEdge&& edge) {
  const Id operands = tables_[at.table].operands;
  const Id box = model_.box(at.node);
  const Id component = model_.callee(box);
  const bool loose = operands == kLoose;
  const Settled* known = settled_call(at.state, box);
  if (known == nullptr) {
    const Id called_operands = loose ? kLoose : callee_operands(operands, box);
    return {.called = key(called_operands, component, {model_.subject(at.node), at.state})};
  }
  if (known->hits) return {.accepted = !loose};
  const bool accepts = std::ranges::any_of(known->after, [](const auto& each) { return each.accepts; });
  if (!loose && accepts && query_.statics->stay(at.node, query_).hit) return {.accepted = true};
  const Word* exits = query_.statics->reach(at.node, query_).exits;
  bool stays = false;
  for_each_bit(exits, model_.exit_words(component), [&](std::size_t exit) {
    const Id node = model_.return_node(box, static_cast<Id>(exit));
    stays = stays || (node == kNone && accepts);
    for (std::size_t i = 0; node != kNone && i < known->after.size(); ++i) {
      edge({at.table, node, known->after[i].state}, known->after[i].marks);
    }
  });
  return {.accepted = !loose && stays};
}

// Without a return node the run stays at the exit, or ends there, which is no matter of the callee's key.
template <typename OnEdge>
bool PathLevel::expand_returns(const Vertex& at, Id called, OnEdge&& edge) {
  const Table& callee = tables_[called];
  const Id box = model_.box(at.node);
  for (std::size_t i = 0; i < callee.exits.size(); ++i) {
    const Pair exit = callee.exits[i];
    const Id node = model_.return_node(box, model_.ordinal(exit.node));
    if (node != kNone) {
      edge({at.table, node, exit.state}, marks_at(callee, exit));
    } else if (is_loose(callee)) {
      continue;
    } else if (query_.dead_ends == DeadEnds::stutter) {
      edge({loop_table(callee.operands, callee.component), exit.node, exit.state}, no_marks_.data());
    } else if (may_end(callee.operands, exit.node, exit.state)) {
      return true;
    }
  }
  return false;
}

} // namespace pigro::core
