// The Python face of evidence: conversions only.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"
#include "core/check/check.hpp"
#include "evidence/walk.hpp"

namespace pigro::bind {

using namespace nb::literals;
using core::Id;
using evidence::Opened;
using evidence::State;

namespace {

// An opened certificate that works without the interpreter lock, for one user at a time.
struct Follower {
  Follower(const SharedModel& model, core::DeadEnds dead_ends) : opened(model, dead_ends, {}) {}
  Opened opened;
  core::Exclusive exclusive;
};

using Using = core::Exclusive::Use;

// Gives the interpreter lock up for a scope, and ticks as the caller wants.
class Working {
 public:
  Working(Follower& user, const Tick& tick) : user_(user) { user.opened.ticker.on_tick = ticker(unlocked_, tick); }
  ~Working() { user_.opened.ticker.on_tick = nullptr; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Follower& user_;
  WithoutLock unlocked_;
};

// A getter that no other thread works behind.
template <typename Get>
auto alone(Get get) {
  return [get](Follower& user) {
    const Using use(user.exclusive);
    return get(user.opened);
  };
}

void open(Follower& user, const nb::bytes& body, const Bytes& ops, const Ids& left, const Ids& right,
          const std::vector<Id>& atom_labels, const Tick& tick) {
  const Using use(user.exclusive);
  const OwnFormula formula(ops, left, right, atom_labels);
  const Working working(user, tick);
  user.opened.open(bytes_of(body), {formula.ops, formula.left, formula.right, formula.atom_labels});
}

void open_lemmas(Follower& user, const nb::bytes& body, const Tick& tick) {
  const Using use(user.exclusive);
  const Working working(user, tick);
  user.opened.open_lemmas(bytes_of(body));
}

void check_level(const Follower& user, Id level) {
  if (level < 0 || level >= user.opened.levels()) throw nb::index_error("no such level");
}

// E2
void check_state(const Follower& user, State state) {
  const core::Model& model = user.opened.model;
  const evidence::Stacks& stacks = user.opened.stacks;
  if (state.stack < 0 || state.stack >= stacks.size()) throw nb::index_error("no such stack");
  if (state.node < 0 || state.node >= model.nodes()) throw nb::index_error("no such node");
  const bool fits = state.stack == 0 || model.callee(stacks.box(state.stack)) == model.component(state.node);
  if (!fits || model.kind(state.node) == core::NodeKind::call) throw nb::value_error("no such state");
}

// E2
Id push(Follower& user, Id stack, Id box) {
  const Using use(user.exclusive);
  const core::Model& model = user.opened.model;
  evidence::Stacks& stacks = user.opened.stacks;
  if (stack < 0 || stack >= stacks.size()) throw nb::index_error("no such stack");
  if (box < 0 || box >= model.boxes()) throw nb::index_error("no such box");
  if (stack != 0 && model.callee(stacks.box(stack)) != model.box_component(box)) throw nb::value_error("no such stack");
  return stacks.push(stack, box);
}

std::vector<std::tuple<Id, Id>> stacks_from(Follower& user, Id first) {
  const Using use(user.exclusive);
  const evidence::Stacks& stacks = user.opened.stacks;
  std::vector<std::tuple<Id, Id>> rows;
  for (Id stack = std::max(first, 1); stack < stacks.size(); ++stack) {
    rows.emplace_back(stacks.below(stack), stacks.box(stack));
  }
  return rows;
}

nb::bytes values(Follower& user, Id level, const std::vector<Id>& stacks, const std::vector<Id>& nodes,
                 const Tick& tick) {
  const Using use(user.exclusive);
  check_level(user, level);
  if (stacks.size() != nodes.size()) throw nb::value_error("a stack for each node");
  for (std::size_t i = 0; i < nodes.size(); ++i) check_state(user, {stacks[i], nodes[i]});
  std::string made;
  {
    const Working working(user, tick);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      made.push_back(static_cast<char>(user.opened.value(level, {stacks[i], nodes[i]})));
    }
  }
  return nb::bytes(made.data(), made.size());
}

using Found = std::tuple<std::vector<Id>, std::vector<Id>, std::string, std::optional<Id>, bool>;

Found path(Follower& user, Id level, Id stack, Id node, const Tick& tick) {
  const Using use(user.exclusive);
  check_level(user, level);
  check_state(user, {stack, node});
  const verify::Op op = user.opened.formula.op(level);
  if (op != verify::Op::until && op != verify::Op::always) throw nb::value_error("this operator has no path");
  const Working working(user, tick);
  const bool shortest = evidence::Walk(user.opened, level, {stack, node}).is_shortest();
  const evidence::Path found = evidence::Walk(user.opened, level, {stack, node}).run();
  Found made;
  auto& [stacks, nodes, end, start, is_shortest] = made;
  for (const State& each : found.states) {
    stacks.push_back(each.stack);
    nodes.push_back(each.node);
  }
  constexpr const char* kEnds[] = {"here", "loop", "pump", "stays"};
  end = kEnds[static_cast<std::size_t>(found.end)];
  if (found.start != core::kNone) start = found.start;
  is_shortest = shortest;
  return made;
}

// Nodes, stacks, what stacks are (the stack below and the box on top, from stack 1 on), how it ends, and its start.
using FoundRun = std::tuple<std::vector<Id>, std::vector<Id>, std::vector<std::pair<Id, Id>>, std::string, Id>;

std::optional<FoundRun> find_run(SharedModel& model, Id start, core::DeadEnds dead_ends, const Bytes& ops,
                                 const Ids& left, const Ids& right, const std::vector<Id>& atom_labels,
                                 const Tick& tick) {
  if (start < 0 || start >= model.nodes()) throw nb::index_error("no such node");
  for (const Id label : atom_labels) {
    if (label < core::kNone || label >= model.labels()) throw nb::index_error("no such label");
  }
  const OwnFormula formula(ops, left, right, atom_labels);
  const WithoutLock unlocked;
  const auto run = core::find_run(model, model.statics, start, dead_ends, formula.flat(), ticker(unlocked, tick));
  if (!run) throw std::invalid_argument("there is no such run");
  if (run->is_too_long) return std::nullopt;
  std::vector<std::pair<Id, Id>> stacks;
  for (Id i = 0; i < run->boxes.size(); ++i) stacks.emplace_back(run->boxes.first(i), run->boxes.second(i));
  constexpr const char* ends[] = {"here", "loop", "pump", "stays"};
  return FoundRun{run->nodes, run->stacks, stacks, ends[static_cast<std::size_t>(run->end)], run->start};
}

} // namespace

void bind_evidence(nb::module_& m) {
  nb::class_<Follower>(m, "Follower",
                       "A certificate, opened: values of operators in states, and paths that show them. It is not "
                       "checked. A state is the number of a stack, and a node. Stack 0 is empty.")
      .def(nb::init<const SharedModel&, core::DeadEnds>(), "model"_a, "dead_ends"_a, nb::keep_alive<1, 2>())
      .def("open", &open, "body"_a, "ops"_a, "left"_a, "right"_a, "atom_labels"_a, "tick"_a = nb::none(),
           "Opens a section about this formula in flat normal form. Stacks keep their numbers.",
           nb::sig("def open(self, body: bytes, ops: memoryview, left: memoryview, right: memoryview, "
                   "atom_labels: collections.abc.Sequence[int], "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("open_lemmas", &open_lemmas, "body"_a, "tick"_a = nb::none(), "Opens the lemmas that it needs.",
           nb::sig("def open_lemmas(self, body: bytes, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def_prop_ro("holds", alone([](const Opened& opened) { return opened.formula.section.holds; }))
      .def_prop_ro("initial", alone([](const Opened& opened) { return opened.formula.section.initial; }))
      .def_prop_ro("stacks", alone([](const Opened& opened) { return opened.stacks.size(); }), "How many there are.")
      .def("stacks_from", &stacks_from, "first"_a,
           "Of each stack from this number on, the empty one left out: the one below it, and the box on top.")
      .def("push", &push, "stack"_a, "box"_a, "The number of the stack with a box on top of another.")
      .def("values", &values, "level"_a, "stacks"_a, "nodes"_a, "tick"_a = nb::none(),
           "The value of a level's operator in some states, a byte each: 0 unknown, 1 true, 2 false.",
           nb::sig("def values(self, level: int, stacks: collections.abc.Sequence[int], "
                   "nodes: collections.abc.Sequence[int], "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bytes"))
      .def(
          "explored",
          [](Follower& user, Id level) {
            const Using use(user.exclusive);
            check_level(user, level);
            return user.opened.explored(level);
          },
          "level"_a, "At how many places it proves what the level's operator does not do.")
      .def("path", &path, "level"_a, "stack"_a, "node"_a, "tick"_a = nb::none(),
           "A path for the level's operator, EU or EG, which is true in a state: stacks, nodes, how it ends, where its "
           "loop starts, and whether it is shortest, if the certificate was made so.",
           nb::sig("def path(self, level: int, stack: int, node: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) "
                   "-> tuple[list[int], list[int], str, int | None, bool]"));
  m.def("find_run", &find_run, "model"_a, "start"_a, "dead_ends"_a, "ops"_a, "left"_a, "right"_a, "atom_labels"_a,
        "tick"_a = nb::none(),
        "A run with what `E f` says: its nodes and stacks, the stack below and the box on top of each stack from 1 on, "
        "how it ends, and where its loop starts. None if it has more than a million states. ValueError if there is no "
        "such run.",
        nb::sig("def find_run(model: Model, start: int, dead_ends: DeadEnds, ops: memoryview, left: memoryview, "
                "right: memoryview, atom_labels: collections.abc.Sequence[int], "
                "tick: collections.abc.Callable[[int], None] | None = None) "
                "-> tuple[list[int], list[int], list[tuple[int, int]], str, int] | None"));
}

} // namespace pigro::bind
