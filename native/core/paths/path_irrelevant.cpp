// Which calls a path formula need not look into: those that read the usual letter only, as far as it matters.
//
// The *usual letter* has the usual value of every leaf. A state is *settled* if it does not matter how often it reads
// this letter: then the static summary of a call tells what the call can do (N5). Where a component has other letters,
// a state may ignore them. Or all that a run can do there and nowhere else leads to nothing: for the first state this
// is found out beforehand (P6).
#include <algorithm>
#include <cassert>

#include "core/paths/path.hpp"
#include "core/paths/path_expand.hpp"

namespace pigro::core {

// The branches that can be taken from a state where the leaves have their usual values, but for those flipped.
std::vector<Branch> PathLevel::branches(Id state, Word flipped) {
  const auto value = [&](Id formula) {
    const bool negated = formula_.op(formula) == PathOp::negation;
    const auto number = static_cast<std::size_t>(formula_.left(negated ? formula_.left(formula) : formula));
    return (usual_[number] != ((flipped >> number & 1U) != 0)) != negated;
  };
  std::vector<Branch> found;
  for (const Branch& branch : automaton_.row(state, automaton_.letter_of(value))) {
    if (std::ranges::none_of(branch.tests, value)) found.push_back(branch);
  }
  return found;
}

// Whether a state can do the same, whatever the values of these leaves.
bool PathLevel::ignores(Id state, const std::vector<Branch>& usually, Word unusual) {
  const auto alike = [&](const Branch& one, const Branch& other) { return same(one, other); };
  for (Word flipped = unusual; flipped != 0; flipped = (flipped - 1) & unusual) {
    query_.poll();
    if (!std::ranges::is_permutation(branches(state, flipped), usually, alike)) return false;
  }
  return true;
}

bool PathLevel::same(const Branch& one, const Branch& other) const {
  return one.next == other.next && one.ends_well == other.ends_well &&
         std::equal(one.marks, one.marks + mark_words_, other.marks);
}

// What a call does that can be told without the formula's labels. Null if it can't.
const PathLevel::Settled* PathLevel::settled_call(Id state, Id box) {
  constexpr int kMostUnusual = 4;
  if (query_.policy.trace) return nullptr;   // a run shows every step
  if (query_.policy.certify) return nullptr; // certificates have no rule for it
  const Id component = model_.callee(box);
  const Word unusual = stays_first(state, component) ? 0 : relevance().unusual(component);
  if (std::popcount(unusual) > kMostUnusual || relevance().may_end(component)) return nullptr;
  const bool returns = model_.return_count(box) == model_.exit_count(component);
  if (!returns && query_.dead_ends == DeadEnds::stop) return nullptr;
  auto set = static_cast<std::size_t>(std::ranges::find(unusual_sets_, unusual) - unusual_sets_.begin());
  if (set == unusual_sets_.size()) unusual_sets_.push_back(unusual);
  const auto at = static_cast<std::size_t>(settled_ids_.number(state, static_cast<Id>(set)));
  if (at == settled_.size()) {
    Settled found;
    settle(found, state, unusual);
    settled_.push_back(std::move(found));
  }
  assert(at < settled_.size());
  return settled_[at].is_settled ? &settled_[at] : nullptr;
}

// A state is settled if the states after one reading keep themselves and lead nowhere else, and longer ways bring no
// marks that one reading does not bring: then it does not matter how long the run reads the usual letter.
void PathLevel::settle(Settled& found, Id state, Word unusual) {
  constexpr std::size_t kMost = 16;
  const std::vector<Branch> first = branches(state, 0);
  if (!ignores(state, first, unusual)) return;
  std::vector<Id> states;
  std::vector<Word*> marks;
  for (const Branch& branch : first) {
    if (branch.next == kNone) {
      found.is_settled = found.hits = true;
      return;
    }
    auto at = static_cast<std::size_t>(std::ranges::find(states, branch.next) - states.begin());
    if (at == states.size()) {
      if (at == kMost) return;
      states.push_back(branch.next);
      marks.push_back(query_.arena.make<Word>(mark_words_));
    }
    for (std::size_t i = 0; i < mark_words_; ++i) marks[at][i] |= branch.marks[i];
  }
  std::vector<std::vector<std::size_t>> after(states.size());
  std::vector<std::vector<const Word*>> along(states.size());
  for (std::size_t from = 0; from < states.size(); ++from) {
    const std::vector<Branch> next = branches(states[from], 0);
    if (!ignores(states[from], next, unusual)) return;
    for (const Branch& branch : next) {
      const auto to = static_cast<std::size_t>(std::ranges::find(states, branch.next) - states.begin());
      if (branch.next == kNone || to == states.size()) return;
      for (std::size_t i = 0; i < mark_words_; ++i) {
        if (((marks[from][i] | branch.marks[i]) & ~marks[to][i]) != 0) return;
      }
      after[from].push_back(to);
      along[from].push_back(branch.marks);
    }
    if (std::ranges::find(after[from], from) == after[from].end()) return;
  }
  found.is_settled = true;
  // Which of the few states reach each other.
  const std::size_t count = states.size();
  assert(count <= kMost && marks.size() == count); // sets of them are bits
  std::vector<std::uint32_t> reaches(count);
  for (std::size_t i = 0; i < count; ++i) {
    reaches[i] = 1U << i;
    for (const std::size_t to : after[i]) reaches[i] |= 1U << to;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      if ((reaches[i] >> k & 1U) != 0) reaches[i] |= reaches[k];
    }
  }
  std::vector<bool> fair(count);
  std::vector<Word> inside(mark_words_);
  for (std::size_t part = 0; part < count; ++part) {
    std::ranges::fill(inside, 0);
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t j = 0; j < after[from].size(); ++j) {
        const std::size_t to = after[from][j];
        if ((reaches[part] >> from & 1U) == 0 || (reaches[to] >> part & 1U) == 0) continue;
        for (std::size_t i = 0; i < mark_words_; ++i) inside[i] |= along[from][j][i];
      }
    }
    fair[part] = has_all(inside.data());
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool accepts = false;
    for (std::size_t part = 0; part < count; ++part)
      accepts = accepts || (fair[part] && (reaches[i] >> part & 1U) != 0);
    found.after.push_back({states[i], marks[i], accepts});
  }
}

