#include "evidence/walk.hpp"

#include <algorithm>

namespace pigro::evidence {

using core::NodeKind;
using verify::Block;

Path Walk::run() {
  auto ended = begin();
  while (!ended) {
    opened_.ticker.poll(4);
    ended = step();
  }
  return std::move(*ended);
}

// A frame for where the path is, with nothing below it that was called on the way.
std::optional<Path> Walk::begin() {
  if (!frames_.empty()) pop();
  const auto found = first_frame();
  if (!found) return return_to_caller(); // true by what waits for the exit
  push(*found);
  return std::nullopt;
}

std::optional<Path> Walk::step() {
  if (is_goal()) return finish(End::here);
  if (auto path = closed()) return path;
  if (model_.kind(at_.node) == NodeKind::exit) return leave();
  return go_on();
}

bool Walk::is_goal() {
  if (op_ != Op::until || frame().sheet != &opened_.formula) return false; // lemmas have none
  const Block& block = frame().sheet->block(frame().block);
  return core::test_bit(opened_.values.at(block.operands).last.yes, static_cast<std::size_t>(local(at_.node)));
}

// Whether an EG path has come to a place where it has been in this call.
std::optional<Path> Walk::closed() {
  if (op_ != Op::always) return std::nullopt;
  Id& met = met_(frame().number, at_.node);
  if (met == kNone) {
    met = static_cast<Id>(states_.size()) - 1;
    return std::nullopt;
  }
  if (states_[met] == states_.back()) {
    states_.pop_back();
    return finish(End::loop, met);
  }
  // The same moment, once at the return node of an empty procedure, once at an exit.
  return finish(End::loop, met + 1);
}

// Out of an exit: to the caller, or nowhere.
std::optional<Path> Walk::leave() {
  if (frames_.size() == 1) return return_to_caller();
  const auto returned = opened_.after_return(at_);
  if (!returned) return finish(End::stays);
  pop();
  at_ = *returned;
  return std::nullopt;
}

std::optional<Path> Walk::return_to_caller() {
  const auto returned = opened_.after_return(at_);
  if (!returned) return finish(op_ == Op::until ? End::here : End::stays); // no caller: of EU, the goal is here
  at_ = *returned;
  return begin();
}

// To a successor that the claim rests on.
std::optional<Path> Walk::go_on() {
  if (model_.successors(at_.node).empty()) return finish(End::stays);
  rank_here_ = frame().block == kNone ? kNone : rank(at_.node);
  auto best = best_step();
  if (!best) best = best_call();
  if (!best) lost();
  if (best->sheet != nullptr) return call(*best);
  at_.node = best->node;
  opened_.ticker.push(states_, at_);
  return std::nullopt;
}

std::optional<Path> Walk::call(const Choice& choice) {
  at_ = {opened_.stacks.push(at_.stack, model_.box(choice.node)), model_.subject(choice.node)};
  opened_.ticker.push(states_, at_);
  const Frame made = new_frame(*choice.sheet, choice.block);
  if (op_ == Op::always) {
    const Id same = pump_of(made); // deeper forever
    if (same != kNone) return finish(End::pump, frames_[same].began);
  }
  push(made);
  return std::nullopt;
}

// ---- which block to follow

// The block to begin with: the one in which the node comes first. None at exits without.
std::optional<Walk::Frame> Walk::first_frame() {
  Sheet& sheet = opened_.formula;
  const Id component = model_.component(at_.node);
  const Id node = local(at_.node);
  Id best = kNone;
  Id least = kNone;
  const std::span<const Id> described = opened_.describing(level_, at_.stack, component);
  for (const Id number : std::vector(described.begin(), described.end())) {
    const Id instance = number == kNone ? opened_.values.free_instance(level_, component) : number;
    const Word* const mask = sheet.section.instances[instance].masks.yes;
    const Id operands = sheet.section.instances[instance].operands;
    std::vector<Id> blocks; // the section has them in reverse
    for (Id b = sheet.section.operand_contexts[operands].first_block; b != kNone; b = sheet.block(b).next)
      blocks.push_back(b);
    for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) {
      opened_.ticker.poll();
      const Block& block = sheet.block(*b);
      if (!block.sure) continue;
      bool fine = true;
      for (std::size_t i = 0; i < model_.exit_words(component); ++i) fine = fine && (block.exits[i] & ~mask[i]) == 0;
      const Id place = fine ? sheet.place(*b, node) : kNone;
      if (place == kNone) continue;
      if (best == kNone || place < least || (place == least && smaller(*b, best))) {
        best = *b;
        least = place;
      }
    }
  }
  if (best != kNone) return new_frame(sheet, best);
  if (op_ == Op::always && sheet.section.irrelevant(level_, component)) return new_frame(sheet, kNone);
  if (model_.kind(at_.node) == NodeKind::exit) return std::nullopt;
  lost();
}

