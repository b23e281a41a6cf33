#include "core/levels/level.hpp"

#include <algorithm>

#include "core/levels/boolean_top.hpp"
#include "core/levels/globally.hpp"
#include "core/levels/next.hpp"
#include "core/levels/until.hpp"

namespace pigro::core {

namespace {

// There are few of them, so that a call of memcmp takes longer.
template <typename T>
bool same_words(const T* one, const T* other, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (one[i] != other[i]) return false;
  }
  return true;
}

} // namespace

std::unique_ptr<Level> Level::make(Query& query, const LevelSpec& spec, std::vector<Level*> children) {
  switch (spec.op) {
    case Op::next:
      return std::make_unique<NextLevel>(query, spec, std::move(children));
    case Op::until:
      return std::make_unique<UntilLevel>(query, spec, std::move(children));
    case Op::globally:
      return std::make_unique<GloballyLevel>(query, spec, std::move(children));
    default:
      return std::make_unique<BooleanTop>(query, spec, std::move(children));
  }
}

Id Level::intern_operands(Id component, const std::vector<Id>& lower) {
  assert(lower.size() == children_.size());
  for (std::size_t i = 0; i < lower.size(); ++i) {
    assert(lower[i] == kNone ||
           (relevance().needs_context(i, component) && children_[i]->component_of(lower[i]) == component)); // L6
  }
  return operand_context_ids_.intern(
      component,
      [&] {
        std::uint64_t hash = mix(0, static_cast<std::uint64_t>(component));
        for (const Id instance : lower) hash = mix(hash, static_cast<std::uint64_t>(instance));
        return hash;
      },
      [&](Id id) {
        return operand_contexts_[id].component == component &&
               same_words(lower.data(), operand_contexts_[id].lower, lower.size());
      },
      [&] {
        operand_contexts_.push_back({.component = component, .lower = nullptr});
        OperandContext& made = operand_contexts_[operand_contexts_.size() - 1];
        Id* kept = lower.size() <= std::size(made.own_lower) ? made.own_lower : query_.arena.make<Id>(lower.size());
        std::copy(lower.begin(), lower.end(), kept);
        made.lower = kept;
        query_.expected_backward += Query::backward_steps(model_, component);
        return static_cast<Id>(operand_contexts_.size() - 1);
      });
}

Id Level::intern_instance(Id operands, const Word* mask) {
  const std::size_t words = mask_words(operand_contexts_[operands].component);
  assert(words == 0 || spec_.op == Op::exists ||
         (mask[words - 1] &
          ~tail_mask(static_cast<std::size_t>(model_.exit_count(operand_contexts_[operands].component)))) == 0); // L1
  return instance_ids_.intern(
      operands,
      [&] {
        std::uint64_t hash = mix(1, static_cast<std::uint64_t>(operands));
        for (std::size_t i = 0; i < words; ++i) hash = mix(hash, mask[i]);
        return hash;
      },
      [&](Id id) { return instances_[id].operands == operands && same_words(mask, instances_[id].mask, words); },
      [&] {
        instances_.push_back({.operands = operands, .mask = nullptr});
        Instance& made = instances_[instances_.size() - 1];
        Word* kept = words_or(&made.own_mask, words);
        std::copy(mask, mask + words, kept);
        made.mask = kept;
        ++query_.counters.contexts;
        return static_cast<Id>(instances_.size() - 1);
      });
}

Id Level::root_operands(Id component) {
  std::vector<Id> lower;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    lower.push_back(relevance().needs_context(i, component) ? children_[i]->root(component) : kNone); // L6
  }
  return intern_operands(component, lower);
}

Id Level::root(Id component) {
  const Id operands = root_operands(component);
  const Id known = instances();
  const Word* mask = loop_mask(operands); // at the empty stack an exit loops
  const Id id = intern_instance(operands, mask);
  assert(component_of(id) == component);
  if (instances() > known && !is_new_root(component)) --query_.counters.contexts; // counted by holds_at
  return id;
}

bool Level::is_new_root(Id component) {
  if (std::ranges::find(roots_, component) != roots_.end()) return false;
  roots_.push_back(component);
  return true;
}

bool Level::holds_at(Id node) {
  const Id component = model_.component(node);
  if (spec_.op == Op::truth) return decide(node);
  if (!query_.policy.everything) {
    if (is_new_root(component)) ++query_.counters.contexts; // the root context, though no instance is built
    return decide(node);
  }
  return test_bit(values(root(component)), static_cast<std::size_t>(node - model_.first(component)));
}

