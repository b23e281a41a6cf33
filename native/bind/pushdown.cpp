// Pushdown systems, and the models that are split from them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <tuple>

#include "bind/file_model.hpp"
#include "core/base/exclusive.hpp"
#include "core/pushdown/pds_file.hpp"
#include "core/pushdown/split.hpp"

using namespace nanobind::literals;
using namespace pigro::core;

namespace pigro::bind {

namespace {

// A pushdown system that one thread at a time takes in, reads or splits.
struct SharedPushdown : Pushdown {
  Exclusive exclusive;
  std::vector<nb::bytes> texts; // which names are in
};

// A function of the system, while nothing else uses it.
template <typename Result, typename System, typename... Args>
auto alone(Result (*function)(System&, Args...)) {
  return [function](SharedPushdown& system, Args... args) {
    const Exclusive::Use use(system.exclusive);
    return function(system, args...);
  };
}

template <typename T>
auto alone(T Pushdown::* member) {
  return [member](SharedPushdown& system) {
    const Exclusive::Use use(system.exclusive);
    return T(system.*member);
  };
}

std::vector<Id> numbers(Pushdown& system, const std::vector<std::string_view>& names) {
  std::vector<Id> found;
  for (const std::string_view name : names) found.push_back(system.names.number(name));
  return found;
}

using LinePlace = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

std::vector<LinePlace> read_lines(SharedPushdown& system, const nb::bytes& text, const Tick& tick) {
  if (text.size() >= std::size_t{1} << 31) throw std::invalid_argument("the text is too long");
  std::vector<LinePlace> unread;
  Exclusive::Use use(system.exclusive);
  use.spoil_on_failure();
  system.texts.push_back(text);
  const WithoutLock unlocked;
  Ticker watched(ticker(unlocked, tick));
  for (const UnreadLine& line : read_pushdown_lines(system, {text.c_str(), text.size()}, watched)) {
    unread.emplace_back(line.begin, line.length, line.number);
  }
  return unread;
}

// Names are numbered in the order in which a line has them, as in `read_lines`.
void add_rule(Pushdown& system, std::string_view state, std::string_view symbol, std::string_view after,
              const std::vector<std::string_view>& word, Id line) {
  const std::vector<Id> head = numbers(system, {state, symbol, after});
  system.add_rule(head[0], head[1], head[2], numbers(system, word), line);
}

void add_labels(Pushdown& system, std::string_view name, const std::vector<std::string_view>& labels) {
  const Id owner = system.names.number(name);
  for (const Id label : numbers(system, labels)) {
    system.label_owner.push_back(owner);
    system.label.push_back(label);
  }
}

void add_head_labels(Pushdown& system, std::string_view state, std::string_view symbol,
                     const std::vector<std::string_view>& labels) {
  const std::vector<Id> head = numbers(system, {state, symbol});
  for (const Id label : numbers(system, labels)) {
    system.head_label_state.push_back(head[0]);
    system.head_label_symbol.push_back(head[1]);
    system.head_label.push_back(label);
  }
}

void drop_stray_labels(Pushdown& system) { system.drop_stray_labels(); }

void start_at(Pushdown& system, std::string_view state, const std::vector<std::string_view>& stack) {
  system.initial_state = system.names.number(state);
  system.initial_stack = numbers(system, stack);
}

nb::typed<nb::list, nb::str> names_of(Pushdown& system) {
  nb::list made;
  for (Id id = 0; id < system.names.size(); ++id) {
    made.append(nb::str(system.names[id].data(), system.names[id].size()));
  }
  return made;
}

std::vector<std::pair<Id, Id>> heads_of(Pushdown& system) {
  std::vector<std::pair<Id, Id>> made;
  for (Id id = 0; id < system.heads.size(); ++id) made.emplace_back(system.heads.state(id), system.heads.symbol(id));
  return made;
}

std::vector<std::pair<Id, std::vector<Id>>> words_of(Pushdown& system) {
  std::vector<std::pair<Id, std::vector<Id>>> made;
  for (std::size_t k = 0; k < system.word_state.size(); ++k) {
    const std::span<const Id> word = system.word(~static_cast<Id>(k));
    made.emplace_back(system.word_state[k], std::vector<Id>(word.begin(), word.end()));
  }
  return made;
}

// A row of five numbers for each line: pigro/model/positions.py. Nothing if no line is known.
nb::bytes rows_of_lines(const std::vector<Id>& lines) {
  const bool known = std::ranges::any_of(lines, [](Id line) { return line != 0; });
  const std::size_t size = known ? 5 * lines.size() * sizeof(Id) : 0;
  nb::bytes made = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!made.is_valid()) throw nb::python_error();
  char* to = PyBytes_AS_STRING(made.ptr());
  for (std::size_t i = 0; known && i < lines.size(); ++i, to += 5 * sizeof(Id)) {
    const std::array<Id, 5> row{0, lines[i], 0, lines[i], 0};
    std::memcpy(to, row.data(), sizeof row);
  }
  return made;
}

// At least so many bytes are taken once a system is split: by the model, and by the positions.
std::size_t bytes_after_split(const SplitModel& made) {
  const std::size_t lines = made.node_lines.size() + made.box_lines.size() + made.component_lines.size();
  const RawArrays& arrays = made.file.arrays;
  return (arrays.edge_sources.size() + arrays.edge_targets.size() + arrays.label_nodes.size() + 5 * lines) * sizeof(Id);
}

// What `split` made, with the model. Without one, if the system can't be split.
struct Procedures {
  SplitOutcome outcome;
  std::optional<FileModel> file;
  nb::bytes nodes, boxes, components; // positions
};

Procedures split_system(SharedPushdown& system, std::int64_t most_returns, Semantics semantics, const Tick& tick) {
  SplitModel made;
  std::unique_ptr<SharedModel> model;
  {
    const Exclusive::Use use(system.exclusive);
    const WithoutLock unlocked;
    Ticker watched(ticker(unlocked, tick));
    made = split(system, most_returns, watched);
    if (made.outcome == SplitOutcome::done) {
      watched.before_allocating(bytes_after_split(made));
      model = std::make_unique<SharedModel>(raw_of(made.file.arrays), semantics, watched);
    }
  }
  std::optional<FileModel> file;
  if (model) file.emplace(std::move(model), std::move(made.file));
  return {.outcome = made.outcome,
          .file = std::move(file),
          .nodes = rows_of_lines(made.node_lines),
          .boxes = rows_of_lines(made.box_lines),
          .components = rows_of_lines(made.component_lines)};
}

} // namespace

