#include "core/paths/path_runs.hpp"

#include <algorithm>
#include <utility>

#include "core/paths/path_expand.hpp"

namespace pigro::core {

class RunFinder {
 public:
  RunFinder(PathLevel& level, PathLevel::Vertex root) : level_(level), query_(level.query_), model_(level.model_) {
    number(root);
  }

  Run find() {
    explore();
    if (accepted_ == kNone) find_loop();
    write_run();
    return std::move(run_);
  }

 private:
  using Vertex = PathLevel::Vertex;
  using Pair = PathLevel::Pair;
  using LastStep = PathLevel::LastStep;

  // How a link goes on: by a step. Into a call that stays open. Past a call. Into a stay at an exit.
  enum class Kind : std::uint8_t { step, descent, summary, stay };
  struct Link {
    Id from, to; // vertices by number
    Kind kind;
    const Word* marks;
  };
  // A link that is taken, and the mark that it must bring if it is a summary; kNone: any way will do.
  struct Move {
    Id link;
    Id mark;
  };
  struct Part {
    std::vector<Id> of; // of each vertex: its part
    Id fair = kNone;    // one with all marks
    Id first = kNone;   // its first vertex
  };

  Id number(const Vertex& at);
  bool is_visited(const Vertex& at);
  void link_from(Id from, const Vertex& to, const Word* marks, Kind kind);
  void explore();
  void find_loop();
  Part find_part(bool with_descents);
  void number_parts(Part& found, bool with_descents);
  std::vector<Id> way_in_part(const Part& part, bool with_descents, Id from,
                              const std::function<bool(Id link)>& wanted);
  void close_walk(const Part& part, bool with_descents);

  void write_run();
  void emit(Id node);
  void step(Id from, Id to);
  void take(const Move& move);
  void pass_call(const Vertex& call, Pair exit, Id mark);
  void end_accepted();
  void push_box(Id box) { stack_ = run_.boxes.number(stack_, box) + 1; }
  void pop_box() { stack_ = run_.boxes.first(stack_ - 1); }
  Id called_key(const Vertex& call);
  std::vector<LastStep> way_to(Id key, Pair to, Id mark) const;

  PathLevel& level_;
  Query& query_;
  const Model& model_;

