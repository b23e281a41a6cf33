#include "verify/rules.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace pigro::verify {

using core::kWordBits;
using core::NodeKind;
using core::test_bit;

namespace {

std::size_t index_of(Id id) { return static_cast<std::size_t>(id); }

} // namespace

std::string Rejection::text(Kind kind) const {
  std::string made(1, rule >= kPathRules ? 'K' : 'R');
  made.append(std::to_string(rule % kPathRules)).append(kind == Kind::lemmas ? ": lemmas, level " : ": level ");
  made.append(std::to_string(level + 1)).append(", ").append(what).append(" ").append(std::to_string(index));
  if (node != kNone) made.append(", node ").append(std::to_string(node));
  return made;
}

void Rules::check(const Cut& cut, Kind kind) {
  assert(section_.levels.size() == static_cast<std::size_t>(cut.levels()));
  cut_ = &cut;
  known_.sure.clear();
  known_.bound.clear();
  for (level_ = 0; level_ < cut.levels(); ++level_) {
    op_ = cut.pieces[level_].op;
    check_links();
    if (op_ == Op::exists) {
      paths_.check(cut, level_);
      continue;
    }
    check_irrelevant();
    check_blocks();
    check_masks();
  }
  if (kind == Kind::formula) check_top();
}

// R1

void Rules::check_links() {
  const Level& level = section_.levels[level_];
  for (Id i = level.operand_contexts.begin; i < level.operand_contexts.end; ++i) {
    if (!lower_of(i, false)) reject(1, "operand context", i - level.operand_contexts.begin);
  }
  for (Id i = level.links.begin; i < level.links.end; ++i) check_link(section_.links[i], i - level.links.begin);
  for (Id i = level.instances.begin; i < level.instances.end; ++i) {
    const Instance& instance = section_.instances[i];
    if (instance.root && !lower_of(instance.operands, true)) reject(1, "instance", i - level.instances.begin);
  }
  for (Id i = level.instance_links.begin; i < level.instance_links.end; ++i) {
    check_instance_link(section_.instance_links[i], i - level.instance_links.begin);
  }
}

// Are the lower instances of the operand context's component (and roots, if wanted)?
bool Rules::lower_of(Id number, bool roots_only) const {
  const OperandContext& operands = section_.operand_contexts[number];
  const Piece& piece = cut_->pieces[operands.level];
  for (Id child = 0; child < piece.children_end - piece.children; ++child) {
    const Id lower = section_.lowers[operands.lower + child];
    if (lower == kNone) continue;
    const Instance& instance = section_.instances[lower];
    if (section_.operand_contexts[instance.operands].component != operands.component) return false;
    if (roots_only && !instance.root) return false;
  }
  around_.ticker.poll(1 + index_of(piece.children_end - piece.children));
  return true;
}

void Rules::check_link(const Link& link, Id index) {
  const OperandContext& source = section_.operand_contexts[link.source];
  const OperandContext& target = section_.operand_contexts[link.target];
  if (model_.callee(model_.first_box(source.component) + link.box) != target.component) reject(1, "link", index);
  const Piece& piece = cut_->pieces[level_];
  for (Id child = 0; child < piece.children_end - piece.children; ++child) {
    const Id above = section_.lowers[target.lower + child];
    if (above == kNone) continue;
    const Id below = section_.lowers[source.lower + child];
    if (below == kNone || section_.instance_link_of.find(below, link.box) != above) reject(1, "link", index);
  }
  around_.ticker.poll(1 + index_of(piece.children_end - piece.children));
}

void Rules::check_instance_link(const Link& link, Id index) {
  const Id source = section_.instances[link.source].operands;
  const Id target = section_.instances[link.target].operands;
  if (section_.link_of.find(source, link.box) != target) reject(1, "instance link", index);
  around_.ticker.poll(1);
}

// R9

void Rules::check_irrelevant() {
  if (section_.levels[level_].relevant == nullptr) return;
  check_irrelevant_calls();
  Truth first;
  Truth last;
  values_.everywhere(level_, first, last); // most nodes need no closer look
  const auto nodes = index_of(model_.nodes());
  for (std::size_t bit = 0; bit < nodes;) {
    const std::size_t word = bit / kWordBits;
    const Word faults = irrelevant_faults(first, last, word) & ~core::word_at(around_.calls, word * kWordBits) &
                        (~Word{0} << (bit % kWordBits));
    if (faults == 0) {
      bit = (word + 1) * kWordBits;
      continue;
    }
    const std::size_t node = word * kWordBits + index_of(std::countr_zero(faults));
    if (node >= nodes) return;
    const Id component = model_.component(static_cast<Id>(node));
    if (section_.irrelevant(level_, component)) check_irrelevant_component(component);
    bit = index_of(model_.first(component) + model_.width(component));
    around_.ticker.poll(1);
  }
}

