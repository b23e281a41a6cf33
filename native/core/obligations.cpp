#include "core/obligations.hpp"

#include <algorithm>
#include <stdexcept>

namespace pigro::core {

namespace {

constexpr int kDeepest = 1000; // quantifiers inside each other; the search recurses over them

bool has_left(PathOp op) { return op >= PathOp::negation; }
bool has_right(PathOp op) {
  return op == PathOp::conjunction || op == PathOp::disjunction || op == PathOp::until || op == PathOp::release;
}

bool within(const std::vector<Word>& one, const std::vector<Word>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if ((one[i] & ~other[i]) != 0) return false;
  }
  return true;
}

} // namespace

PositiveFormula::PositiveFormula(const FlatFormula& formula)
    : ops_(formula.ops.begin(), formula.ops.end()),
      left_(formula.left.begin(), formula.left.end()),
      right_(formula.right.begin(), formula.right.end()),
      is_path_(formula.ops.size()),
      is_quantified_(formula.ops.size()) {
  const auto need = [](bool fine) {
    if (!fine) throw std::invalid_argument("malformed positive formula");
  };
  need(!ops_.empty() && left_.size() == ops_.size() && right_.size() == ops_.size());
  std::vector<int> depth(ops_.size());
  for (Id node = 0; node < size(); ++node) {
    need(ops_[node] <= static_cast<std::uint8_t>(PathOp::release));
    const PathOp at = op(node);
    const Id l = left_[node];
    const Id r = right_[node];
    need(!has_left(at) || (l >= 0 && l < node));
    need(!has_right(at) || (r >= 0 && r < node));
    need(at != PathOp::atom || (l >= 0 && static_cast<std::size_t>(l) < formula.atom_labels.size()));
    need(at != PathOp::negation || !is_path_[l]);
    need(at != PathOp::all || is_path_[l]);
    const bool below = (has_left(at) && is_path_[l]) || (has_right(at) && is_path_[r]);
    is_path_[node] = at >= PathOp::next || (at != PathOp::all && below);
    is_quantified_[node] =
        at == PathOp::all || (has_left(at) && is_quantified_[l]) || (has_right(at) && is_quantified_[r]);
    if (has_left(at)) depth[node] = depth[l];
    if (has_right(at)) depth[node] = std::max(depth[node], depth[r]);
    depth[node] += at == PathOp::all ? 1 : 0;
    need(depth[node] <= kDeepest);
  }
}

// A branch while it is worked out. Sets are bits over the members.
struct Obligations::Draft {
  std::vector<Word> pending; // formulas that no rule was applied to yet
  std::vector<Word> seen;    // formulas that were in the set at some point
  std::vector<Word> next;    // formulas under an X
  std::vector<Word> tests;
  std::vector<Word> kept;
  bool ends_well = false;

  // Adds a formula, unless its rule was applied on the way here: what was chosen then stands.
  void add(Id member) {
    if (insert_bit(seen.data(), static_cast<std::size_t>(member))) {
      set_bit(pending.data(), static_cast<std::size_t>(member));
    }
  }
};

Obligations::Obligations(const PositiveFormula& formula, Id path_formula, Query& query)
    : formula_(formula), query_(query), place_(static_cast<std::size_t>(formula.size()), kNone) {
  collect(path_formula);
  words_ = words_for(members_.size());
  release_words_ = std::max<std::size_t>(1, words_for(releases_.size()));
  std::vector<Word> root(words_);
  set_bit(root.data(), static_cast<std::size_t>(place_[path_formula]));
  number(root.data());
}

void Obligations::collect(Id path_formula) {
  std::vector<Id> pending{path_formula};
  place_[path_formula] = 0;
  while (!pending.empty()) {
    const Id node = pending.back();
    pending.pop_back();
    members_.push_back(node);
    if (!formula_.is_path(node)) continue;
    for (const Id child : {formula_.left(node), has_right(formula_.op(node)) ? formula_.right(node) : kNone}) {
      if (child == kNone || place_[child] != kNone) continue;
      place_[child] = 0;
      pending.push_back(child);
    }
  }
  std::ranges::sort(members_);
  release_place_.resize(members_.size(), kNone);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    place_[members_[i]] = static_cast<Id>(i);
    if (formula_.op(members_[i]) != PathOp::release) continue;
    release_place_[i] = static_cast<Id>(releases_.size());
    releases_.push_back(members_[i]);
  }
}

Id Obligations::number(const Word* set) {
  std::uint64_t hash = words_;
  for (std::size_t i = 0; i < words_; ++i) hash = mix(hash, set[i]);
  return interner_.intern(
      hash, [&](Id id) { return std::equal(set, set + words_, sets_[id]); },
      [&] {
        Word* kept = query_.arena.make<Word>(words_);
        std::copy(set, set + words_, kept);
        sets_.push_back(kept);
        expanded_.push_back(false);
        branches_.emplace_back();
        return static_cast<Id>(sets_.size()) - 1;
      });
}