  Interner numbers_{query_.allocation_guard()};
  std::vector<Vertex> vertices_; // in the order of the search
  std::vector<Id> came_by_;      // of each vertex: the link that led to it first
  std::vector<Link> links_;
  std::vector<Id> first_link_;    // of each vertex that was looked at, and the end
  Id accepted_ = kNone;           // a vertex
  std::vector<Move> stem_, loop_; // the end of the stem, and the loop
  bool pumps_ = false;
  Run run_;
  Id stack_ = 0;
};

Id RunFinder::number(const Vertex& at) {
  std::uint64_t hash = mix(mix(5, static_cast<std::uint64_t>(at.table)), static_cast<std::uint64_t>(at.node));
  hash = mix(hash, static_cast<std::uint64_t>(at.state));
  return numbers_.intern(
      hash,
      [&](Id id) {
        const Vertex& known = vertices_[id];
        return known.table == at.table && known.node == at.node && known.state == at.state;
      },
      [&] {
        query_.push(vertices_, at);
        query_.push(came_by_, static_cast<Id>(links_.size()));
        return static_cast<Id>(vertices_.size() - 1);
      });
}

// Whether the search for base, or a table, came to a vertex that may be accepted. All that made it accept is visited.
bool RunFinder::is_visited(const Vertex& at) {
  const PathLevel::Table& table = level_.tables_[at.table];
  if (static_cast<std::size_t>(at.state) >= table.rows.size()) return false;
  const PathLevel::Row& row = table.rows[static_cast<std::size_t>(at.state)];
  const Id bit = at.node - table.first_node;
  const Id cell = row.cells == nullptr ? 0 : row.cells[bit];
  if (cell == PathLevel::kFalse) return false;
  return cell != 0 || (row.came != nullptr && row.came[bit] != 0);
}

void RunFinder::link_from(Id from, const Vertex& to, const Word* marks, Kind kind) {
  if (!is_visited(to)) return;
  const Id at = number(to);
  query_.push(links_, {from, at, kind, marks});
}

void RunFinder::explore() {
  for (Id at = 0; at < static_cast<Id>(vertices_.size()); ++at) {
    query_.poll();
    query_.push(first_link_, static_cast<Id>(links_.size()));
    const Vertex vertex = vertices_[at];
    const bool in_loop = level_.tables_[vertex.table].role == PathLevel::Role::loop;
    const bool is_exit = model_.kind(vertex.node) == NodeKind::exit;
    const auto steps = level_.expand(vertex, [&](const Vertex& to, const Word* marks) {
      link_from(at, to, marks, is_exit && !in_loop ? Kind::stay : Kind::step);
    });
    bool accepted = steps.accepted;
    if (steps.called != kNone) {
      const Pair start = level_.tables_[steps.called].start;
      link_from(at, {steps.called, start.node, start.state}, level_.no_marks_.data(), Kind::descent);
      accepted = level_.expand_returns(vertex, steps.called, [&](const Vertex& to, const Word* marks) {
        link_from(at, to, marks, to.table == vertex.table ? Kind::summary : Kind::stay);
      });
    }
    if (accepted) {
      accepted_ = at;
      break;
    }
  }
  query_.push(first_link_, static_cast<Id>(links_.size()));
}

// The strongly connected parts, after [Tarjan1972], with an own stack.
void RunFinder::number_parts(Part& found, bool with_descents) {
  std::vector<Id> place(vertices_.size()), low(vertices_.size()), next(vertices_.size()), open, path;
  found.of.assign(vertices_.size(), kNone);
  Id parts = 0;
  const auto begin = [&](Id at) {
    open.push_back(at);
    path.push_back(at);
    place[at] = low[at] = static_cast<Id>(open.size());
    next[at] = first_link_[at];
  };
  const auto end = [&](Id at) {
    path.pop_back();
    if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[at]);
    if (low[at] < place[at]) return;
    while (static_cast<Id>(open.size()) >= place[at]) {
      found.of[open.back()] = parts;
      open.pop_back();
    }
    ++parts;
  };
  for (Id root = 0; root < static_cast<Id>(vertices_.size()); ++root) {
    if (place[root] == 0) begin(root);
    while (!path.empty()) {
      query_.poll();
      const Id at = path.back();
      if (next[at] == first_link_[at + 1]) {
        end(at);
        continue;
      }
      const Link& link = links_[next[at]++];
      if (link.kind == Kind::descent && !with_descents) continue;
      if (place[link.to] == 0) {
        begin(link.to);
      } else if (found.of[link.to] == kNone) {
        low[at] = std::min(low[at], place[link.to]);
      }
    }
  }
}

// The part with all marks that the search came to first.
RunFinder::Part RunFinder::find_part(bool with_descents) {
  Part found;
  number_parts(found, with_descents);
  const auto parts = static_cast<std::size_t>(*std::ranges::max_element(found.of)) + 1;
  std::vector<Word> marks(parts * level_.mark_words_);
  std::vector<bool> has_links(parts);
  for (const Link& link : links_) {
    const Id part = found.of[link.from];
    if (part != found.of[link.to] || (link.kind == Kind::descent && !with_descents)) continue;
    has_links[static_cast<std::size_t>(part)] = true;
    Word* inside = marks.data() + static_cast<std::size_t>(part) * level_.mark_words_;
    for (std::size_t i = 0; i < level_.mark_words_; ++i) inside[i] |= link.marks[i];
  }
  for (std::size_t at = 0; at < vertices_.size() && found.fair == kNone; ++at) {
    const auto part = static_cast<std::size_t>(found.of[at]);
    if (!has_links[part] || !level_.has_all(marks.data() + part * level_.mark_words_)) continue;
    found.fair = found.of[at];
    found.first = static_cast<Id>(at);
  }
  return found;
}

void RunFinder::find_loop() {
  for (const bool with_descents : {false, true}) {
    const Part part = find_part(with_descents);
    if (part.fair != kNone) return close_walk(part, with_descents);
  }
  assert(false); // the vertex is true
}

