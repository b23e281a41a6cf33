// The Python face of labelling: conversions only.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"
#include "core/check/labelling.hpp"

namespace pigro::bind {

using namespace nb::literals;
using core::Id;
using core::Labelling;

namespace {

// A labelling that works without the interpreter lock, for one user at a time.
struct SharedLabelling : Labelling {
  using Labelling::Labelling;
  core::Exclusive exclusive;
  bool was_reached = false;
};

// Gives the interpreter lock up for a scope, and ticks as the caller wants.
class LabellingWork {
 public:
  LabellingWork(SharedLabelling& user, const Tick& tick) : user_(user), use_(user.exclusive), unlocked_() {
    use_.spoil_on_failure();
    user.ticker().on_tick = ticker(unlocked_, tick);
  }
  ~LabellingWork() { user_.ticker().on_tick = nullptr; }
  LabellingWork(const LabellingWork&) = delete;
  LabellingWork& operator=(const LabellingWork&) = delete;

 private:
  SharedLabelling& user_;
  core::Exclusive::Use use_;
  WithoutLock unlocked_;
};

void make_labelling(SharedLabelling* self, SharedModel& model, core::DeadEnds dead_ends, const Bytes& ops,
                    const Ids& left, const Ids& right, const std::vector<Id>& atom_labels) {
  for (const Id label : atom_labels) {
    if (label < core::kNone || label >= model.labels()) throw nb::index_error("no such label");
  }
  new (self) SharedLabelling(model, model.statics, dead_ends, OwnFormula(ops, left, right, atom_labels).flat());
}

void check_context(SharedLabelling& self, Id context) {
  const core::Exclusive::Use use(self.exclusive);
  if (context < 0 || context >= self.contexts()) throw nb::index_error("no such context");
}

Id root_context(SharedLabelling& self, Id component, const Tick& tick) {
  if (component < 0 || component >= self.model().components()) throw nb::index_error("no such component");
  const LabellingWork working(self, tick);
  return self.root(component);
}

Id callee_context(SharedLabelling& self, Id context, Id box, const Tick& tick) {
  check_context(self, context);
  const core::Model& model = self.model();
  if (box < 0 || box >= model.boxes() || model.box_component(box) != self.component(context)) {
    throw nb::index_error("no such box in the component of the context");
  }
  const LabellingWork working(self, tick);
  return self.callee(context, box);
}

bool holds_in_context(SharedLabelling& self, Id context, Id node, const Tick& tick) {
  check_context(self, context);
  const core::Model& model = self.model();
  if (node < 0 || node >= model.nodes() || model.component(node) != self.component(context)) {
    throw nb::index_error("no such node in the component of the context");
  }
  if (model.kind(node) == core::NodeKind::call) throw nb::value_error("the state of a call is at the entry");
  const LabellingWork working(self, tick);
  return core::test_bit(self.values(context), static_cast<std::size_t>(node - model.first(model.component(node))));
}

std::vector<std::pair<Id, Id>> context_callees(SharedLabelling& self, Id context, const Tick& tick) {
  check_context(self, context);
  const core::Model& model = self.model();
  const Id component = self.component(context);
  std::vector<std::pair<Id, Id>> found;
  const LabellingWork working(self, tick);
  for (Id box = model.first_box(component); box < model.first_box(component) + model.box_count(component); ++box) {
    if (model.is_called(box)) found.emplace_back(box, self.callee(context, box));
  }
  return found;
}

void close_labelling(SharedLabelling& self, const Tick& tick) {
  const LabellingWork working(self, tick);
  self.close();
}

nb::bytes reach_states(SharedLabelling& self, const std::vector<Id>& starts, const Tick& tick) {
  for (const Id start : starts) {
    if (start < 0 || start >= self.model().nodes()) throw nb::index_error("no such node");
  }
  std::vector<std::uint8_t> truths(static_cast<std::size_t>(self.model().nodes()));
  {
    const LabellingWork working(self, tick);
    if (self.was_reached) throw nb::value_error("the reached states were found before");
    self.reach(starts);
    self.was_reached = true;
    for (Id node = 0; node < self.model().nodes(); ++node) {
      truths[node] = static_cast<std::uint8_t>(self.is_reached(node, true) + 2 * self.is_reached(node, false));
    }
  }
  return nb::bytes(truths.data(), truths.size());
}

std::pair<std::vector<Id>, Id> reached_state(SharedLabelling& self, Id node, bool value) {
  const core::Exclusive::Use use(self.exclusive);
  if (!self.was_reached || node < 0 || node >= self.model().nodes() || !self.is_reached(node, value)) {
    throw nb::index_error("no such state was reached");
  }
  Labelling::ReachedState found = self.reached_state(node, value);
  return {std::move(found.boxes), found.node};
}

} // namespace

void bind_labelling(nb::module_& m) {
  nb::class_<SharedLabelling>(m, "Labelling",
                              "Where a formula in flat normal form holds. A context is what a call stack leads to. "
                              "`tick(bytes)` may raise to stop, and the labelling can't be used again then.")
      .def("__init__", &make_labelling, "model"_a, "dead_ends"_a, "ops"_a, "left"_a, "right"_a, "atom_labels"_a,
           nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, model: Model, dead_ends: DeadEnds, ops: memoryview, left: memoryview, "
                   "right: memoryview, atom_labels: collections.abc.Sequence[int]) -> None"))
      .def(
          "__len__",
          [](SharedLabelling& self) {
            const core::Exclusive::Use use(self.exclusive);
            return self.contexts();
          },
          "How many contexts were made so far.")
      .def("root", &root_context, "component"_a, "tick"_a = nb::none(),
           "The context of a component with the empty stack.",
           nb::sig("def root(self, component: int, tick: collections.abc.Callable[[int], None] | None = None) -> int"))
      .def("callee", &callee_context, "context"_a, "box"_a, "tick"_a = nb::none(),
           "The context that a box of the context's component calls.",
           nb::sig("def callee(self, context: int, box: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> int"))
      .def(
          "component",
          [](SharedLabelling& self, Id context) {
            check_context(self, context);
            return self.component(context);
          },
          "context"_a)
      .def("holds", &holds_in_context, "context"_a, "node"_a, "tick"_a = nb::none(),
           "Whether the formula holds at a node of the context's component, which is no call node.",
           nb::sig("def holds(self, context: int, node: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bool"))
      .def("callees", &context_callees, "context"_a, "tick"_a = nb::none(),
           "The boxes of the context's component that some edge goes to, with the context that each calls.",
           nb::sig("def callees(self, context: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> list[tuple[int, int]]"))
      .def("close", &close_labelling, "tick"_a = nb::none(),
           "Makes all contexts that calls lead to from those made so far.",
           nb::sig("def close(self, tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("reach", &reach_states, "starts"_a, "tick"_a = nb::none(),
           "Finds the states that runs from these nodes reach. A byte for each node: 1 if the formula holds in some of "
           "those at a declared node, plus 2 if it fails in some.",
           nb::sig("def reach(self, starts: collections.abc.Sequence[int], "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bytes"))
      .def("reached_state", &reached_state, "node"_a, "value"_a,
           "A state that was reached at a declared node, in which the formula has this value: boxes, outermost first, "
           "and the node. No other has fewer boxes.");
}

} // namespace pigro::bind
