#include "verify/values.hpp"

#include <algorithm>

namespace pigro::verify {

using core::kWordBits;
using core::NodeKind;

namespace {

constexpr std::size_t kChunk = 32; // words that go through a program together

bool within(const Word* part, const Word* whole, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    if ((part[i] & ~whole[i]) != 0) return false;
  }
  return true;
}

bool all_within(std::size_t bits, const Word* whole) {
  const std::size_t words = core::words_for(bits);
  for (std::size_t i = 0; i < words; ++i) {
    const Word wanted = i + 1 == words ? core::tail_mask(bits) : ~Word{0};
    if ((wanted & ~whole[i]) != 0) return false;
  }
  return true;
}

} // namespace

std::span<const Word* const> Labels::of(std::span<const Id> labels) {
  if (made_.size() * words() > kKept) {
    made_.clear();
    place_.clear();
  }
  found_.clear();
  for (const Id label : labels) found_.push_back(label == kNone ? none_.get() : bits(label));
  return found_;
}

const Word* Labels::bits(Id label) {
  Id& place = place_(0, label);
  if (place == kNone) {
    made_.push_back(core::make_zeroed<Word>(words()));
    model_.mark_label(label, made_.back().get());
    place = static_cast<Id>(made_.size()) - 1;
  }
  return made_[place].get();
}

const OperandContext& Values::at(Id operands) {
  if (!section_.operand_contexts[operands].known) settle(operands);
  return section_.operand_contexts[operands];
}

Truth Values::value(Id instance) {
  if (!section_.instances[instance].known) {
    const Id operands = section_.instances[instance].operands;
    if (cut_->pieces[section_.operand_contexts[operands].level].op == Op::next) {
      settle(operands);
      for (Id l = section_.operand_contexts[operands].first_link; l != kNone; l = section_.links[l].next) {
        settle(section_.links[l].target);
      }
    }
    value_instance(instance);
  }
  assert(section_.instances[instance].value.yes != nullptr && section_.instances[instance].value.no != nullptr);
  return section_.instances[instance].value;
}

void Values::everywhere(Id level, Truth& first, Truth& last) {
  const std::size_t words = core::words_for(static_cast<std::size_t>(model_.nodes()));
  evaluate(cut_->pieces[level], {0, words, {}}, first, last);
}

Id Values::free_operands(Id level, Id component) {
  Id& known = section_.free_operands(level, component);
  if (known == kNone) {
    const Piece& piece = cut_->pieces[level];
    known = static_cast<Id>(section_.operand_contexts.size());
    const Id lower = static_cast<Id>(section_.lowers.size());
    section_.lowers.resize(section_.lowers.size() + static_cast<std::size_t>(piece.children_end - piece.children),
                           kNone);
    section_.operand_contexts.push_back({component, level, lower, kNone, kNone, false, {}, {}});
  }
  assert(section_.operand_contexts[known].level == level && section_.operand_contexts[known].component == component);
  return known;
}

Id Values::free_instance(Id level, Id component) {
  const Id known = section_.free_instance.find(level, component);
  if (known != kNone) return known;
  const Id made = static_cast<Id>(section_.instances.size());
  const Word* none = around_.empty;
  if (cut_->pieces[level].op == Op::exists) { // there may be more pairs than nodes
    const std::size_t states = section_.path_levels[static_cast<std::size_t>(level)].states.size();
    none = around_.pool.zeros(core::words_for(static_cast<std::size_t>(model_.exit_count(component)) * states));
  }
  const Truth nothing{none, none};
  section_.instances.push_back({free_operands(level, component), false, nothing, false, {}});
  section_.free_instance(level, component) = made;
  return made;
}

Id Values::instance_below(Id operands, Id child) {
  const OperandContext& above = section_.operand_contexts[operands];
  const Id lower = section_.lowers[above.lower + child];
  if (lower != kNone) return lower;
  return free_instance(cut_->children[cut_->pieces[above.level].children + child], above.component);
}