// Whether the exits of a block are a smaller number, read as bits.
bool Walk::smaller(Id one, Id other) const {
  const Sheet& sheet = opened_.formula;
  for (std::size_t i = model_.exit_words(sheet.component(one)); i > 0; --i) {
    const Word a = sheet.block(one).exits[i - 1];
    const Word b = sheet.block(other).exits[i - 1];
    if (a != b) return a < b;
  }
  return false;
}

bool Walk::is_shortest() {
  if (op_ != Op::until || at_.stack != Stacks::kEmpty) return false;
  const auto found = first_frame();
  return found && found->block != kNone && found->sheet->block(found->block).entry != kNone;
}

// ---- the next step

Id Walk::rank(Id node) {
  if (frame().block == kNone) return local(node);
  const Block& block = frame().sheet->block(frame().block);
  const Id at = local(node);
  if (block.set == nullptr) return frame().sheet->place(frame().block, at);
  return core::test_bit(block.set, static_cast<std::size_t>(at)) ? at : kNone; // the same order
}

// Whether a claim that comes there in the block may be rested on.
bool Walk::comes_before(Id other) { return op_ != Op::until || frame().block == kNone || other < rank_here_; }

std::optional<Walk::Choice> Walk::best_step() {
  std::optional<Choice> best;
  for (const Id after : model_.successors(at_.node)) {
    if (model_.kind(after) == NodeKind::call) continue;
    const Id found = rank(after);
    if (found == kNone || !comes_before(found) || (best && found >= best->rank)) continue;
    best = Choice{found, after};
  }
  return best;
}

std::optional<Walk::Choice> Walk::best_call() {
  std::optional<Choice> best;
  for (const Id call : model_.successors(at_.node)) {
    if (model_.kind(call) != NodeKind::call) continue;
    const Id box = model_.box(call);
    const Id callee = model_.callee(box);
    Sheet& here = *frame().sheet;
    if (frame().block == kNone) {
      try_call(call, here, kNone, best);
      continue;
    }
    const verify::OperandContext& operands = here.section.operand_contexts[here.block(frame().block).operands];
    const Id target =
        here.section.link_of.find(here.block(frame().block).operands, box - model_.first_box(operands.component));
    if (target != kNone) {
      for (Id b = here.first_about(target, local(model_.subject(call))); b != kNone; b = here.next_about(b)) {
        try_call(call, here, b, best);
      }
    }
    if (!here.section.irrelevant(operands.level, callee)) continue;
    for (Id b = opened_.first_lemma(op_, model_.subject(call)); b != kNone; b = opened_.next_lemma(b)) {
      try_call(call, opened_.lemmas, b, best);
    }
  }
  return best;
}

void Walk::try_call(Id call, Sheet& sheet, Id block, std::optional<Choice>& best) {
  opened_.ticker.poll();
  if (block != kNone && op_ == Op::until && !is_earlier(sheet, block)) return;
  const auto found = call_rank(call, sheet, block);
  if (!found || (best && *found >= best->rank)) return;
  best = Choice{*found, call, &sheet, block};
}

// Whether a block comes before the one that is followed. Lemmas come first.
bool Walk::is_earlier(const Sheet& sheet, Id block) const {
  const Frame& here = frames_.back();
  if (here.sheet == &sheet) return block < here.block;
  return &sheet == &opened_.lemmas;
}

// How soon a call leads on, if it does.
std::optional<Id> Walk::call_rank(Id call, Sheet& sheet, Id block) {
  if (block == kNone) return 0;
  const Id box = model_.box(call);
  Id last = -1;
  bool fine = true;
  core::for_each_bit(sheet.block(block).exits, model_.exit_words(model_.callee(box)), [&](std::size_t exit) {
    const Id back = model_.return_node(box, static_cast<Id>(exit));
    if (back == kNone) {
      fine = fine && op_ != Op::until;
      return;
    }
    const Id found = rank(back);
    fine = fine && found != kNone && comes_before(found);
    last = std::max(last, found);
  });
  return fine ? std::optional(last) : std::nullopt;
}

// ---- frames

void Walk::push(const Frame& made) {
  if (op_ == Op::always) pump_of(made) = static_cast<Id>(frames_.size());
  opened_.ticker.push(frames_, made);
}

void Walk::pop() {
  if (op_ == Op::always) pump_of(frame()) = kNone;
  frames_.pop_back();
}

// The frame that follows the same block from the same node. The place for its number.
Id& Walk::pump_of(const Frame& made) {
  const bool of_lemmas = made.sheet == &opened_.lemmas;
  const Id block = made.block == kNone ? kNone : made.block * 2 + (of_lemmas ? 1 : 0);
  return pumps_(block, states_[made.began].node);
}

} // namespace pigro::evidence