// The links of a shortest way inside the part whose last link is wanted.
std::vector<Id> RunFinder::way_in_part(const Part& part, bool with_descents, Id from,
                                       const std::function<bool(Id link)>& wanted) {
  std::vector<Id> by(vertices_.size(), kNone), queue{from};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (Id at = first_link_[queue[i]]; at < first_link_[queue[i] + 1]; ++at) {
      query_.poll();
      const Link& link = links_[at];
      if (part.of[link.to] != part.fair || (link.kind == Kind::descent && !with_descents)) continue;
      if (wanted(at)) {
        std::vector<Id> way{at};
        for (Id back = link.from; back != from; back = links_[by[back]].from) way.push_back(by[back]);
        std::ranges::reverse(way);
        return way;
      }
      if (by[link.to] != kNone || link.to == from) continue;
      by[link.to] = at;
      queue.push_back(link.to);
    }
  }
  assert(false); // the part is strongly connected and has all marks
  return {};
}

// A closed walk with every mark. A summary brings one mark at a time: another may need another way.
void RunFinder::close_walk(const Part& part, bool with_descents) {
  std::vector<Word> missing = level_.all_marks_;
  Id at = part.first;
  const auto go = [&](const std::vector<Id>& way, Id mark) {
    for (std::size_t i = 0; i < way.size(); ++i) {
      const Link& link = links_[way[i]];
      const bool is_last = i + 1 == way.size();
      loop_.push_back({way[i], link.kind == Kind::summary && is_last ? mark : kNone});
      for (std::size_t j = 0; link.kind == Kind::step && j < missing.size(); ++j) missing[j] &= ~link.marks[j];
    }
    if (mark != kNone) clear_bit(missing.data(), kFirstMark + static_cast<std::size_t>(mark));
    at = links_[way.back()].to;
  };
  for (Id mark = 0; mark < level_.automaton_.releases(); ++mark) {
    const auto bit = kFirstMark + static_cast<std::size_t>(mark);
    if (!test_bit(missing.data(), bit)) continue;
    go(way_in_part(part, with_descents, at, [&](Id link) { return test_bit(links_[link].marks, bit); }), mark);
  }
  if (loop_.empty() || at != part.first) {
    go(way_in_part(part, with_descents, at, [&](Id link) { return links_[link].to == part.first; }), kNone);
  }
  // What a pump does in a round must stay above the stack at its start. So it does not start at a return node, which
  // is an exit of the call before it.
  const auto descent =
      std::ranges::find_if(loop_, [&](const Move& move) { return links_[move.link].kind == Kind::descent; });
  pumps_ = descent != loop_.end();
  if (!pumps_ || model_.kind(vertices_[part.first].node) == NodeKind::plain) return;
  stem_.assign(loop_.begin(), descent + 1);
  std::rotate(loop_.begin(), descent + 1, loop_.end());
}

void RunFinder::write_run() {
  std::vector<Move> way;
  const bool has_loop = accepted_ == kNone;
  Id at = has_loop ? links_[(stem_.empty() ? loop_ : stem_).front().link].from : accepted_;
  for (; at != 0; at = links_[came_by_[at]].from) way.push_back({came_by_[at], kNone});
  std::ranges::reverse(way);
  way.insert(way.end(), stem_.begin(), stem_.end());
  emit(vertices_[0].node);
  for (const Move& move : way) take(move);
  if (!has_loop) return end_accepted();
  run_.end = pumps_ ? Run::End::pump : Run::End::loop;
  run_.start = static_cast<Id>(run_.nodes.size()) - (pumps_ ? 1 : 0);
  for (const Move& move : loop_) take(move);
}

void RunFinder::emit(Id node) {
  query_.poll();
  if (run_.nodes.size() >= Run::kMostStates) run_.is_too_long = true;
  if (run_.is_too_long) return;
  query_.push(run_.nodes, node);
  query_.push(run_.stacks, stack_);
}

// A dead end is left as it was come to: that of a return node at the exit.
void RunFinder::step(Id from, Id to) {
  if (from == to && model_.successors(from).empty()) {
    const Id stack = std::exchange(stack_, run_.stacks.back());
    emit(run_.nodes.back());
    stack_ = stack;
  } else if (model_.kind(to) != NodeKind::call) {
    emit(to);
  }
}