Id Level::callee_operands(Id operands, Id box) {
  OperandContext& caller = operand_contexts_[operands];
  assert(model_.box_component(box) == caller.component);
  if (caller.callees == nullptr) {
    caller.callees = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(caller.component)));
  }
  Id& known = caller.callees[box - model_.first_box(caller.component)];
  if (known == kNone) {
    const Id component = model_.callee(box);
    lower_.clear();
    for (std::size_t i = 0; i < children_.size(); ++i) {
      const bool needed = relevance().needs_context(i, component);
      assert(!needed || caller.lower[i] != kNone); // N2, L6
      lower_.push_back(needed ? children_[i]->callee(caller.lower[i], box) : kNone);
    }
    known = intern_operands(component, lower_);
  }
  return known;
}

Id Level::callee(Id instance, Id box) {
  Instance& caller = instances_[instance];
  const Id component = operand_contexts_[caller.operands].component;
  if (caller.callees == nullptr) {
    caller.callees = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(component)));
  }
  Id& known = caller.callees[box - model_.first_box(component)];
  if (known != kNone) return known;

  const Id operands = callee_operands(caller.operands, box); // L4
  assert(operand_contexts_[operands].component == model_.callee(box));
  const Word* value = values(instance);
  const std::size_t words = model_.exit_words(model_.callee(box));
  const Word* loop = nullptr;
  if (model_.return_count(box) < model_.exit_count(model_.callee(box))) {
    // A missing return node: a dead end, where EX is false under `stop`. Otherwise the path stays there.
    if (spec_.op != Op::next || query_.dead_ends == DeadEnds::stutter) loop = loop_mask(operands);
  }
  mask_.assign(std::max<std::size_t>(words, 1), 0); // L3
  if (loop != nullptr) std::copy(loop, loop + words, mask_.begin());
  const Id first_node = model_.first(component);
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    const auto ordinal = static_cast<std::size_t>(model_.ordinal(node));
    if (test_bit(value, static_cast<std::size_t>(node - first_node))) {
      set_bit(mask_.data(), ordinal);
    } else {
      clear_bit(mask_.data(), ordinal);
    }
  }
  return known = intern_instance(operands, mask_.data());
}

const Word* Level::values(Id id) {
  Instance& instance = instances_[id];
  if (instance.values == nullptr) {
    const Id component = component_of(id);
    Word* values = words_or(&instance.own_values, model_.words(component));
    if (query_.policy.certify)
      instance.trail = query_.arena.make<Id>(static_cast<std::size_t>(model_.width(component)));
    pass(instance, values);
    ++query_.counters.passes;
    instance.values = values;
#ifndef NDEBUG
    const auto width = static_cast<std::size_t>(model_.width(component));
    assert(width == 0 || (values[words_for(width) - 1] & ~tail_mask(width)) == 0);        // as L1
    for (const Id exit : model_.exits(component)) assert(agrees(instance, values, exit)); // L2
#endif
  }
  return instance.values;
}

bool Level::agrees(const Instance& instance, const Word* values, Id exit) {
  const Id first_node = model_.first(model_.component(exit));
  return test_bit(values, static_cast<std::size_t>(exit - first_node)) ==
         test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(exit)));
}

const Word* Level::loop_mask(Id id) {
  OperandContext& operands = operand_contexts_[id];
  if (operands.loop == nullptr) {
    const Word* phi = spec_.op == Op::until ? second(id) : first(id);
    Word* loop = query_.arena.make<Word>(model_.exit_words(operands.component));
    for (const Id exit : model_.exits(operands.component)) {
      if (test_bit(phi, static_cast<std::size_t>(exit - model_.first(operands.component)))) {
        set_bit(loop, static_cast<std::size_t>(model_.ordinal(exit))); // L1
      }
    }
    operands.loop = loop;
  }
  return operands.loop;
}

const Word* Level::evaluate(Id id, const Program& program, const Word*& kept, Word* own) {
  if (kept != nullptr) return kept;
  const OperandContext& operands = operand_contexts_[id];
  const Relevance& relevant = relevance();
  child_values_.assign(children_.size(), nullptr);
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!relevant.uses_child(i, operands.component)) continue;
    // Without a context of its own, the child's value is the same in all (N2).
    child_values_[i] = operands.lower[i] == kNone ? children_[i]->bounds(operands.component).least
                                                  : children_[i]->values(operands.lower[i]);
  }
  Word* result = words_or(own, model_.words(operands.component));
  evaluate(program, operands.component, result);
#ifndef NDEBUG
  check_irrelevant(program, operands, result);
#endif
  return kept = result;
}

