// The Python face of CTL* on the fly.
#include "core/onthefly/onthefly.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using namespace core;

// The model goes along: it must stay alive, and questions must be about it.
struct Checker : OnTheFly {
  Checker(const SharedModel& of, DeadEnds dead_ends, Id depth, const FlatFormula& formula)
      : OnTheFly(
            [&](Work& work) {
              return std::make_unique<ModelStates>(of, formula.atom_labels, dead_ends, depth, work.allocation_guard());
            },
            depth != kNone, formula),
        model(of) {}
  ModelStates& states() { return static_cast<ModelStates&>(OnTheFly::states()); }
  const SharedModel& model;
  Exclusive exclusive;
};

void make(Checker* self, const SharedModel& model, DeadEnds dead_ends, std::optional<Id> depth, const Bytes& ops,
          const Ids& left, const Ids& right, const std::vector<Id>& atom_labels) {
  for (const Id label : atom_labels) {
    if (label < kNone || label >= model.labels()) throw nb::index_error("no such label");
  }
  if (depth && *depth < 0) throw nb::value_error("a depth is 0 or more");
  const OwnFormula formula(ops, left, right, atom_labels);
  new (self) Checker(model, dead_ends, depth.value_or(kNone), formula.flat());
}

// A state formula and a state that there are.
void check_question(Checker& self, Id node, Id state) {
  if (node < 0 || node >= self.formula().size() || self.formula().is_path(node)) {
    throw nb::index_error("no such state formula");
  }
  if (state < 0 || state >= self.states().size()) throw nb::index_error("no such state");
}

Id state_at(Checker& self, const std::vector<Id>& stack, Id node) {
  const SharedModel& model = self.model;
  const auto need = [](bool fine) {
    if (!fine) throw nb::index_error("no such state");
  };
  need(node >= 0 && node < model.nodes() && model.kind(node) != NodeKind::call);
  Id component = model.component(node);
  for (auto box = stack.rbegin(); box != stack.rend(); ++box) {
    need(*box >= 0 && *box < model.boxes() && model.callee(*box) == component);
    component = model.box_component(*box);
  }
  Exclusive::Use use(self.exclusive);
  use.spoil_on_failure();
  return self.states().state(stack, node);
}

std::optional<bool> value(Checker& self, Id node, Id state, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  check_question(self, node, state);
  use.spoil_on_failure(); // an interrupted search has lost a step
  const WithoutLock unlocked;
  return self.value(node, state, ticker(unlocked, tick));
}

// `A f` or `!A f`, whose run is that of f.
void check_is_about_runs(const PositiveFormula& formula, Id node) {
  if (formula.op(node) == PathOp::negation) node = formula.left(node);
  if (formula.op(node) != PathOp::all) throw nb::value_error("only A f and !A f have a run");
}

std::tuple<std::vector<Id>, CounterRun::End, Id> counter_run(Checker& self, Id node, Id state, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  check_question(self, node, state);
  check_is_about_runs(self.formula(), node);
  use.spoil_on_failure();
  const WithoutLock unlocked;
  const CounterRun run = self.counter_run(node, state, ticker(unlocked, tick));
  return {run.states, run.end, run.start};
}

std::pair<Id, Id> parts_of(Checker& self, Id state) {
  const Exclusive::Use use(self.exclusive);
  if (state < 0 || state >= self.states().size()) throw nb::index_error("no such state");
  return {self.states().stack(state), self.states().node(state)};
}

std::pair<Id, Id> parts_of_stack(Checker& self, Id stack) {
  if (stack <= 0 || stack >= self.states().stacks()) throw nb::index_error("no such stack");
  return {self.states().below(stack), self.states().box(stack)};
}

} // namespace

void bind_onthefly(nb::module_& m) {
  nb::enum_<CounterRun::End>(m, "End", "How a run that shows something goes on.")
      .value("HERE", CounterRun::End::here, "However it goes on.")
      .value("LOOP", CounterRun::End::loop)
      .value("STOP", CounterRun::End::stop, "It ends in a dead end.");
  nb::class_<Checker>(m, "OnTheFly", "One formula of CTL* in positive form, asked about states of a model.")
      .def("__init__", &make, "model"_a, "dead_ends"_a, "depth"_a.none(), "ops"_a, "left"_a, "right"_a, "atom_labels"_a,
           nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, model: Model, dead_ends: DeadEnds, depth: int | None, ops: memoryview, "
                   "left: memoryview, right: memoryview, atom_labels: collections.abc.Sequence[int]) -> None"))
      .def("state", &state_at, "stack"_a, "node"_a, "The number of a state.")
      .def("parts", &parts_of, "state"_a, "The number of the stack of a state, 0 if it is empty, and the node.")
      .def("parts_of_stack", &parts_of_stack, "stack"_a,
           "The number of the stack below, which is smaller, and the box on top.")
      .def("value", &value, "node"_a, "state"_a, "tick"_a = nb::none(),
           "The truth of a state formula, or None if it depends on states that were cut off. `tick(bytes)` runs every "
           "few milliseconds, and before that much memory is taken, and may raise to stop.",
           nb::sig("def value(self, node: int, state: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bool | None"))
      .def("counter_run", &counter_run, "node"_a, "state"_a, "tick"_a = nb::none(),
           "A run that shows that A f is false, or !A f true: its states, how it ends, where its loop starts.",
           nb::sig("def counter_run(self, node: int, state: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> tuple[list[int], End, int]"))
      .def_prop_ro(
          "visited", [](const Checker& self) { return self.visited(); }, "Assertions that were looked at.")
      .def_prop_ro("looked_at", [](const Checker& self) { return self.looked_at(); }, "States that were looked at.");
  m.def(
      "recursive_component",
      [](const SharedModel& model, const std::vector<Id>& starts) {
        for (const Id start : starts) {
          if (start < 0 || start >= model.nodes()) throw nb::index_error("no such node");
        }
        return recursive_component(model, starts);
      },
      "model"_a, "starts"_a, "A component that calls itself and that calls lead to from these nodes, or -1 if none.");
}

} // namespace pigro::bind
