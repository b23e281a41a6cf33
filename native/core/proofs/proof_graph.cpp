#include "core/proofs/proof_graph.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::core {

Id ProofGraph::number(const Place& place) {
  const Id row = rows_.number(place.operands, place.state);
  const Id found = numbers_.number(row, place.node);
  if (found == size()) {
    level_.query_.push(places_, place);
    acceptance_.push_back(kNone);
    part_of_.push_back(kNone);
    next_.push_back(kNone);
  }
  return found;
}

Id ProofGraph::vertex(const Place& place) {
  const Id found = number(place);
  explore();
  return found;
}

void ProofGraph::explore() {
  const Id from = static_cast<Id>(first_move_.size()) - 1;
  assert(from <= size()); // vertices before `from` are expanded
  if (from == size()) return;
  for (Id at = from; at < size(); ++at) {
    level_.query_.poll();
    expand(at);
    if (acceptance_[at] != kNone) moves_.resize(first_move_.back()); // one reason is enough
    first_move_.push_back(moves_.size());
  }
  find_parts(from);
  find_ways(from);
}

void ProofGraph::accept(Id vertex, const Acceptance& how) {
  assert(acceptance_[vertex] == kNone); // one reason is enough
  acceptance_[vertex] = static_cast<Id>(acceptances_.size());
  acceptances_.push_back(how);
}

void ProofGraph::expand(Id vertex) {
  if (is_exit(vertex)) return;
  const Place at = places_[vertex];
  const Id node = node_read(vertex);
  const Id self = at.node;
  auto successors = stays(vertex) ? std::span(&self, 1) : model_.successors(node);
  const bool ends = successors.empty() && level_.query_.dead_ends == DeadEnds::stop;
  if (successors.empty() && !ends) successors = {&self, 1};
  for (const Branch& branch : level_.automaton_.row(at.state, level_.letter(node))) {
    if (!level_.applies(branch, at.operands, node)) continue;
    if (branch.next == kNone || (ends && !branch.ends_well)) return accept(vertex, {.branch = &branch});
    for (const Id to : successors) {
      if (to >= model_.nodes() || model_.kind(to) != NodeKind::call) {
        level_.query_.push(moves_, {.to = number({at.operands, to, branch.next}), .branch = &branch});
      } else if (expand_call(at, to, branch)) {
        return;
      }
    }
  }
}

// True if the run may end at an exit that the box has no return node for.
bool ProofGraph::expand_call(const Place& from, Id call, const Branch& branch) {
  const Id at = static_cast<Id>(first_move_.size()) - 1;
  const Id box = model_.box(call);
  const Id callee = model_.callee(box);
  const Id operands = level_.callee_operands(from.operands, box);
  const Pair start{model_.subject(call), branch.next};
  level_.query_.push(
      moves_, {.to = number({operands, start.node, start.state}), .branch = &branch, .call = call, .inside = false});
  if (model_.exit_count(callee) == 0) return false;
  const Id key = level_.key(operands, callee, start);
  level_.saturate(kNone);
  assert(level_.pending_.empty()); // P1: the exits of the key are complete
  for (const Pair& exit : level_.tables_[key].exits) {
    const Id back = model_.return_node(box, model_.ordinal(exit.node));
    if (back != kNone) {
      const Id to = number({from.operands, back, exit.state});
      level_.query_.push(moves_, {.to = to, .branch = &branch, .call = call, .key = key, .exit = exit});
    } else if (level_.query_.dead_ends == DeadEnds::stutter) {
      const Id to = number({operands, exit.node + model_.nodes(), exit.state});
      level_.query_.push(moves_,
                         {.to = to, .branch = &branch, .call = call, .key = key, .exit = exit, .inside = false});
    } else {
      for (const Branch& end : level_.automaton_.row(exit.state, level_.letter(exit.node))) {
        if ((end.next == kNone || !end.ends_well) && level_.applies(end, operands, exit.node)) {
          accept(at, {.branch = &branch, .call = call, .key = key, .exit = exit, .end = &end});
          return true;
        }
      }
    }
  }
  return false;
}

bool ProofGraph::has_mark(const Move& move, Id mark) const {
  const auto bit = kFirstMark + static_cast<std::size_t>(mark);
  return test_bit(move.branch->marks, bit) ||
         (move.key != kNone && test_bit(level_.marks_at(level_.tables_[move.key], move.exit), bit));
}

