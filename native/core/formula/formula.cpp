#include "core/formula/formula.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace pigro::core {

namespace {

class Cutter {
 public:
  explicit Cutter(const FlatFormula& formula)
      : formula_(formula), level_of_(formula.ops.size(), kNone), slot_of_(formula.ops.size(), kNone) {}

  std::vector<LevelSpec> run() {
    check();
    for (Id node = 0; node < size(); ++node) {
      const Op op = op_of(node);
      if (!is_temporal(op)) continue;
      level_of_[node] = static_cast<Id>(levels_.size());
      levels_.push_back(make_level(op, node));
    }
    LevelSpec top;
    collect_children(top, {size() - 1});
    top.first = compile(size() - 1, top);
    levels_.push_back(std::move(top));
    return std::move(levels_);
  }

 private:
  Id size() const { return static_cast<Id>(formula_.ops.size()); }
  Op op_of(Id node) const { return static_cast<Op>(formula_.ops[node]); }
  bool has_left(Id node) const {
    return op_of(node) >= Op::negation && op_of(node) != Op::path_tick && op_of(node) != Op::path_calm;
  }
  bool is_next(Id node) const { return op_of(node) == Op::path_next || op_of(node) == Op::path_weak_next; }
  bool has_right(Id node) const {
    const Op op = op_of(node);
    return op == Op::conjunction || op == Op::disjunction || op == Op::until || op == Op::path_until ||
           op == Op::path_release || op == Op::path_thread;
  }

  void check() {
    const auto fail = [] { throw std::invalid_argument("malformed flat formula"); };
    if (formula_.ops.empty() || formula_.left.size() != formula_.ops.size() ||
        formula_.right.size() != formula_.ops.size()) {
      fail();
    }
    for (Id node = 0; node < size(); ++node) {
      if (formula_.ops[node] > static_cast<std::uint8_t>(Op::path_thread)) fail();
      const Id left = formula_.left[node];
      const Id right = formula_.right[node];
      if (has_left(node) && (left < 0 || left >= (is_next(node) ? size() : node))) fail();
      if (has_right(node) && (right < 0 || right >= (op_of(node) == Op::path_thread ? size() : node))) fail();
      if (op_of(node) == Op::atom && (left < 0 || static_cast<std::size_t>(left) >= formula_.atom_labels.size())) {
        fail();
      }
      if (!note_path(node)) fail();
    }
    if (is_path_.back()) fail();
  }

  // Finds out whether the node is a path formula. False if it stands where a state formula must.
  bool note_path(Id node) {
    const Op op = op_of(node);
    if (op > Op::exists) {
      is_path_.push_back(true);
      return true;
    }
    const bool below =
        (has_left(node) && is_path_[formula_.left[node]]) || (has_right(node) && is_path_[formula_.right[node]]);
    const bool both = op == Op::conjunction || op == Op::disjunction;
    is_path_.push_back(both && below);
    return op == Op::exists ? below : is_path_.back() || !below;
  }

  LevelSpec make_level(Op op, Id node) {
    if (op == Op::exists) return make_path_level(formula_.left[node]);
    LevelSpec level;
    level.op = op;
    std::vector<Id> roots{formula_.left[node]};
    if (op == Op::until) roots.push_back(formula_.right[node]);
    collect_children(level, roots);
    level.first = compile(roots[0], level);
    if (op == Op::until) level.second = compile(roots[1], level);
    return level;
  }

  LevelSpec make_path_level(Id body) {
    LevelSpec level;
    level.op = Op::exists;
    std::vector<Id> paths;
    std::vector<Id> leaves;
    for (const Id node : path_part(body)) (is_path_[node] ? paths : leaves).push_back(node);
    collect_children(level, leaves);
    std::vector<Id>& made = slot_of_; // where each node's negation is
    for (const Id leaf : leaves) level.leaves.push_back(compile(leaf, level));
    const auto add = [&](PathOp op, Id left, Id right = kNone) {
      level.path.ops.push_back(static_cast<std::uint8_t>(op));
      level.path.left.push_back(left);
      level.path.right.push_back(right);
      return static_cast<Id>(level.path.ops.size()) - 1;
    };
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      made[leaves[i]] = add(PathOp::negation, add(PathOp::atom, static_cast<Id>(i)));
    }
    const auto first = static_cast<Id>(level.path.ops.size());
    for (std::size_t i = 0; i < paths.size(); ++i) made[paths[i]] = first + static_cast<Id>(i);
    for (const Id node : paths) {
      add(dual(op_of(node)), has_left(node) ? made[formula_.left[node]] : kNone,
          has_right(node) ? made[formula_.right[node]] : kNone);
    }
    for (const Id node : leaves) made[node] = kNone;
    for (const Id node : paths) made[node] = kNone;
    return level;
  }