// Works out an operand context and all that it depends on: those below it, by way of EX only.
void Values::settle(Id operands) {
  pending_.assign(1, operands);
  while (!pending_.empty()) {
    const Id next = pending_.back();
    if (section_.operand_contexts[next].known) {
      pending_.pop_back();
    } else if (lower_known(next)) {
      work_out(next);
      pending_.pop_back();
    }
  }
  assert(section_.operand_contexts[operands].known);
}

// Are the values of all lower instances known, or can be now? If not, what they need is pending.
bool Values::lower_known(Id operands) {
  const std::size_t before = pending_.size();
  const Piece& piece = cut_->pieces[section_.operand_contexts[operands].level];
  for (Id child = 0; child < piece.children_end - piece.children; ++child) {
    const Id instance = instance_below(operands, child);
    if (section_.instances[instance].known) continue;
    const std::size_t unknown = pending_.size();
    if (cut_->pieces[cut_->children[piece.children + child]].op == Op::next) {
      push_unknown(section_.instances[instance]);
    }
    if (pending_.size() == unknown) value_instance(instance);
  }
  return pending_.size() == before;
}

// The operand contexts that EX looks at.
void Values::push_unknown(const Instance& instance) {
  const auto push = [&](Id operands) {
    if (!section_.operand_contexts[operands].known) pending_.push_back(operands);
  };
  push(instance.operands);
  for (Id l = section_.operand_contexts[instance.operands].first_link; l != kNone; l = section_.links[l].next) {
    push(section_.links[l].target);
  }
}

// Needs: the values of all lower instances.
void Values::work_out(Id operands) {
  const Piece& piece = cut_->pieces[section_.operand_contexts[operands].level];
  below_.clear();
  for (Id child = 0; child < piece.children_end - piece.children; ++child) {
    assert(section_.instances[instance_below(operands, child)].known);
    below_.push_back(section_.instances[instance_below(operands, child)].value);
  }
  OperandContext& made = section_.operand_contexts[operands];
  const auto first_bit = static_cast<std::size_t>(model_.first(made.component));
  const Run run{first_bit, model_.words(made.component), below_};
  if (piece.op == Op::exists) {
    evaluate_leaves(piece, run, made);
  } else {
    evaluate(piece, run, made.first, made.last);
  }
  made.known = true;
}

// Kleene's logic, a few words at a time.
void Values::evaluate(const Piece& piece, const Run& run, Truth& first, Truth& last) {
  const std::size_t steps = static_cast<std::size_t>(piece.steps_end - piece.steps);
  steps_.resize(std::max(steps_.size(), steps * 2 * kChunk));
  Word* const made = around_.pool.take(run.words * (piece.first == kNone ? 2 : 4));
  const auto keep = [&](Id step, Word* to, std::size_t from, std::size_t count) {
    const Word* const yes = steps_.data() + static_cast<std::size_t>(step) * 2 * kChunk;
    std::copy_n(yes, count, to + from);
    std::copy_n(yes + kChunk, count, to + run.words + from);
  };
  for (std::size_t from = 0; from < run.words; from += kChunk) {
    const std::size_t count = std::min(kChunk, run.words - from);
    for (std::size_t i = 0; i < steps; ++i) {
      Word* const yes = steps_.data() + i * 2 * kChunk;
      evaluate_step(cut_->steps[static_cast<std::size_t>(piece.steps) + i], run, from, count, yes, yes + kChunk);
    }
    keep(piece.last, made, from, count);
    if (piece.first != kNone) keep(piece.first, made + 2 * run.words, from, count);
    around_.ticker.poll(1 + steps * count / 16);
  }
  last = {made, made + run.words};
  for (std::size_t i = 0; i < run.words; ++i) assert((last.yes[i] & last.no[i]) == 0); // never true and false at once
  if (piece.first != kNone) first = {made + 2 * run.words, made + 3 * run.words};
}

