#include "core/onthefly/onthefly.hpp"

#include <algorithm>
#include <stdexcept>

namespace pigro::core {

struct Assertion {
  Id state;
  Id set;
};

// A number for each assertion that was ever asked for. 0 at first. Searches ask about several sets of one state in a
// row, so the numbers of up to eight sets stand side by side: as many as are known when a page is made, or more later.
// The numbers of later sets are in a hash table. There are many sets only if few states meet each of them.
class Cells {
 public:
  Id& at(Assertion at, Id sets) {
    if (at.set >= kSideBySide) {
      const auto number = static_cast<std::size_t>(others_.number(at.state, at.set));
      if (number >= other_cells_.size()) other_cells_.resize(number + 1);
      return other_cells_[number];
    }
    const auto group = static_cast<std::size_t>(at.set) / kSets;
    if (group >= groups_.size()) groups_.resize(group + 1);
    std::vector<Page>& pages = groups_[group];
    const auto page = static_cast<std::size_t>(at.state) / kStates;
    if (page >= pages.size()) pages.resize(page + 1);
    if (!pages[page].holds(at.set)) widen(pages[page], std::min<Id>(kSets, sets - static_cast<Id>(group * kSets)));
    assert(at.set < sets && pages[page].holds(at.set));
    return *pages[page].cell(at);
  }

  // Null if it was not asked for, nor any near it.
  const Id* find(Assertion at) const {
    if (at.set >= kSideBySide) {
      const Id number = others_.find(at.state, at.set);
      return number == kNone ? nullptr : &other_cells_[number];
    }
    const auto group = static_cast<std::size_t>(at.set) / kSets;
    const auto page = static_cast<std::size_t>(at.state) / kStates;
    if (group >= groups_.size() || page >= groups_[group].size()) return nullptr;
    const Page& found = groups_[group][page];
    return found.holds(at.set) ? found.cell(at) : nullptr;
  }

 private:
  static constexpr std::size_t kSets = 8;
  static constexpr std::size_t kStates = 1024;
  static constexpr Id kSideBySide = 64;

  struct Page {
    Zeroed<Id> cells;
    unsigned width = 0; // sets, as a power of two

    bool holds(Id set) const { return cells && (static_cast<std::size_t>(set) % kSets) >> width == 0; }
    Id* cell(Assertion at) const {
      return &cells[(static_cast<std::size_t>(at.state) % kStates) << width | static_cast<std::size_t>(at.set) % kSets];
    }
  };

  static void widen(Page& page, Id sets) {
    Page wide{.cells = {}, .width = static_cast<unsigned>(std::bit_width(static_cast<std::size_t>(sets) - 1))};
    wide.cells = make_zeroed<Id>(kStates << wide.width);
    for (std::size_t i = 0; page.cells && i < kStates << page.width; ++i) {
      wide.cells[(i >> page.width) << wide.width | (i & ((std::size_t{1} << page.width) - 1))] = page.cells[i];
    }
    page = std::move(wide);
  }

  std::vector<std::vector<Page>> groups_;
  PairTable others_;
  std::vector<Id> other_cells_;
};

// The search for one A, kept with its answers.
//
// An assertion is unknown (0), true, false, or open: then its number is its place, from 1, among the
// open ones. The open ones are those of components that may still grow. A component with a cycle has an entry, with
// the release formulas that all of its branches keep. If there is none, the component has a counterexample.
// The search may be as deep as there are states, so frames are small, and components without a cycle have no entry.
// Invariants:
//   F1  between calls no assertion is open.
//   F2  the open assertions of a component are consecutive. Each reaches the first one, and is reached by it.
//   F3  frames are a path in the graph of assertions. The first assertion of a component is in a frame.
//   F4  components with a cycle are in the order of their places. An open assertion outside of them is in a frame.
class PathSearch {
 public:
  PathSearch(OnTheFly& owner, Obligations& obligations, bool optimistic)
      : owner_(owner),
        work_(owner.work_),
        states_(*owner.states_),
        obligations_(obligations),
        optimistic_(optimistic),
        words_(obligations.release_words()) {}

  bool holds(Id state) {
    const Id known = cell({state, kRoot});
    if (known != 0) return known == kTrue;
    assert(open_.empty() && frames_.empty() && cycles_.empty()); // F1
    const bool answer = search(state);
    if (!answer) settle(0, kFalse); // all open nodes reach the counterexample
    frames_.clear();
    open_.clear();
    cycles_.clear();
    cycle_words_.clear();
    assert(open_.empty() && cell({state, kRoot}) == (answer ? kTrue : kFalse)); // F1
    return answer;
  }

