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
  bool has_left(Id node) const { return op_of(node) >= Op::negation; }
  bool has_right(Id node) const {
    const Op op = op_of(node);
    return op == Op::conjunction || op == Op::disjunction || op == Op::until;
  }

  void check() const {
    const auto fail = [] { throw std::invalid_argument("malformed flat formula"); };
    if (formula_.ops.empty() || formula_.left.size() != formula_.ops.size() ||
        formula_.right.size() != formula_.ops.size()) {
      fail();
    }
    for (Id node = 0; node < size(); ++node) {
      if (formula_.ops[node] > static_cast<std::uint8_t>(Op::globally)) fail();
      const Id left = formula_.left[node];
      const Id right = formula_.right[node];
      if (has_left(node) && (left < 0 || left >= node)) fail();
      if (has_right(node) && (right < 0 || right >= node)) fail();
      if (op_of(node) == Op::atom && (left < 0 || static_cast<std::size_t>(left) >= formula_.atom_labels.size())) {
        fail();
      }
    }
  }

  LevelSpec make_level(Op op, Id node) {
    LevelSpec level;
    level.op = op;
    std::vector<Id> roots{formula_.left[node]};
    if (op == Op::until) roots.push_back(formula_.right[node]);
    collect_children(level, roots);
    level.first = compile(roots[0], level);
    if (op == Op::until) level.second = compile(roots[1], level);
    return level;
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
  std::vector<Id> level_of_; // of temporal nodes
  std::vector<Id> slot_of_;  // scratch of boolean_part and compile, kNone between calls
  std::vector<LevelSpec> levels_;
};

} // namespace

std::vector<LevelSpec> cut_into_levels(const FlatFormula& formula) { return Cutter(formula).run(); }

} // namespace pigro::core
