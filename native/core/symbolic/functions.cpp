#include "core/symbolic/functions.hpp"

#include <algorithm>

namespace pigro::core {

std::int64_t functions_needed(const Model& model, std::span<const LevelSpec> specs) {
  std::int64_t sum = model.nodes();
  for (Id box = 0; box < model.boxes(); ++box) sum += model.exit_count(model.callee(box));
  return sum * static_cast<std::int64_t>(specs.size());
}

std::optional<std::vector<bool>> decide_by_functions(const Query& query, std::span<const LevelSpec> specs,
                                                     std::span<const Id> starts, std::int64_t steps) {
  Id most_exits = 0;
  for (Id component = 0; component < query.model.components(); ++component) {
    most_exits = std::max(most_exits, query.model.exit_count(component));
  }
  if (static_cast<std::size_t>(most_exits) * specs.size() > Diagrams::kMostVariables) return std::nullopt;
  try {
    FunctionSolver solver(query, specs, steps);
    std::vector<bool> found;
    for (const Id start : starts) found.push_back(solver.holds_at(start));
    return found;
  } catch (const Diagrams::TooLarge&) {
    return std::nullopt;
  }
}

FunctionSolver::FunctionSolver(const Query& query, std::span<const LevelSpec> specs, std::int64_t steps)
    : query_(query),
      model_(query.model),
      specs_(specs),
      operators_(specs.size() - 1),
      ticker_(query.on_tick),
      diagrams_(ticker_, steps),
      callees_(static_cast<std::size_t>(model_.boxes())),
      is_waiting_(static_cast<std::size_t>(model_.nodes())) {
  for_each_box([&](Id box) {
    callees_[box].assign(static_cast<std::size_t>(model_.exit_count(model_.callee(box))) * operators_, kNone);
  });
  for (std::size_t level = 0; level < operators_; ++level) solve(level);
}

template <typename Visit>
void FunctionSolver::for_each_node(Visit&& visit) const {
  for (Id node = 0; node < model_.nodes(); ++node) {
    if (test_bit(query_.reachable, static_cast<std::size_t>(model_.component(node)))) visit(node);
  }
}

template <typename Visit>
void FunctionSolver::for_each_box(Visit&& visit) const {
  for (Id box = 0; box < model_.boxes(); ++box) {
    const auto caller = static_cast<std::size_t>(model_.box_component(box));
    if (test_bit(query_.reachable, caller) && model_.call_count(box) > 0) visit(box);
  }
}

FunctionSolver::Row FunctionSolver::operands(const Program& program) {
  Row found(static_cast<std::size_t>(model_.nodes()), kNone);
  if (program.steps.empty()) return found;
  for_each_node([&](Id node) { found[node] = operand(program, node); });
  return found;
}

// The children of the level come first, so their functions are known.
Id FunctionSolver::operand(const Program& program, Id node) {
  const std::vector<Id>& children = specs_[values_.size()].children;
  slots_.clear();
  for (const Step& step : program.steps) {
    ticker_.poll();
    switch (step.kind) {
      case Step::Kind::truth:
        slots_.push_back(Diagrams::kTrue);
        break;
      case Step::Kind::atom:
        slots_.push_back(query_.carries(step.left, node) ? Diagrams::kTrue : Diagrams::kFalse);
        break;
      case Step::Kind::child:
        slots_.push_back(values_[children[step.left]][node]);
        break;
      case Step::Kind::negation:
        slots_.push_back(diagrams_.negated(slots_[step.left]));
        break;
      case Step::Kind::conjunction:
        slots_.push_back(diagrams_.both(slots_[step.left], slots_[step.right]));
        break;
      case Step::Kind::disjunction:
        slots_.push_back(diagrams_.either(slots_[step.left], slots_[step.right]));
        break;
    }
  }
  return slots_.back();
}

Id FunctionSolver::staying(std::size_t level, Id exit) const {
  assert(model_.kind(exit) == NodeKind::exit);
  return specs_[level].op == Op::until ? second_[level][exit] : first_[level][exit];
}

void FunctionSolver::solve(std::size_t level) {
  const LevelSpec& spec = specs_[level];
  assert(spec.op == Op::next || spec.op == Op::until || spec.op == Op::globally);
  first_.push_back(operands(spec.first));
  second_.push_back(operands(spec.second));
  for_each_box([&](Id box) {
    if (model_.return_count(box) == model_.exit_count(model_.callee(box))) return;
    // Exits without a return node, where the path stays. Those that the box lists are overwritten.
    const bool ends = spec.op == Op::next && query_.dead_ends == DeadEnds::stop;
    for (const Id exit : model_.exits(model_.callee(box))) {
      const Id after = ends ? Diagrams::kFalse : diagrams_.replaced(staying(level, exit), callees_[box]);
      callees_[box][variable(level, model_.ordinal(exit))] = after;
    }
  });
  const Id begin = spec.op == Op::globally ? Diagrams::kTrue : Diagrams::kFalse;
  Row& values = values_.emplace_back(static_cast<std::size_t>(model_.nodes()), kNone);
  for_each_node([&](Id node) {
    values[node] = begin;
    if (model_.kind(node) == NodeKind::exit) values[node] = diagrams_.variable(variable(level, model_.ordinal(node)));
  });
  for_each_node([&](Id node) { wait(node); });
  while (!waiting_.empty()) {
    diagrams_.step();
    const Id node = waiting_.front();
    waiting_.pop_front();
    is_waiting_[node] = false;
    const Id value = equation(level, node);
    if (value == values[node]) continue;
    assert(value != begin); // they go one way
    values[node] = value;
    wait_for(node);
  }
  for_each_box([&](Id box) { returned(level, box); });
}

// What the other functions say of this one.
Id FunctionSolver::equation(std::size_t level, Id node) {
  const Op op = specs_[level].op;
  const Row& values = values_[level];
  if (model_.kind(node) == NodeKind::exit) return values[node];
  if (model_.kind(node) == NodeKind::call) {
    const Id box = model_.box(node);
    returned(level, box);
    return diagrams_.replaced(values[model_.subject(node)], callees_[box]);
  }
  const Id here = op == Op::next ? Diagrams::kTrue : first_[level][node];
  Id after = Diagrams::kFalse;
  if (here != Diagrams::kFalse) {
    for (const Id next : model_.successors(node)) {
      diagrams_.step();
      after = diagrams_.either(after, op == Op::next ? first_[level][next] : values[next]);
      if (after == Diagrams::kTrue) break;
    }
  }
  if (model_.successors(node).empty()) { // a dead end
    if (op == Op::globally || query_.dead_ends == DeadEnds::stutter) after = first_[level][node];
    if (op == Op::until) after = Diagrams::kFalse;
  }
  const Id found = diagrams_.both(here, after);
  return op == Op::until ? diagrams_.either(second_[level][node], found) : found;
}

// Puts the functions of the return nodes in place of the variables of the exits.
void FunctionSolver::returned(std::size_t level, Id box) {
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    diagrams_.step();
    callees_[box][variable(level, model_.ordinal(node))] = values_[level][node];
  }
}

