#include "verify/paths/tableau.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::verify {

namespace {

bool has(const std::vector<Word>& set, Id member) {
  return core::test_bit(set.data(), static_cast<std::size_t>(member));
}

bool is_part(const std::vector<Word>& part, const std::vector<Word>& whole) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if ((part[i] & ~whole[i]) != 0) return false;
  }
  return true;
}

} // namespace

void Tableau::Draft::add(Id member) {
  const auto bit = static_cast<std::size_t>(member);
  if (core::insert_bit(seen.data(), bit)) core::set_bit(pending.data(), bit);
}

void Tableau::Draft::later(Id member, bool may_end) {
  core::set_bit(next.data(), static_cast<std::size_t>(member));
  ends = ends && may_end;
}

void Tableau::start(std::span<const Member> members, Id leaves, const PathLevel& level) {
  assert(leaves >= 0 && static_cast<std::size_t>(leaves) <= members.size()); // leaves come first
  members_ = members;
  leaves_ = leaves;
  level_ = &level;
  untils_.clear();
  rows_.clear();
  state_of_.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].op == Op::path_until) untils_.push_back(static_cast<Id>(i));
  }
  const std::size_t words = core::words_for(members.size());
  for (std::size_t i = 0; i < level.states.size(); ++i) {
    state_of_[Set(level.states[i], level.states[i] + words)] = static_cast<Id>(i);
  }
}

const std::vector<Branch>& Tableau::row(Id state, const Set& letter) {
  assert(state >= 0 && static_cast<std::size_t>(state) < level_->states.size());
  assert(letter.size() == core::words_for(leaves()));
  const auto [at, fresh] = rows_.try_emplace({state, letter});
  if (fresh) work_out(state, letter, at->second);
  return at->second;
}

void Tableau::work_out(Id state, const Set& letter, std::vector<Branch>& row) {
  const std::size_t words = core::words_for(members_.size());
  const Set set(level_->states[state], level_->states[state] + words);
  std::vector<Draft> pending{{set, set, Set(words), Set(words)}};
  std::vector<Draft> done;
  while (!pending.empty()) {
    ticker_.poll(16);
    Draft draft = std::move(pending.back());
    pending.pop_back();
    expand(std::move(draft), letter, pending, done);
  }
  for (Draft& draft : done) find_marks(draft);
  for (std::size_t i = 0; i < done.size(); ++i) {
    bool implied = false;
    for (std::size_t j = 0; j < done.size() && !implied; ++j) {
      ticker_.poll(1);
      implied = i != j && implies(done[j], done[i]) && (j < i || !implies(done[i], done[j]));
    }
    if (!implied) row.push_back({done[i].tests, state_of(done[i].next), done[i].marks, done[i].ends});
  }
}