void Rules::check_irrelevant_calls() {
  const Range& relevant = section_.levels[level_].relevant_ids;
  Id least = kNone;
  for (Id i = relevant.begin; i < relevant.end; ++i) {
    assert(!section_.irrelevant(level_, section_.relevant_ids[i]));
    const auto boxes = model_.boxes_calling(section_.relevant_ids[i]);
    for (const Id box : boxes) {
      const Id caller = model_.box_component(box);
      if (model_.call_count(box) == 0 || !section_.irrelevant(level_, caller)) continue;
      if (least == kNone || caller < least) least = caller;
    }
    around_.ticker.poll(1 + boxes.size());
  }
  if (least != kNone) reject(9, "component", least);
}

void Rules::check_irrelevant_component(Id component) {
  assert(section_.irrelevant(level_, component));
  const OperandContext& free = values_.at(values_.free_operands(level_, component));
  const auto first = index_of(model_.first(component));
  const auto width = index_of(model_.width(component));
  for (std::size_t i = 0; i < core::words_for(width); ++i) {
    Word faults = irrelevant_faults(free.first, free.last, i) & ~core::word_at(around_.calls, first + i * kWordBits);
    if (i + 1 == core::words_for(width)) faults &= core::tail_mask(width);
    if (faults == 0) continue;
    reject(9, "component", component, static_cast<Id>(i * kWordBits) + std::countr_zero(faults));
  }
}

// The nodes of a word that keep a component from being irrelevant.
Word Rules::irrelevant_faults(Truth first, Truth last, std::size_t word) const {
  return op_ == Op::until ? ~(first.yes[word] & last.no[word]) : ~last.yes[word];
}

// R2 to R6

void Rules::check_blocks() {
  const Range& blocks = section_.levels[level_].blocks;
  for (Id i = blocks.begin; i < blocks.end; ++i) {
    if (section_.blocks[i].set != nullptr) know(section_.blocks[i]); // in these, order does not matter
  }
  for (Id i = blocks.begin; i < blocks.end; ++i) {
    check_block(section_.blocks[i], i - blocks.begin);
    if (section_.blocks[i].set == nullptr) know(section_.blocks[i]);
  }
}

void Rules::check_block(const Block& block, Id index) {
  assert(op_ == Op::until || op_ == Op::always); // EX has no blocks
  assert((block.set == nullptr) == (block.sure == (op_ == Op::until)) &&
         section_.operand_contexts[block.operands].level == level_);
  if (op_ == Op::until) {
    block.sure ? check_until_sure(block, index) : check_until_bound(block, index);
  } else {
    block.sure ? check_always_sure(block, index) : check_always_bound(block, index);
  }
}

// From now on other blocks may rely on this one.
void Rules::know(const Block& block) {
  if (block.entry == kNone) return;
  if (block.sure) {
    const std::size_t words = model_.exit_words(section_.operand_contexts[block.operands].component);
    assert(std::ranges::count_if(block.exits, block.exits + words, [](Word word) { return word != 0; }) <= 1);
    known_.sure.add(block.operands, block.entry, block.exits, first_of(block.exits, words));
  } else {
    known_.bound.add_first(block.operands, block.entry, block.exits);
  }
}

// R2 and R3
void Rules::check_until_sure(const Block& block, Id index) {
  const OperandContext operands = values_.at(block.operands);
  earlier_.assign(model_.words(operands.component), 0);
  const Current current{block.operands, operands.component, block.exits, earlier_.data(), Current::Missing::refused};
  for (std::size_t i = block.list; i < block.list_end; ++i) {
    const Id local = section_.listed[i];
    const Id node = model_.first(operands.component) + local;
    if (!test_bit(operands.last.yes, index_of(local))) {
      const bool first = test_bit(operands.first.yes, index_of(local));
      if (!first || !goes_on_surely(current, node)) reject(first && calls_some(node) ? 3 : 2, "block", index, local);
    }
    core::set_bit(earlier_.data(), index_of(local));
  }
}

// R4
void Rules::check_always_sure(const Block& block, Id index) {
  const OperandContext operands = values_.at(block.operands);
  const Current current{block.operands, operands.component, block.exits, block.set, Current::Missing::fine};
  core::for_each_bit(block.set, model_.words(operands.component), [&](std::size_t local) {
    const Id node = model_.first(operands.component) + static_cast<Id>(local);
    const bool stays = model_.kind(node) != NodeKind::exit && model_.successors(node).empty();
    const bool fine = test_bit(operands.last.yes, local) && (stays || goes_on_surely(current, node));
    if (!fine) reject(4, "block", index, static_cast<Id>(local));
  });
}

