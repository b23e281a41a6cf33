// The Python face of the search for reasons, for the engines of src/pigro/papers/dubslaff2024.
//
// The interpreter lock is kept: most searches take microseconds, and some ask Python for the order of pairs.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"
#include "core/contexts/reason_search.hpp"
#include "core/contexts/until_run.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using namespace core;

using PairIds = std::tuple<Id, Id, Id>; // an instance, a place and a formula

void need_in_graph(bool fine) {
  if (!fine) throw nb::value_error("no such instance, box, place or formula, or a set of another size");
}

struct SharedGraph : InstanceGraph {
  using InstanceGraph::InstanceGraph;
  Exclusive exclusive; // a search uses it too
};

Subformulas subformulas_of(const Bytes& ops, const Ids& left, const Ids& right) {
  Subformulas made{.ops = {}, .left = copy(left), .right = copy(right)};
  for (const std::uint8_t op : copy(ops)) {
    need_in_graph(op <= static_cast<std::uint8_t>(Op::globally));
    made.ops.push_back(static_cast<Op>(op));
  }
  need_in_graph(!made.ops.empty() && made.left.size() == made.ops.size() && made.right.size() == made.ops.size());
  for (Id at = 0; at < made.size(); ++at) {
    const Op op = made.ops[at];
    if (op <= Op::atom) continue;
    const bool is_binary = op == Op::conjunction || op == Op::disjunction || op == Op::until;
    need_in_graph(made.left[at] >= 0 && made.left[at] < at);
    need_in_graph(is_binary ? made.right[at] >= 0 && made.right[at] < at : made.right[at] == kNone);
  }
  return made;
}

void make_places(Places* self, const SharedModel& model) { new (self) Places(model); }

std::vector<Word> set_words(const nb::bytes& set, std::size_t words) {
  need_in_graph(set.size() == words * sizeof(Word));
  std::vector<Word> made(words);
  if (words > 0) std::memcpy(made.data(), set.data(), set.size()); // neither side may be null
  return made;
}

nb::bytes bytes_from(std::span<const Word> words) { return nb::bytes(words.data(), words.size_bytes()); }

void check_component(const Model& model, Id component) {
  need_in_graph(component >= 0 && component < model.components());
}

// A set of nodes that comes from Python, and never changes.
std::span<const Word> given_set(const nb::bytes& set, const Model& model, Id component) {
  const std::size_t words = model.words(component);
  need_in_graph(set.size() == words * sizeof(Word));
  const std::span<const Word> found(static_cast<const Word*>(set.data()), words);
  need_in_graph(words == 0 || (found.back() & ~tail_mask(static_cast<std::size_t>(model.width(component)))) == 0);
  return found;
}

// Such a set for Python, which `fill` writes before anybody sees it.
template <typename Fill>
nb::bytes made_set(std::span<const Word> start, Fill&& fill) {
  nb::bytes made(start.data(), start.size_bytes());
  if (!start.empty()) fill(std::span<Word>(reinterpret_cast<Word*>(PyBytes_AS_STRING(made.ptr())), start.size()));
  return made;
}

nb::bytes places_before(const Places& self, Id component, const nb::bytes& to) {
  check_component(self.model(), component);
  const std::span<const Word> goal = given_set(to, self.model(), component);
  return made_set(goal, [&](std::span<Word> found) {
    std::ranges::fill(found, Word{0});
    self.before(component, goal, found);
  });
}

void make_graph(SharedGraph* self, const Places& places, const Bytes& ops, const Ids& left, const Ids& right,
                const nb::bytes& boxes) {
  const std::span<const std::uint8_t> counts = bytes_of(boxes);
  need_in_graph(counts.size() == static_cast<std::size_t>(places.model().boxes()));
  new (self) SharedGraph(places, subformulas_of(ops, left, right), {counts.begin(), counts.end()});
}

void check_subformula(const InstanceGraph& graph, Id formula) {
  need_in_graph(formula >= 0 && formula < graph.formulas().size());
}

void add_instance(SharedGraph& self, Id added, Id component) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(added >= 0 && !self.has(added) && component >= 0 && component < self.model().components());
  self.add(added, component);
}

void copy_instance(SharedGraph& self, Id added, Id like) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(added >= 0 && !self.has(added) && self.has(like));
  self.copy(added, like);
}

// Callers, boxes and callees in turn: a list of numbers is less work for Python than one of tuples.
template <typename Visit>
void for_each_call(const SharedGraph& graph, const std::vector<Id>& calls, Visit&& visit) {
  const Model& model = graph.model();
  need_in_graph(calls.size() % 3 == 0);
  for (std::size_t at = 0; at < calls.size(); at += 3) {
    const Id caller = calls[at];
    const Id box = calls[at + 1];
    const Id callee = calls[at + 2];
    need_in_graph(graph.has(caller) && !graph.was_dropped(caller) && graph.has(callee) && box >= 0 &&
                  box < model.boxes() && model.box_component(box) == graph.component(caller) &&
                  model.callee(box) == graph.component(callee));
    visit(caller, box, callee);
  }
}