void FunctionSolver::wait(Id node) {
  if (is_waiting_[node]) return;
  is_waiting_[node] = true;
  waiting_.push_back(node);
}

// The equations that read this function.
void FunctionSolver::wait_for(Id changed) {
  const auto is_reachable = [&](Id node) {
    return test_bit(query_.reachable, static_cast<std::size_t>(model_.component(node)));
  };
  for (const Id before : model_.predecessors(changed)) wait(before);
  if (model_.kind(changed) == NodeKind::ret) {
    const Id box = model_.box(changed);
    for (Id i = 0; i < model_.call_count(box); ++i) wait(model_.first_call(box) + i);
  }
  if (!model_.is_entry(changed)) return;
  for (const Id call : model_.calls_of_entry(changed)) {
    if (is_reachable(call)) wait(call);
  }
}

bool FunctionSolver::holds_at(Id node) {
  const auto exits = model_.exits(model_.component(node));
  std::vector<bool> bits(exits.size() * operators_);
  for (std::size_t level = 0; level < operators_; ++level) {
    for (const Id exit : exits) { // with the empty stack the path stays there
      bits[variable(level, model_.ordinal(exit))] = diagrams_.value(staying(level, exit), bits);
    }
  }
  return diagrams_.value(operand(specs_.back().first, node), bits);
}

} // namespace pigro::core
