#include "core/contexts/instance_graph.hpp"

#include <algorithm>

namespace pigro::core {

InstanceGraph::InstanceGraph(const Places& places, Subformulas formulas, std::vector<std::uint8_t> boxes)
    : places_(places),
      model_(places.model()),
      formulas_(std::move(formulas)),
      boxes_(std::move(boxes)),
      unlisted_(static_cast<std::size_t>(model_.components())) {
  assert(boxes_.size() == static_cast<std::size_t>(model_.boxes()));
  untils_.resize(formulas_.ops.size());
  for (Id formula = 0; formula < formulas_.size(); ++formula) {
    const Op op = formulas_.ops[formula];
    const Id left = op > Op::atom ? formulas_.left[formula] : kNone;
    const Id right = op > Op::atom ? formulas_.right[formula] : kNone;
    const bool below = (left != kNone && can_be_unknown_[left] != 0) || (right != kNone && can_be_unknown_[right] != 0);
    can_be_unknown_.push_back(op >= Op::next || below ? 1 : 0);
    if (op != Op::until) continue;
    untils_[left].push_back(formula);
    if (right != left) untils_[right].push_back(formula);
  }
}

void InstanceGraph::add(Id added, Id component) {
  if (added >= size()) {
    instances_.resize(static_cast<std::size_t>(added) + 1);
    callers_.resize(instances_.size());
    stale_.resize(row(size(), 0), kSure | kMay);
  }
  assert(!has(added));
  const std::size_t words = model_.words(component);
  instances_[added] = {.component = component,
                       .words = static_cast<Id>(words),
                       .first_word = set_words(),
                       .first_callee = callees_.size(),
                       .first_given = given_may_.size(),
                       .dropped = false};
  callees_.resize(callees_.size() + static_cast<std::size_t>(model_.box_count(component)), kNone);
  unknown_.resize(unknown_.size() + words * static_cast<std::size_t>(formulas_.size()));
  sure_.resize(unknown_.size());
  may_.resize(unknown_.size());
  given_sure_.resize(given_sure_.size() + model_.exit_words(component) * static_cast<std::size_t>(formulas_.size()));
  given_may_.resize(given_sure_.size());
  for (Id formula = 0; formula < formulas_.size(); ++formula) {
    if (can_be_unknown_[formula] != 0) know_nothing(added, formula);
  }
}

void InstanceGraph::know_nothing(Id instance, Id formula) {
  const auto width = static_cast<std::size_t>(model_.width(component(instance)));
  const auto exits = static_cast<std::size_t>(model_.exit_count(component(instance)));
  const auto fill = [](Word* set, std::size_t bits) {
    std::fill_n(set, words_for(bits), ~Word{0});
    if (bits > 0) set[words_for(bits) - 1] &= tail_mask(bits);
  };
  fill(unknown_.data() + set_at(instance, formula), width);
  fill(may_.data() + set_at(instance, formula), width);
  fill(given_may_.data() + given_at(instance, formula), exits);
}

void InstanceGraph::copy(Id added, Id like) {
  assert(has(like));
  add(added, component(like));
  const std::size_t size = set_words() - set_at(added, 0);
  std::copy_n(unknown(like, 0), size, unknown_.begin() + static_cast<std::ptrdiff_t>(set_at(added, 0)));
  std::copy_n(sure(like, 0), size, sure_.begin() + static_cast<std::ptrdiff_t>(set_at(added, 0)));
  std::copy_n(may(like, 0), size, may_.begin() + static_cast<std::ptrdiff_t>(set_at(added, 0)));
  const std::size_t given = given_may_.size() - given_at(added, 0);
  std::copy_n(given_sure(like, 0), given, given_sure_.begin() + static_cast<std::ptrdiff_t>(given_at(added, 0)));
  std::copy_n(given_may(like, 0), given, given_may_.begin() + static_cast<std::ptrdiff_t>(given_at(added, 0)));
  std::copy_n(stale_.begin() + static_cast<std::ptrdiff_t>(row(like, 0)), formulas_.size(),
              stale_.begin() + static_cast<std::ptrdiff_t>(row(added, 0)));
  const Id first = model_.first_box(component(added));
  for (Id slot = 0; slot < model_.box_count(component(added)); ++slot) { // IG1
    const Id called = callee(like, slot);
    if (called == kNone) continue;
    callees_[instances_[added].first_callee + static_cast<std::size_t>(slot)] = called;
    note_caller(called, added, first + slot);
  }
}

void InstanceGraph::note_caller(Id callee, Id caller, Id box) {
  if (!lists_callers_ || (boxes_[box] & kCounts) == 0) return;
  const bool is_full =
      model_.return_count(box) == model_.exit_count(model_.callee(box)) && model_.return_count(box) > 0;
  callers_[callee].push_back({caller, box, is_full ? places_.place(model_.first_return(box)) : kNone});
}

void InstanceGraph::forget_caller(Id callee, Id caller, Id box) {
  if (!lists_callers_ || (boxes_[box] & kCounts) == 0) return;
  std::vector<Caller>& callers = callers_[callee];
  const auto found =
      std::ranges::find_if(callers, [&](const Caller& each) { return each.instance == caller && each.box == box; });
  assert(found != callers.end()); // IG1
  callers.erase(found);
}

void InstanceGraph::bind(Id caller, Id box, Id callee) {
  assert(has(caller) && !was_dropped(caller) && has(callee) && component(caller) == model_.box_component(box));
  Id& called =
      callees_[instances_[caller].first_callee + static_cast<std::size_t>(box - model_.first_box(component(caller)))];
  if (called != kNone) forget_caller(called, caller, box);
  called = callee;
  note_caller(callee, caller, box);        // IG1
  if ((boxes_[box] & kInner) == 0) return; // a run looks at the entry
  for (Id formula = 0; formula < formulas_.size(); ++formula) stale_[row(caller, formula)] |= kMay; // a new cycle
}

void InstanceGraph::drop(Id instance) {
  assert(has(instance) && !was_dropped(instance));
  instances_[instance].dropped = true;
  Id box = model_.first_box(component(instance));
  for (const Id called : callees(instance)) {
    if (called != kNone) forget_caller(called, instance, box);
    ++box;
  }
}

void InstanceGraph::set(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may) {
  assert(sure.size() == words(instance) && may.size() == sure.size());
  const std::size_t to = set_at(instance, formula);
  bool sure_changed = false;
  bool may_changed = false;
  for (std::size_t at = 0; at < sure.size(); ++at) {
    sure_changed |= sure_[to + at] != sure[at];
    may_changed |= may_[to + at] != may[at];
    sure_[to + at] = sure[at];
    may_[to + at] = may[at];
    unknown_[to + at] = may[at] & ~sure[at];
  }
  note_change(instance, formula, sure_changed, may_changed);
}

void InstanceGraph::note_change(Id instance, Id formula, bool sure_changed, bool may_changed) {
  if (formulas_.ops[formula] == Op::until) stale_[row(instance, formula)] = kSure | kMay;
  for (const Id above : untils_[formula]) {
    if (sure_changed && formulas_.left[above] == formula) stale_[row(instance, above)] |= kSure;
    if (may_changed) stale_[row(instance, above)] |= kMay;
  }
}

void InstanceGraph::set_context(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may) {
  assert(sure.size() == model_.exit_words(component(instance)) && may.size() == sure.size());
  const auto to = static_cast<std::ptrdiff_t>(given_at(instance, formula));
  if (!std::ranges::equal(may, std::span(given_may(instance, formula), may.size()))) {
    stale_[row(instance, formula)] |= kMay;
  }
  std::ranges::copy(sure, given_sure_.begin() + to);
  std::ranges::copy(may, given_may_.begin() + to);
}

bool InstanceGraph::make_sure(Id instance, Id formula, const Word* places) {
  const std::size_t to = set_at(instance, formula);
  Word changed = 0;
  for (std::size_t at = 0; at < words(instance); ++at) {
    assert((places[at] & ~unknown_[to + at]) == 0);
    changed |= places[at];
    sure_[to + at] |= places[at];
    unknown_[to + at] &= ~places[at];
  }
  return changed != 0;
}

bool InstanceGraph::leave_unknown(Id instance, Id formula, const Word* places) {
  const std::size_t to = set_at(instance, formula);
  Word changed = 0;
  for (std::size_t at = 0; at < words(instance); ++at) {
    assert((places[at] & ~unknown_[to + at]) == 0);
    changed |= unknown_[to + at] ^ places[at];
    unknown_[to + at] = places[at];
    may_[to + at] = sure_[to + at] | places[at];
  }
  return changed != 0;
}

void InstanceGraph::set_unlisted(Id component, Id formula, std::span<const Word> exits) {
  const std::size_t words = model_.exit_words(component);
  assert(exits.size() == words && formula < formulas_.size());
  std::vector<Word>& kept = unlisted_[component];
  kept.resize(words * static_cast<std::size_t>(formulas_.size()));
  std::ranges::copy(exits, kept.begin() + static_cast<std::ptrdiff_t>(words * static_cast<std::size_t>(formula)));
}

Id InstanceGraph::return_place(const Caller& caller, Id exit) const {
  if (caller.first != kNone) return caller.first + exit; // M3, and return nodes are in the order of their numbers
  const Id node = model_.return_node(caller.box, exit);
  return node == kNone ? kNone : places_.place(node);
}

bool InstanceGraph::holds_unlisted(Id box, Id formula, Id exit) const {
  const Id component = model_.callee(box);
  const std::vector<Word>& kept = unlisted_[component];
  const std::size_t words = model_.exit_words(component);
  return !kept.empty() &&
         test_bit(kept.data() + words * static_cast<std::size_t>(formula), static_cast<std::size_t>(exit));
}

} // namespace pigro::core