void bind_boxes(SharedGraph& self, const std::vector<Id>& calls) {
  const Exclusive::Use use(self.exclusive);
  for_each_call(self, calls, [&](Id caller, Id box, Id callee) { self.bind(caller, box, callee); });
}

// Each caller once, in the order in which searches look at them.
void list_callers(SharedGraph& self, const std::vector<Id>& calls) {
  const Exclusive::Use use(self.exclusive);
  self.list_callers();
  for_each_call(self, calls, [&](Id caller, Id box, Id callee) {
    need_in_graph(self.callee(caller, box - self.model().first_box(self.component(caller))) == callee);
    self.note_caller(callee, caller, box);
  });
}

void drop_instance(SharedGraph& self, Id instance) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(self.has(instance) && !self.was_dropped(instance));
  self.drop(instance);
}

void set_values(SharedGraph& self, Id instance, Id formula, const nb::bytes& sure, const nb::bytes& may) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(self.has(instance));
  check_subformula(self, formula);
  const Id component = self.component(instance);
  self.set(instance, formula, given_set(sure, self.model(), component), given_set(may, self.model(), component));
}

void set_context(SharedGraph& self, Id instance, Id formula, const nb::bytes& sure, const nb::bytes& may) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(self.has(instance));
  check_subformula(self, formula);
  const std::size_t words = self.model().exit_words(self.component(instance));
  const std::vector<Word> both[] = {set_words(sure, words), set_words(may, words)};
  self.set_context(instance, formula, both[0], both[1]);
}

void set_unlisted(SharedGraph& self, Id component, Id formula, const nb::bytes& exits) {
  const Exclusive::Use use(self.exclusive);
  need_in_graph(component >= 0 && component < self.model().components());
  check_subformula(self, formula);
  self.set_unlisted(component, formula, set_words(exits, self.model().exit_words(component)));
}

struct BoundRun : UntilRun {
  BoundRun(SharedGraph& of, bool by_context, bool improved) : UntilRun(of, by_context, improved), graph(of) {}
  SharedGraph& graph;
};

void make_until_run(BoundRun* self, SharedGraph& graph, bool by_context, bool improved) {
  new (self) BoundRun(graph, by_context, improved);
}

// For each of the group whose values have changed: its number, and its values.
std::vector<std::tuple<Id, nb::bytes, nb::bytes>> run_until(BoundRun& self, Id formula, const std::vector<Id>& group) {
  const SharedGraph& graph = self.graph;
  const Exclusive::Use use(self.graph.exclusive);
  check_subformula(graph, formula);
  need_in_graph(graph.formulas().ops[formula] == Op::until);
  for (const Id instance : group) need_in_graph(graph.has(instance));
  std::vector<std::tuple<Id, nb::bytes, nb::bytes>> values;
  self.run(formula, group, [&](Id instance) {
    const std::size_t words = graph.words(instance);
    values.emplace_back(instance, bytes_from({graph.sure(instance, formula), words}),
                        bytes_from({graph.may(instance, formula), words}));
  });
  return values;
}

// Keeps the graph, and the order if Python gives one.
struct BoundSearch : ReasonSearch {
  BoundSearch(SharedGraph& of, Order order, bool printed) : ReasonSearch(of, std::move(order), printed), graph(of) {}
  SharedGraph& graph;
};

// The order is a list of numbers: the place that comes next, among so many.
ReasonSearch::Order order_of(const std::optional<nb::callable>& shuffled) {
  if (!shuffled) return {};
  return [ask = *shuffled](std::vector<ReasonSearch::Pair>& pairs) {
    if (pairs.size() < 2) return;
    const auto order = nb::cast<std::vector<std::size_t>>(ask(pairs.size()));
    need_in_graph(order.size() == pairs.size());
    std::vector<ReasonSearch::Pair> sorted;
    for (const std::size_t at : order) {
      need_in_graph(at < pairs.size());
      sorted.push_back(pairs[at]);
    }
    pairs = std::move(sorted);
  };
}

void make_reason_search(BoundSearch* self, SharedGraph& graph, const std::optional<nb::callable>& order, bool printed) {
  new (self) BoundSearch(graph, order_of(order), printed);
}

void start_search(BoundSearch& self, const std::vector<PairIds>& at) {
  const Exclusive::Use use(self.graph.exclusive);
  std::vector<ReasonSearch::Pair> pairs;
  for (const auto& [instance, place, formula] : at) {
    need_in_graph(self.graph.has(instance));
    check_subformula(self.graph, formula);
    need_in_graph(place >= 0 && place < self.graph.model().width(self.graph.component(instance)));
    pairs.push_back({instance, place, formula});
  }
  self.start(std::move(pairs));
}

