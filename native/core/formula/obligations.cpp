#include "core/formula/obligations.hpp"

#include <algorithm>
#include <stdexcept>

namespace pigro::core {

namespace {

constexpr int kSlow = 64;              // polls that one branch counts for
constexpr std::size_t kCompared = 512; // branches that others are compared with. All would be quadratic
constexpr int kDeepest = 1000;         // quantifiers inside each other. The search recurses over them

bool has_left(PathOp op) { return op >= PathOp::negation && op != PathOp::tick && op != PathOp::calm; }
bool is_next(PathOp op) { return op == PathOp::next || op == PathOp::strong_next; }
bool has_right(PathOp op) {
  return op == PathOp::conjunction || op == PathOp::disjunction || op == PathOp::until || op == PathOp::release ||
         op == PathOp::thread;
}

bool within(const std::vector<Word>& one, const std::vector<Word>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if ((one[i] & ~other[i]) != 0) return false;
  }
  return true;
}

// The number of these words, which are kept with `all` if they are new.
Id interned(Interner& numbers, const std::vector<Word>& words, std::vector<const Word*>& all, Arena& arena) {
  std::uint64_t hash = words.size();
  for (const Word word : words) hash = mix(hash, word);
  return numbers.intern(
      hash, [&](Id id) { return std::ranges::equal(words, std::span(all[id], words.size())); },
      [&] {
        Word* made = arena.make<Word>(words.size());
        std::ranges::copy(words, made);
        all.push_back(made);
        return static_cast<Id>(all.size()) - 1;
      });
}

} // namespace

PositiveFormula::PositiveFormula(const FlatFormula& formula, const std::vector<bool>& quantified)
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
    need(ops_[node] <= static_cast<std::uint8_t>(PathOp::thread));
    const PathOp at = op(node);
    const Id l = left_[node];
    const Id r = right_[node];
    need(!has_left(at) || (l >= 0 && l < (is_next(at) ? size() : node)));
    need(!has_right(at) || (r >= 0 && r < (at == PathOp::thread ? size() : node)));
    need(at != PathOp::atom || (l >= 0 && static_cast<std::size_t>(l) < formula.atom_labels.size()));
    need(at != PathOp::negation || !is_path_[l]);
    need(at != PathOp::all || is_path_[l]);
    if ((is_next(at) && l > node) || at == PathOp::thread) { // maybe a cycle. The nodes below count elsewhere
      is_path_[node] = true;
      continue;
    }
    const bool below = (has_left(at) && is_path_[l]) || (has_right(at) && is_path_[r]);
    is_path_[node] = at >= PathOp::next || (at != PathOp::all && below);
    const bool is_leaf = at == PathOp::atom && static_cast<std::size_t>(l) < quantified.size() && quantified[l];
    is_quantified_[node] =
        is_leaf || at == PathOp::all || (has_left(at) && is_quantified_[l]) || (has_right(at) && is_quantified_[r]);
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

  // Adds a formula, unless its rule was applied on the way here: the choice made then stands.
  void add(Id member) {
    if (insert_bit(seen.data(), static_cast<std::size_t>(member))) {
      set_bit(pending.data(), static_cast<std::size_t>(member));
    }
  }
  void add_next(std::size_t member, bool weak) {
    set_bit(next.data(), member);
    ends_well |= weak;
  }
};

Obligations::Obligations(const PositiveFormula& formula, Id path_formula, Ticker& ticker, Arena& arena,
                         std::int64_t* branches)
    : formula_(formula),
      ticker_(ticker),
      arena_(arena),
      branches_(branches),
      place_(static_cast<std::size_t>(formula.size()), kNone) {
  collect(path_formula);
  words_ = words_for(members_.size());
  release_words_ = std::max<std::size_t>(1, words_for(releases_.size()));
  std::vector<Word> root(words_);
  set_bit(root.data(), static_cast<std::size_t>(place_[path_formula]));
  number(std::move(root));
  assert(sets() == 1 && std::ranges::adjacent_find(members_, std::greater_equal{}) == members_.end()); // O1
}

void Obligations::grow(std::size_t places) {
  places = words_for(places + places / 8) * kWordBits; // whole words, for find_letters
  const std::size_t more = (places - letter_at_.size()) * sizeof(Id);
  if (more >= kLarge) ticker_.before_allocating(more);
  letter_at_.resize(places);
}

