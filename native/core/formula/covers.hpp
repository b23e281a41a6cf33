// What a program's labels alone say: where can its value be true, be false, or depend on a child?
//
// A cover is a set of nodes seen from above: all nodes, or those that carry one of a few atoms. It is
// found from the program in one pass, without looking at any node. Example: p & !child is false
// wherever p is, so the child matters only at nodes with p.
#pragma once

#include "core/formula/formula.hpp"

namespace pigro::core {

struct Cover {
  bool all = false;
  std::vector<Id> atoms; // sorted. Not used where all

  static Cover everything() { return {.all = true, .atoms = {}}; }
  static Cover nothing() { return {}; }
};

// The union of two covers. Everything, where it would need more than a few atoms.
Cover join(const Cover& one, const Cover& two);

struct ProgramCovers {
  Cover maybe_true;           // outside, the program is false
  Cover maybe_false;          // outside, the program is true
  std::vector<Cover> depends; // per child: outside, its value makes no difference
};

// `weight[a]`: how many nodes carry atom a (to choose the smaller of two covers).
// An empty program (an operator without such an operand) is never true and never false.
ProgramCovers cover(const Program& program, std::size_t children, const std::vector<std::int64_t>& weight);

// A value that the program has wherever labels do not say otherwise, and where they may.
struct UsualValue {
  bool value = false;
  Cover except;
};
UsualValue usual_value(const ProgramCovers& covers);

} // namespace pigro::core