// [Tarjan1972]. Moves lead to these vertices, or to parts that are known.
void ProofGraph::find_parts(Id from) {
  struct Frame {
    Id vertex;
    std::size_t move;
  };
  const auto count = static_cast<std::size_t>(size() - from);
  std::vector<Id> place(count, kNone), low(count); // on `open`
  std::vector<Id> open;
  std::vector<Frame> frames;
  const auto enter = [&](Id vertex) {
    place[static_cast<std::size_t>(vertex - from)] = low[static_cast<std::size_t>(vertex - from)] =
        static_cast<Id>(open.size());
    open.push_back(vertex);
    frames.push_back({vertex, first_move_[static_cast<std::size_t>(vertex)]});
  };
  for (Id start = from; start < size(); ++start) {
    if (place[static_cast<std::size_t>(start - from)] != kNone) continue;
    enter(start);
    while (!frames.empty()) {
      level_.query_.poll();
      Frame& top = frames.back();
      const auto at = static_cast<std::size_t>(top.vertex - from);
      if (top.move < first_move_[static_cast<std::size_t>(top.vertex) + 1]) {
        const Id to = moves_[top.move++].to;
        if (part_of_[to] != kNone) continue;
        const auto next = static_cast<std::size_t>(to - from);
        if (place[next] == kNone) {
          enter(to);
        } else {
          low[at] = std::min(low[at], place[next]);
        }
        continue;
      }
      const Id vertex = top.vertex;
      frames.pop_back();
      if (!frames.empty()) {
        Id& above = low[static_cast<std::size_t>(frames.back().vertex - from)];
        above = std::min(above, low[at]);
      }
      if (low[at] == place[at]) close_part(open, vertex);
    }
  }
}

void ProofGraph::close_part(std::vector<Id>& open, Id root) {
  const Id number = static_cast<Id>(parts_.size());
  const auto first = std::ranges::find(open.rbegin(), open.rend(), root).base() - 1;
  assert(*first == root && part_of_[root] == kNone); // each vertex is in one part
  for (auto at = first; at != open.end(); ++at) part_of_[*at] = number;
  Part part{.base = root};
  std::vector<Word> seen(level_.mark_words_);
  for (auto at = first; at != open.end(); ++at) {
    part.live = part.live || acceptance_[*at] != kNone;
    for (const Move& move : moves(*at)) {
      assert(part_of_[move.to] != kNone); // parts are closed after those that they lead to
      if (part_of_[move.to] != number) {
        part.live = part.live || parts_[part_of_[move.to]].live;
        continue;
      }
      part.has_moves = true;
      const Word* more = move.key == kNone ? nullptr : level_.marks_at(level_.tables_[move.key], move.exit);
      for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= move.branch->marks[i] | (more == nullptr ? 0 : more[i]);
    }
  }
  for (Id mark = 0; mark < level_.automaton_.releases() && part.mark == kNone; ++mark) {
    if (!test_bit(seen.data(), kFirstMark + static_cast<std::size_t>(mark))) part.mark = mark;
  }
  part.accepting = part.has_moves && part.mark == kNone;
  part.live = part.live || part.accepting;
  parts_.push_back(part);
  open.erase(first, open.end());
}

// From live vertices, the shortest way to one that is accepted at once, to a base, or to a vertex that was live before.
void ProofGraph::find_ways(Id from) {
  const auto count = static_cast<std::size_t>(size() - from);
  std::vector<std::size_t> offsets(count + 1);
  std::vector<Id> pending;
  std::vector<bool> known(count);
  const auto goal = [&](Id vertex) {
    known[static_cast<std::size_t>(vertex - from)] = true;
    pending.push_back(vertex);
  };
  for (Id at = from; at < size(); ++at) {
    if (!live(at)) continue;
    if (acceptance_[at] != kNone || (parts_[part_of_[at]].accepting && parts_[part_of_[at]].base == at)) {
      goal(at);
      continue;
    }
    for (std::size_t i = first_move_[static_cast<std::size_t>(at)]; i < first_move_[static_cast<std::size_t>(at) + 1];
         ++i) {
      const Id to = moves_[i].to;
      if (to >= from) {
        ++offsets[static_cast<std::size_t>(to - from) + 1];
      } else if (live(to) && next_[at] == kNone) {
        next_[at] = static_cast<Id>(i);
      }
    }
    if (next_[at] != kNone) goal(at);
  }
  for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  std::vector<std::pair<Id, Id>> before(offsets.back()); // vertex and move
  std::vector<std::size_t> fill(offsets.begin(), offsets.end() - 1);
  for (Id at = from; at < size(); ++at) {
    const bool is_base = parts_[part_of_[at]].accepting && parts_[part_of_[at]].base == at;
    if (!live(at) || acceptance_[at] != kNone || is_base) continue;
    for (std::size_t i = first_move_[static_cast<std::size_t>(at)]; i < first_move_[static_cast<std::size_t>(at) + 1];
         ++i) {
      if (moves_[i].to >= from)
        before[fill[static_cast<std::size_t>(moves_[i].to - from)]++] = {at, static_cast<Id>(i)};
    }
  }
  for (std::size_t done = 0; done < pending.size(); ++done) {
    level_.query_.poll();
    const auto to = static_cast<std::size_t>(pending[done] - from);
    for (std::size_t i = offsets[to]; i < offsets[to + 1]; ++i) {
      const auto [at, move] = before[i];
      assert(live(at)); // only live vertices have a way
      if (known[static_cast<std::size_t>(at - from)]) continue;
      next_[at] = move;
      goal(at);
    }
  }
}

} // namespace pigro::core