void bind_pushdown(nb::module_& m) {
  nb::class_<SharedPushdown>(m, "Pushdown", "A pushdown system by number.")
      .def(nb::init<>())
      .def("read_lines", &read_lines, "text"_a, "tick"_a = nb::none(),
           "Takes in the usual lines of a .pds file. Returns the offset, length and number of the others. "
           "`tick(bytes)` may raise "
           "to stop.",
           nb::sig("def read_lines(self, text: bytes, tick: collections.abc.Callable[[int], None] | None = None) -> "
                   "list[tuple[int, int, int]]"))
      .def("add_rule", alone(&add_rule), "state"_a, "symbol"_a, "after"_a, "word"_a, "line"_a = 0)
      .def("add_labels", alone(&add_labels), "name"_a, "labels"_a)
      .def("add_head_labels", alone(&add_head_labels), "state"_a, "symbol"_a, "labels"_a)
      .def("drop_stray_labels", alone(&drop_stray_labels),
           "Forgets labels of names that are in no rule and not in the initial configuration.")
      .def("start_at", alone(&start_at), "state"_a, "stack"_a)
      .def("split", &split_system, "most_returns"_a, "semantics"_a, "tick"_a = nb::none(),
           "A component for each procedure, if that can be. `tick(bytes)` may raise to stop.",
           nb::sig("def split(self, most_returns: int, semantics: Semantics, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> SplitModel"))
      .def_prop_ro("names", alone(&names_of))
      .def_prop_ro("heads", alone(&heads_of))
      .def_prop_ro("words", alone(&words_of))
      .def_prop_ro("sources", alone(&Pushdown::sources))
      .def_prop_ro("targets", alone(&Pushdown::targets))
      .def_prop_ro("rule_lines", alone(&Pushdown::rule_lines))
      .def_prop_ro("label_owner", alone(&Pushdown::label_owner))
      .def_prop_ro("label", alone(&Pushdown::label))
      .def_prop_ro("head_label_state", alone(&Pushdown::head_label_state))
      .def_prop_ro("head_label_symbol", alone(&Pushdown::head_label_symbol))
      .def_prop_ro("head_label", alone(&Pushdown::head_label))
      .def_prop_ro("initial_state", alone(&Pushdown::initial_state))
      .def_prop_ro("initial_stack", alone(&Pushdown::initial_stack));
  nb::enum_<SplitOutcome>(m, "SplitOutcome", "Whether a pushdown system was split into procedures.")
      .value("DONE", SplitOutcome::done)
      .value("MIXED_HEAD", SplitOutcome::mixed_head)
      .value("TOO_MANY_RETURNS", SplitOutcome::too_many_returns);
  nb::class_<Procedures>(m, "SplitModel", "A model with a component for each procedure, if there is one.")
      .def_ro("outcome", &Procedures::outcome)
      .def_ro("file", &Procedures::file)
      .def_ro("nodes", &Procedures::nodes, "Positions of nodes: rows of five 32-bit numbers, or nothing.")
      .def_ro("boxes", &Procedures::boxes)
      .def_ro("components", &Procedures::components);
}

} // namespace pigro::bind
