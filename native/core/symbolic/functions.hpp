// CTL without enumerating contexts: the value of a formula at a node, as a function of the context.
//
// Question: does the formula hold, when there are too many contexts to look at each (core/levels/level.hpp)?
// Idea: for each operator and exit of a component there is a variable, *the operator is true at the exit*. The value
// of an operator at a node is a Boolean function of these variables:
//   exit        its variable
//   call node   the function of the entry, with the function of the return node (box, e) in place of the variable of e
//   other node  as the operator says, by the functions of its operands and successors
// For EU the functions are the least solution of these equations, for EG the greatest one. With the empty stack the
// variables have values (Level::loop_mask), and so do the functions.
//
// Why it is right: a context gives each variable a value, and replacing variables by the functions of the return nodes
// is what Level::callee does to masks. So the solution, restricted to one context, is the value in that instance. An
// approximation of EU after i rounds has all paths of at most i steps to phi2, or to an exit whose variable is true.
// One of EG has all paths of at least i steps, and a path that does not end is one with every prefix.
//
// Invariant:
//   Fun1  a function of level j at a node reads only variables of levels up to j, and exits of the node's component.
// Cost: depends on the sizes of the diagrams, which can be exponential, too. Hence the limit of steps.
#pragma once

#include <deque>
#include <optional>

#include "core/formula/query.hpp"
#include "core/symbolic/diagrams.hpp"

namespace pigro::core {

// How many functions it takes, and how many are put in place of others.
std::int64_t functions_needed(const Model& model, std::span<const LevelSpec> specs);

// Whether the formula holds at each start node with the empty stack. None after that many steps, or if there are too
// many exits. Needs: levels of CTL. Throws what ticks of the query throw.
std::optional<std::vector<bool>> decide_by_functions(const Query& query, std::span<const LevelSpec> specs,
                                                     std::span<const Id> starts, std::int64_t steps);

class FunctionSolver {
 public:
  FunctionSolver(const Query& query, std::span<const LevelSpec> specs, std::int64_t steps);

  bool holds_at(Id node);

 private:
  using Row = std::vector<Id>; // of functions

  Id variable(std::size_t level, Id exit_ordinal) const {
    return exit_ordinal * static_cast<Id>(operators_) + static_cast<Id>(level);
  }
  // Calls with each reachable node, or box.
  template <typename Visit>
  void for_each_node(Visit&& visit) const;
  template <typename Visit>
  void for_each_box(Visit&& visit) const;
  Row operands(const Program& program);
  Id operand(const Program& program, Id node);
  // At an exit where the path stays.
  Id staying(std::size_t level, Id exit) const;
  void solve(std::size_t level);
  Id equation(std::size_t level, Id node);
  void returned(std::size_t level, Id box);
  void wait(Id node);
  void wait_for(Id changed);

  const Query& query_;
  const Model& model_;
  const std::span<const LevelSpec> specs_;
  const std::size_t operators_; // levels without the top
  Ticker ticker_;
  Diagrams diagrams_;
  std::vector<Row> first_, second_, values_; // by level and node
  std::vector<Row> callees_;                 // by box and variable of the callee: what is put in its place
  std::deque<Id> waiting_;                   // nodes whose equation may have changed
  std::vector<bool> is_waiting_;
  Row slots_; // scratch of operand
};

} // namespace pigro::core
