// The Python face of the native core. This folder converts between Python and the core. What works on Python objects
// one by one is here too: `compiling.cpp` makes expressions and formulas out of syntax nodes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>
#include <tuple>

#include "bind/enums.hpp"
#include "bind/texts.hpp"
#include "core/base/exclusive.hpp"
#include "core/base/json_keys.hpp"
#include "core/check/batch.hpp"
#include "core/levels/statistics.hpp"
#include "core/model/bare_search.hpp"
#include "core/model/unflatten.hpp"
#include "core/model/visited.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace pigro::core;
using namespace pigro::bind;

namespace {

void make_model(SharedModel* self, const Ids& component_offsets, const Bytes& node_flags, const Ids& box_offsets,
                const Ids& box_callee, const Ids& call_offsets, const Ids& call_entries, const Ids& return_offsets,
                const Ids& return_exits, const Ids& edge_sources, const Ids& edge_targets, const Ids& label_offsets,
                const Ids& label_nodes, Semantics semantics, const Tick& tick) {
  const RawArrays arrays{.component_offsets = copy(component_offsets),
                         .node_flags = copy(node_flags),
                         .box_offsets = copy(box_offsets),
                         .box_callee = copy(box_callee),
                         .call_offsets = copy(call_offsets),
                         .call_entries = copy(call_entries),
                         .return_offsets = copy(return_offsets),
                         .return_exits = copy(return_exits),
                         .edge_sources = copy(edge_sources),
                         .edge_targets = copy(edge_targets),
                         .label_offsets = copy(label_offsets),
                         .label_nodes = copy(label_nodes)};
  const WithoutLock unlocked;
  Ticker watched(ticker(unlocked, tick));
  new (self) SharedModel(raw_of(arrays), semantics, watched);
}

void check_ids(const std::vector<Id>& ids, Id least, Id end, const char* what) {
  for (const Id id : ids) {
    if (id < least || id >= end) throw nb::index_error(what);
  }
}

// A batch that one caller at a time fills or runs.
struct SharedBatch : Batch {
  using Batch::Batch;
  Exclusive exclusive;
};

void make_batch(SharedBatch* self, SharedModel& model, std::vector<Id> starts, DeadEnds dead_ends, Engine engine,
                Proofs proofs) {
  check_ids(starts, 0, model.nodes(), "no such node");
  new (self) SharedBatch(model, model.statics, std::move(starts), dead_ends, engine, proofs);
}

// A book with the model whose lemmas it has.
struct SharedBook : LemmaBook {
  SharedBook(const SharedModel& of, bool shortest) : LemmaBook(of, shortest), model(of) {}
  const SharedModel& model;
};

nb::bytes lemma_section(SharedBook& book, const Certificate& certificate, const Tick& tick, bool only_sure) {
  if (certificate.model != book.model.serial()) throw nb::value_error("the certificate is about another model");
  std::vector<LemmaRef> needed = certificate.lemmas;
  if (only_sure) std::erase_if(needed, [](const LemmaRef& lemma) { return !lemma.sure; });
  std::string body;
  {
    const WithoutLock unlocked;
    body = book.section(needed, ticker(unlocked, tick));
  }
  return nb::bytes(body.data(), body.size());
}

std::size_t add_formula(SharedBatch& batch, const Bytes& ops, const Ids& left, const Ids& right,
                        const std::vector<Id>& atom_labels) {
  const Exclusive::Use use(batch.exclusive);
  return batch.add(OwnFormula(ops, left, right, atom_labels).flat());
}

// Lets Ctrl-C through, and the caller's own tick.
void run_batch(SharedBatch& batch, int jobs, double seconds, double seconds_each, std::int64_t memory, const Tick& tick,
               double spent) {
  const Exclusive::Use use(batch.exclusive);
  const WithoutLock unlocked;
  const Limits limits{.seconds = seconds, .seconds_each = seconds_each, .memory = memory, .spent = spent};
  batch.run(jobs, limits, ticker(unlocked, tick));
}

bool is_finished(const SharedBatch& batch, std::size_t index) {
  if (index >= batch.size()) throw nb::index_error("no such formula");
  return batch.finished(index);
}

const Outcome& outcome_of(const SharedBatch& batch, std::size_t index) {
  if (!is_finished(batch, index) && batch.exclusive.in_use()) throw std::logic_error("the formula is being checked");
  return batch.outcome(index);
}

// One type for each kind of result, which compiles faster than one for each function.
template <typename Result>
auto checked(Id (Model::*bound)() const, Result (*get)(const Model&, Id)) {
  return [bound, get](const SharedModel& model, Id id) {
    if (id < 0 || id >= (model.*bound)()) throw nb::index_error("no such id");
    return get(model, id);
  };
}

std::vector<Id> list(std::span<const Id> ids) { return {ids.begin(), ids.end()}; }

std::vector<Id> range(Id first, Id count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  for (Id i = 0; i < count; ++i) ids[i] = first + i;
  return ids;
}

std::optional<Id> return_node(const SharedModel& model, Id box, Id exit) {
  if (box < 0 || box >= model.boxes() || exit < 0 || exit >= model.nodes()) throw nb::index_error("no such id");
  if (model.kind(exit) != NodeKind::exit || model.component(exit) != model.callee(box)) return std::nullopt;
  const Id node = model.return_node(box, model.ordinal(exit));
  return node == kNone ? std::nullopt : std::optional(node);
}

SharedModel* with_labels(const SharedModel& model, const Ids& offsets, const Ids& declared) {
  return new SharedModel(model.with_labels(copy(offsets), copy(declared)));
}

nb::typed<nb::list, nb::bytes> parts_of(const SharedModel& model, Id labels) {
  if (labels < 0 || labels > model.labels()) throw nb::index_error("no so many labels");
  nb::list made;
  for (const auto part : model.parts(labels)) made.append(nb::bytes(part.data(), part.size()));
  return made;
}

template <typename T>
nb::bytes bytes(const std::vector<T>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// The arguments of `Model` that make this model. Numbers are 32-bit, as bytes.
nb::typed<nb::dict, nb::str, nb::bytes> arrays_of(const SharedModel& model) {
  RawArrays raw;
  {
    const WithoutLock unlocked;
    raw = unflatten(model);
  }
  nb::dict made;
  made["component_offsets"] = bytes(raw.component_offsets);
  made["node_flags"] = bytes(raw.node_flags);
  made["box_offsets"] = bytes(raw.box_offsets);
  made["box_callee"] = bytes(raw.box_callee);
  made["call_offsets"] = bytes(raw.call_offsets);
  made["call_entries"] = bytes(raw.call_entries);
  made["return_offsets"] = bytes(raw.return_offsets);
  made["return_exits"] = bytes(raw.return_exits);
  made["edge_sources"] = bytes(raw.edge_sources);
  made["edge_targets"] = bytes(raw.edge_targets);
  made["label_offsets"] = bytes(raw.label_offsets);
  made["label_nodes"] = bytes(raw.label_nodes);
  return made;
}

} // namespace

NB_MODULE(_core, m) {
  m.doc() = "Native core of Pigro: the flat model and the searches on it.";
  nb::set_leak_warnings(false); // at its end the command does not tidy up: pigro/cli/main.py

  static nb::exception<ModelFault> fault(m, "ModelFault");
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const ModelFault& e) {
      const nb::object args = nb::make_tuple(e.what(), e.first, e.second);
      PyErr_SetObject(fault.ptr(), args.ptr());
    }
  });

  nb::enum_<NodeKind>(m, "NodeKind", "What a node is.")
      .value("PLAIN", NodeKind::plain)
      .value("EXIT", NodeKind::exit)
      .value("CALL", NodeKind::call)
      .value("RETURN", NodeKind::ret);
  nb::enum_<Semantics>(m, "Semantics", "How calls of entry-exit nodes are read.")
      .value("STANDARD", Semantics::standard)
      .value("RSMCHECK", Semantics::rsmcheck);
  nb::enum_<DeadEnds>(m, "DeadEnds", "What happens at a dead end.")
      .value("STUTTER", DeadEnds::stutter)
      .value("STOP", DeadEnds::stop);

  m.attr("ENUMS") = enums();

  nb::class_<Statistics>(m, "Statistics", "Counts that describe a model.")
      .def_ro("edges", &Statistics::edges)
      .def_ro("calls", &Statistics::calls)
      .def_ro("returns", &Statistics::returns)
      .def_ro("entries", &Statistics::entries)
      .def_ro("exits", &Statistics::exits)
      .def_ro("entry_exits", &Statistics::entry_exits)
      .def_ro("most_exits", &Statistics::most_exits)
      .def_ro("recursive_components", &Statistics::recursive_components)
      .def_ro("unreachable_components", &Statistics::unreachable_components)
      .def_ro("dead_plain", &Statistics::dead_plain)
      .def_ro("dead_return", &Statistics::dead_return)
      .def_ro("dead_missing", &Statistics::dead_missing)
      .def_ro("dead_call", &Statistics::dead_call)
      .def_ro("first_dead_plain", &Statistics::first_dead_plain)
      .def_ro("first_dead_return", &Statistics::first_dead_return)
      .def_ro("first_missing_box", &Statistics::first_missing_box)
      .def_ro("first_missing_exit", &Statistics::first_missing_exit)
      .def_ro("first_dead_call", &Statistics::first_dead_call);

  nb::class_<SharedModel>(m, "Model", "A recursive state machine in flat normal form.")
      .def("__init__", &make_model, "component_offsets"_a, "node_flags"_a, "box_offsets"_a, "box_callee"_a,
           "call_offsets"_a, "call_entries"_a, "return_offsets"_a, "return_exits"_a, "edge_sources"_a, "edge_targets"_a,
           "label_offsets"_a, "label_nodes"_a, "semantics"_a, "tick"_a = nb::none(), "`tick(bytes)` may raise to stop.",
           nb::sig("def __init__(self, component_offsets: memoryview, node_flags: memoryview, "
                   "box_offsets: memoryview, box_callee: memoryview, call_offsets: memoryview, "
                   "call_entries: memoryview, return_offsets: memoryview, return_exits: memoryview, "
                   "edge_sources: memoryview, edge_targets: memoryview, label_offsets: memoryview, "
                   "label_nodes: memoryview, semantics: Semantics, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def_prop_ro("components", [](const SharedModel& model) { return model.components(); })
      .def_prop_ro("nodes", [](const SharedModel& model) { return model.nodes(); })
      .def_prop_ro("boxes", [](const SharedModel& model) { return model.boxes(); })
      .def_prop_ro("labels", [](const SharedModel& model) { return model.labels(); })
      .def_prop_ro("declared_nodes", [](const SharedModel& model) { return model.declared_nodes(); })
      .def_prop_ro("edges", [](const SharedModel& model) { return model.edges(); })
      .def("kind",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.kind(n); }),
           "node"_a)
      .def("is_entry",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.is_entry(n); }),
           "node"_a)
      .def("is_exit",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.kind(n) == NodeKind::exit; }),
           "node"_a)
      .def("component",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.component(n); }),
           "node"_a)
      .def("subject",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.subject(n); }),
           "node"_a)
      .def("box",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.box(n); }),
           "node"_a)
      .def("successors",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return list(m.successors(n)); }),
           "node"_a)
      .def("declared_of_node",
           checked(
               &Model::nodes, +[](const Model& m, Id n) { return m.declared_of_node(m.subject(n)); }),
           "node"_a, "The number of the declared node whose labels this node carries.")
      .def("node_of_declared",
           checked(
               &Model::declared_nodes, +[](const Model& m, Id n) { return m.node_of_declared(n); }),
           "declared"_a)
      .def("nodes_of",
           checked(
               &Model::components, +[](const Model& m, Id c) { return range(m.first(c), m.width(c)); }),
           "component"_a)
      .def("boxes_of",
           checked(
               &Model::components, +[](const Model& m, Id c) { return range(m.first_box(c), m.box_count(c)); }),
           "component"_a)
      .def("callee",
           checked(
               &Model::boxes, +[](const Model& m, Id b) { return m.callee(b); }),
           "box"_a)
      .def("box_component",
           checked(
               &Model::boxes, +[](const Model& m, Id b) { return m.box_component(b); }),
           "box"_a)
      .def("listed_calls",
           checked(
               &Model::boxes, +[](const Model& m, Id b) { return list(m.listed_calls(b)); }),
           "box"_a, "The entry nodes that the box lists, called or not.")
      .def("returns",
           checked(
               &Model::boxes, +[](const Model& m, Id b) { return range(m.first_return(b), m.return_count(b)); }),
           "box"_a, "The return nodes of the box.")
      .def("return_node", &return_node, "box"_a, "exit"_a,
           "The return node of the box for an exit of its callee, or None if there is none.")
      .def("labelled",
           checked(
               &Model::labels, +[](const Model& m, Id l) { return list(m.labelled(l)); }),
           "label"_a, "The declared nodes that carry the label.")
      .def("arrays", &arrays_of, "The arguments that make this model again. Numbers are 32-bit, as bytes.")
      .def("with_labels", &with_labels, "offsets"_a, "declared"_a, nb::rv_policy::take_ownership,
           "A copy with more labels, whose declared nodes are the rows of these arrays.",
           nb::sig("def with_labels(self, offsets: memoryview, declared: memoryview) -> Model"))
      .def("parts", &parts_of, "labels"_a,
           "The arrays that make up the model with its first so many labels, for digests.")
      .def(
          "statistics",
          [](const SharedModel& model, Semantics semantics, const std::vector<Id>& starts) {
            check_ids(starts, 0, model.nodes(), "no such node");
            const WithoutLock unlocked;
            return count(model, semantics, starts);
          },
          "semantics"_a, "starts"_a)
      .def(
          "count_reachable",
          [](const SharedModel& model, const std::vector<Id>& starts) {
            check_ids(starts, 0, model.nodes(), "no such node");
            const WithoutLock unlocked;
            return count_reachable(model, starts);
          },
          "starts"_a, "How many nodes a bare search reaches: the yardstick of benchmarks.")
      .def(
          "visited",
          [](const SharedModel& model, const std::vector<Id>& starts, const Tick& tick) {
            check_ids(starts, 0, model.nodes(), "no such node");
            std::vector<std::uint8_t> found;
            {
              const WithoutLock unlocked;
              Ticker watched(ticker(unlocked, tick));
              found = visited_nodes(model, starts, watched);
            }
            return nb::bytes(found.data(), found.size());
          },
          "starts"_a, "tick"_a = nb::none(),
          "A byte for each node: 1 if runs from these nodes visit the declared node. Empty if that is not known.",
          nb::sig("def visited(self, starts: collections.abc.Sequence[int], "
                  "tick: collections.abc.Callable[[int], None] | None = None) -> bytes"))
      .def(
          "exits_after",
          [](const SharedModel& model, Id node, const Tick& tick) {
            check_ids({node}, 0, model.nodes(), "no such node");
            const WithoutLock unlocked;
            Ticker watched(ticker(unlocked, tick));
            Visits visits(model, watched);
            visits.search({{node}});
            return visits.exits(visits.start_place(model.component(node)));
          },
          "node"_a, "tick"_a = nb::none(), "The exits that runs from a node reach before they leave its component.",
          nb::sig("def exits_after(self, node: int, "
                  "tick: collections.abc.Callable[[int], None] | None = None) -> list[int]"));

  nb::enum_<Engine>(m, "Engine", "What to ask of the machinery.")
      .value("EXHAUSTIVE", Engine::exhaustive)
      .value("DEMAND", Engine::demand)
      .value("DEMAND_FORWARD", Engine::demand_forward)
      .value("DEMAND_BACKWARD", Engine::demand_backward)
      .value("DEMAND_FUNCTIONS", Engine::demand_functions);
  nb::enum_<Proofs>(m, "Proofs", "Whether verdicts are proved, and with shortest paths.")
      .value("NONE", Proofs::none)
      .value("ANY", Proofs::any)
      .value("SHORTEST", Proofs::shortest);
  nb::enum_<Status>(m, "Status", "How far a formula got.")
      .value("WAITING", Status::waiting)
      .value("DECIDED", Status::decided)
      .value("TIMEOUT", Status::timeout)
      .value("TIMEOUT_EACH", Status::timeout_each)
      .value("MEMORY", Status::memory);

  nb::class_<Outcome>(m, "Outcome", "What a check found.")
      .def_ro("status", &Outcome::status)
      .def_ro("seconds", &Outcome::seconds)
      .def_prop_ro(
          "holds", [](const Outcome& o) { return o.result.holds; }, "At each start node, if decided.")
      .def_prop_ro("contexts", [](const Outcome& o) { return o.result.counters.contexts; })
      .def_prop_ro("visited", [](const Outcome& o) { return o.result.counters.visited; })
      .def_prop_ro("passes", [](const Outcome& o) { return o.result.counters.passes; })
      .def_prop_ro(
          "branches", [](const Outcome& o) { return o.result.counters.branches; },
          "Of one state of the automaton of a path formula, at most.")
      .def_prop_ro(
          "states", [](const Outcome& o) { return o.result.counters.states; },
          "Of the largest automaton of a path formula.")
      .def_prop_ro("certify_seconds", [](const Outcome& o) { return o.result.certify_seconds; })
      .def_prop_ro("certificate", [](const Outcome& o) { return o.result.certificate; }, "If it was asked for.");

  nb::class_<Certificate>(m, "Certificate", nb::is_weak_referenceable(), "The proof of a verdict, without its lemmas.")
      .def_prop_ro("body", [](const Certificate& c) { return nb::bytes(c.body.data(), c.body.size()); });
  nb::class_<SharedBook>(m, "LemmaBook", "The lemmas of one file of certificates.")
      .def(nb::init<const SharedModel&, bool>(), "model"_a, "shortest"_a = false, nb::keep_alive<1, 2>())
      .def("section", &lemma_section, "certificate"_a, "tick"_a = nb::none(), "only_sure"_a = false,
           "The body of a section with the lemmas that are new, or empty if there are none. `tick(bytes)` may raise to "
           "stop. `only_sure`: those that runs go by.",
           nb::sig("def section(self, certificate: Certificate, "
                   "tick: collections.abc.Callable[[int], None] | None = None, only_sure: bool = False) -> bytes"));

  nb::class_<SharedBatch>(m, "Batch", "Many formulas on one model.")
      .def("__init__", &make_batch, "model"_a, "starts"_a, "dead_ends"_a, "engine"_a, "proofs"_a = Proofs::none,
           nb::keep_alive<1, 2>())
      .def("__len__", &SharedBatch::size)
      .def("add", &add_formula, "ops"_a, "left"_a, "right"_a, "atom_labels"_a, "Adds a formula in flat normal form.",
           nb::sig("def add(self, ops: memoryview, left: memoryview, right: memoryview, "
                   "atom_labels: collections.abc.Sequence[int]) -> int"))
      .def("run", &run_batch, "jobs"_a = 1, "seconds"_a = 0.0, "seconds_each"_a = 0.0, "memory"_a = 0,
           "tick"_a = nb::none(), "spent"_a = 0.0,
           "Checks what waits. `tick(finished)` runs every few milliseconds and may raise to stop. "
           "`spent` counts for the first formula.",
           nb::sig("def run(self, jobs: int = 1, seconds: float = 0.0, seconds_each: float = 0.0, memory: int = 0, "
                   "tick: collections.abc.Callable[[int], None] | None = None, spent: float = 0.0) -> None"))
      .def("finished", &is_finished, "index"_a)
      .def("outcome", &outcome_of, "index"_a, nb::rv_policy::copy);

  m.def(
      "scan_keys",
      [](nb::bytes text, const std::string& wanted) -> std::pair<std::optional<std::size_t>, bool> {
        const std::string_view view(static_cast<const char*>(text.data()), text.size());
        const WithoutLock unlocked;
        bool has = false;
        const std::size_t found = repeated_key(view, wanted, has);
        return {found == std::string_view::npos ? std::nullopt : std::optional(found), has};
      },
      "text"_a, "wanted"_a,
      "Where a key of a JSON text begins that its object had already, in bytes. Also whether some key is `wanted`.");
  m.def("resident_memory", &resident_memory, "Memory of this process in bytes, 0 if unknown.");
  m.def(
      "release_memory",
      [] {
        const WithoutLock unlocked;
        release_memory();
      },
      "Gives freed memory back to the system.");
  bind_reading(m);
  bind_pushdown(m);
  bind_game(m);
  bind_labelling(m);
  bind_onthefly(m);
  bind_smv_tables(m);
  bind_smv(m);
  bind_compiling(m);
  bind_syntax(m);
  bind_verify(m);
  bind_contexts(m);
  bind_evidence(m);
}