// Whether a run from the first state can leave it in vain only, in this component and all that it calls (P6).
bool PathLevel::stays_first(Id state, Id component) const {
  return state == kFirst && knows_departures_ && !departures_.has(component);
}

// Whether a run that reads the usual letter forever may be accepted in the first state. Needs: the state waits.
bool PathLevel::waits_well() {
  std::vector<Word> seen(mark_words_);
  for (const Branch& branch : branches(kFirst, 0)) {
    assert(branch.next == kFirst);
    for (std::size_t i = 0; i < mark_words_; ++i) seen[i] |= branch.marks[i];
  }
  return has_all(seen.data());
}

// Finds the components where a run may leave the first state with some prospect, if the first state waits: usually
// it only leads to itself. Few nodes have another letter, so few pairs after them are looked at. Each is followed
// inside its component, as if every exit pair were accepted. Needs: no search is going on.
void PathLevel::find_departures() {
  if (knows_departures_ || !query_.policy.skip_irrelevant || query_.policy.certify || query_.policy.trace) return;
  if (!spec_.children.empty() || model_.components() == 1) return;
  const std::vector<Branch> usually = branches(kFirst, 0);
  if (std::ranges::any_of(usually, [](const Branch& branch) { return branch.next != kFirst; })) return;
  Cover unusual;
  for (const Program& leaf : spec_.leaves) {
    unusual = join(unusual, usual_value(cover(leaf, 0, query_.weights())).except);
  }
  if (unusual.all || !is_sparse(query_, unusual)) return;
  const auto look_at = [&](Id node) {
    query_.poll();
    const Id component = model_.component(node);
    if (departures_.has(component) || !test_bit(query_.reachable, static_cast<std::size_t>(component))) return;
    if (may_depart(node, usually)) departures_.insert_with_callers(model_, {component});
  };
  for (const Id atom : unusual.atoms) {
    if (query_.label(atom) == kNone) continue;
    for (const Id node : model_.labelled(query_.label(atom))) {
      look_at(node);
      for (const Id ret : model_.returns_of_exit(node)) look_at(ret);
    }
  }
  knows_departures_ = true;
}

// Whether the first state can do at this node what it can't do usually, or the other way round, and that is not in
// vain. Where runs end nothing is left out (N5), so ends are no matter here.
bool PathLevel::may_depart(Id node, const std::vector<Branch>& usually) {
  const auto row = automaton_.row(kFirst, letter(node));
  const auto in = [&](const Branch& branch, const auto& all) {
    return std::ranges::any_of(all, [&](const Branch& other) { return same(branch, other); });
  };
  if (!std::ranges::all_of(usually, [&](const Branch& branch) { return in(branch, row); })) return true;
  auto successors = model_.successors(node);
  const bool stays = query_.dead_ends == DeadEnds::stutter || model_.kind(node) == NodeKind::exit;
  if (successors.empty() && stays) successors = {&node, 1};
  for (const Branch& branch : row) {
    if (in(branch, usually)) continue;
    if (branch.next == kNone || branch.next == kFirst) return true; // the first state itself would lead everywhere
    if (std::ranges::any_of(successors, [&](Id to) { return has_prospect({to, branch.next}); })) return true;
  }
  return false;
}

// Whether a run from the pair is accepted, or returns from the invocation. It must go on after that: with the labels of
// the exit, which those of the return node are.
bool PathLevel::has_prospect(Pair start) {
  const Id component = model_.component(start.node);
  const Id table = pool(context_free_operands(component), component);
  const std::size_t known = tables_[table].pairs.size();
  if (base({table, start.node, start.state})) return true;
  assert(known <= tables_[table].pairs.size()); // tables only grow
  const std::span<const Pair> fresh = std::span(tables_[table].pairs).subspan(known);
  return std::ranges::any_of(fresh, [&](const Pair& pair) {
    return model_.kind(pair.node) == NodeKind::exit && !automaton_.row(pair.state, letter(pair.node)).empty();
  });
}

} // namespace pigro::core