  // Needs: nothing was asked of this search before, and the set is false in the state.
  CounterRun counter_run(Id state);

 private:
  static constexpr Id kRoot = 0; // the set
  static constexpr Id kTrue = -1;
  static constexpr Id kFalse = -2;

  struct Frame {
    Id place;
    Id row;
    std::uint32_t branch; // the current one of the row
    std::uint32_t next;   // how many next states were taken for it
  };
  static_assert(sizeof(Frame) == 16);

  // A component with a cycle.
  struct Cycle {
    Id first, last; // places
    Id frame;       // of the first one
  };

  Id& cell(Assertion at) { return cells_.at(at, obligations_.sets()); }
  Id place(Assertion at) const {
    const Id* found = cells_.find(at);
    return found == nullptr ? 0 : *found;
  }

  // Whether a branch can be taken: all its tests are false.
  bool applies(const Branch& branch, Id state) {
    return std::ranges::none_of(branch.tests, [&](Id test) { return owner_.holds(test, state, optimistic_); });
  }

  Id row(Assertion at) {
    const auto holds = [&](Id formula) { return owner_.holds(formula, at.state, optimistic_); };
    return obligations_.row_number(at.set, obligations_.letter(states_.place(at.state), holds));
  }

  bool search(Id state) {
    open({state, kRoot});
    while (!frames_.empty()) {
      work_.poll();
      Frame& frame = frames_.back();
      const Obligations::Row row = obligations_.row(frame.row);
      if (frame.branch == row.size()) {
        close(frame.place);
      } else if (!advance(frame, row)) {
        return false;
      }
    }
    assert(open_.empty() && cycles_.empty()); // F3
    return true;
  }

  // Goes on with the topmost frame until another one is opened or it is done. False if a counterexample is found.
  bool advance(Frame& frame, Obligations::Row row) {
    const Id state = open_[frame.place - 1].state;
    const std::size_t depth = frames_.size();
    for (; frame.branch < row.size(); ++frame.branch, frame.next = 0) {
      const Branch& branch = row[frame.branch];
      if (frame.next == 0 && !applies(branch, state)) continue;
      if (branch.next == kNone) return ended(CounterRun::End::here);
      if (states_.is_cut(state)) {
        owner_.met_cut_ = true;
        if (!optimistic_) return ended(CounterRun::End::here);
        continue;
      }
      std::span<const Id> after = states_.next(state, frame.next);
      if (after.empty() && !branch.ends_well) return ended(CounterRun::End::stop);
      if (frame.next == 0) {
        for (const Id to : after) __builtin_prefetch(cells_.find({to, branch.next}));
      }
      while (frame.next < after.size()) {
        if (!follow({after[frame.next++], branch.next}, branch.kept)) return false;
        if (frames_.size() > depth) return true; // `frame` may have moved
        if (frame.next == after.size()) after = states_.next(state, frame.next);
      }
    }
    return true;
  }

  bool follow(Assertion to, const Word* kept) {
    const Id known = cell(to);
    if (known == kTrue) return true;
    if (known == kFalse) return false;
    if (known == 0) {
      open(to);
      return true;
    }
    return join(known, kept) || ended(CounterRun::End::loop);
  }

  bool ended(CounterRun::End how) {
    end_ = how;
    return false;
  }

  void open(Assertion at) {
    owner_.look_at(at.state);
    ++work_.visited;
    work_.push(open_, at);
    const auto place = static_cast<Id>(open_.size());
    cell(at) = place;
    work_.push(frames_, Frame{.place = place, .row = row(at), .branch = 0, .next = 0});
    assert(cycles_.empty() || place > cycles_.back().last); // F4
  }

  Word all_releases(std::size_t word) const {
    const auto count = static_cast<std::size_t>(obligations_.releases());
    if (count == 0) return 0;
    return word + 1 == words_ ? tail_mask(count) : ~Word{0};
  }