void Values::evaluate_step(const Step& step, const Run& run, std::size_t from, std::size_t count, Word* yes, Word* no) {
  const auto earlier = [&](Id number) { return steps_.data() + static_cast<std::size_t>(number) * 2 * kChunk; };
  switch (step.op) {
    case Op::truth:
      std::fill_n(yes, count, ~Word{0});
      std::fill_n(no, count, Word{0});
      return;
    case Op::atom: {
      const Word* const bits = atoms_[static_cast<std::size_t>(step.left)];
      const std::size_t bit = run.first_bit + from * kWordBits;
      for (std::size_t i = 0; i < count; ++i) yes[i] = core::word_at(bits, bit + i * kWordBits);
      for (std::size_t i = 0; i < count; ++i) no[i] = ~yes[i];
      return;
    }
    case Op::negation: {
      const Word* const a = earlier(step.left);
      std::copy_n(a + kChunk, count, yes);
      std::copy_n(a, count, no);
      return;
    }
    case Op::both: {
      const Word* const a = earlier(step.left);
      const Word* const b = earlier(step.right);
      for (std::size_t i = 0; i < count; ++i) yes[i] = a[i] & b[i];
      for (std::size_t i = 0; i < count; ++i) no[i] = a[kChunk + i] | b[kChunk + i];
      return;
    }
    case Op::either: {
      const Word* const a = earlier(step.left);
      const Word* const b = earlier(step.right);
      for (std::size_t i = 0; i < count; ++i) yes[i] = a[i] | b[i];
      for (std::size_t i = 0; i < count; ++i) no[i] = a[kChunk + i] & b[kChunk + i];
      return;
    }
    default:
      if (run.children.empty()) {
        std::fill_n(yes, count, Word{0});
        std::fill_n(no, count, Word{0});
      } else {
        const Truth& child = run.children[static_cast<std::size_t>(step.left)];
        std::copy_n(child.yes + from, count, yes);
        std::copy_n(child.no + from, count, no);
      }
  }
}

// Needs, for EX: the operand contexts that it looks at are worked out.
void Values::value_instance(Id number) {
  Instance& instance = section_.instances[number];
  const OperandContext& operands = section_.operand_contexts[instance.operands];
  const std::size_t words = model_.words(operands.component);
  Word* const yes = around_.pool.zeros(2 * words);
  Word* const no = yes + words;
  value_masks(instance, yes, no);
  if (cut_->pieces[operands.level].op == Op::next) {
    value_next(instance, yes, no);
  } else if (cut_->pieces[operands.level].op == Op::exists) {
    value_paths(instance, yes, no);
  } else {
    value_blocks(instance, yes, no);
    assert(!section_.instances[number].known);
    if (section_.irrelevant(operands.level, operands.component)) value_irrelevant(instance, yes, no);
  }
  for (std::size_t i = 0; i < words; ++i) assert((yes[i] & no[i]) == 0);
  instance.value = {yes, no};
  instance.known = true;
  around_.ticker.poll(1 + words);
}

void Values::value_masks(const Instance& instance, Word* yes, Word* no) const {
  const Id component = section_.operand_contexts[instance.operands].component;
  const auto exits = model_.exits(component);
  const auto local = [&](std::size_t e) { return static_cast<std::size_t>(exits[e] - model_.first(component)); };
  for (std::size_t e = 0; e < exits.size(); ++e) { // of path formulas: those with the first state
    if (core::test_bit(instance.masks.yes, e)) {
      core::set_bit(yes, local(e));
    } else if (core::test_bit(instance.masks.no, e)) {
      core::set_bit(no, local(e));
    }
  }
}

// The first of these counts: masks, then sure blocks, then bound blocks.
void Values::value_blocks(const Instance& instance, Word* yes, Word* no) const {
  const OperandContext& operands = section_.operand_contexts[instance.operands];
  const std::size_t words = model_.words(operands.component);
  const std::size_t exit_words = model_.exit_words(operands.component);
  const auto add = [&](const Block& block, Word* to, const Word* other) {
    if (block.set != nullptr) {
      for (std::size_t i = 0; i < words; ++i) to[i] |= block.set[i] & ~other[i];
    }
    for (std::size_t i = block.list; i < block.list_end; ++i) {
      const auto node = static_cast<std::size_t>(section_.listed[i]);
      if (!core::test_bit(other, node)) core::set_bit(to, node);
    }
    around_.ticker.poll(1 + words + block.list_end - block.list);
  };
  for (Id b = operands.first_block; b != kNone; b = section_.blocks[b].next) {
    const Block& block = section_.blocks[b];
    if (block.sure && within(block.exits, instance.masks.yes, exit_words)) add(block, yes, no);
  }
  for (Id b = operands.first_block; b != kNone; b = section_.blocks[b].next) {
    const Block& block = section_.blocks[b];
    if (!block.sure && within(block.exits, instance.masks.no, exit_words)) add(block, no, yes);
  }
}

