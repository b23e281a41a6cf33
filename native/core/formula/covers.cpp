#include "core/formula/covers.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace pigro::core {

namespace {

constexpr std::size_t kMostAtoms = 16;     // of a cover
constexpr std::size_t kMostDepends = 4096; // steps times children, beyond which everything depends

struct Weigher {
  const std::vector<std::int64_t>& weight;

  std::int64_t operator()(const Cover& cover) const {
    if (cover.all) return std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (const Id atom : cover.atoms) sum += weight[atom];
    return sum;
  }

  // Both cover a set, so the smaller one does.
  const Cover& smaller(const Cover& one, const Cover& two) const { return (*this)(two) < (*this)(one) ? two : one; }
};

struct StepCovers {
  Cover maybe_true, maybe_false;
};

StepCovers cover_step(const Step& step, const std::vector<StepCovers>& at, const Weigher& weigh) {
  switch (step.kind) {
    case Step::Kind::truth:
      return {Cover::everything(), Cover::nothing()};
    case Step::Kind::atom:
      return {Cover{.all = false, .atoms = {step.left}}, Cover::everything()};
    case Step::Kind::child:
      return {Cover::everything(), Cover::everything()};
    case Step::Kind::negation:
      return {at[step.left].maybe_false, at[step.left].maybe_true};
    case Step::Kind::conjunction:
      return {weigh.smaller(at[step.left].maybe_true, at[step.right].maybe_true),
              join(at[step.left].maybe_false, at[step.right].maybe_false)};
    case Step::Kind::disjunction:
      return {join(at[step.left].maybe_true, at[step.right].maybe_true),
              weigh.smaller(at[step.left].maybe_false, at[step.right].maybe_false)};
  }
  return {Cover::everything(), Cover::everything()};
}

// Where the value of `child` matters to each step: not where another operand decides alone.
Cover depends_on(Id child, const Program& program, const std::vector<StepCovers>& at, const Weigher& weigh) {
  std::vector<Cover> depends;
  depends.reserve(program.steps.size());
  for (const Step& step : program.steps) {
    switch (step.kind) {
      case Step::Kind::child:
        depends.push_back(step.left == child ? Cover::everything() : Cover::nothing());
        break;
      case Step::Kind::negation:
        depends.push_back(depends[step.left]);
        break;
      case Step::Kind::conjunction:
      case Step::Kind::disjunction: {
        const bool both = step.kind == Step::Kind::conjunction;
        const auto open = [&](Id slot) -> const Cover& { return both ? at[slot].maybe_true : at[slot].maybe_false; };
        depends.push_back(join(weigh.smaller(depends[step.left], open(step.right)),
                               weigh.smaller(depends[step.right], open(step.left))));
        break;
      }
      default:
        depends.push_back(Cover::nothing());
    }
  }
  assert(depends.size() == program.steps.size());
  return depends.back();
}

} // namespace

Cover join(const Cover& one, const Cover& two) {
  if (one.all || two.all) return Cover::everything();
  Cover result;
  std::ranges::set_union(one.atoms, two.atoms, std::back_inserter(result.atoms));
  assert(std::ranges::adjacent_find(result.atoms, std::greater_equal{}) == result.atoms.end());
  return result.atoms.size() > kMostAtoms ? Cover::everything() : result;
}

ProgramCovers cover(const Program& program, std::size_t children, const std::vector<std::int64_t>& weight) {
  ProgramCovers result;
  result.depends.resize(children);
  if (program.steps.empty()) return result;
  const Weigher weigh{weight};
  std::vector<StepCovers> at;
  at.reserve(program.steps.size());
  for (const Step& step : program.steps) at.push_back(cover_step(step, at, weigh));
  result.maybe_true = at.back().maybe_true;
  result.maybe_false = at.back().maybe_false;
  for (std::size_t i = 0; i < children; ++i) {
    result.depends[i] = program.steps.size() * children > kMostDepends
                            ? Cover::everything()
                            : depends_on(static_cast<Id>(i), program, at, weigh);
  }
  return result;
}

} // namespace pigro::core