// Replaces formulas by what they ask of this node, wholes before parts. Where there are two ways, the other one is
// left pending. If labels tell which parts are true, one way is enough.
void Tableau::expand(Draft draft, const Set& letter, std::vector<Draft>& pending, std::vector<Draft>& done) {
  for (std::size_t i = members_.size(); i-- > 0;) {
    const Id at = static_cast<Id>(i);
    if (!has(draft.pending, at)) continue;
    core::clear_bit(draft.pending.data(), i);
    const Member& member = members_[i];
    [[maybe_unused]] const bool steps = member.op == Op::path_next || member.op == Op::path_weak_next;
    assert(steps || (member.left < at && (member.right < at || member.op == Op::path_thread))); // parts before wholes
    const auto fork = [&](auto&& change) {
      pending.push_back(draft);
      change(pending.back());
    };
    const auto put_off = [&](Draft& it) {
      it.add(member.op == Op::path_until ? member.left : member.right);
      it.later(at, member.op == Op::path_release);
    };
    switch (member.op) {
      case Op::truth: // a leaf
        if (!member.labelled) {
          core::set_bit(draft.tests.data(), i);
        } else if (!has(letter, at)) {
          return;
        }
        break;
      case Op::both:
        draft.add(member.left);
        draft.add(member.right);
        break;
      case Op::either:
        if (is(member.left, letter, false) || is(member.right, letter, true)) {
          draft.add(member.right);
        } else {
          if (!is(member.left, letter, true) && !is(member.right, letter, false)) {
            fork([&](Draft& it) { it.add(member.right); });
          }
          draft.add(member.left);
        }
        break;
      case Op::path_next:
        draft.later(member.left, false);
        break;
      case Op::path_thread:
        draft.add(member.left);
        break;
      case Op::path_weak_next:
        draft.later(member.left, true);
        break;
      case Op::path_tick:
      case Op::path_calm:
        if (is_asked(draft.seen, member.op == Op::path_tick ? Op::path_calm : Op::path_tick)) return;
        break;
      case Op::path_until:
        if (is(member.right, letter, false)) {
          put_off(draft);
        } else {
          if (!is(member.right, letter, true)) fork(put_off);
          draft.add(member.right);
        }
        break;
      default: // release
        if (is(member.left, letter, false)) {
          put_off(draft);
        } else {
          if (!is(member.left, letter, true)) fork(put_off);
          draft.add(member.left);
          draft.add(member.right);
        }
    }
  }
  assert(std::ranges::all_of(draft.pending, [](Word word) { return word == 0; })); // nothing is left to ask
  done.push_back(std::move(draft));
}

// Whether a tick, or that there is none, is in a set.
bool Tableau::is_asked(const Set& set, Op op) const {
  for (std::size_t i = static_cast<std::size_t>(leaves_); i < members_.size(); ++i) {
    if (members_[i].op == op && has(set, static_cast<Id>(i))) return true;
  }
  return false;
}

// Whether labels say so of a formula.
bool Tableau::is(Id member, const Set& letter, bool value) const {
  return member < leaves_ && members_[static_cast<std::size_t>(member)].labelled && has(letter, member) == value;
}

// All but those of formulas that are put off.
void Tableau::find_marks(Draft& draft) const {
  assert(untils_.size() <= level_->mark_words * core::kWordBits); // a mark for each until
  draft.marks.assign(level_->mark_words, 0);
  for (std::size_t mark = 0; mark < untils_.size(); ++mark) {
    const Id until = untils_[mark];
    const Id goal = members_[static_cast<std::size_t>(until)].right;
    if (!has(draft.next, until) || has(draft.seen, goal)) core::set_bit(draft.marks.data(), mark);
  }
}

// Without formulas that others ask for anyway.
Id Tableau::state_of(const Set& next) const {
  Set set = next;
  bool empty = true;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!has(next, static_cast<Id>(i))) continue;
    empty = false;
    const Member& member = members_[i];
    if (member.op == Op::path_thread) { // the weaker ones, one after the other
      const Member* thread = &member;
      for (std::size_t steps = 0; thread->op == Op::path_thread && steps < members_.size(); ++steps) {
        core::clear_bit(set.data(), static_cast<std::size_t>(thread->right));
        thread = &members_[static_cast<std::size_t>(thread->right)];
      }
    }
    if (member.op != Op::both && member.op != Op::path_release) continue;
    core::clear_bit(set.data(), static_cast<std::size_t>(member.right));
    if (member.op == Op::both) core::clear_bit(set.data(), static_cast<std::size_t>(member.left));
  }
  if (empty) return kNone;
  const auto found = state_of_.find(set);
  return found == state_of_.end() ? Branch::kUnlisted : found->second;
}

// Whether every run that goes on along `other` can go on along `one`.
bool Tableau::implies(const Draft& one, const Draft& other) {
  return is_part(one.tests, other.tests) && is_part(one.next, other.next) && is_part(other.marks, one.marks) &&
         (one.ends || !other.ends);
}

} // namespace pigro::verify
