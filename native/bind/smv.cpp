// The Python face of SMV modules: machines, their states, and the search over them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <set>

#include "bind/machine.hpp"
#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"
#include "core/onthefly/onthefly.hpp"
#include "core/smv/searched.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using namespace core;
using smv::Machine;

// Words beyond 62 bits, for Python: the sign and the absolute value of a number, which fits into 64 bits.
smv::Value id_of_word(smv::WideWords& self, bool negative, std::uint64_t size) {
  return self.value(negative ? -smv::WideNumber{size} : smv::WideNumber{size});
}

std::tuple<bool, std::uint64_t> word_of_id(const smv::WideWords& self, smv::Value value) {
  const smv::WideNumber number = self.number(value);
  return {number < 0, static_cast<std::uint64_t>(number < 0 ? -number : number)};
}

void add_domain(BoundMachine& self, smv::Value low, std::uint64_t size, const std::vector<smv::Value>& listed,
                bool has_exit) {
  require_well_formed(!self.sealed);
  self.domains.push_back({.low = low, .size = size, .listed = listed, .has_exit = has_exit});
}

// Words beyond the plain ones. Negative: signed.
void add_words(BoundMachine& self, int bits, bool has_exit) {
  const int size = bits < 0 ? -bits : bits;
  require_well_formed(!self.sealed && size > smv::kPlainBits && size <= (has_exit ? 63 : 64));
  const std::uint64_t count = size == 64 ? ~std::uint64_t{0} : std::uint64_t{1} << size;
  self.domains.push_back(
      {.low = 0, .size = count, .listed = {}, .has_exit = has_exit, .bits = bits, .wide = self.wide});
}

void add_choice(BoundMachine& self, bool initial, Id slot, Id right_side, Id at, const std::vector<Id>& open,
                const std::vector<Id>& decided) {
  require_well_formed(!self.sealed);
  (initial ? self.initial : self.step)
      .push_back({.slot = slot,
                  .right_side = right_side,
                  .domain = slot - self.variables,
                  .at = at,
                  .open = open,
                  .decided = decided});
}

void seal(BoundMachine& self) {
  self.check();
  self.find_equations();
  self.sealed = true;
}

void check_condition(const BoundMachine& machine, Id condition) {
  const bool fine = condition >= 0 && condition < machine.expressions.size();
  if (!fine || machine.expressions.node(condition).is_set) throw nb::index_error("no such condition");
}

// All states, listed. Has the machine as it was: expressions may be added to the other one meanwhile.
struct StateSpace {
  explicit StateSpace(const BoundMachine& of) : machine(of), space(machine, ticker, false) {
    require_well_formed(of.sealed);
  }

  Machine machine;
  Ticker ticker{{}};
  smv::Space space;
  smv::Reachable reachable;
  Exclusive exclusive;
  std::vector<std::vector<std::vector<Id>>> by_value; // variable, index of the value: states
  std::vector<int> tests;                             // of each variable: how often it was compared
};

void explore_all(StateSpace& self, std::int64_t states, std::int64_t edges, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  use.spoil_on_failure();
  const WithoutLock unlocked;
  self.ticker.on_tick = ticker(unlocked, tick);
  self.reachable = smv::explore(self.space, self.ticker, {states, edges});
  self.ticker.on_tick = nullptr;
}

// The states as nodes of a model of one component, which shares the steps with them.
SharedModel* model_of_states(const StateSpace& self, const Ids& label_offsets, const Ids& label_nodes,
                             Semantics semantics, const Tick& tick) {
  const smv::Reachable& reachable = self.reachable;
  if (!reachable.steps) throw nb::value_error("the states are not listed");
  std::vector<std::uint8_t> flags(reachable.steps->size(), 0);
  std::fill_n(flags.begin(), reachable.initial, kEntryFlag);
  if (reachable.exit != kNone) flags[reachable.exit] |= kExitFlag;
  const std::vector<Id> components{0, static_cast<Id>(flags.size())};
  const std::vector<Id> no_boxes{0, 0};
  const std::vector<Id> offsets = copy(label_offsets);
  const std::vector<Id> nodes = copy(label_nodes);
  const RawModel raw{.component_offsets = components,
                     .node_flags = flags,
                     .box_offsets = no_boxes,
                     .box_callee = {},
                     .call_offsets = std::span(no_boxes).first(1),
                     .call_entries = {},
                     .return_offsets = std::span(no_boxes).first(1),
                     .return_exits = {},
                     .edge_sources = {},
                     .edge_targets = {},
                     .label_offsets = offsets,
                     .label_nodes = nodes,
                     .steps = reachable.steps};
  const WithoutLock unlocked;
  Ticker watched(ticker(unlocked, tick));
  return new SharedModel(raw, semantics, watched);
}