  static PathOp dual(Op op) {
    switch (op) {
      case Op::conjunction:
        return PathOp::disjunction;
      case Op::disjunction:
        return PathOp::conjunction;
      case Op::path_until:
        return PathOp::release;
      case Op::path_release:
        return PathOp::until;
      case Op::path_weak_next:
        return PathOp::strong_next;
      case Op::path_tick:
        return PathOp::calm;
      case Op::path_calm:
        return PathOp::tick;
      case Op::path_thread:
        return PathOp::thread;
      default:
        return PathOp::next;
    }
  }

  // The nodes from a path formula down to its leaves, ascending: children first.
  std::vector<Id> path_part(Id body) {
    std::vector<Id> found;
    std::vector<Id> pending{body};
    while (!pending.empty()) {
      const Id node = pending.back();
      pending.pop_back();
      if (slot_of_[node] != kNone) continue;
      slot_of_[node] = 0; // seen
      found.push_back(node);
      if (!is_path_[node]) continue;
      if (has_left(node)) pending.push_back(formula_.left[node]);
      if (has_right(node)) pending.push_back(formula_.right[node]);
    }
    for (const Id node : found) slot_of_[node] = kNone;
    std::sort(found.begin(), found.end());
    return found;
  }

  // The nodes from `root` down to atoms and temporal operators, ascending: children first.
  std::vector<Id> boolean_part(std::vector<Id> pending) {
    std::vector<Id> found;
    while (!pending.empty()) {
      const Id node = pending.back();
      pending.pop_back();
      if (slot_of_[node] != kNone) continue;
      slot_of_[node] = 0; // seen
      found.push_back(node);
      if (is_temporal(op_of(node))) continue;
      if (has_left(node)) pending.push_back(formula_.left[node]);
      if (has_right(node)) pending.push_back(formula_.right[node]);
    }
    for (const Id node : found) slot_of_[node] = kNone;
    std::sort(found.begin(), found.end());
    return found;
  }

  void collect_children(LevelSpec& level, std::vector<Id> roots) {
    for (const Id node : boolean_part(std::move(roots))) {
      if (is_temporal(op_of(node))) level.children.push_back(level_of_[node]);
    }
    assert(std::ranges::adjacent_find(level.children, std::greater_equal{}) == level.children.end());
    assert(level.children.empty() || level.children.back() < static_cast<Id>(levels_.size()));
  }

  Program compile(Id root, const LevelSpec& level) {
    Program program;
    const std::vector<Id> nodes = boolean_part({root});
    for (const Id node : nodes) {
      slot_of_[node] = static_cast<Id>(program.steps.size());
      program.steps.push_back(step(node, level));
    }
    assert(slot_of_[root] + 1 == static_cast<Id>(program.steps.size())); // the last step is the result
    for (const Id node : nodes) slot_of_[node] = kNone;
    return program;
  }

  Step step(Id node, const LevelSpec& level) const {
    const Op op = op_of(node);
    if (is_temporal(op)) {
      const auto at = std::lower_bound(level.children.begin(), level.children.end(), level_of_[node]);
      assert(at != level.children.end() && *at == level_of_[node]);
      return {Step::Kind::child, static_cast<Id>(at - level.children.begin())};
    }
    const Id left = formula_.left[node];
    assert(op <= Op::atom || slot_of_[left] != kNone); // operands come before their operator
    const Id right = formula_.right[node];
    switch (op) {
      case Op::atom:
        return {Step::Kind::atom, left};
      case Op::negation:
        return {Step::Kind::negation, slot_of_[left]};
      case Op::conjunction:
        return {Step::Kind::conjunction, slot_of_[left], slot_of_[right]};
      case Op::disjunction:
        return {Step::Kind::disjunction, slot_of_[left], slot_of_[right]};
      default:
        return {Step::Kind::truth};
    }
  }

  const FlatFormula& formula_;
  std::vector<Id> level_of_;  // of temporal nodes
  std::vector<bool> is_path_; // of all nodes
  std::vector<Id> slot_of_;   // scratch of boolean_part and compile, kNone between calls
  std::vector<LevelSpec> levels_;
};

} // namespace

std::vector<const Program*> programs_of(const LevelSpec& spec) {
  if (spec.op != Op::exists) return {&spec.first, &spec.second};
  std::vector<const Program*> all;
  for (const Program& leaf : spec.leaves) all.push_back(&leaf);
  return all;
}

bool has_children(const Program& program) {
  return std::ranges::any_of(program.steps, [](const Step& step) { return step.kind == Step::Kind::child; });
}

std::vector<LevelSpec> cut_into_levels(const FlatFormula& formula) { return Cutter(formula).run(); }

} // namespace pigro::core
