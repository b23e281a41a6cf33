#include "core/levels/next.hpp"

namespace pigro::core {

void NextLevel::pass(Instance& instance, Word* values) {
  const OperandContext& here = operand_context(instance.operands);
  const Word* phi = first(instance.operands);
  const Id first_node = model_.first(here.component);
  for (Id node = first_node; node < first_node + model_.width(here.component); ++node) {
    query_.poll();
    bool value = false;
    switch (model_.kind(node)) {
      case NodeKind::exit:
        value = test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(node)));
        break;
      case NodeKind::call: {
        const Id box = model_.box(node);
        const Id callee = callee_operands(instance.operands, box);
        value = some_successor(model_.subject(node), first(callee), model_.first(model_.callee(box)));
        break;
      }
      default:
        value = some_successor(node, phi, first_node);
    }
    if (value) set_bit(values, static_cast<std::size_t>(node - first_node));
  }
}

bool NextLevel::decide(Id node) {
  const Id component = model_.component(node);
  const Word* phi = first(root_operands(component));
  const Id first_node = model_.first(component);
  if (model_.kind(node) == NodeKind::exit) return test_bit(phi, static_cast<std::size_t>(node - first_node)); // loops
  return some_successor(node, phi, first_node);
}

bool NextLevel::some_successor(Id node, const Word* phi, Id first_node) const {
  const auto successors = model_.successors(node);
  assert(model_.kind(node) != NodeKind::exit && model_.kind(node) != NodeKind::call); // M1, M2
  if (successors.empty()) { // a dead end, M1 and M2: never an exit or a call node
    return query_.dead_ends == DeadEnds::stutter && test_bit(phi, static_cast<std::size_t>(node - first_node));
  }
  for (const Id successor : successors) {
    if (test_bit(phi, static_cast<std::size_t>(successor - first_node))) return true;
  }
  return false;
}

} // namespace pigro::core