// Whether a variable is compared so often that the states with each value are kept.
bool is_indexed(StateSpace& self, smv::Value slot) {
  constexpr int kFewTests = 4;
  constexpr std::uint64_t kIndexed = 1U << 20;
  if (slot >= self.machine.variables || self.machine.domains[slot].count() > kIndexed) return false;
  self.tests.resize(static_cast<std::size_t>(self.machine.variables));
  return ++self.tests[slot] > kFewTests;
}

// The states with each value of a variable.
const std::vector<std::vector<Id>>& rows_by_value(StateSpace& self, Id variable) {
  if (self.by_value.empty()) self.by_value.resize(static_cast<std::size_t>(self.machine.variables));
  std::vector<std::vector<Id>>& rows = self.by_value[variable];
  if (rows.empty()) {
    const smv::Domain& domain = self.machine.domains[variable];
    rows.resize(domain.count());
    for (Id state = 0; state < self.space.size(); ++state) {
      rows[domain.index(self.space.value(state, variable))].push_back(state);
    }
  }
  return rows;
}

std::vector<Id> states_where(StateSpace& self, const BoundMachine& machine, Id condition, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  check_condition(machine, condition);
  if (self.machine.expressions.size() <= condition) self.machine.expressions = machine.expressions;
  std::vector<Id> found;
  smv::Value slot = 0;
  std::vector<smv::Value> values;
  if (self.machine.expressions.is_test(condition, slot, values) && is_indexed(self, slot)) {
    const std::vector<std::vector<Id>>& rows = rows_by_value(self, static_cast<Id>(slot));
    for (const smv::Value value : values) {
      const std::uint64_t index = self.machine.domains[slot].index(value);
      if (index == smv::Domain::kMissing) continue;
      found.insert(found.end(), rows[index].begin(), rows[index].end());
    }
    if (values.size() > 1) {
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
  }
  const WithoutLock unlocked;
  self.ticker.on_tick = ticker(unlocked, tick);
  for (Id state = 0; state < self.space.size(); ++state) {
    self.ticker.poll();
    if (self.space.holds(state, condition)) found.push_back(state);
  }
  self.ticker.on_tick = nullptr;
  return found;
}

// An expression: its operator, the expressions it is over, its value, and its place.
std::tuple<int, std::vector<Id>, smv::Value, Id> term_of(const BoundMachine& self, Id expression) {
  if (expression < 0 || expression >= self.expressions.size()) throw nb::index_error("no such expression");
  const smv::Expressions::Node& node = self.expressions.node(expression);
  const std::span<const Id> args = self.expressions.args(node);
  return {static_cast<int>(node.op), {args.begin(), args.end()}, node.value, node.at};
}

// Inputs with which a step leads from some values to others, unknown where any would do. None if it is no step.
// Without values before, the step is the start.
std::optional<std::vector<smv::Value>> inputs_of_step(const BoundMachine& self, const std::vector<smv::Value>& before,
                                                      const std::vector<smv::Value>& after) {
  require_well_formed(self.sealed && self.variables > 0);
  const auto variables = static_cast<std::size_t>(self.variables);
  const bool starts = before.empty();
  if ((!starts && before.size() != variables) || after.size() != variables) {
    throw nb::value_error("a state has other variables");
  }
  smv::Evaluator evaluator(self.expressions);
  smv::Choosing choosing(self, evaluator, nullptr);
  choosing.start(starts ? self.initial : self.step, before, 0);
  choosing.want(after);
  const auto holds = [&](Id each) { return evaluator.value(each, choosing.slots().data()) == smv::kTrue; };
  if (!std::ranges::all_of(starts ? self.initial_checks : self.step_checks, holds) || !choosing.advance())
    return std::nullopt;
  return std::vector<smv::Value>(choosing.inputs().begin(), choosing.inputs().end());
}

// Different values after some others, or at the start if there are none: up to so many. No value: there are too many
// ways to look at.
std::optional<std::vector<std::vector<smv::Value>>> values_after(const BoundMachine& self,
                                                                 const std::vector<smv::Value>& before,
                                                                 std::size_t most) {
  constexpr int kWays = 1 << 20;
  constexpr int kRounds = 1 << 13; // of some thousand values each
  require_well_formed(self.sealed && self.variables > 0);
  const bool starts = before.empty();
  if (!starts && before.size() != static_cast<std::size_t>(self.variables)) {
    throw nb::value_error("a state has other variables");
  }
  smv::Evaluator evaluator(self.expressions);
  struct TooMany {};
  Ticker ticker{{}};
  ticker.on_round = [rounds = 0]() mutable {
    if (++rounds == kRounds) throw TooMany{};
  };
  smv::Choosing choosing(self, evaluator, &ticker);
  choosing.start(starts ? self.initial : self.step, before, 0);
  const auto holds = [&](Id each) { return evaluator.value(each, choosing.slots().data()) == smv::kTrue; };
  std::vector<std::vector<smv::Value>> found;
  std::set<std::vector<smv::Value>> known; // those found
  if (!std::ranges::all_of(starts ? self.initial_checks : self.step_checks, holds)) return found;
  try {
    for (int ways = 0; choosing.advance(); ++ways) {
      if (ways == kWays) return std::nullopt;
      std::vector<smv::Value> values(choosing.chosen().begin(), choosing.chosen().end());
      if (known.insert(values).second) found.push_back(std::move(values));
      if (found.size() >= most) break;
    }
  } catch (const TooMany&) {
    return std::nullopt;
  }
  return found;
}

bool condition_holds(const BoundMachine& self, Id condition, std::vector<smv::Value> values) {
  require_well_formed(self.sealed);
  check_condition(self, condition);
  if (values.size() != static_cast<std::size_t>(self.variables)) throw nb::value_error("a state has other variables");
  values.resize(self.slots(), smv::kUnknown);
  return smv::Evaluator(self.expressions).value(condition, values.data()) == smv::kTrue;
}

nb::bytes as_bytes(std::span<const Id> ids) { return nb::bytes(ids.data(), ids.size() * sizeof(Id)); }

nb::bytes satisfying(StateSpace& self, const BoundMachine& machine, Id condition, const Tick& tick) {
  return as_bytes(states_where(self, machine, condition, tick));
}

std::vector<smv::Value> values_in(const smv::Space& space, Id variables, Id state) {
  std::vector<smv::Value> found;
  for (Id i = 0; i < variables; ++i) found.push_back(space.value(state, i));
  return found;
}

template <typename Owner>
std::vector<smv::Value> values_of(Owner& self, smv::Space& space, Id variables, Id state) {
  const Exclusive::Use use(self.exclusive);
  if (state < 0 || state >= space.size()) throw nb::index_error("no such state");
  return values_in(space, variables, state);
}

// One formula, asked about states that are made as needed.
struct MachineSearch {
  MachineSearch(const BoundMachine& of, DeadEnds dead_ends, const FlatFormula& formula)
      : machine(of),
        search(
            [&](Work& work) {
              return std::make_unique<smv::MachineStates>(machine, formula.atom_labels, dead_ends, work);
            },
            false, formula) {}

  smv::MachineStates& states() { return static_cast<smv::MachineStates&>(search.states()); }
  smv::Space& space() { return states().space(); }

  const Machine machine;
  OnTheFly search;
  Exclusive exclusive;
};

void make_search(MachineSearch* self, const BoundMachine& machine, DeadEnds dead_ends, const Bytes& ops,
                 const Ids& left, const Ids& right, const std::vector<Id>& conditions) {
  require_well_formed(machine.sealed);
  for (const Id condition : conditions) {
    if (condition != kNone) check_condition(machine, condition);
  }
  const OwnFormula formula(ops, left, right, conditions);
  new (self) MachineSearch(machine, dead_ends, formula.flat());
}

void check_asked(MachineSearch& self, Id node, Id state) {
  const PositiveFormula& formula = self.search.formula();
  if (node < 0 || node >= formula.size() || formula.is_path(node)) throw nb::index_error("no such state formula");
  if (state < 0 || state >= self.space().size()) throw nb::index_error("no such state");
}

Id search_initial(MachineSearch& self, std::int64_t position, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  use.spoil_on_failure();
  const WithoutLock unlocked;
  return self.search.ticking(ticker(unlocked, tick),
                             [&] { return self.space().initial(static_cast<std::size_t>(position)); });
}

std::optional<bool> search_value(MachineSearch& self, Id node, Id state, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  check_asked(self, node, state);
  use.spoil_on_failure();
  const WithoutLock unlocked;
  return self.search.value(node, state, ticker(unlocked, tick));
}

std::tuple<std::vector<Id>, CounterRun::End, Id> search_run(MachineSearch& self, Id node, Id state, const Tick& tick) {
  Exclusive::Use use(self.exclusive);
  check_asked(self, node, state);
  const PositiveFormula& formula = self.search.formula();
  const Id inner = formula.op(node) == PathOp::negation ? formula.left(node) : node;
  if (formula.op(inner) != PathOp::all) throw nb::value_error("only A f and !A f have a run");
  use.spoil_on_failure();
  const WithoutLock unlocked;
  const CounterRun run = self.search.counter_run(node, state, ticker(unlocked, tick));
  return {run.states, run.end, run.start};
}

std::optional<std::vector<smv::Value>> values_of_dead_end(MachineSearch& self) {
  const Id state = self.states().dead_end();
  if (state == kNone) return std::nullopt;
  return values_in(self.space(), self.machine.variables, state);
}

std::vector<Id> search_next(MachineSearch& self, Id state, std::size_t most) {
  Exclusive::Use use(self.exclusive);
  if (state < 0 || state >= self.space().size()) throw nb::index_error("no such state");
  use.spoil_on_failure();
  const std::span<const Id> found = self.space().next(state, most);
  return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), most))};
}