// R5. Only nodes where phi1 is not false need a look at their successors.
void Rules::check_until_bound(const Block& block, Id index) {
  const OperandContext operands = values_.at(block.operands);
  const Current current{block.operands, operands.component, block.exits, block.set, Current::Missing::fine};
  const std::size_t words = model_.words(operands.component);
  for (std::size_t i = 0; i < words; ++i) {
    Word open = block.set[i] & ~(operands.last.no[i] & operands.first.no[i]);
    for (; open != 0; open &= open - 1) {
      const std::size_t local = i * kWordBits + index_of(std::countr_zero(open));
      const bool fine = test_bit(operands.last.no, local) &&
                        goes_on_only(current, model_.first(operands.component) + static_cast<Id>(local));
      if (!fine) reject(5, "block", index, static_cast<Id>(local));
    }
  }
  around_.ticker.poll(words);
}

// R6
void Rules::check_always_bound(const Block& block, Id index) {
  const OperandContext operands = values_.at(block.operands);
  earlier_.assign(model_.words(operands.component), 0);
  const Current current{block.operands, operands.component, block.exits, earlier_.data(), Current::Missing::refused};
  for (std::size_t i = block.list; i < block.list_end; ++i) {
    const Id local = section_.listed[i];
    const Id node = model_.first(operands.component) + local;
    const bool stays = model_.kind(node) != NodeKind::exit && model_.successors(node).empty();
    const bool fine = test_bit(operands.last.no, index_of(local)) || (!stays && goes_on_only(current, node));
    if (!fine) reject(6, "block", index, local);
    core::set_bit(earlier_.data(), index_of(local));
  }
}

bool Rules::exit_in(const Word* exits, Id node) const { return test_bit(exits, index_of(model_.ordinal(node))); }

// Is the node an exit of the block's set, or leads some successor on? (R2, R3, R4)
bool Rules::goes_on_surely(const Current& block, Id node) const {
  assert(model_.component(node) == block.component && model_.kind(node) != NodeKind::call);
  if (model_.kind(node) == NodeKind::exit) return exit_in(block.exits, node);
  const auto successors = model_.successors(node);
  around_.ticker.poll(1 + successors.size());
  for (const Id next : successors) {
    if (model_.kind(next) != NodeKind::call) {
      if (test_bit(block.claimed, index_of(next - model_.first(block.component)))) return true;
      continue;
    }
    for (const Chain chain : {blocks_about(&Known::sure, block, next), lemmas_about(&Known::sure, next)}) {
      for (Id fact = chain.first; fact != kNone; fact = (*chain.facts)[fact].next) {
        if (returns_claimed(block, model_.box(next), (*chain.facts)[fact].exits)) return true;
      }
    }
  }
  return false;
}

// Is the node an exit of the block's set, or do all successors lead on? (R5, R6)
bool Rules::goes_on_only(const Current& block, Id node) const {
  if (model_.kind(node) == NodeKind::exit) return exit_in(block.exits, node);
  assert(model_.component(node) == block.component && model_.kind(node) != NodeKind::call);
  const auto successors = model_.successors(node);
  around_.ticker.poll(1 + successors.size());
  for (const Id next : successors) {
    if (model_.kind(next) != NodeKind::call) {
      if (!test_bit(block.claimed, index_of(next - model_.first(block.component)))) return false;
      continue;
    }
    Chain chain = blocks_about(&Known::bound, block, next);
    if (chain.first == kNone) chain = lemmas_about(&Known::bound, next);
    if (chain.first == kNone || !returns_claimed(block, model_.box(next), (*chain.facts)[chain.first].exits)) {
      return false;
    }
  }
  return true;
}

bool Rules::calls_some(Id node) const {
  return std::ranges::any_of(model_.successors(node), [&](Id next) { return model_.kind(next) == NodeKind::call; });
}

// The blocks of the linked operand context about the called entry.
Rules::Chain Rules::blocks_about(const Facts Known::* side, const Current& block, Id call) const {
  const Id box = model_.box(call);
  const Id target = section_.link_of.find(block.operands, box - model_.first_box(block.component));
  const Facts& facts = known_.*side;
  return {&facts,
          target == kNone ? kNone : facts.find(target, model_.subject(call) - model_.first(model_.callee(box)))};
}

