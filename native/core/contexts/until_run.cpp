#include "core/contexts/until_run.hpp"

#include <algorithm>

namespace pigro::core {

UntilRun::UntilRun(InstanceGraph& graph, bool by_context, bool improved)
    : graph_(graph), by_context_(by_context), improved_(improved) {}

void UntilRun::run(Id formula, std::span<const Id> group) {
  assert(graph_.formulas().ops[formula] == Op::until);
  at_.resize(static_cast<std::size_t>(graph_.size()), kNone);
  members_.clear();
  std::size_t words = 0;
  for (const Id instance : group) {
    if (at_[instance] != kNone) continue; // it is there twice
    at_[instance] = static_cast<Id>(members_.size());
    members_.push_back({instance, words});
    words += graph_.words(instance);
  }
  found_.resize(words);
  room_.resize(words);
  has_lost_ = false;
  find(formula, false);
  bool again = has_lost_;
  for (Member& each : members_) {
    each.changed = graph_.make_sure(each.instance, formula, found_.data() + each.first_word);
    again |= (graph_.stale(each.instance, formula) & InstanceGraph::kMay) != 0;
  }
  if (again) {
    find(formula, true);
    for (Member& each : members_) {
      each.changed |= graph_.leave_unknown(each.instance, formula, found_.data() + each.first_word);
    }
  }
  for (const Member& each : members_) {
    graph_.refresh(each.instance, formula);
    at_[each.instance] = kNone;
  }
}

void UntilRun::find(Id formula, bool optimistic) {
  std::ranges::fill(found_, Word{0});
  links_.clear();
  for (Member& each : members_) each.link = kNone;
  for (Id at = 0; at < static_cast<Id>(members_.size()); ++at) {
    start_calls(formula, at, optimistic);
    start(formula, at, optimistic);
    const bool is_stale = (graph_.stale(members_[at].instance, formula) & InstanceGraph::kSure) != 0;
    if (optimistic || is_stale) start_steps(formula, at);
  }
  go_on();
}

// Unknown call nodes: those of entries that are known to hold, or may hold, and links from entries in the group.
void UntilRun::start_calls(Id formula, Id at, bool optimistic) {
  const Id instance = members_[at].instance;
  const Id component = graph_.component(instance);
  const Word* unknown = graph_.unknown(instance, formula);
  const Word* plain = graph_.places().plain(component);
  const Id exits = graph_.model().exit_count(component);
  for (std::size_t word = 0; word < graph_.words(instance); ++word) {
    const Word others = unknown[word] & ~plain[word];
    for_each_bit(&others, 1, [&](std::size_t one) {
      const std::size_t place = word * kWordBits + one;
      if (static_cast<Id>(place) < exits) return;
      const auto [slot, entry] = graph_.places().call(component, static_cast<Id>(place));
      const Id callee = graph_.callee(instance, slot);
      if (callee == kNone) return;
      const auto entry_bit = static_cast<std::size_t>(entry);
      if (test_bit(graph_.sure(callee, formula), entry_bit)) {
        add(at, place);
      } else if (at_[callee] != kNone) {
        Member& called = members_[at_[callee]];
        links_.push_back({entry, at, static_cast<Id>(place), called.link});
        called.link = static_cast<Id>(links_.size()) - 1;
        has_lost_ |= !test_bit(graph_.may(callee, formula), entry_bit);
      } else if (!test_bit(graph_.may(callee, formula), entry_bit)) {
        has_lost_ = true;
      } else if (optimistic) {
        add(at, place);
      }
    });
  }
}

// Nodes where the formula holds, or may hold, by the right operand or by the context. And nodes a run goes through.
void UntilRun::start(Id formula, Id at, bool optimistic) {
  const Id instance = members_[at].instance;
  const Id left = graph_.formulas().left[formula];
  const Id right = graph_.formulas().right[formula];
  const Id component = graph_.component(instance);
  const Word* plain = graph_.places().plain(component);
  const Word* through = optimistic ? graph_.may(instance, left) : graph_.sure(instance, left);
  const Word* goal = optimistic ? graph_.may(instance, right) : graph_.sure(instance, right);
  const std::size_t exit_words = graph_.model().exit_words(component);
  const Id exits = graph_.model().exit_count(component);
  for (std::size_t word = 0; word < graph_.words(instance); ++word) {
    const Word unknown = graph_.unknown(instance, formula)[word];
    Word ends = goal[word] & plain[word];
    if (word < exit_words) {
      const Word here = word + 1 == exit_words ? tail_mask(static_cast<std::size_t>(exits)) : ~Word{0};
      if (optimistic) {
        const Word operands = improved_ ? through[word] | goal[word] : ~Word{0};
        ends |= graph_.given_may(instance, formula)[word] & operands & here;
      } else {
        ends |= (graph_.given_sure(instance, formula)[word] | (by_context_ ? 0 : goal[word])) & here;
      }
    }
    ends &= unknown;
    for_each_bit(&ends, 1, [&](std::size_t one) { add(at, word * kWordBits + one); });
    room_[members_[at].first_word + word] = through[word] & unknown & plain[word];
  }
}

// Nodes with a step to where the formula holds already.
void UntilRun::start_steps(Id formula, Id at) {
  const Member& member = members_[at];
  const Id component = graph_.component(member.instance);
  const Word* sure = graph_.sure(member.instance, formula);
  for_each_bit(room_.data() + member.first_word, graph_.words(member.instance), [&](std::size_t place) {
    const auto leads_there = [&](Id to) { return test_bit(sure, static_cast<std::size_t>(to)); };
    if (std::ranges::any_of(graph_.places().steps(component, static_cast<Id>(place)), leads_there)) add(at, place);
  });
}

void UntilRun::add(Id at, std::size_t place) {
  if (insert_bit(found_.data() + members_[at].first_word, place)) waiting_.emplace_back(at, static_cast<Id>(place));
}

void UntilRun::go_on() {
  while (!waiting_.empty()) {
    const auto [at, place] = waiting_.back();
    waiting_.pop_back();
    const Member& member = members_[at];
    const Id component = graph_.component(member.instance);
    const Id node = graph_.places().node(component, place);
    for (const Id from : graph_.model().predecessors(node)) {
      const auto before = static_cast<std::size_t>(graph_.places().place(from));
      if (test_bit(room_.data() + member.first_word, before)) add(at, before);
    }
    if (!graph_.model().is_entry(node)) continue;
    for (Id link = member.link; link != kNone; link = links_[link].next) {
      if (links_[link].entry != place) continue;
      add(links_[link].caller, static_cast<std::size_t>(links_[link].place));
    }
  }
}

} // namespace pigro::core
