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

Op op_of(const Form& form, Id node) { return static_cast<Op>(form.ops[node]); }

bool temporal(Op op) { return op >= Op::next; }

bool two_sided(Op op) { return op == Op::both || op == Op::either || op == Op::until; }

} // namespace

Form lemma_form() { return {kLemmaOps, kLemmaLeft, kLemmaRight, {}}; }

void Cutter::check(const Form& form, Id labels) const {
  const auto require = [](bool fine) {
    if (!fine) throw std::invalid_argument("no formula in normal form");
  };
  require(!form.ops.empty() && form.left.size() == form.ops.size() && form.right.size() == form.ops.size());
  require(form.ops.size() < std::size_t{1} << 30);
  for (std::size_t i = 0; i < form.ops.size(); ++i) {
    require(form.ops[i] <= static_cast<std::uint8_t>(Op::always));
    const Op op = static_cast<Op>(form.ops[i]);
    const auto node = static_cast<Id>(i);
    if (op == Op::atom) {
      require(form.left[i] >= 0 && static_cast<std::size_t>(form.left[i]) < form.atom_labels.size());
    } else if (op > Op::atom) {
      require(form.left[i] >= 0 && form.left[i] < node);
      require(!two_sided(op) || (form.right[i] >= 0 && form.right[i] < node));
    }
  }
  require(std::ranges::all_of(form.atom_labels, [&](Id label) { return label >= kNone && label < labels; }));
}

const Cut& Cutter::cut(const Form& form, Id labels) {
  check(form, labels);
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
  std::ranges::sort(found_); // children before parents, lower levels before higher ones
  Piece piece{op, static_cast<Id>(cut_.steps.size()), 0, static_cast<Id>(cut_.children.size()), 0, kNone, kNone};
  for (const Id node : found_) {
    step_of_[node] = static_cast<Id>(cut_.steps.size()) - piece.steps;
    cut_.steps.push_back(step_for(form, node, piece));
  }
  piece.steps_end = static_cast<Id>(cut_.steps.size());
  piece.children_end = static_cast<Id>(cut_.children.size());
  piece.first = phi1 == kNone ? kNone : step_of_[phi1];
  piece.last = step_of_[phi2];
  assert((piece.first == kNone) == (op != Op::until) && piece.last < piece.steps_end - piece.steps);
  assert(std::ranges::is_sorted(cut_.children.begin() + piece.children, cut_.children.end()));
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