void RunFinder::take(const Move& move) {
  const Link& link = links_[move.link];
  const Vertex &from = vertices_[link.from], &to = vertices_[link.to];
  switch (link.kind) {
    case Kind::step:
      step(from.node, to.node);
      break;
    case Kind::descent:
      push_box(model_.box(from.node));
      emit(to.node);
      break;
    case Kind::summary:
      pass_call(from, {model_.subject(to.node), to.state}, move.mark);
      pop_box();
      break;
    case Kind::stay:
      if (model_.kind(from.node) == NodeKind::call) pass_call(from, {to.node, to.state}, kNone);
      break;
  }
}

Id RunFinder::called_key(const Vertex& call) {
  const Id box = model_.box(call.node);
  const Id operands = level_.callee_operands(level_.tables_[call.table].operands, box);
  return level_.key(operands, model_.callee(box), {model_.subject(call.node), call.state});
}

// How a key comes to a pair, with a mark or in any way: the steps backwards.
std::vector<RunFinder::LastStep> RunFinder::way_to(Id key, Pair to, Id mark) const {
  std::vector<LastStep> way;
  while (true) {
    query_.poll();
    const LastStep last = level_.last_step(key, to, mark).value();
    if (last.from.node == kNone) return way;
    query_.push(way, last);
    mark = last.mark_before;
    to = last.from;
  }
}

// From a call to an exit of the callee, which the run is at then, the box still on the stack.
void RunFinder::pass_call(const Vertex& call, Pair exit, Id mark) {
  struct Frame {
    Id key;
    std::vector<LastStep> way; // backwards. What was gone is taken off
    Pair to;
  };
  std::vector<Frame> frames;
  const auto enter = [&](const Vertex& at, Pair to, Id wanted) {
    push_box(model_.box(at.node));
    emit(model_.subject(at.node));
    const Id key = called_key(at);
    frames.push_back({key, way_to(key, to, wanted), to});
  };
  enter(call, exit, mark);
  while (!frames.empty() && !run_.is_too_long) {
    Frame& frame = frames.back();
    if (frame.way.empty()) {
      frames.pop_back();
      if (!frames.empty()) pop_box();
      continue;
    }
    const LastStep taken = frame.way.back();
    frame.way.pop_back();
    const Pair to = frame.way.empty() ? frame.to : frame.way.back().from;
    if (model_.kind(taken.from.node) == NodeKind::call) {
      enter({frame.key, taken.from.node, taken.from.state}, {model_.subject(to.node), to.state}, taken.mark);
    } else {
      step(taken.from.node, to.node);
    }
  }
}

// The last vertex is accepted: as it is, or because runs may end there, or at an exit that nobody waits for.
void RunFinder::end_accepted() {
  const Vertex at = vertices_[accepted_];
  const Id operands = level_.tables_[at.table].operands;
  if (model_.kind(at.node) == NodeKind::call) {
    const PathLevel::Table& callee = level_.tables_[called_key(at)];
    const auto may_end = [&](Pair exit) {
      return model_.return_node(model_.box(at.node), model_.ordinal(exit.node)) == kNone &&
             level_.may_end(callee.operands, exit.node, exit.state);
    };
    const auto exit = std::ranges::find_if(callee.exits, may_end);
    assert(exit != callee.exits.end());
    pass_call(at, *exit, kNone);
    run_.end = Run::End::stays;
    return;
  }
  for (const Branch& branch : level_.automaton_.row(at.state, level_.letter(at.node))) {
    if (branch.next == kNone && level_.applies(branch, operands, at.node)) return; // here
  }
  run_.end = Run::End::stays;
}

std::optional<Run> PathLevel::find_run(Id node) {
  assert(query_.policy.trace);
  const Id component = model_.component(node);
  const Id table = make_table(Role::root, root_operands(component), component, {node, kFirst});
  const Vertex root{table, node, kFirst};
  if (!base(root)) return std::nullopt;
  return RunFinder(*this, root).find();
}

} // namespace pigro::core
