#include "core/levels/backward.hpp"

#include <algorithm>
#include <limits>

#include "core/levels/statics.hpp"

namespace pigro::core {

bool Backward::base(Id operands, Id node) {
  const Table& table = solved(operands);
  return test_bit(table.base, table.bit(node));
}

const Word* Backward::reach(Id operands, Id node) { return solved(operands).reach_of(node); }

void Backward::pass(Id operands, const Word* mask, Word* values) {
  const Table& table = solved(operands);
  const auto width = static_cast<std::size_t>(model_.width(table.component));
  std::copy(table.base, table.base + words_for(width), values);
  for (std::size_t i = 0; i < width; ++i) {
    const Word* reach = table.reach + i * table.exit_words;
    bool meets = false;
    for (std::size_t w = 0; w < table.exit_words; ++w) meets = meets || (reach[w] & mask[w]) != 0;
    if (meets) set_bit(values, i);
  }
  for (const Id exit : model_.exits(table.component)) { // L2
    if (test_bit(mask, static_cast<std::size_t>(model_.ordinal(exit)))) set_bit(values, table.bit(exit));
  }
}

const Backward::Table& Backward::solved(Id operands) {
  const Id id = open(operands);
  if (tables_[id].solved) return tables_[id];
  while (!to_start_.empty() || !pending_.empty()) {
    query_.poll();
    if (!to_start_.empty()) {
      const Id next = to_start_.back();
      to_start_.pop_back();
      start(next);
      continue;
    }
    const Pending at = pending_.back();
    pending_.pop_back();
    spread(at);
  }
  if (greatest_) find_endless(fresh_);
  for (const Id each : fresh_) tables_[each].solved = true;
#ifndef NDEBUG
  for (const Id each : fresh_) check_solution(tables_[each]);
#endif
  assert(std::ranges::find(fresh_, id) != fresh_.end()); // what was not solved is new
  fresh_.clear();
  return tables_[id];
}

#ifndef NDEBUG
// B1: what a node reaches is what its successors reach. Base likewise.
void Backward::check_solution(const Table& table) {
  const Word* goal = greatest_ ? nullptr : level_.second(table.operands);
  std::vector<Word> reach(table.exit_words);
  for (Id node = table.first_node; node < table.first_node + model_.width(table.component); ++node) {
    const NodeKind kind = model_.kind(node);
    const bool through = kind == NodeKind::call || test_bit(table.through, table.bit(node));
    bool base = goal != nullptr && kind != NodeKind::call && test_bit(goal, table.bit(node));
    std::ranges::fill(reach, 0);
    const auto add = [&](Id next) {
      base = base || test_bit(table.base, table.bit(next));
      for (std::size_t w = 0; w < reach.size(); ++w) reach[w] |= table.reach_of(next)[w];
    };
    if (kind == NodeKind::exit) {
      if (through) set_bit(reach.data(), static_cast<std::size_t>(model_.ordinal(node)));
    } else if (kind == NodeKind::call) {
      const Id box = model_.box(node);
      const Word* exits = table.called_exits[table.bit(node)];
      if (!level_.calls_irrelevant(box)) {
        const Table& called = tables_[table_of_[level_.callee_operands(table.operands, box)]];
        assert(called.solved); // B2
        base = test_bit(called.base, called.bit(model_.subject(node)));
      } else {
        base = greatest_ && query_.statics->stay(node, query_).hit;
      }
      Id reached = 0;
      for_each_bit(exits, model_.exit_words(model_.callee(box)), [&](std::size_t) { ++reached; });
      for (Id i = 0; i < model_.return_count(box); ++i) {
        const Id ret = model_.first_return(box) + i;
        if (!test_bit(exits, static_cast<std::size_t>(model_.ordinal(ret)))) continue;
        add(ret);
        --reached;
      }
      base = base || (greatest_ && reached > 0);
    } else if (through) {
      for (const Id next : model_.successors(node)) add(next);
      base = base || (greatest_ && model_.successors(node).empty());
    }
    assert(test_bit(table.base, table.bit(node)) == base);
    assert(base || std::equal(reach.begin(), reach.end(), table.reach_of(node)));
  }
}
#endif

Id Backward::open(Id operands) {
  if (static_cast<std::size_t>(operands) >= table_of_.size())
    table_of_.resize(static_cast<std::size_t>(operands) + 1, kNone);
  if (table_of_[operands] != kNone) return table_of_[operands];
  const Id component = level_.operand_context(operands).component;
  const auto width = static_cast<std::size_t>(model_.width(component));
  const Id id = static_cast<Id>(tables_.size());
  table_of_[operands] = id;
  Arena& arena = query_.arena;
  tables_.push_back({.operands = operands,
                     .component = component,
                     .first_node = model_.first(component),
                     .exit_words = model_.exit_words(component),
                     .through = level_.first(operands),
                     .base = arena.make<Word>(words_for(width)),
                     .reach = arena.make<Word>(width * model_.exit_words(component)),
                     .queued = arena.make<Word>(words_for(width)),
                     .callers = arena.make_ids(width),
                     .called_exits = arena.make<const Word*>(width)});
  to_start_.push_back(id);
  fresh_.push_back(id);
  return id;
}

// Puts down what is true without any step.
void Backward::start(Id id) {
  const Table& table = tables_[id];
  const Word* goal = greatest_ ? nullptr : level_.second(table.operands);
  for (Id node = table.first_node; node < table.first_node + model_.width(table.component); ++node) {
    query_.poll();
    ++query_.counters.visited;
    if (model_.kind(node) == NodeKind::call) {
      start_call(id, node);
    } else if (goal != nullptr && test_bit(goal, table.bit(node))) {
      set_base(id, node);
    } else if (model_.kind(node) == NodeKind::exit && test_bit(table.through, table.bit(node))) {
      set_bit(table.reach_of(node), static_cast<std::size_t>(model_.ordinal(node)));
      changed(id, node);
    }
  }
}

void Backward::start_call(Id id, Id call) {
  const Id box = model_.box(call);
  const Id entry = model_.subject(call);
  if (level_.calls_irrelevant(box)) {
    const Summary summary = greatest_ ? query_.statics->stay(call, query_) : query_.statics->reach(call, query_);
    tables_[id].called_exits[tables_[id].bit(call)] = summary.exits;
    if (summary.hit) return set_base(id, call);
    return absorb_returns(id, call, summary.exits);
  }
  const Id callee = open(level_.callee_operands(tables_[id].operands, box)); // B2
  const Table& called = tables_[callee];
  Id& list = called.callers[called.bit(entry)];
  query_.push(callers_, {id, call, list});
  list = static_cast<Id>(callers_.size() - 1);
  tables_[id].called_exits[tables_[id].bit(call)] = called.reach_of(entry);
  assert(called.component == model_.component(entry));
  if (test_bit(called.base, called.bit(entry))) set_base(id, call);
  absorb_returns(id, call, called.reach_of(entry));
}

// The set at a node grew: whatever leads there grows with it.
void Backward::spread(Pending at) {
  const Table& here = tables_[at.table];
  assert(test_bit(here.queued, here.bit(at.node)) && !here.solved);
  clear_bit(here.queued, here.bit(at.node));
  for (const Id before : model_.predecessors(at.node)) {
    if (test_bit(here.through, here.bit(before))) absorb(at.table, before, here, at.node);
  }
  if (model_.kind(at.node) == NodeKind::ret) {
    const Id box = model_.box(at.node);
    for (Id i = 0, call = model_.first_call(box); i < model_.call_count(box); ++i, ++call) {
      const Word* exits = here.called_exits[here.bit(call)];
      if (exits != nullptr && test_bit(exits, static_cast<std::size_t>(model_.ordinal(at.node)))) {
        absorb(at.table, call, here, at.node);
      }
    }
  }
  spread_to_callers(here, at.node);
}

void Backward::spread_to_callers(const Table& from, Id entry) {
  for (Id at = from.callers[from.bit(entry)]; at != kNone; at = callers_[at].next) {
    const Caller caller = callers_[at];
    if (test_bit(from.base, from.bit(entry))) set_base(caller.table, caller.call);
    absorb_returns(caller.table, caller.call, from.reach_of(entry));
  }
}

void Backward::absorb_returns(Id id, Id call, const Word* exits) {
  const Table& table = tables_[id];
  const Id box = model_.box(call);
  for (Id i = 0, node = model_.first_return(box); i < model_.return_count(box); ++i, ++node) {
    if (test_bit(exits, static_cast<std::size_t>(model_.ordinal(node)))) absorb(id, call, table, node);
  }
}

void Backward::absorb(Id id, Id node, const Table& from, Id other) {
  const Table& table = tables_[id];
  if (test_bit(table.base, table.bit(node))) return;          // what it reaches does not matter any more
  assert(from.component == table.component && !table.solved); // B1: a solution never grows
  if (test_bit(from.base, from.bit(other))) return set_base(id, node);
  Word* mine = table.reach_of(node);
  const Word* more = from.reach_of(other);
  bool grew = false;
  for (std::size_t i = 0; i < table.exit_words; ++i) {
    grew = grew || (more[i] & ~mine[i]) != 0;
    mine[i] |= more[i];
  }
  if (grew) changed(id, node);
}

void Backward::set_base(Id id, Id node) {
  const Table& table = tables_[id];
  if (insert_bit(table.base, table.bit(node)) && !greatest_) changed(id, node);
}

void Backward::changed(Id id, Id node) {
  const Table& table = tables_[id];
  assert(!table.solved);
  if (insert_bit(table.queued, table.bit(node))) query_.push(pending_, {id, node});
}

// Greatest solution over newly opened tables. The tables they call beyond are solved.
void Backward::find_endless(std::span<const Id> fresh) {
  constexpr Id kForever = std::numeric_limits<Id>::max();
  std::vector<Pending> dead;
  for (const Id id : fresh) {
    tables_[id].living = make_zeroed<Id>(static_cast<std::size_t>(model_.width(tables_[id].component)));
  }
  const auto count_call = [&](const Table& table, Id call) -> Id {
    const Id box = model_.box(call);
    if (test_bit(table.base, table.bit(call))) return kForever; // irrelevant, and can run for ever
    const Word* exits = table.called_exits[table.bit(call)];
    Id count = 0;
    Id listed = 0;
    for (Id i = 0; i < model_.return_count(box); ++i) {
      listed += test_bit(exits, static_cast<std::size_t>(model_.ordinal(model_.first_return(box) + i))) ? 1 : 0;
    }
    Id reached = 0;
    for_each_bit(exits, model_.exit_words(model_.callee(box)), [&](std::size_t) { ++reached; });
    if (reached > listed) return kForever; // an exit without return node: the run stays there
    count = listed;
    if (!level_.calls_irrelevant(box)) {
      const Table& called = tables_[table_of_[level_.callee_operands(table.operands, box)]];
      const Id entry = model_.subject(call);
      assert(called.solved == !called.living); // B2
      if (called.solved && test_bit(called.base, called.bit(entry))) return kForever;
      if (!called.solved) ++count; // the descent
    }
    return count;
  };
  for (const Id id : fresh) {
    const Table& table = tables_[id];
    for (Id node = table.first_node; node < table.first_node + model_.width(table.component); ++node) {
      query_.poll();
      Id& count = table.living[table.bit(node)];
      const NodeKind kind = model_.kind(node);
      if (kind == NodeKind::call) {
        count = count_call(table, node);
      } else if (kind != NodeKind::exit && test_bit(table.through, table.bit(node))) {
        const auto successors = static_cast<Id>(model_.successors(node).size());
        count = successors == 0 ? kForever : successors;
      }
      if (count == 0) dead.push_back({id, node});
    }
  }
  const auto lose = [&](Id id, Id node) {
    if (!tables_[id].living) return; // solved earlier
    Id& count = tables_[id].living[tables_[id].bit(node)];
    if (count != 0 && count != kForever && --count == 0) dead.push_back({id, node});
  };
  while (!dead.empty()) {
    query_.poll();
    const Pending at = dead.back();
    dead.pop_back();
    const Table& here = tables_[at.table];
    for (const Id before : model_.predecessors(at.node)) lose(at.table, before);
    if (model_.kind(at.node) == NodeKind::ret) {
      const Id box = model_.box(at.node);
      for (Id i = 0, call = model_.first_call(box); i < model_.call_count(box); ++i, ++call) {
        const Word* exits = here.called_exits[here.bit(call)];
        if (test_bit(exits, static_cast<std::size_t>(model_.ordinal(at.node)))) lose(at.table, call);
      }
    }
    for (Id list = here.callers[here.bit(at.node)]; list != kNone; list = callers_[list].next) {
      lose(callers_[list].table, callers_[list].call);
    }
  }
  for (const Id id : fresh) {
    Table& table = tables_[id];
    for (std::size_t i = 0; i < static_cast<std::size_t>(model_.width(table.component)); ++i) {
      if (table.living[i] != 0) set_bit(table.base, i);
    }
    table.living.reset();
  }
}

} // namespace pigro::core