  // A branch of the last frame that keeps `kept` leads back to an open assertion: all components since then are one.
  bool join(Id place, const Word* kept) {
    assert(place >= 1 && place <= static_cast<Id>(open_.size())); // F2
    kept_.assign(kept, kept + words_);
    const auto keep_only = [&](const Word* words) {
      for (std::size_t i = 0; i < words_; ++i) kept_[i] &= words[i];
    };
    std::size_t frame = frames_.size() - 1;
    while (true) { // F4: the component of the frame is the last one with a cycle, or the assertion alone
      if (is_in_cycle(frames_[frame].place)) {
        frame = static_cast<std::size_t>(cycles_.back().frame);
        keep_only(cycle_words_.data() + (cycle_words_.size() - words_));
        drop_cycle();
      }
      if (frames_[frame].place <= place) break;
      const Frame& before = frames_[--frame];
      keep_only(obligations_.row(before.row)[before.branch].kept);
    }
    work_.push(
        cycles_,
        Cycle{.first = frames_[frame].place, .last = static_cast<Id>(open_.size()), .frame = static_cast<Id>(frame)});
    for (const Word word : kept_) work_.push(cycle_words_, word);
    return std::ranges::any_of(kept_, [](Word word) { return word != 0; });
  }

  // Whether the last component with a cycle has this place, which is that of the last frame, or of one before it
  // after all components since then were dropped.
  bool is_in_cycle(Id place) const {
    assert(cycles_.empty() || place >= cycles_.back().first); // F3, F4
    return !cycles_.empty() && place <= cycles_.back().last;
  }

  void drop_cycle() {
    cycles_.pop_back();
    cycle_words_.resize(cycle_words_.size() - words_);
  }

  // All branches of the last assertion are done: it is true, with its component if it is the first of it.
  void close(Id place) {
    assert(cell(open_[place - 1]) == place && frames_.back().place == place);
    const bool in_cycle = is_in_cycle(place);
    frames_.pop_back();
    if (in_cycle && place != cycles_.back().first) return;
    if (in_cycle) drop_cycle();
    settle(static_cast<std::size_t>(place) - 1, kTrue);
  }

  void settle(std::size_t from, Id truth) {
    for (std::size_t i = from; i < open_.size(); ++i) cell(open_[i]) = truth;
    open_.resize(from);
  }

  class Walk;

  OnTheFly& owner_;
  Work& work_;
  States& states_;
  Obligations& obligations_;
  const bool optimistic_;
  const std::size_t words_;
  CounterRun::End end_ = CounterRun::End::here;
  Cells cells_;
  Growing<Frame> frames_;
  Growing<Assertion> open_;
  std::vector<Cycle> cycles_;
  std::vector<Word> cycle_words_; // of each: the release formulas that all branches inside keep
  std::vector<Word> kept_;        // scratch of join
};

// Shortest walks among the open assertions of a search that found a counterexample.
class PathSearch::Walk {
 public:
  explicit Walk(PathSearch& search) : search_(search), from_(search.open_.size() + 1) {}

  struct Edge {
    Id source = kNone; // places
    Id target = kNone;
    const Word* kept = nullptr;
  };

  // Breadth first from `start` over places from `least` on, by at least one edge, to the first edge that is `good`.
  template <typename Good>
  std::vector<Edge> to(Id start, Id least, Good&& good) {
    std::ranges::fill(from_, Edge{});
    std::vector<Id> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      Edge found;
      edges(queue[head], [&](const Edge& edge) {
        if (edge.target < least) return false;
        if (good(edge)) {
          found = edge;
          return true;
        }
        if (from_[edge.target].source == kNone && edge.target != start) {
          from_[edge.target] = edge;
          queue.push_back(edge.target);
        }
        return false;
      });
      if (found.source != kNone) return back(found, start);
    }
    assert(false && "F2");
    return {};
  }

 private:
  // Until `visit` says that it is enough.
  template <typename Visit>
  void edges(Id place, Visit&& visit) {
    const Assertion at = search_.open_[place - 1];
    if (search_.states_.is_cut(at.state)) return;
    for (const Branch& branch : search_.obligations_.row(search_.row(at))) {
      search_.work_.poll();
      if (branch.next == kNone || !search_.applies(branch, at.state)) continue;
      // All that leads on was taken by the search: no more than it knows is asked for.
      for (const Id after : search_.states_.next(at.state, 0)) {
        const Id target = search_.place({after, branch.next});
        if (target > 0 && visit(Edge{place, target, branch.kept})) return;
      }
    }
  }

