// The values of path formulas, from the claims about vertices.
#include <cassert>

#include "verify/values.hpp"

namespace pigro::verify {

namespace {

bool pairs_within(const Word* part, const Word* whole, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    if ((part[i] & ~whole[i]) != 0) return false;
  }
  return true;
}

} // namespace

std::span<const Truth> Values::leaves(Id operands) {
  const OperandContext& found = at(operands);
  assert(found.leaves != kNone); // worked out with the operand context
  const Piece& piece = cut_->pieces[found.level];
  return std::span<const Truth>(section_.leaf_values)
      .subspan(static_cast<std::size_t>(found.leaves), static_cast<std::size_t>(piece.leaves_end - piece.members));
}

void Values::evaluate_leaves(const Piece& piece, const Run& run, OperandContext& operands) {
  operands.leaves = static_cast<Id>(section_.leaf_values.size());
  for (Id i = piece.members; i < piece.leaves_end; ++i) {
    Piece one = piece;
    one.last = cut_->members[i].step;
    Truth first;
    Truth last;
    evaluate(one, run, first, last);
    section_.leaf_values.push_back(last);
  }
}

bool Values::has_value(const Instance& instance, Id vertex, bool value) const {
  const PathClaims& claims = section_.paths;
  const Vertex& at = claims.vertices[vertex];
  assert(at.operands == instance.operands); // a value is that of the instance's own vertex
  const OperandContext& operands = section_.operand_contexts[at.operands];
  const std::size_t states = section_.path_levels[static_cast<std::size_t>(operands.level)].states.size();
  const std::size_t words = core::words_for(static_cast<std::size_t>(model_.exit_count(operands.component)) * states);
  if (value) {
    if (at.live) return true;
    for (Id b = claims.sure_first.find(0, at.operands); b != kNone; b = claims.sure_next[b]) {
      around_.ticker.poll(1 + words);
      if (claims.in_sure.find(b, vertex) != kNone && pairs_within(claims.sure[b].exits, instance.masks.yes, words)) {
        return true;
      }
    }
    return false;
  }
  if (at.part == kNone) return false;
  for (Id b = claims.bound_first.find(0, at.operands); b != kNone; b = claims.bound_next[b]) {
    around_.ticker.poll(1 + words);
    if (claims.in_bound.find(b, vertex) != kNone && pairs_within(claims.bound[b].exits, instance.masks.no, words)) {
      return true;
    }
  }
  return false;
}

void Values::value_paths(const Instance& instance, Word* yes, Word* no) const {
  const Id component = section_.operand_contexts[instance.operands].component;
  for (Id node = 0; node < model_.width(component); ++node) {
    const Id vertex = section_.paths.find(instance.operands, 0, node);
    if (vertex == kNone) continue;
    const auto bit = static_cast<std::size_t>(node);
    if (!core::test_bit(no, bit) && has_value(instance, vertex, true)) core::set_bit(yes, bit);
    if (!core::test_bit(yes, bit) && has_value(instance, vertex, false)) core::set_bit(no, bit);
  }
}

} // namespace pigro::verify