std::optional<std::tuple<Id, Id, Id, Id>> next_reason(BoundSearch& self, const Tick& tick) {
  const Exclusive::Use use(self.graph.exclusive);
  Ticker ticker([&tick](std::size_t bytes) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (tick) (*tick)(bytes);
  });
  const std::optional<ReasonSearch::Reason> found = self.next(ticker);
  if (!found) return std::nullopt;
  return std::tuple{found->caller, found->box, found->formula, found->exit};
}

std::vector<std::tuple<Id, Id, nb::bytes>> visited_places(const BoundSearch& self) {
  std::vector<std::tuple<Id, Id, nb::bytes>> found;
  self.for_each_visited([&](Id formula, Id instance, std::span<const Word> places) {
    found.emplace_back(formula, instance, bytes_from(places));
  });
  return found;
}

std::vector<std::pair<PairIds, std::vector<PairIds>>> hanging_pairs(const BoundSearch& self) {
  const auto ids = [](const ReasonSearch::Pair& pair) { return PairIds{pair.instance, pair.place, pair.formula}; };
  std::vector<std::pair<PairIds, std::vector<PairIds>>> found;
  for (const auto& [pair, after] : self.hangs_on()) {
    found.emplace_back(ids(pair), std::vector<PairIds>{});
    for (const ReasonSearch::Pair& each : after) found.back().second.push_back(ids(each));
  }
  return found;
}

} // namespace

void bind_contexts(nb::module_& m) {
  nb::class_<Places>(m, "Places", "Sets of nodes of a component: exits first. They are in words of 64 bits.")
      .def("__init__", &make_places, "model"_a, nb::keep_alive<1, 2>())
      .def("before", &places_before, "component"_a, "to"_a, "The nodes with an edge into `to`.");
  nb::class_<SharedGraph>(m, "InstanceGraph", "Instances of components, who calls them, and their three-valued sets.")
      .def("__init__", &make_graph, "places"_a, "ops"_a, "left"_a, "right"_a, "boxes"_a, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, places: Places, ops: memoryview, left: memoryview, right: memoryview, "
                   "boxes: bytes) -> None"))
      .def("add", &add_instance, "added"_a, "component"_a, "An instance that calls nothing yet.")
      .def("copy", &copy_instance, "added"_a, "like"_a, "An instance with the values and callees of another.")
      .def("bind", &bind_boxes, "calls"_a, "Caller, box, callee and so on: the box calls that instance from now on.")
      .def("list_callers", &list_callers, "calls"_a, "Lists callers from now on, for searches. So far they are these.")
      .def("drop", &drop_instance, "instance"_a, "The instance calls nothing any more.")
      .def("set", &set_values, "instance"_a, "formula"_a, "sure"_a, "may"_a, "Sets of places, in words of 64 bits.")
      .def("set_context", &set_context, "instance"_a, "formula"_a, "sure"_a, "may"_a, "Sets of exits.")
      .def("set_unlisted", &set_unlisted, "component"_a, "formula"_a, "exits"_a,
           "Where the formula holds at exits that a box lists no return node for.");
  nb::class_<BoundRun>(m, "UntilRun", "The runs for E [f U g] in instances that may call each other.")
      .def("__init__", &make_until_run, "graph"_a, "by_context"_a, "improved"_a, nb::keep_alive<1, 2>())
      .def("__call__", &run_until, "formula"_a, "group"_a,
           "For each of the group that changed: its number, and where the formula holds and may hold.");
  nb::class_<BoundSearch>(m, "ReasonSearch", "FindReason: why is a formula unknown at a place?")
      .def("__init__", &make_reason_search, "graph"_a, "order"_a.none(), "printed"_a, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, graph: InstanceGraph, "
                   "order: collections.abc.Callable[[int], list[int]] | None, printed: bool) -> None"))
      .def("start", &start_search, "at"_a,
           "Forgets what was visited. The last pair (instance, place, formula) comes first.")
      .def_prop_ro(
          "is_done", [](const BoundSearch& self) { return self.is_done(); }, "Nothing is left to visit.")
      .def("next", &next_reason, "tick"_a = nb::none(),
           "The next reason: a caller, its box, a formula and an exit. `tick(bytes)` may raise to stop.",
           nb::sig("def next(self, tick: collections.abc.Callable[[int], None] | None = None) "
                   "-> tuple[int, int, int, int] | None"))
      .def("visited", &visited_places,
           "For each formula and instance the places that were visited, as words of 64 bits.")
      .def("hangs_on", &hanging_pairs, "If `printed`: each pair that was visited, and the pairs it hangs on.");
}

} // namespace pigro::bind