  std::vector<Edge> back(Edge last, Id start) const {
    std::vector<Edge> walk{last};
    while (walk.back().source != start) walk.push_back(from_[walk.back().source]);
    std::ranges::reverse(walk);
    return walk;
  }

  PathSearch& search_;
  std::vector<Edge> from_; // how a place was reached
};

CounterRun PathSearch::counter_run(Id state) {
  CounterRun run;
  if (search(state)) throw std::invalid_argument("no run shows that the formula is false");
  run.end = end_;
  Walk walk(*this);
  run.states.push_back(state);
  Id at = 1; // the place where the run is
  const auto follow = [&](const std::vector<Walk::Edge>& edges) {
    for (const Walk::Edge& edge : edges) run.states.push_back(open_[edge.target - 1].state);
    if (!edges.empty()) at = edges.back().target;
  };
  if (end_ != CounterRun::End::loop) {
    const Id last = frames_.back().place;
    if (at != last) follow(walk.to(at, 1, [&](const Walk::Edge& edge) { return edge.target == last; }));
    return run;
  }
  const Id root = cycles_.back().first;
  if (at < root) follow(walk.to(at, 1, [&](const Walk::Edge& edge) { return edge.target >= root; }));
  run.start = static_cast<Id>(run.states.size()) - 1;
  const Id home = at;
  std::vector<Word> left(words_); // release formulas that the loop must not keep all along
  for (std::size_t i = 0; i < words_; ++i) left[i] = all_releases(i);
  const auto breaks = [&](const Walk::Edge& edge) {
    for (std::size_t i = 0; i < words_; ++i) {
      if ((left[i] & ~edge.kept[i]) != 0) return true;
    }
    return false;
  };
  while (std::ranges::any_of(left, [](Word word) { return word != 0; })) {
    const std::vector<Walk::Edge> edges = walk.to(at, root, breaks);
    for (const Walk::Edge& edge : edges) {
      for (std::size_t i = 0; i < words_; ++i) left[i] &= edge.kept[i];
    }
    follow(edges);
  }
  const bool moved = static_cast<Id>(run.states.size()) - 1 > run.start;
  if (at != home || !moved) follow(walk.to(at, root, [&](const Walk::Edge& edge) { return edge.target == home; }));
  run.states.pop_back(); // it is the first one of the loop again
  return run;
}

// A boolean state formula, evaluated from its operands only as far as they decide. Shared ones once.
class OnTheFly::Circuit {
 public:
  Circuit(const PositiveFormula& formula, Id root) {
    std::vector<Id> place(static_cast<std::size_t>(root) + 1, kNone);
    place[root] = 0;
    for (Id node = root; node >= 0; --node) { // marks needed nodes
      if (place[node] == kNone || !is_gate(formula.op(node))) continue;
      place[formula.left(node)] = 0;
      if (formula.op(node) != PathOp::negation) place[formula.right(node)] = 0;
    }
    for (Id node = 0; node <= root; ++node) {
      if (place[node] == kNone) continue;
      const PathOp op = formula.op(node);
      place[node] = static_cast<Id>(gates_.size());
      gates_.push_back({op, node, is_gate(op) ? place[formula.left(node)] : kNone,
                        is_gate(op) && op != PathOp::negation ? place[formula.right(node)] : kNone});
      assert(gates_.back().left < place[node] && gates_.back().right < place[node]); // operands come first
    }
  }

  // `leaf(node, optimistic)` gives the value of a node that is not a gate. Negation swaps the optimistic and the
  // pessimistic value, if they differ.
  template <typename Leaf>
  bool value(bool optimistic, bool differ, Leaf&& leaf) {
    values_.assign(2 * gates_.size(), kOpen);
    const Id swap = differ ? 1 : 0;
    const Id root = 2 * (static_cast<Id>(gates_.size()) - 1) + (optimistic ? 0 : swap);
    pending_.assign(1, root);
    while (!pending_.empty()) {
      const Id at = pending_.back();
      const Gate& gate = gates_[at / 2];
      const Id side = at % 2;
      if (!is_gate(gate.op)) {
        values_[at] = leaf(gate.node, side == 0) ? 1 : 0;
      } else if (gate.op == PathOp::negation) {
        const Id below = 2 * gate.left + (side ^ swap);
        if (wait_for(below)) continue;
        values_[at] = values_[below] ^ 1U;
      } else {
        const Id left = 2 * gate.left + side;
        const Id right = 2 * gate.right + side;
        const std::uint8_t deciding = gate.op == PathOp::disjunction ? 1 : 0;
        if (wait_for(left) || (values_[left] != deciding && wait_for(right))) continue;
        values_[at] = values_[left] == deciding ? deciding : values_[right];
      }
      pending_.pop_back();
    }
    return values_[root] == 1;
  }