void Obligations::expand(Id set) {
  Draft whole{.pending = std::vector<Word>(sets_[set], sets_[set] + words_),
              .seen = std::vector<Word>(sets_[set], sets_[set] + words_),
              .next = std::vector<Word>(words_),
              .tests = std::vector<Word>(words_),
              .kept = std::vector<Word>(release_words_)};
  std::vector<Draft> pending;
  std::vector<Draft> done;
  pending.push_back(std::move(whole));
  while (!pending.empty()) {
    query_.poll();
    Draft draft = std::move(pending.back());
    pending.pop_back();
    work_out(std::move(draft), pending, done);
  }
  keep(set, done);
  expanded_[set] = true;
}

// Applies R1 to R6 until only tests and formulas under X are left. A choice of two sets leaves the other one pending.
void Obligations::work_out(Draft draft, std::vector<Draft>& pending, std::vector<Draft>& done) {
  for (std::size_t word = words_; word-- > 0;) {
    while (draft.pending[word] != 0) {
      const auto bit = static_cast<std::size_t>(std::bit_width(draft.pending[word]) - 1);
      const auto member = word * kWordBits + bit;
      clear_bit(draft.pending.data(), member);
      const Id node = members_[member];
      if (!formula_.is_path(node)) { // R1, R2
        if (formula_.is_true(node)) return;
        if (!formula_.is_false(node)) set_bit(draft.tests.data(), member);
        continue;
      }
      const Id left = place_[formula_.left(node)];
      const Id right = has_right(formula_.op(node)) ? place_[formula_.right(node)] : kNone;
      switch (formula_.op(node)) {
        case PathOp::disjunction: // R3
          draft.add(left);
          draft.add(right);
          break;
        case PathOp::conjunction: { // R4
          Draft other = draft;
          other.add(right);
          pending.push_back(std::move(other));
          draft.add(left);
          break;
        }
        case PathOp::until: { // R5
          draft.add(right);
          Draft other = draft;
          set_bit(other.next.data(), member); // strong: a run that stops here does not reach the goal
          pending.push_back(std::move(other));
          draft.add(left);
          break;
        }
        case PathOp::release: { // R6
          Draft other = draft;
          other.add(left);
          set_bit(other.next.data(), member);
          other.ends_well = true;
          pending.push_back(std::move(other));
          draft.add(right);
          break;
        }
        default: // X: R7 comes last
          set_bit(draft.next.data(), static_cast<std::size_t>(left));
          draft.ends_well = true;
      }
    }
  }
  bool contradictory = false; // a state formula and its negation can't both be false
  for_each_bit(draft.tests.data(), words_, [&](std::size_t member) {
    const Id node = members_[member];
    if (formula_.op(node) != PathOp::negation) return;
    const Id positive = place_[formula_.left(node)];
    contradictory |= positive != kNone && test_bit(draft.tests.data(), static_cast<std::size_t>(positive));
  });
  if (contradictory) return;
  for_each_bit(draft.next.data(), words_, [&](std::size_t member) {
    const Id release = release_place_[member];
    if (release == kNone) return;
    const auto goal = static_cast<std::size_t>(place_[formula_.right(members_[member])]);
    if (!test_bit(draft.seen.data(), goal)) set_bit(draft.kept.data(), static_cast<std::size_t>(release));
  });
  done.push_back(std::move(draft));
}

// Whoever breaks the set along `other` can break it along `one`.
bool Obligations::implies(const Draft& one, const Draft& other) const {
  return within(one.tests, other.tests) && within(one.next, other.next) && within(one.kept, other.kept) &&
         (!one.ends_well || other.ends_well);
}

void Obligations::keep(Id set, std::vector<Draft>& drafts) {
  constexpr std::size_t kMany = 512; // comparing is quadratic
  std::vector<bool> implied(drafts.size());
  if (drafts.size() <= kMany) {
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      for (std::size_t j = 0; j < drafts.size() && !implied[i]; ++j) {
        if (i == j || implied[j] || !implies(drafts[j], drafts[i])) continue;
        implied[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (implied[i]) continue;
    query_.poll();
    const Draft& draft = drafts[i];
    std::vector<Id> tests;
    for_each_bit(draft.tests.data(), words_, [&](std::size_t member) { tests.push_back(members_[member]); });
    std::ranges::stable_partition(tests, [&](Id node) { return !formula_.is_quantified(node); });
    Branch branch;
    Id* kept_tests = query_.arena.make<Id>(tests.size());
    std::ranges::copy(tests, kept_tests);
    branch.tests = {kept_tests, tests.size()};
    Word* kept = query_.arena.make<Word>(release_words_);
    std::ranges::copy(draft.kept, kept);
    branch.kept = kept;
    branch.ends_well = draft.ends_well;
    if (std::ranges::any_of(draft.next, [](Word word) { return word != 0; })) branch.next = number(draft.next.data());
    branches_[set].push_back(branch);
  }
  // What breaks the set at once comes first.
  std::ranges::stable_partition(branches_[set], [](const Branch& branch) { return branch.next == kNone; });
}

} // namespace pigro::core
