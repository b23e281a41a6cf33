#include "core/level.hpp"

#include <algorithm>

#include "core/globally.hpp"
#include "core/next.hpp"
#include "core/until.hpp"

namespace pigro::core {

namespace {

// The boolean top of a formula: it has arguments, but no instances of its own.
class TopLevel final : public Level {
 public:
  using Level::Level;

 protected:
  void pass(const Instance&, Word*) override { assert(false); }
};

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
      return std::make_unique<TopLevel>(query, spec, std::move(children));
  }
}

Id Level::intern_argument(Id component, const std::vector<Id>& lower) {
  std::uint64_t hash = mix(0, static_cast<std::uint64_t>(component));
  for (const Id instance : lower) hash = mix(hash, static_cast<std::uint64_t>(instance));
  return argument_ids_.intern(
      hash,
      [&](Id id) {
        return arguments_[id].component == component && std::equal(lower.begin(), lower.end(), arguments_[id].lower);
      },
      [&] {
        Id* kept = query_.arena.make<Id>(lower.size());
        std::copy(lower.begin(), lower.end(), kept);
        arguments_.push_back({.component = component, .lower = kept});
        return static_cast<Id>(arguments_.size() - 1);
      });
}

Id Level::intern_instance(Id argument, const Word* mask) {
  const std::size_t words = model_.exit_words(arguments_[argument].component);
  std::uint64_t hash = mix(1, static_cast<std::uint64_t>(argument));
  for (std::size_t i = 0; i < words; ++i) hash = mix(hash, mask[i]);
  return instance_ids_.intern(
      hash,
      [&](Id id) { return instances_[id].argument == argument && std::equal(mask, mask + words, instances_[id].mask); },
      [&] {
        Word* kept = query_.arena.make<Word>(words);
        std::copy(mask, mask + words, kept);
        instances_.push_back({.argument = argument, .mask = kept});
        ++query_.counters.contexts;
        return static_cast<Id>(instances_.size() - 1);
      });
}

Id Level::root_argument(Id component) {
  std::vector<Id> lower;
  for (Level* child : children_) lower.push_back(child->root(component));
  return intern_argument(component, lower);
}

Id Level::root(Id component) {
  const Id argument = root_argument(component);
  return intern_instance(argument, loop_mask(argument)); // at the empty stack an exit loops
}

Id Level::callee_argument(Id argument, Id box) {
  Argument& caller = arguments_[argument];
  if (caller.callees == nullptr) {
    caller.callees = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(caller.component)));
  }
  Id& known = caller.callees[box - model_.first_box(caller.component)];
  if (known == kNone) {
    std::vector<Id> lower;
    for (std::size_t i = 0; i < children_.size(); ++i) lower.push_back(children_[i]->callee(caller.lower[i], box));
    known = intern_argument(model_.callee(box), lower);
  }
  return known;
}

Id Level::callee(Id instance, Id box) {
  Instance& caller = instances_[instance];
  const Id component = arguments_[caller.argument].component;
  if (caller.callees == nullptr) {
    caller.callees = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(component)));
  }
  Id& known = caller.callees[box - model_.first_box(component)];
  if (known != kNone) return known;

  const Id argument = callee_argument(caller.argument, box); // L4
  const std::size_t words = model_.exit_words(model_.callee(box));
  std::vector<Word> mask(words, 0); // L3
  if (model_.return_count(box) < model_.exit_count(model_.callee(box))) {
    // A missing return node: a dead end, where EX is false under `stop`; else the path stays there.
    if (spec_.op != Op::next || query_.dead_ends == DeadEnds::stutter) {
      const Word* loop = loop_mask(argument);
      std::copy(loop, loop + words, mask.begin());
    }
  }
  const Word* value = values(instance);
  const Id first_node = model_.first(component);
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    const auto ordinal = static_cast<std::size_t>(model_.ordinal(node));
    if (test_bit(value, static_cast<std::size_t>(node - first_node))) {
      set_bit(mask.data(), ordinal);
    } else {
      clear_bit(mask.data(), ordinal);
    }
  }
  return known = intern_instance(argument, mask.data());
}

const Word* Level::values(Id id) {
  Instance& instance = instances_[id];
  if (instance.values == nullptr) {
    Word* values = query_.arena.make<Word>(model_.words(arguments_[instance.argument].component));
    pass(instance, values);
    ++query_.counters.passes;
    instance.values = values;
#ifndef NDEBUG
    const Id component = component_of(id);
    for (const Id exit : model_.exits(component)) { // L2
      assert(test_bit(values, static_cast<std::size_t>(exit - model_.first(component))) ==
             test_bit(instance.mask, static_cast<std::size_t>(model_.ordinal(exit))));
    }
#endif
  }
  return instance.values;
}

const Word* Level::loop_mask(Id id) {
  Argument& argument = arguments_[id];
  if (argument.loop == nullptr) {
    const Word* phi = spec_.op == Op::until ? second(id) : first(id);
    Word* loop = query_.arena.make<Word>(model_.exit_words(argument.component));
    for (const Id exit : model_.exits(argument.component)) {
      if (test_bit(phi, static_cast<std::size_t>(exit - model_.first(argument.component)))) {
        set_bit(loop, static_cast<std::size_t>(model_.ordinal(exit))); // L1
      }
    }
    argument.loop = loop;
  }
  return argument.loop;
}

const Word* Level::evaluate(Id id, const Program& program, const Word*& kept) {
  if (kept != nullptr) return kept;
  const Argument& argument = arguments_[id];
  std::vector<const Word*> lower_values;
  for (std::size_t i = 0; i < children_.size(); ++i) lower_values.push_back(children_[i]->values(argument.lower[i]));
  child_values_ = std::move(lower_values);
  slots_.resize(std::max(slots_.size(), program.steps.size()));
  const std::size_t words = model_.words(argument.component);
  Word* result = query_.arena.make<Word>(words);
  for (std::size_t word = 0; word < words; ++word) result[word] = evaluate_word(program, argument, word);
  if (words > 0) result[words - 1] &= tail_mask(static_cast<std::size_t>(model_.width(argument.component)));
  return kept = result;
}

Word Level::evaluate_word(const Program& program, const Argument& argument, std::size_t word) {
  const std::size_t node = static_cast<std::size_t>(model_.first(argument.component)) + word * kWordBits;
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
      case Step::Kind::child:
        *slot = child_values_[step.left][word];
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

} // namespace pigro::core