 private:
  static constexpr std::uint8_t kOpen = 2;

  struct Gate {
    PathOp op;
    Id node;
    Id left, right; // gates
  };

  static bool is_gate(PathOp op) {
    return op == PathOp::negation || op == PathOp::conjunction || op == PathOp::disjunction;
  }

  bool wait_for(Id at) {
    if (values_[at] != kOpen) return false;
    pending_.push_back(at);
    return true;
  }

  std::vector<Gate> gates_;
  std::vector<std::uint8_t> values_; // of each gate, two: optimistic, then pessimistic
  std::vector<Id> pending_;
};

OnTheFly::OnTheFly(const Make& states, bool bounded, const FlatFormula& formula)
    : formula_(formula),
      states_(states(work_)),
      bounded_(bounded),
      obligations_(static_cast<std::size_t>(formula_.size())),
      searches_(2 * static_cast<std::size_t>(formula_.size())),
      circuits_(static_cast<std::size_t>(formula_.size())) {}

OnTheFly::~OnTheFly() = default;

// Ticks as the caller wants for the time of a call: what it gave may refer to its stack.
class OnTheFly::Ticking {
 public:
  Ticking(Work& work, std::function<void(std::size_t)> on_tick) : work_(work) {
    assert(!work.on_tick);
    work.on_tick = std::move(on_tick);
  }
  ~Ticking() { work_.on_tick = nullptr; }
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;

 private:
  Work& work_;
};

std::optional<bool> OnTheFly::value(Id node, Id state, std::function<void(std::size_t)> on_tick) {
  const Ticking ticking(work_, std::move(on_tick));
  const bool best = holds(node, state, true);
  if (!best || !met_cut_ || holds(node, state, false)) return best; // if the optimistic value is false, so is the value
  return std::nullopt;
}

CounterRun OnTheFly::counter_run(Id node, Id state, std::function<void(std::size_t)> on_tick) {
  const Ticking ticking(work_, std::move(on_tick));
  if (formula_.op(node) == PathOp::negation) node = formula_.left(node);
  return PathSearch(*this, obligations(node), true).counter_run(state);
}

// Without a bound there is one reading, the optimistic one.
bool OnTheFly::holds(Id node, Id state, bool optimistic) {
  const Id child = formula_.left(node);
  switch (formula_.op(node)) {
    case PathOp::truth:
      return true;
    case PathOp::atom:
      return states_->carries(child, state);
    case PathOp::all:
      return all(node, state, optimistic);
    case PathOp::negation:
      if (formula_.op(child) == PathOp::atom) return !states_->carries(formula_.left(child), state);
      if (formula_.op(child) == PathOp::all) return !all(child, state, optimistic != bounded_);
      break;
    default:
      break;
  }
  std::unique_ptr<Circuit>& circuit = circuits_[node];
  if (!circuit) circuit = std::make_unique<Circuit>(formula_, node);
  return circuit->value(optimistic, bounded_, [&](Id leaf, bool best) { return holds(leaf, state, best); });
}

bool OnTheFly::all(Id node, Id state, bool optimistic) {
  assert(formula_.op(node) == PathOp::all && (optimistic || bounded_));
  std::unique_ptr<PathSearch>& search = searches_[2 * node + (optimistic ? 0 : 1)];
  if (!search) search = std::make_unique<PathSearch>(*this, obligations(node), optimistic);
  return search->holds(state);
}

Obligations& OnTheFly::obligations(Id node) {
  std::unique_ptr<Obligations>& made = obligations_[node];
  if (!made) made = std::make_unique<Obligations>(formula_, formula_.left(node), work_, work_.arena);
  return *made;
}

void OnTheFly::look_at(Id state) {
  const std::size_t words = words_for(static_cast<std::size_t>(state) + 1);
  if (words > seen_.size()) seen_.resize(std::max(words, 2 * seen_.size()));
  if (insert_bit(seen_.data(), static_cast<std::size_t>(state))) ++looked_at_;
}

} // namespace pigro::core
