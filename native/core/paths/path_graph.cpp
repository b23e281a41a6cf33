// Base: does a vertex reach a hit, or a strongly connected part whose inner edges have all marks?
//
// One depth-first search over the graph of all tables, after [Couvreur1999]. A cell is 0 (not known), kTrue, kFalse,
// or the vertex's place, from 1, among the open ones: those of parts that may still grow. The open vertices of a part
// are consecutive, and each open vertex reaches all that come after it.
#include <algorithm>
#include <utility>

#include "core/paths/path.hpp"
#include "core/paths/path_expand.hpp"

namespace pigro::core {

bool PathLevel::has_all(const Word* marks) const {
  for (std::size_t i = 0; i < mark_words_; ++i) {
    if ((all_marks_[i] & ~marks[i]) != 0) return false;
  }
  return true;
}

bool PathLevel::is_true(const Vertex& at) {
  const Table& table = tables_[at.table];
  return table.hit && table.start == Pair{at.node, at.state};
}

bool PathLevel::base(const Vertex& start) {
  bool found = follow({start, no_marks_.data()});
  while (!found && !frames_.empty()) {
    query_.poll();
    found = advance();
  }
  if (found) settle_open(kTrue, 0);
  frames_.clear();
  edges_.clear();
  roots_of_parts_.clear();
  part_words_.clear();
  assert(open_.empty());
  return found;
}

// Follows one more edge of the last frame. First come the runs that do not return from a call. Only then its exits.
bool PathLevel::advance() {
  Frame& frame = frames_.back();
  if (edges_.size() > frame.edges) {
    const Edge edge = edges_.back();
    edges_.pop_back();
    return follow(edge);
  }
  if (frame.called == kNone) {
    close();
    return false;
  }
  const Id called = std::exchange(frame.called, kNone);
  const Vertex at = open_[static_cast<std::size_t>(frame.place) - 1];
  saturate(called); // P2
  if (tables_[called].hit) return true;
  return expand_returns(at, called, [&](const Vertex& to, const Word* marks) { query_.push(edges_, {to, marks}); });
}

bool PathLevel::follow(const Edge& edge) {
  if (is_true(edge.to)) return true;
  const Id known = cell(edge.to);
  if (known == 0) return open(edge.to, edge.marks);
  if (known > 0) return join_open(known, edge.marks);
  return known == kTrue;
}

// True if the vertex is accepted at once.
bool PathLevel::open(const Vertex& at, const Word* entered) {
  query_.push(open_, at);
  const Id place = static_cast<Id>(open_.size());
  cell(at) = place;
  const Table& table = tables_[at.table];
  if (!table.marked || marks_at(table, {at.node, at.state})[0] == 0) ++query_.counters.visited; // or counted before
  if (table.role == Role::pool) number_pair(at);
  query_.push(roots_of_parts_, place);
  for (std::size_t i = 0; i < mark_words_; ++i) query_.push(part_words_, Word{0});
  for (std::size_t i = 0; i < mark_words_; ++i) query_.push(part_words_, entered[i]);
  const std::size_t first_edge = edges_.size();
  const Steps steps = expand(at, [&](const Vertex& to, const Word* marks) { query_.push(edges_, {to, marks}); });
  std::reverse(edges_.begin() + static_cast<std::ptrdiff_t>(first_edge),
               edges_.end()); // the first one is followed first
  query_.push(frames_, {place, first_edge, steps.called});
  if (steps.called == kNone) return steps.accepted;
  const Pair& start = tables_[steps.called].start;
  query_.push(edges_, {{steps.called, start.node, start.state}, no_marks_.data()});
  return false;
}

// An edge leads back to an open vertex: all from its part on is one part. True if the part has all marks.
bool PathLevel::join_open(Id place, const Word* marks) {
  const std::size_t both = 2 * mark_words_;
  while (roots_of_parts_.back() > place) {
    const std::size_t last = part_words_.size() - both;
    for (std::size_t i = 0; i < mark_words_; ++i) {
      part_words_[last - both + i] |= part_words_[last + i] | part_words_[last + mark_words_ + i];
    }
    part_words_.resize(last);
    roots_of_parts_.pop_back();
  }
  Word* inside = part_words_.data() + (part_words_.size() - both);
  for (std::size_t i = 0; i < mark_words_; ++i) inside[i] |= marks[i];
  return has_all(inside);
}

void PathLevel::close() {
  const Id place = frames_.back().place;
  frames_.pop_back();
  if (roots_of_parts_.back() != place) return;
  settle_open(kFalse, static_cast<std::size_t>(place) - 1);
  roots_of_parts_.pop_back();
  part_words_.resize(part_words_.size() - 2 * mark_words_);
}

void PathLevel::settle_open(Id how, std::size_t from) {
  for (std::size_t i = from; i < open_.size(); ++i) {
    cell(open_[i]) = how;
  }
  open_.resize(from);
}

} // namespace pigro::core
