#include "verify/cut.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

namespace pigro::verify {

namespace {

constexpr std::array<std::uint8_t, 4> kLemmaOps{0, 2, 6, 7};
constexpr std::array<Id, 4> kLemmaLeft{kNone, 0, 0, 0};
constexpr std::array<Id, 4> kLemmaRight{kNone, kNone, 1, kNone};

std::size_t index(Id id) { return static_cast<std::size_t>(id); }

Op op_of(const Form& form, Id node) { return static_cast<Op>(form.ops[node]); }

bool temporal(Op op) { return op >= Op::next && op <= Op::exists; }

bool two_sided(Op op) {
  return op == Op::both || op == Op::either || op == Op::until || op == Op::path_until || op == Op::path_release ||
         op == Op::path_thread;
}

bool is_leaf(Op op) { return op <= Op::atom || op == Op::path_tick || op == Op::path_calm; }

// What comes after may be asked of a formula that is only made later: a cycle.
bool is_step(Op op) { return op == Op::path_next || op == Op::path_weak_next; }

} // namespace

Form lemma_form() { return {kLemmaOps, kLemmaLeft, kLemmaRight, {}}; }

void Cutter::check(const Form& form, Id labels) const {
  const auto require = [](bool fine) {
    if (!fine) throw std::invalid_argument("no formula in normal form");
  };
  require(!form.ops.empty() && form.left.size() == form.ops.size() && form.right.size() == form.ops.size());
  require(form.ops.size() < std::size_t{1} << 30);
  for (std::size_t i = 0; i < form.ops.size(); ++i) {
    require(form.ops[i] <= static_cast<std::uint8_t>(Op::path_thread));
    const Op op = static_cast<Op>(form.ops[i]);
    const auto node = static_cast<Id>(i);
    if (op == Op::atom) {
      require(form.left[i] >= 0 && static_cast<std::size_t>(form.left[i]) < form.atom_labels.size());
    } else if (!is_leaf(op)) {
      const auto size = static_cast<Id>(form.ops.size());
      require(form.left[i] >= 0 && form.left[i] < (is_step(op) ? size : node));
      require(!two_sided(op) || (form.right[i] >= 0 && form.right[i] < (op == Op::path_thread ? size : node)));
    }
  }
  require(std::ranges::all_of(form.atom_labels, [&](Id label) { return label >= kNone && label < labels; }));
}

const Cut& Cutter::cut(const Form& form, Id labels) {
  check(form, labels);
  find_paths(form);
  cut_.members.clear();
  cut_.pieces.clear();
  cut_.steps.clear();
  cut_.children.clear();
  level_.assign(form.ops.size(), kNone);
  seen_by_.assign(form.ops.size(), kNone);
  step_of_.assign(form.ops.size(), kNone);
  for (std::size_t i = 0; i < form.ops.size(); ++i) {
    const Op op = op_of(form, static_cast<Id>(i));
    if (!temporal(op)) continue;
    level_[i] = static_cast<Id>(cut_.pieces.size());
    if (op == Op::until) {
      add_piece(form, op, form.left[i], form.right[i]);
    } else if (op == Op::exists) {
      add_path_piece(form, form.left[i]);
    } else {
      add_piece(form, op, kNone, form.left[i]);
    }
  }
  add_piece(form, Op::truth, kNone, static_cast<Id>(form.ops.size()) - 1);
  assert(cut_.pieces.back().steps_end == static_cast<Id>(cut_.steps.size()));
  return cut_;
}

void Cutter::add_piece(const Form& form, Op op, Id phi1, Id phi2) {
  found_.clear();
  if (phi1 != kNone) collect(form, phi1);
  collect(form, phi2);
  Piece piece{op, static_cast<Id>(cut_.steps.size()), 0, static_cast<Id>(cut_.children.size()), 0, kNone, kNone};
  add_steps(form, piece);
  piece.first = phi1 == kNone ? kNone : step_of_[phi1];
  piece.last = step_of_[phi2];
  assert((piece.first == kNone) == (op != Op::until) && piece.last < piece.steps_end - piece.steps);
  assert(std::ranges::is_sorted(cut_.children.begin() + piece.children, cut_.children.end()));
  cut_.pieces.push_back(piece);
}

// The program of the collected nodes.
void Cutter::add_steps(const Form& form, Piece& piece) {
  std::ranges::sort(found_); // children before parents, lower levels before higher ones
  for (const Id node : found_) {
    step_of_[node] = static_cast<Id>(cut_.steps.size()) - piece.steps;
    cut_.steps.push_back(step_for(form, node, piece));
  }
  piece.steps_end = static_cast<Id>(cut_.steps.size());
  piece.children_end = static_cast<Id>(cut_.children.size());
}

// Which nodes are path formulas? Throws if one stands where a state formula must.
void Cutter::find_paths(const Form& form) {
  is_path_.assign(form.ops.size(), false);
  const auto require = [](bool fine) {
    if (!fine) throw std::invalid_argument("a path formula is not in its place");
  };
  for (std::size_t i = 0; i < form.ops.size(); ++i) {
    const Op op = op_of(form, static_cast<Id>(i));
    if (op <= Op::atom) continue;
    if (op > Op::exists) {
      is_path_[i] = true;
      continue;
    }
    const bool below = is_path_[index(form.left[i])] || (two_sided(op) && is_path_[index(form.right[i])]);
    is_path_[i] = below && (op == Op::both || op == Op::either);
    require(op == Op::exists ? below : is_path_[i] || !below);
  }
  require(!is_path_.back());
}

void Cutter::add_path_piece(const Form& form, Id body) {
  std::vector<Id> pending{body};
  std::vector<Id> parts;
  member_of_.assign(form.ops.size(), kNone);
  member_of_[index(body)] = 0;
  while (!pending.empty()) {
    const Id node = pending.back();
    pending.pop_back();
    parts.push_back(node);
    if (!is_path_[index(node)]) continue;
    const Op op = op_of(form, node);
    for (const Id part : {is_leaf(op) ? kNone : form.left[node], two_sided(op) ? form.right[node] : kNone}) {
      if (part == kNone || member_of_[index(part)] != kNone) continue;
      member_of_[index(part)] = 0;
      pending.push_back(part);
    }
  }
  std::ranges::sort(parts); // parts before wholes
  std::stable_partition(parts.begin(), parts.end(), [&](Id node) { return !is_path_[index(node)]; });
  found_.clear();
  Piece piece{Op::exists, static_cast<Id>(cut_.steps.size()), 0, static_cast<Id>(cut_.children.size()), 0, kNone,
              kNone};
  piece.members = piece.leaves_end = static_cast<Id>(cut_.members.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    member_of_[index(parts[i])] = static_cast<Id>(i);
    if (is_path_[index(parts[i])]) continue;
    ++piece.leaves_end;
    collect(form, parts[i]);
  }
  add_steps(form, piece);
  std::vector<bool> asks; // of each step
  for (Id i = piece.steps; i < piece.steps_end; ++i) {
    const Step& step = cut_.steps[i];
    const bool inner = step.op > Op::atom && !temporal(step.op);
    asks.push_back(temporal(step.op) ||
                   (inner && (asks[index(step.left)] || (step.right != kNone && asks[index(step.right)]))));
  }
  for (const Id node : parts) {
    const Op op = op_of(form, node);
    if (!is_path_[index(node)]) {
      cut_.members.push_back({Op::truth, kNone, kNone, step_of_[node], !asks[index(step_of_[node])]});
    } else {
      cut_.members.push_back({op, is_leaf(op) ? kNone : member_of_[index(form.left[node])],
                              two_sided(op) ? member_of_[index(form.right[node])] : kNone, kNone, false});
    }
  }
  piece.members_end = static_cast<Id>(cut_.members.size());
  cut_.pieces.push_back(piece);
}

// The nodes of the boolean part below `root` that the piece does not have yet.
void Cutter::collect(const Form& form, Id root) {
  const auto piece = static_cast<Id>(cut_.pieces.size());
  pending_.assign(1, root);
  while (!pending_.empty()) {
    const Id node = pending_.back();
    pending_.pop_back();
    if (seen_by_[node] == piece) continue;
    seen_by_[node] = piece;
    found_.push_back(node);
    const Op op = op_of(form, node);
    if (op <= Op::atom || temporal(op)) continue;
    pending_.push_back(form.left[node]);
    if (two_sided(op)) pending_.push_back(form.right[node]);
  }
}

Step Cutter::step_for(const Form& form, Id node, const Piece& piece) {
  const Op op = op_of(form, node);
  if (op == Op::truth) return {op, kNone, kNone};
  if (op == Op::atom) return {op, form.left[node], kNone};
  if (temporal(op)) {
    assert(level_[node] >= 0 && level_[node] < static_cast<Id>(cut_.pieces.size())); // a lower level
    cut_.children.push_back(level_[node]);
    return {op, static_cast<Id>(cut_.children.size()) - 1 - piece.children, kNone};
  }
  assert(seen_by_[form.left[node]] == static_cast<Id>(cut_.pieces.size()) &&
         step_of_[form.left[node]] < step_of_[node]);
  return {op, step_of_[form.left[node]], two_sided(op) ? step_of_[form.right[node]] : kNone};
}

} // namespace pigro::verify