void Obligations::collect(Id path_formula) {
  std::vector<Id> pending{path_formula};
  place_[path_formula] = 0;
  while (!pending.empty()) {
    const Id node = pending.back();
    pending.pop_back();
    members_.push_back(node);
    if (!formula_.is_path(node)) continue;
    const PathOp op = formula_.op(node);
    for (const Id child : {has_left(op) ? formula_.left(node) : kNone, has_right(op) ? formula_.right(node) : kNone}) {
      if (child == kNone || place_[child] != kNone) continue;
      place_[child] = 0;
      pending.push_back(child);
    }
  }
  std::ranges::sort(members_);
  const auto note = [](std::vector<Id>& all, std::vector<Id>& number, std::size_t member, Id node) {
    number[member] = static_cast<Id>(all.size());
    all.push_back(node);
  };
  release_.resize(members_.size(), kNone);
  proposition_.resize(members_.size(), kNone);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Id node = members_[i];
    place_[node] = static_cast<Id>(i);
    if (formula_.op(node) == PathOp::release) note(releases_, release_, i, node);
    if (formula_.op(node) == PathOp::tick) tick_ = static_cast<Id>(i);
    if (formula_.op(node) == PathOp::calm) calm_ = static_cast<Id>(i);
    if (!formula_.is_path(node) && !formula_.is_quantified(node)) note(propositions_, proposition_, i, node);
  }
}

Id Obligations::letter_number(const std::vector<Word>& truth) {
  return interned(letter_numbers_, truth, letters_, arena_);
}

Id Obligations::number(std::vector<Word> set) {
  for_each_bit(set.data(), words_, [&](std::size_t member) { // O2. Parents come after their parts, so look at all
    const Id node = members_[member];
    const PathOp op = formula_.op(node);
    if (op == PathOp::thread) { // the weaker ones, one after the other
      Id weaker = node;
      for (Id i = 0; formula_.op(weaker) == PathOp::thread && i < formula_.size(); ++i) {
        weaker = formula_.right(weaker);
        if (place_[weaker] != kNone) clear_bit(set.data(), static_cast<std::size_t>(place_[weaker]));
      }
    }
    if (!formula_.is_path(node) || (op != PathOp::until && op != PathOp::disjunction)) return;
    clear_bit(set.data(), static_cast<std::size_t>(place_[formula_.right(node)]));
    if (op == PathOp::disjunction) clear_bit(set.data(), static_cast<std::size_t>(place_[formula_.left(node)]));
  });
  assert(std::ranges::any_of(set, [](Word word) { return word != 0; })); // O1
  return interned(set_numbers_, set, sets_, arena_);
}

Id Obligations::make_row(Id set, Id letter) {
  assert(set < sets() && row_numbers_.find(set, letter) == kNone);
  std::vector<Draft> pending;
  std::vector<Draft> done;
  pending.push_back({.pending = std::vector<Word>(sets_[set], sets_[set] + words_),
                     .seen = std::vector<Word>(sets_[set], sets_[set] + words_),
                     .next = std::vector<Word>(words_),
                     .tests = std::vector<Word>(words_),
                     .kept = std::vector<Word>(release_words_)});
  while (!pending.empty()) {
    ticker_.poll(kSlow);
    Draft draft = std::move(pending.back());
    pending.pop_back();
    work_out(std::move(draft), letter, pending, done);
    if (branches_ != nullptr) *branches_ = std::max(*branches_, static_cast<std::int64_t>(done.size()));
  }
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < done.size(); ++i) {
    ticker_.poll(kSlow);
    bool implied = false;
    for (std::size_t j = 0; j < done.size() && j < kCompared && !implied; ++j) {
      const bool later = j < i || !implies(done[i], done[j]); // of two that imply each other the first stays
      implied = i != j && later && implies(done[j], done[i]);
    }
    if (!implied) branches.push_back(branch_of(done[i]));
  }
  assert(done.empty() || !branches.empty()); // O3
  // What breaks the set at once comes first, then what the labels of the next states decide.
  const auto rest = std::stable_partition(branches.begin(), branches.end(),
                                          [](const Branch& branch) { return branch.next == kNone; });
  std::stable_partition(rest, branches.end(), [&](const Branch& branch) { return is_decided_by_labels(branch.next); });
  Branch* made = arena_.make<Branch>(branches.size());
  std::ranges::copy(branches, made);
  rows_.emplace_back(made, branches.size());
  const Id made_number = row_numbers_.number(set, letter);
  assert(row_numbers_.size() == static_cast<Id>(rows_.size()) && made_number == row_numbers_.size() - 1);
  return made_number;
}

bool Obligations::is_decided_by_labels(Id set) const {
  for (std::size_t member = 0; member < members_.size(); ++member) {
    if (test_bit(sets_[set], member) && proposition_[member] == kNone) return false;
  }
  return true;
}