void Values::value_irrelevant(const Instance& instance, Word* yes, Word* no) const {
  const OperandContext& operands = section_.operand_contexts[instance.operands];
  const auto exits = static_cast<std::size_t>(model_.exit_count(operands.component));
  const std::size_t words = model_.words(operands.component);
  if (cut_->pieces[operands.level].op == Op::until) {
    if (!all_within(exits, instance.masks.no)) return;
    for (std::size_t i = 0; i < words; ++i) no[i] |= ~yes[i];
  } else {
    if (!all_within(exits, instance.masks.yes)) return;
    for (std::size_t i = 0; i < words; ++i) yes[i] |= ~no[i];
  }
}

void Values::value_next(const Instance& instance, Word* yes, Word* no) {
  const OperandContext& operands = section_.operand_contexts[instance.operands];
  const Truth seen = seen_by_steps(instance.operands);
  const Id first = model_.first(operands.component);
  const auto width = static_cast<std::size_t>(model_.width(operands.component));
  for (std::size_t n = 0; n < width; ++n) {
    const Id node = first + static_cast<Id>(n);
    if (model_.kind(node) == NodeKind::exit || model_.kind(node) == NodeKind::call) continue;
    const auto successors = model_.successors(node);
    bool some = false;
    bool none = true;
    for (const Id m : successors) {
      some = some || core::test_bit(seen.yes, static_cast<std::size_t>(m - first));
      none = none && core::test_bit(seen.no, static_cast<std::size_t>(m - first));
    }
    if (successors.empty() && dead_ends_ == DeadEnds::stutter) {
      some = core::test_bit(seen.yes, n);
      none = core::test_bit(seen.no, n);
    }
    if (some) core::set_bit(yes, n);
    if (none && !some) core::set_bit(no, n);
    around_.ticker.poll(1 + successors.size());
  }
}

// phi as a step sees it: a call node stands for the entry in the callee, if there is a link.
Truth Values::seen_by_steps(Id number) {
  const OperandContext& operands = section_.operand_contexts[number];
  const std::size_t words = model_.words(operands.component);
  const auto first = static_cast<std::size_t>(model_.first(operands.component));
  Word* const yes = around_.pool.take(2 * words);
  Word* const no = yes + words;
  for (std::size_t i = 0; i < words; ++i) {
    const Word calls = core::word_at(around_.calls, first + i * kWordBits);
    yes[i] = operands.last.yes[i] & ~calls;
    no[i] = operands.last.no[i] & ~calls;
  }
  for (Id l = operands.first_link; l != kNone; l = section_.links[l].next) {
    const Link& link = section_.links[l];
    const Id box = model_.first_box(operands.component) + link.box;
    for (Id call = model_.first_call(box); call < model_.first_call(box) + model_.call_count(box); ++call) {
      see_call(call, section_.operand_contexts[link.target], yes, no);
    }
  }
  return {yes, no};
}

void Values::see_call(Id call, const OperandContext& callee, Word* yes, Word* no) const {
  assert(callee.known && model_.component(model_.subject(call)) == callee.component); // a part of R1
  const auto at = static_cast<std::size_t>(call - model_.first(model_.component(call)));
  const auto entry = static_cast<std::size_t>(model_.subject(call) - model_.first(callee.component));
  if (core::test_bit(callee.last.yes, entry)) core::set_bit(yes, at);
  if (core::test_bit(callee.last.no, entry)) core::set_bit(no, at);
}

} // namespace pigro::verify