const char* word_of(smv::Fault::Kind kind) {
  constexpr const char* kWords[] = {"zero",    "overflow", "empty", "wide",    "large",
                                    "no_case", "compute",  "index", "outside", "shift"};
  return kWords[static_cast<std::size_t>(kind)];
}

} // namespace

void bind_smv(nb::module_& m) {
  static nb::exception<smv::Fault> fault(m, "MachineFault");
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const smv::Fault& e) {
      const nb::object args = nb::make_tuple(word_of(e.kind), e.at, e.first, e.second, e.variable, nb::cast(e.state));
      PyErr_SetObject(fault.ptr(), args.ptr());
    }
  });
  nb::class_<smv::WideWords>(m, "WideWords", "Numbers of words that are too large for a value, by id.")
      .def(nb::init<>())
      .def("value", &id_of_word, "negative"_a, "size"_a, "The value that stands for a number.")
      .def("number", &word_of_id, "value"_a, "The number: whether it is negative, and its absolute value.");
  nb::class_<BoundMachine>(m, "Machine", "An SMV module: variables, and how they get their values.")
      .def(
          "__init__",
          [](BoundMachine* self, Id variables, bool has_exit, std::shared_ptr<smv::WideWords> wide) {
            require_well_formed(variables >= 0);
            new (self) BoundMachine();
            self->wide = wide;
            self->expressions.set_wide(std::move(wide));
            self->variables = variables;
            self->has_exit = has_exit;
            self->expressions.set_current_slots(variables);
          },
          "variables"_a, "has_exit"_a, "wide"_a)
      .def("add", &BoundMachine::add, "op"_a, "args"_a, "value"_a, "at"_a,
           "A new expression over others. Returns its number.")
      .def("domain", &add_domain, "low"_a, "size"_a, "listed"_a, "has_exit"_a,
           "The type of the next variable or, after all of them, of the next input.")
      .def("words", &add_words, "bits"_a, "has_exit"_a,
           "The same for words of 63 or 64 bits. A negative width: they are signed.")
      .def("choose", &add_choice, "initial"_a, "slot"_a, "right_side"_a, "at"_a, "open"_a, "decided"_a,
           "The next choice of the plan for initial states, or for steps.")
      .def(
          "require",
          [](BoundMachine& self, bool initial, Id condition) {
            check_condition(self, condition);
            (initial ? self.initial_checks : self.step_checks).push_back(condition);
          },
          "initial"_a, "condition"_a, "A constraint that no choice decides.")
      .def(
          "constant",
          [](const BoundMachine& self, Id expression) {
            check_condition(self, expression);
            const std::vector<smv::Value> slots(self.slots(), smv::kUnknown);
            return smv::Evaluator(self.expressions).value(expression, slots.data());
          },
          "expression"_a, "The value of an expression that reads no variable.")
      .def("term", &term_of, "expression"_a,
           "An expression: its operator, the expressions that it is over, its value, and its place.")
      .def("inputs", &inputs_of_step, "before"_a, "after"_a,
           "The inputs of a step between two lists of values, or None if there is no such step. "
           "Without values before, the step is the start.")
      .def("holds", &condition_holds, "condition"_a, "values"_a,
           "Whether a condition holds, given the values of all variables.")
      .def("after", &values_after, "before"_a, "most"_a,
           "Up to so many different states after some values, or at the start, or None if there are too many ways to "
           "look at.")
      .def("seal", &seal, "Ends the declaration. Conditions may still be added.");
  nb::class_<StateSpace>(m, "StateSpace", "The states of a machine, listed.")
      .def(nb::init<const BoundMachine&>(), "machine"_a)
      .def("explore", &explore_all, "states"_a, "edges"_a, "tick"_a = nb::none(),
           "Finds all states. ValueError, with the word states or edges, beyond the bounds.",
           nb::sig("def explore(self, states: int, edges: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("satisfying", &satisfying, "machine"_a, "condition"_a, "tick"_a = nb::none(),
           "The states where a condition of the machine holds, ascending, 4 bytes each.",
           nb::sig("def satisfying(self, machine: Machine, condition: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bytes"))
      .def("model", &model_of_states, "label_offsets"_a, "label_nodes"_a, "semantics"_a, "tick"_a = nb::none(),
           "The states as nodes of a model of one component without boxes. `tick(bytes)` may raise to stop.",
           nb::sig("def model(self, label_offsets: memoryview, label_nodes: memoryview, semantics: Semantics, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> Model"))
      .def(
          "values",
          [](StateSpace& self, Id state) { return values_of(self, self.space, self.machine.variables, state); },
          "state"_a, "The values of the variables.")
      .def("__len__", [](const StateSpace& self) { return self.space.size(); })
      .def_prop_ro(
          "initial", [](const StateSpace& self) { return self.reachable.initial; }, "How many are initial.")
      .def_prop_ro("exit", [](const StateSpace& self) { return self.reachable.exit; })
      .def_prop_ro("dead_ends", [](const StateSpace& self) { return self.reachable.dead_ends; })
      .def_prop_ro("first_dead_end", [](const StateSpace& self) { return self.reachable.first_dead_end; })
      .def_prop_ro("sources", [](const StateSpace& self) { return as_bytes(self.reachable.sources()); })
      .def_prop_ro("targets", [](const StateSpace& self) { return as_bytes(self.reachable.steps->ids); });
  nb::class_<MachineSearch>(m, "MachineSearch",
                            "One formula of CTL* in positive form, asked about states of a machine.")
      .def("__init__", &make_search, "machine"_a, "dead_ends"_a, "ops"_a, "left"_a, "right"_a, "conditions"_a,
           nb::sig("def __init__(self, machine: Machine, dead_ends: DeadEnds, ops: memoryview, "
                   "left: memoryview, right: memoryview, conditions: collections.abc.Sequence[int]) -> None"))
      .def("initial", &search_initial, "position"_a, "tick"_a = nb::none(),
           "The initial state at a position, asked for in order, or -1 if there are fewer.",
           nb::sig("def initial(self, position: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> int"))
      .def("value", &search_value, "node"_a, "state"_a, "tick"_a = nb::none(), "The truth of a state formula.",
           nb::sig("def value(self, node: int, state: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> bool | None"))
      .def("counter_run", &search_run, "node"_a, "state"_a, "tick"_a = nb::none(),
           "A run that shows that A f is false, or !A f true: its states, how it ends, where its loop starts.",
           nb::sig("def counter_run(self, node: int, state: int, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> tuple[list[int], End, int]"))
      .def(
          "values",
          [](MachineSearch& self, Id state) { return values_of(self, self.space(), self.machine.variables, state); },
          "state"_a, "The values of the variables.")
      .def("next", &search_next, "state"_a, "most"_a, "Up to so many of the states after a state.")
      .def_prop_ro("visited", [](const MachineSearch& self) { return self.search.visited(); })
      .def_prop_ro("looked_at", [](const MachineSearch& self) { return self.search.looked_at(); })
      .def_prop_ro("dead_end", &values_of_dead_end,
                   "The values in the first state without successors that was seen, or None if there was none. "
                   "Known after an interruption, too.");
}

} // namespace pigro::bind