// Applies Bhat1 to Bhat6 until only tests and formulas under X are left. Where a rule has two subgoals, the other one
// is left pending. But if the letter tells of a part of a subgoal that it is false, this subgoal implies the other one.
// If it is true, the subgoal holds.
void Obligations::work_out(Draft draft, Id letter, std::vector<Draft>& pending, std::vector<Draft>& done) const {
  const auto known = [&](Id node, bool truth) { return is_known(node) && is_true(node, letter) == truth; };
  const auto fork = [&](auto&& change) {
    Draft other = draft;
    change(other);
    pending.push_back(std::move(other));
  };
  for (std::size_t word = words_; word-- > 0;) {
    while (draft.pending[word] != 0) {
      const auto bit = static_cast<std::size_t>(std::bit_width(draft.pending[word]) - 1);
      const auto member = word * kWordBits + bit;
      clear_bit(draft.pending.data(), member);
      const Id node = members_[member];
      if (!formula_.is_path(node)) { // Bhat1, Bhat2
        if (known(node, true)) return;
        if (!is_known(node)) set_bit(draft.tests.data(), member);
        continue;
      }
      const Id left = formula_.left(node);
      const Id right = has_right(formula_.op(node)) ? formula_.right(node) : kNone;
      switch (formula_.op(node)) {
        case PathOp::disjunction: // Bhat3
          if (known(left, true) || known(right, true)) return;
          draft.add(place_[left]);
          draft.add(place_[right]);
          break;
        case PathOp::conjunction: // Bhat4
          if (known(left, true) || known(right, false)) {
            draft.add(place_[right]);
          } else {
            if (!known(left, false) && !known(right, true)) fork([&](Draft& other) { other.add(place_[right]); });
            draft.add(place_[left]);
          }
          break;
        case PathOp::until: { // Bhat5
          if (known(right, true)) return;
          draft.add(place_[right]);
          const auto put_off = [&](Draft& it) { it.add_next(member, false); }; // who stops here misses the goal
          if (known(left, true)) {
            put_off(draft);
          } else {
            if (!known(left, false)) fork(put_off);
            draft.add(place_[left]);
          }
          break;
        }
        case PathOp::release: { // Bhat6
          const auto keep_on = [&](Draft& it) {
            it.add(place_[left]);
            it.add_next(member, true);
          };
          if (known(right, true)) {
            if (known(left, true)) return;
            keep_on(draft);
          } else {
            if (!known(right, false)) fork(keep_on);
            draft.add(place_[right]);
          }
          break;
        }
        case PathOp::tick: // the run chooses: it breaks this one, unless it must break the other
        case PathOp::calm:
          if (tick_ != kNone && calm_ != kNone && test_bit(draft.seen.data(), static_cast<std::size_t>(tick_)) &&
              test_bit(draft.seen.data(), static_cast<std::size_t>(calm_))) {
            return;
          }
          break;
        case PathOp::thread:
          draft.add(place_[left]);
          break;
        case PathOp::strong_next:
          draft.add_next(static_cast<std::size_t>(place_[left]), false);
          break;
        default: // X: Bhat7 comes last
          draft.add_next(static_cast<std::size_t>(place_[left]), true);
      }
    }
  }
  assert(std::ranges::none_of(draft.pending, [](Word word) { return word != 0; }));
  for_each_bit(draft.next.data(), words_, [&](std::size_t member) {
    if (release_[member] == kNone) return;
    const auto goal = static_cast<std::size_t>(place_[formula_.right(members_[member])]);
    if (!test_bit(draft.seen.data(), goal)) set_bit(draft.kept.data(), static_cast<std::size_t>(release_[member]));
  });
  done.push_back(std::move(draft));
}

// A run that breaks the set along `other` can break it along `one`.
bool Obligations::implies(const Draft& one, const Draft& other) const {
  return within(one.tests, other.tests) && within(one.next, other.next) && within(one.kept, other.kept) &&
         (!one.ends_well || other.ends_well);
}

Branch Obligations::branch_of(const Draft& draft) {
  Branch branch;
  std::vector<Id> tests;
  for_each_bit(draft.tests.data(), words_, [&](std::size_t member) {
    assert(formula_.is_quantified(members_[member])); // the letter tells the others
    tests.push_back(members_[member]);
  });
  Id* made = arena_.make<Id>(tests.size());
  std::ranges::copy(tests, made);
  branch.tests = {made, tests.size()};
  Word* words = arena_.make<Word>(release_words_);
  std::ranges::copy(draft.kept, words);
  branch.kept = words;
  Word* marks = arena_.make<Word>(mark_words());
  for (std::size_t i = 0; i < releases_.size(); ++i) {
    if (!test_bit(words, i)) set_bit(marks, kFirstMark + i);
  }
  branch.marks = marks;
  branch.ends_well = draft.ends_well;
  if (std::ranges::any_of(draft.next, [](Word word) { return word != 0; })) branch.next = number(draft.next);
  return branch;
}

} // namespace pigro::core
