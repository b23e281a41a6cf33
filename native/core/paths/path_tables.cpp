#include <algorithm>

#include "core/paths/path.hpp"
#include "core/paths/path_expand.hpp"

namespace pigro::core {

Id PathLevel::make_table(Role role, Id operands, Id component, Pair start) {
  const bool marked = role == Role::key && operands != kLoose && model_.exit_count(component) > 0;
  tables_.push_back({.role = role,
                     .operands = operands,
                     .component = component,
                     .first_node = model_.first(component),
                     .start = start,
                     .marked = marked});
  return static_cast<Id>(tables_.size() - 1);
}

Id PathLevel::key(Id operands, Id component, Pair start) {
  std::uint64_t hash = mix(mix(4, static_cast<std::uint64_t>(operands)), static_cast<std::uint64_t>(start.node));
  hash = mix(hash, static_cast<std::uint64_t>(start.state));
  const Id number = key_ids_.intern(
      hash,
      [&](Id id) {
        const Table& known = tables_[keys_[id]];
        return known.operands == operands && known.start == start;
      },
      [&] {
        const Id id = make_table(Role::key, operands, component, start);
        query_.push(keys_, id);
        if (tables_[id].marked || operands == kLoose) add({id, start.node, start.state}, kNowhere, nullptr, nullptr);
        return static_cast<Id>(keys_.size() - 1);
      });
  return keys_[number];
}

Id PathLevel::loop_table(Id operands, Id component) {
  const auto at = static_cast<std::size_t>(operands);
  if (at >= loops_.size()) loops_.resize(operand_context_count(), kNone);
  if (loops_[at] == kNone) loops_[at] = make_table(Role::loop, operands, component, {});
  return loops_[at];
}

Id PathLevel::pool(Id operands, Id component) {
  const auto at = static_cast<std::size_t>(operands);
  if (at >= pools_.size()) pools_.resize(operand_context_count(), kNone);
  if (pools_[at] == kNone) pools_[at] = make_table(Role::pool, operands, component, {});
  return pools_[at];
}

PathLevel::Row& PathLevel::row(Table& table, Id state) {
  const auto at = static_cast<std::size_t>(state);
  if (at >= table.rows.size())
    table.rows.resize(std::max(at + 1, std::min(2 * at, static_cast<std::size_t>(automaton_.sets()))));
  query_.counters.states = std::max<std::int64_t>(query_.counters.states, automaton_.sets());
  Row& found = table.rows[at];
  if (found.marks != nullptr || found.seen != nullptr || found.cells != nullptr) return found;
  const auto width = static_cast<std::size_t>(model_.width(table.component));
  if (width * sizeof(Word) >= kLarge) query_.before_allocating(width * mark_words_ * sizeof(Word));
  if (table.marked) {
    found.marks = query_.arena.make<Word>(width * mark_words_);
    if (query_.policy.trace || query_.policy.certify) found.came = query_.arena.make<Id>(width);
  } else if (is_loose(table)) {
    found.seen = query_.arena.make<Word>(words_for(width));
  } else {
    found.cells = query_.arena.make<Id>(width);
  }
  if (table.role == Role::pool) found.numbers = query_.arena.make<Id>(width);
  return found;
}

Id& PathLevel::cell(const Vertex& at) {
  Table& table = tables_[at.table];
  Row& found = row(table, at.state);
  if (found.cells == nullptr) {
    const auto width = static_cast<std::size_t>(model_.width(table.component));
    if (width * sizeof(Id) >= kLarge) query_.before_allocating(width * sizeof(Id));
    found.cells = query_.arena.make<Id>(width);
  }
  return found.cells[at.node - table.first_node];
}

const Word* PathLevel::marks_at(const Table& table, Pair pair) {
  if (!table.marked) return no_marks_.data();
  return table.rows[static_cast<std::size_t>(pair.state)].marks +
         static_cast<std::size_t>(pair.node - table.first_node) * mark_words_;
}

void PathLevel::number_pair(const Vertex& at) {
  Table& pool = tables_[at.table];
  assert(pool.role == Role::pool && row(pool, at.state).numbers[at.node - pool.first_node] == 0); // numbered once
  query_.push(pool.pairs, {at.node, at.state});
  row(pool, at.state).numbers[at.node - pool.first_node] = static_cast<Id>(pool.pairs.size());
}

// A pair is reached from another one, with these marks on the way before and in the last step. `marks` may have flags.
void PathLevel::add(const Vertex& at, const Vertex& from, const Word* before, const Word* marks) {
  Table& table = tables_[at.table];
  if (table.hit) return;
  Row& here = row(table, at.state);
  assert(model_.component(at.node) == table.component); // a pair belongs to the component of its table
  const auto bit = static_cast<std::size_t>(at.node - table.first_node);
  bool fresh = false;
  if (here.seen != nullptr) {
    fresh = insert_bit(here.seen, bit);
    if (!fresh) return;
    if (table.role == Role::pool) number_pair(at);
  } else {
    Word* known = here.marks + bit * mark_words_;
    fresh = (known[0] & kReached) == 0;
    bool grown = fresh;
    for (std::size_t i = 0; i < mark_words_; ++i) {
      more_[i] = ((before == nullptr ? 0 : before[i]) | (marks == nullptr ? 0 : marks[i])) & ~known[i];
      if (i == 0) more_[i] &= ~kFlags;
      grown = grown || more_[i] != 0;
      known[i] |= more_[i];
    }
    if (!grown) return;
    known[0] |= kReached;
    if (here.came != nullptr) note_arrival({from.node, from.state}, here.came[bit]);
    if ((known[0] & kPending) != 0) return;
    known[0] |= kPending;
  }
  if (fresh && (here.cells == nullptr || here.cells[bit] == 0)) ++query_.counters.visited;
  query_.push(pending_, at);
}

// The marks that are new are in `more_`.
void PathLevel::note_arrival(Pair from, Id& last) {
  Word* fresh = query_.arena.make<Word>(mark_words_);
  std::ranges::copy(more_, fresh);
  query_.push(arrivals_, {from, fresh, last});
  last = static_cast<Id>(arrivals_.size());
}

// The arrival by which a pair was first reached, or first with the mark; kNone if it was not.
Id PathLevel::first_arrival(Id key_id, Pair at, Id mark) const {
  const Table& table = tables_[key_id];
  Id found = kNone;
  Id next = table.rows[static_cast<std::size_t>(at.state)].came[at.node - table.first_node];
  for (; next != 0; next = arrivals_[next - 1].before) {
    if (mark == kNone || test_bit(arrivals_[next - 1].fresh, kFirstMark + static_cast<std::size_t>(mark)))
      found = next - 1;
  }
  return found;
}

// None if the pair was not reached, or never with the mark. The way before has the mark if it had it in time (P5).
std::optional<PathLevel::LastStep> PathLevel::last_step(Id key_id, Pair to, Id mark) const {
  const Id here = first_arrival(key_id, to, mark);
  if (here == kNone) return std::nullopt;
  const Pair from = arrivals_[here].from;
  if (from.node == kNone || mark == kNone) return LastStep{from, kNone, kNone};
  const Id earlier = first_arrival(key_id, from, mark);
  if (earlier != kNone && earlier < here) return LastStep{from, mark, kNone};
  return LastStep{from, kNone, mark};
}

// Works off what is pending (P1), or stops when the goal, a key, is hit.
void PathLevel::saturate(Id goal) {
  while (!pending_.empty() && (goal == kNone || !tables_[goal].hit)) {
    query_.poll();
    const Vertex at = pending_.back();
    pending_.pop_back();
    process(at);
  }
}

void PathLevel::process(const Vertex& at) {
  Table& table = tables_[at.table];
  const Word* before = nullptr;
  bool again = false;
  if (table.marked) {
    Word* known = row(table, at.state).marks + static_cast<std::size_t>(at.node - table.first_node) * mark_words_;
    again = (known[0] & kExpanded) != 0;
    known[0] = (known[0] & ~kPending) | kExpanded;
    before = known;
  }
  if (table.hit) return;
  if (model_.kind(at.node) == NodeKind::exit) return reach_exit(at, again);
  const auto edge = [&](const Vertex& to, const Word* marks) {
    if (to.table == at.table) add(to, at, before, marks); // loops matter to base only
  };
  const Steps steps = expand(at, edge);
  if (steps.accepted) return hit(at.table);
  if (steps.called == kNone) return;
  Table& called = tables_[steps.called];
  if (!again) {
    query_.push(callers_, {at, called.callers});
    called.callers = static_cast<Id>(callers_.size() - 1);
  }
  if (called.hit || expand_returns(at, steps.called, edge)) hit(at.table);
}

// The callers go on at the return nodes.
void PathLevel::reach_exit(const Vertex& at, bool again) {
  Table& table = tables_[at.table];
  const Pair exit{at.node, at.state};
  if (table.role == Role::pool) return ask_callers(table.component, exit);
  if (!again) table.exits.push_back(exit);
  for (Id i = table.callers; i != kNone; i = callers_[i].next) {
    const Vertex call = callers_[i].call;
    const Table& caller = tables_[call.table];
    const Word* before = caller.marked ? marks_at(caller, {call.node, call.state}) : nullptr;
    const Id node = model_.return_node(model_.box(call.node), model_.ordinal(exit.node));
    if (node != kNone) {
      add({call.table, node, exit.state}, call, before, marks_at(table, exit));
    } else if (!is_loose(table) && query_.dead_ends == DeadEnds::stop &&
               may_end(table.operands, exit.node, exit.state)) {
      hit(call.table);
    }
  }
}

// The start of a key is accepted: so are all calls of it.
void PathLevel::hit(Id key_id) {
  hits_.push_back(key_id);
  while (!hits_.empty()) {
    Table& table = tables_[hits_.back()];
    hits_.pop_back();
    if (table.hit) continue;
    table.hit = true;
    for (Id i = table.callers; i != kNone; i = callers_[i].next) hits_.push_back(callers_[i].call.table);
  }
}

Id PathLevel::letter(Id node) {
  const std::size_t first = static_cast<std::size_t>(node) / kWordBits * kWordBits;
  return automaton_.letter_by_words(node, [&](Id formula) {
    const bool negated = formula_.op(formula) == PathOp::negation;
    const Id atom = negated ? formula_.left(formula) : formula;
    const Word found = words_by_labels(spec_.leaves[static_cast<std::size_t>(formula_.left(atom))], first);
    return negated ? ~found : found;
  });
}

// The value of a leaf that reads children.
bool PathLevel::leaf(std::size_t number, Id operands, Id node) {
  const auto at = static_cast<std::size_t>(operands);
  if (at >= leaves_.size()) leaves_.resize(operand_context_count());
  if (leaves_[at].empty()) leaves_[at].resize(spec_.leaves.size());
  const Word* known = leaves_[at][number];
  if (known == nullptr) {
    evaluate(operands, spec_.leaves[number], known);
    leaves_[at][number] = known;
  }
  return test_bit(known, static_cast<std::size_t>(node - model_.first(operand_context(operands).component)));
}

// Whether a branch can be taken at a node: all its tests are false. Loosely, it always can.
bool PathLevel::applies(const Branch& branch, Id operands, Id node) {
  if (operands == kLoose) return true;
  for (const Id test : branch.tests) {
    const bool negated = formula_.op(test) == PathOp::negation;
    const Id atom = negated ? formula_.left(test) : test;
    if (leaf(static_cast<std::size_t>(formula_.left(atom)), operands, node) != negated) return false;
  }
  return true;
}

// Where runs stop: the run may end at an exit that the calling box has no return node for.
bool PathLevel::may_end(Id operands, Id exit, Id state) {
  for (const Branch& branch : automaton_.row(state, letter(exit))) {
    if ((branch.next == kNone || !branch.ends_well) && applies(branch, operands, exit)) return true;
  }
  return false;
}

} // namespace pigro::core
