#include "core/levels/boolean_top.hpp"

namespace pigro::core {

namespace {

enum class Truth : std::uint8_t { unknown, no, yes };

} // namespace

// The program's last step, from the top down with an own stack. A second operand only if the first
// leaves it open.
bool BooleanTop::value_at(Id node, std::vector<Id>* asked) {
  const auto& steps = spec_.first.steps;
  std::vector<Truth> known(steps.size(), Truth::unknown);
  std::vector<Id> open{static_cast<Id>(steps.size()) - 1};
  while (!open.empty()) {
    query_.poll();
    const Id at = open.back();
    const Step& step = steps[at];
    bool value = false;
    switch (step.kind) {
      case Step::Kind::truth:
        value = true;
        break;
      case Step::Kind::atom:
        value = (query_.atom_word(step.left, static_cast<std::size_t>(node)) & 1U) != 0;
        break;
      case Step::Kind::child:
        value = children_[step.left]->holds_at(node);
        if (asked != nullptr) asked->push_back(step.left);
        break;
      default: {
        const Truth left = known[step.left];
        if (left == Truth::unknown) {
          open.push_back(step.left);
          continue;
        }
        value = left == Truth::yes;
        if (step.kind == Step::Kind::negation) {
          value = !value;
        } else if (value == (step.kind == Step::Kind::conjunction)) {
          const Truth right = known[step.right];
          if (right == Truth::unknown) {
            open.push_back(step.right);
            continue;
          }
          value = right == Truth::yes;
        }
      }
    }
    assert(known[at] == Truth::unknown); // shared steps are worked out once
    known[at] = value ? Truth::yes : Truth::no;
    open.pop_back();
  }
  return known.back() == Truth::yes;
}

void BooleanTop::pass(Instance&, Word*) { assert(false); }

} // namespace pigro::core