// The lemmas about the called entry, if the callee is irrelevant (R9).
Rules::Chain Rules::lemmas_about(const Facts Known::* side, Id call) const {
  const Facts& facts = lemmas_.*side;
  const bool irrelevant = section_.irrelevant(level_, model_.callee(model_.box(call)));
  return {&facts, irrelevant ? facts.find(static_cast<Id>(op_), model_.subject(call)) : kNone};
}

// For every exit of the callee's block: is the return node claimed?
bool Rules::returns_claimed(const Current& block, Id box, const Word* exits) const {
  assert(model_.box_component(box) == block.component);
  const Id callee = model_.callee(box);
  const Id first = model_.first(block.component);
  for (std::size_t i = 0; i < model_.exit_words(callee); ++i) {
    around_.ticker.poll(1 + index_of(std::popcount(exits[i])));
    for (Word rest = exits[i]; rest != 0; rest &= rest - 1) {
      const Id exit = static_cast<Id>(i * kWordBits) + std::countr_zero(rest);
      const Id node = model_.return_node(box, exit);
      if (node == kNone ? block.missing == Current::Missing::refused
                        : !test_bit(block.claimed, index_of(node - first))) {
        return false;
      }
    }
  }
  return true;
}

// R7

void Rules::check_masks() {
  const Level& level = section_.levels[level_];
  for (Id i = level.instances.begin; i < level.instances.end; ++i) {
    if (section_.instances[i].root) check_root(i, i - level.instances.begin);
  }
  for (Id i = level.instance_links.begin; i < level.instance_links.end; ++i) {
    check_returns(section_.instance_links[i], i - level.instance_links.begin);
  }
}

// With the empty stack, exits loop.
void Rules::check_root(Id number, Id index) {
  const Instance instance = section_.instances[number];
  const Id component = section_.operand_contexts[instance.operands].component;
  for (const auto side : {&Truth::yes, &Truth::no}) {
    core::for_each_bit(instance.masks.*side, model_.exit_words(component), [&](std::size_t e) {
      const Truth phi = values_.at(instance.operands).last;
      const Id exit = model_.exits(component)[e] - model_.first(component);
      if (!test_bit(phi.*side, index_of(exit))) reject(7, "instance", index, static_cast<Id>(e));
    });
  }
  around_.ticker.poll(1);
}

// What the masks of the target say about exits must be so at the return nodes.
void Rules::check_returns(const Link& link, Id index) {
  const Instance target = section_.instances[link.target];
  const std::size_t words = model_.exit_words(section_.operand_contexts[target.operands].component);
  for (const auto side : {&Truth::yes, &Truth::no}) {
    core::for_each_bit(target.masks.*side, words, [&](std::size_t e) {
      if (!return_has(link, static_cast<Id>(e), side)) reject(7, "instance link", index, static_cast<Id>(e));
    });
  }
  around_.ticker.poll(1);
}

bool Rules::return_has(const Link& link, Id exit, Word const* Truth::* side) {
  const Instance& source = section_.instances[link.source];
  const Id component = section_.operand_contexts[source.operands].component;
  const Id node = model_.return_node(model_.first_box(component) + link.box, exit);
  around_.ticker.poll(1);
  if (node != kNone) return test_bit(values_.value(link.source).*side, index_of(node - model_.first(component)));
  if (op_ == Op::next && dead_ends_ == DeadEnds::stop) return side == &Truth::no;
  const OperandContext& callee = values_.at(section_.instances[link.target].operands);
  return test_bit(callee.last.*side, index_of(model_.exits(callee.component)[exit] - model_.first(callee.component)));
}

// R1 and R8

void Rules::check_top() {
  assert(level_ == cut_->levels());
  op_ = Op::truth;
  for (Id i = section_.top.begin; i < section_.top.end; ++i) {
    if (!lower_of(i, true)) reject(1, "operand context", i - section_.top.begin);
  }
  for (std::size_t i = 0; i < section_.initial.size(); ++i) {
    const Id node = section_.initial[i];
    if (section_.holds && !top_has(node, &Truth::yes)) reject(8, "initial node", static_cast<Id>(i));
    if (!section_.holds && top_has(node, &Truth::no)) return;
    around_.ticker.poll(1);
  }
  if (!section_.holds) reject(8, "initial node", 0);
}

// In a component without an operand context of the top, all is unknown.
bool Rules::top_has(Id node, Word const* Truth::* side) {
  const Id component = model_.component(node);
  const Id operands = section_.top_operands.find(0, component);
  assert(operands == kNone || section_.operand_contexts[operands].level == cut_->levels());
  return operands != kNone && test_bit(values_.at(operands).last.*side, index_of(node - model_.first(component)));
}

} // namespace pigro::verify