#ifndef NDEBUG
// N1, N2: other values of children that are not asked, or that have no context, change nothing.
void Level::check_irrelevant(const Program& program, const OperandContext& operands, const Word* result) {
  const std::size_t words = model_.words(operands.component);
  const std::vector<Word> ones(words, ~Word{0});
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!relevance().uses_child(i, operands.component)) {
      child_values_[i] = ones.data();
    } else if (operands.lower[i] == kNone) {
      child_values_[i] = children_[i]->bounds(operands.component).most;
    }
  }
  std::vector<Word> other(words);
  evaluate(program, operands.component, other.data());
  const Id first_node = model_.first(operands.component);
  for (Id node = first_node; node < first_node + model_.width(operands.component); ++node) {
    if (spec_.op != Op::next && model_.kind(node) == NodeKind::call) continue; // never looked at
    const auto bit = static_cast<std::size_t>(node - first_node);
    assert(test_bit(result, bit) == test_bit(other.data(), bit));
    (void)bit;
  }
}
#endif

void Level::evaluate(const Program& program, Id component, Word* result) {
  slots_.resize(std::max(slots_.size(), program.steps.size()));
  const std::size_t words = model_.words(component);
  for (std::size_t word = 0; word < words; ++word) {
    const std::size_t node = static_cast<std::size_t>(model_.first(component)) + word * kWordBits;
    result[word] = evaluate_word(program, node, word);
  }
  if (words > 0) result[words - 1] &= tail_mask(static_cast<std::size_t>(model_.width(component)));
}

Word Level::evaluate_word(const Program& program, std::size_t node, std::size_t word) {
  Word* slot = slots_.data();
  for (const Step& step : program.steps) {
    query_.poll();
    switch (step.kind) {
      case Step::Kind::truth:
        *slot = ~Word{0};
        break;
      case Step::Kind::atom:
        *slot = query_.atom_word(step.left, node);
        break;
      case Step::Kind::child: // where the component does not ask, either value gives the same result (N1)
        *slot = child_values_[step.left] == nullptr ? 0 : child_values_[step.left][word];
        break;
      case Step::Kind::negation:
        *slot = ~slots_[step.left];
        break;
      case Step::Kind::conjunction:
        *slot = slots_[step.left] & slots_[step.right];
        break;
      case Step::Kind::disjunction:
        *slot = slots_[step.left] | slots_[step.right];
        break;
    }
    ++slot;
  }
  return slots_[program.steps.size() - 1];
}

Word Level::words_by_labels(const Program& program, std::size_t first_node) {
  slots_.resize(std::max(slots_.size(), program.steps.size()));
  return evaluate_word(program, first_node, 0);
}

bool Level::is_context_free(Id component) {
  const Relevance& relevant = relevance();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (relevant.needs_context(i, component)) return false;
  }
  return true;
}

Level::Bounds Level::bounds(Id component) {
  const auto [low, high] = bounding_instances(component);
  const Bounds found{values(low), values(high)};
  for (std::size_t w = 0; w < model_.words(component); ++w) assert((found.least[w] & ~found.most[w]) == 0);
  return found;
}

std::pair<Id, Id> Level::bounding_instances(Id component) {
  assert(is_context_free(component)); // N4
  const Id operands = intern_operands(component, std::vector<Id>(children_.size(), kNone));
  const std::size_t words = model_.exit_words(component);
  std::vector<Word> least(std::max<std::size_t>(words, 1), 0);
  std::vector<Word> most(least);
  const Word* phi = first(operands);
  for (const Id exit : model_.exits(component)) {
    // At an exit, EU is true where phi2 is and false where neither operand is. EG is false where phi is.
    const auto bit = static_cast<std::size_t>(exit - model_.first(component));
    const bool surely = spec_.op == Op::until && test_bit(second(operands), bit);
    const bool possibly = surely || spec_.op == Op::next || test_bit(phi, bit);
    if (surely) set_bit(least.data(), static_cast<std::size_t>(model_.ordinal(exit)));
    if (possibly) set_bit(most.data(), static_cast<std::size_t>(model_.ordinal(exit)));
  }
  const Id low = intern_instance(operands, least.data());
  return {low, intern_instance(operands, most.data())};
}

bool Level::depends_on_context(std::size_t child, Id component, const Word* nodes) {
  const Bounds found = children_[child]->bounds(component);
  for (std::size_t w = 0; w < model_.words(component); ++w) {
    if ((nodes[w] & found.most[w] & ~found.least[w]) != 0) return true;
  }
  return false;
}

bool Level::takes(const Program& program, bool value, Id component, const std::vector<bool>& asked) {
  child_values_.assign(children_.size(), nullptr);
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (asked[i]) child_values_[i] = children_[i]->bounds(component).least;
  }
  std::vector<Word> result(model_.words(component));
  evaluate(program, component, result.data());
  for (std::size_t w = 0; w < result.size(); ++w) {
    Word found = value ? result[w] : ~result[w];
    if (w + 1 == result.size()) found &= tail_mask(static_cast<std::size_t>(model_.width(component)));
    if (found != 0) return true;
  }
  return false;
}

} // namespace pigro::core
