// The Python face of the way from syntax nodes to expressions of a machine.
//
// What comes of a node depends on its operator and the kinds of its arguments. A file has many nodes and few such
// shapes. Python is asked about each shape once (`rule`), and for every node that has no plain rule (`other`).
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "bind/machine.hpp"
#include "bind/shared.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using core::Id;
using core::smv::Value;
using Key = std::vector<std::int64_t>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = key.size();
    for (const std::int64_t each : key) {
      hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    }
    return hash;
  }
};

// What Python has as `Code`: number, kinds, width, constant or None, depth.
struct CompiledCode {
  Id number = core::kNone;
  int kinds = 0;
  bool is_constant = false;
  Value constant = 0;
  int depth = 0;
  PyObject* object = nullptr; // borrowed, if Python made it
};

struct PlainRule {
  bool is_plain = false;
  int op = 0;
  int kinds = 0;
  Fold fold = Fold::never;
  bool is_split = false; // its arguments are conjuncts
};

class Compiling {
 public:
  Compiling(BoundMachine& machine, nb::list reads, nb::dict conjuncts, nb::type_object code, int deepest,
            nb::dict symbols)
      : machine_(machine),
        reads_(std::move(reads)),
        conjuncts_(std::move(conjuncts)),
        code_(std::move(code)),
        deepest_(deepest),
        symbols_(std::move(symbols)) {}

  // The number of an expression, new or known. Where an operator can't fail, its place does not matter.
  Id emit(int op, const std::vector<Id>& args, Value value, Id at) {
    key_.assign({op, value, op >= static_cast<int>(core::smv::Op::add) ? at : core::kNone});
    key_.insert(key_.end(), args.begin(), args.end());
    const auto [found, is_new] = made_.try_emplace(key_, core::kNone);
    if (!is_new) return found->second;
    try {
      require_well_formed(PyList_GET_SIZE(reads_.ptr()) == machine_.expressions.size());
      found->second = machine_.add(op, args, value, at);
    } catch (...) {
      made_.erase(found);
      throw;
    }
    nb::object slots = none_;
    if (op == static_cast<int>(core::smv::Op::slot)) slots = nb::int_(1) << nb::int_(value);
    for (const Id each : args) {
      PyObject* const more = PyList_GET_ITEM(reads_.ptr(), each);
      if (more != slots.ptr()) slots = nb::steal(PyNumber_Or(slots.ptr(), more));
    }
    reads_.append(slots);
    return found->second;
  }

  // The nodes from `first` to `root`. `names` has what names are known to be. Others are symbols, if they are not
  // `taken`. `leaf` makes every other leaf, `rule` says what comes of a shape, `other` compiles a node with its
  // arguments.
  nb::object compile(const nb::list& ops, const nb::list& args, const nb::list& at, Id first, Id root,
                     const nb::dict& names, const std::vector<nb::dict>& taken, const nb::callable& leaf,
                     const nb::callable& rule, const nb::callable& other) {
    const auto size =
        static_cast<Id>(std::min({PyList_GET_SIZE(ops.ptr()), PyList_GET_SIZE(args.ptr()), PyList_GET_SIZE(at.ptr())}));
    if (first < 0 || root < first || root >= size) throw nb::index_error("no such node");
    std::vector<CompiledCode> made(static_cast<std::size_t>(root - first) + 1);
    std::vector<nb::object> kept;
    for (Id node = first; node <= root; ++node) {
      const long op = PyLong_AsLong(PyList_GET_ITEM(ops.ptr(), node));
      PyObject* const arg = PyList_GET_ITEM(args.ptr(), node);
      CompiledCode& result = made[static_cast<std::size_t>(node - first)];
      if (op == core::smv::kGoneNode) continue;
      if (op < core::smv::kFirstOperator) {
        PyObject* const known = op == core::smv::kNameNode ? PyDict_GetItemWithError(names.ptr(), arg) : nullptr;
        if (known != nullptr) {
          result = read(known);
        } else if (op != core::smv::kNameNode || !symbol(arg, taken, result)) {
          kept.push_back(leaf(node));
          result = read(kept.back().ptr());
        }
        continue;
      }
      inner_.clear();
      if (!PyTuple_Check(arg) && !PyList_Check(arg)) throw nb::type_error("arguments are a sequence");
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(arg); ++i) {
        const long child = PyLong_AsLong(PySequence_Fast_GET_ITEM(arg, i));
        if (child < first || child >= node) throw nb::index_error("arguments come before their operator");
        inner_.push_back(made[static_cast<std::size_t>(child - first)]);
      }
      if (operate(op, node, at, rule, result)) continue;
      nb::list given;
      for (const CompiledCode& each : inner_) given.append(object_of(each));
      kept.push_back(other(node, op, given));
      result = read(kept.back().ptr());
    }
    return object_of(made.back());
  }

 private:
  CompiledCode read(PyObject* object) const {
    if (Py_TYPE(object) != reinterpret_cast<PyTypeObject*>(code_.ptr())) return {.object = object};
    PyObject* const constant = PyTuple_GET_ITEM(object, 3);
    int is_large = 0; // a word of 64 bits: only Python needs its number
    return {.number = static_cast<Id>(PyLong_AsLong(PyTuple_GET_ITEM(object, 0))),
            .kinds = static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(object, 1))),
            .is_constant = constant != Py_None,
            .constant = constant != Py_None ? PyLong_AsLongLongAndOverflow(constant, &is_large) : 0,
            .depth = static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(object, 4))),
            .object = object};
  }

  nb::object object_of(const CompiledCode& code) const {
    if (code.object != nullptr) return nb::borrow(code.object);
    const nb::object constant = code.is_constant ? nb::object(nb::int_(code.constant)) : nb::none();
    return code_(code.number, code.kinds, 0, constant, code.depth);
  }

  bool symbol(PyObject* name, const std::vector<nb::dict>& taken, CompiledCode& result) {
    PyObject* const value = PyDict_GetItemWithError(symbols_.ptr(), name);
    const auto has_name = [&](const nb::dict& each) { return PyDict_Contains(each.ptr(), name) != 0; };
    if (value == nullptr || std::ranges::any_of(taken, has_name)) return false;
    result.is_constant = true;
    result.constant = PyLong_AsLongLong(value);
    result.number = emit(static_cast<int>(core::smv::Op::constant), {}, result.constant, core::kNone);
    result.kinds = core::smv::kSymbol;
    return true;
  }

  // Whether a plain rule made the node.
  bool operate(long op, Id node, const nb::list& at, const nb::callable& rule, CompiledCode& result) {
    shape_.assign({op});
    numbers_.clear();
    int depth = 0;
    for (const CompiledCode& each : inner_) {
      if (each.number == core::kNone) return false;
      shape_.push_back(each.kinds);
      numbers_.push_back(each.number);
      depth = std::max(depth, each.depth);
    }
    const auto [found, is_new] = rules_.try_emplace(shape_);
    if (is_new) {
      try {
        found->second = asked(op, node, rule);
      } catch (...) {
        rules_.erase(found);
        throw;
      }
    }
    const PlainRule& known = found->second;
    if (!known.is_plain || depth >= deepest_ || may_fold(known)) return false;
    const Id place = static_cast<Id>(PyLong_AsLong(PyList_GET_ITEM(at.ptr(), node)));
    try {
      result.number = emit(known.op, numbers_, 0, place);
    } catch (const std::invalid_argument&) {
      return false; // it is nested too deeply: Python tells
    }
    result.kinds = known.kinds;
    result.depth = depth + 1;
    if (known.is_split) conjuncts_[nb::int_(result.number)] = nb::tuple(nb::cast(numbers_));
    return true;
  }

  bool may_fold(const PlainRule& rule) const {
    const auto is_false = [](const CompiledCode& each) {
      return each.is_constant && each.constant == core::smv::kFalse;
    };
    return (rule.fold == Fold::first && inner_[0].is_constant) ||
           (rule.fold == Fold::any_false && std::ranges::any_of(inner_, is_false));
  }

  PlainRule asked(long op, Id node, const nb::callable& rule) const {
    nb::list kinds;
    for (const CompiledCode& each : inner_) kinds.append(each.kinds);
    const nb::object found = rule(node, op, kinds);
    if (found.is_none()) return {};
    const auto [made, result, fold, is_split] = nb::cast<std::tuple<int, int, int, bool>>(found);
    return {.is_plain = true, .op = made, .kinds = result, .fold = static_cast<Fold>(fold), .is_split = is_split};
  }

  BoundMachine& machine_;
  nb::list reads_;
  nb::dict conjuncts_;
  nb::type_object code_;
  const int deepest_;                   // so deep values may be nested
  nb::dict symbols_;                    // the values of names that are constants
  const nb::object none_ = nb::int_(0); // slots
  std::unordered_map<Key, Id, KeyHash> made_;
  std::unordered_map<Key, PlainRule, KeyHash> rules_;
  Key key_, shape_;
  std::vector<CompiledCode> inner_;
  std::vector<Id> numbers_;
};

// Makes formulas over labels out of syntax nodes.
class FormulaTable {
 public:
  // By operator of the syntax: the operators of formulas, from the inside to the outside.
  explicit FormulaTable(std::map<int, std::vector<int>> operators, int atom)
      : operators_(std::move(operators)), atom_(atom) {}

  // Operators, left and right children, and atoms, as Formula has them. None if a node is no such operator, and no name
  // in `labels`.
  nb::object columns(const nb::list& ops, const nb::list& args, Id first, Id root, const nb::dict& labels) {
    const auto size = static_cast<Id>(std::min(PyList_GET_SIZE(ops.ptr()), PyList_GET_SIZE(args.ptr())));
    if (first < 0 || root < first || root >= size) throw nb::index_error("no such node");
    rows_.clear();
    index_.clear();
    atoms_.clear();
    made_.assign(static_cast<std::size_t>(root - first) + 1, core::kNone);
    for (Id node = first; node <= root; ++node) {
      const auto op = static_cast<int>(PyLong_AsLong(PyList_GET_ITEM(ops.ptr(), node)));
      PyObject* const arg = PyList_GET_ITEM(args.ptr(), node);
      const Id result = op == core::smv::kNameNode ? atom(arg, labels) : operate(op, arg, first, node);
      if (result == core::kNone) return nb::none();
      made_[static_cast<std::size_t>(node - first)] = result;
    }
    const auto column = [&](std::size_t which) {
      const nb::object found = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(rows_.size())));
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        PyTuple_SET_ITEM(found.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(rows_[i][which]));
      }
      return found;
    };
    const nb::object names = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(atoms_.size())));
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      PyTuple_SET_ITEM(names.ptr(), static_cast<Py_ssize_t>(i), nb::object(atoms_[i]).release().ptr());
    }
    return nb::make_tuple(column(0), column(1), column(2), names);
  }

 private:
  using Row = std::array<int, 3>;
  static constexpr std::size_t kFew = 16;

  Id row(const Row& wanted) {
    if (rows_.size() <= kFew) { // most formulas are short
      const auto known = std::ranges::find(rows_, wanted);
      if (known != rows_.end()) return static_cast<Id>(known - rows_.begin());
    }
    if (rows_.size() == kFew) {
      for (std::size_t i = 0; i < kFew; ++i) index_[rows_[i]] = static_cast<Id>(i);
    }
    if (rows_.size() >= kFew) {
      const auto [found, is_new] = index_.try_emplace(wanted, static_cast<Id>(rows_.size()));
      if (!is_new) return found->second;
    }
    rows_.push_back(wanted);
    return static_cast<Id>(rows_.size()) - 1;
  }

  Id atom(PyObject* name, const nb::dict& labels) {
    PyObject* const label = PyDict_GetItemWithError(labels.ptr(), name);
    if (label == nullptr) return core::kNone;
    const auto same = [&](const nb::object& each) { return each.ptr() == label; };
    const auto found = std::ranges::find_if(atoms_, same);
    const auto number = static_cast<int>(found - atoms_.begin());
    if (found == atoms_.end()) atoms_.push_back(nb::borrow(label));
    return row({atom_, number, core::kNone});
  }

  Id operate(int op, PyObject* args, Id first, Id node) {
    const auto known = operators_.find(op);
    if (known == operators_.end() || !PyTuple_Check(args) || PyTuple_GET_SIZE(args) > 2) return core::kNone;
    Row made = {known->second.front(), core::kNone, core::kNone};
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i) {
      const long child = PyLong_AsLong(PyTuple_GET_ITEM(args, i));
      if (child < first || child >= node) throw nb::index_error("arguments come before their operator");
      made[static_cast<std::size_t>(i) + 1] = made_[static_cast<std::size_t>(child - first)];
    }
    Id found = row(made);
    for (std::size_t i = 1; i < known->second.size(); ++i) found = row({known->second[i], found, core::kNone});
    return found;
  }

  const std::map<int, std::vector<int>> operators_;
  const int atom_;
  std::vector<Row> rows_;
  std::map<Row, Id> index_;
  std::vector<nb::object> atoms_;
  std::vector<Id> made_;
};

} // namespace

void bind_compiling(nb::module_& m) {
  nb::class_<FormulaTable>(m, "FormulaTable", "Which operators formulas have. Makes formulas over labels.")
      .def(nb::init<std::map<int, std::vector<int>>, int>(), "operators"_a, "atom"_a)
      .def("columns", &FormulaTable::columns, "ops"_a, "args"_a, "first"_a, "root"_a, "labels"_a,
           "The columns and atoms of a formula, or None if there are other operators in it, or other names.",
           nb::sig("def columns(self, ops: list[int], args: list[typing.Any], first: int, root: int, "
                   "labels: dict[str, str]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], "
                   "tuple[str, ...]] | None"));
  nb::class_<Compiling>(m, "Compiling", "Makes expressions of a machine out of syntax nodes.")
      .def(nb::init<BoundMachine&, nb::list, nb::dict, nb::type_object, int, nb::dict>(), "machine"_a, "reads"_a,
           "conjuncts"_a, "code"_a, "deepest"_a, "symbols"_a, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, machine: Machine, reads: list[int], conjuncts: dict[int, tuple[int, ...]], "
                   "code: type, deepest: int, symbols: dict[str, int]) -> None"))
      .def("emit", &Compiling::emit, "op"_a, "args"_a, "value"_a, "at"_a,
           "An expression over others. Returns its number.")
      .def("compile", &Compiling::compile, "ops"_a, "args"_a, "at"_a, "first"_a, "root"_a, "names"_a, "taken"_a,
           "leaf"_a, "rule"_a, "other"_a, "The last of these nodes.",
           nb::sig("def compile(self, ops: list[int], args: list[typing.Any], at: list[int], first: int, root: int, "
                   "names: dict[str, typing.Any], taken: list[dict[str, typing.Any]], leaf: "
                   "collections.abc.Callable[[int], object], "
                   "rule: collections.abc.Callable[[int, int, list[int]], tuple[int, int, int, bool] | None], "
                   "other: collections.abc.Callable[[int, int, list[typing.Any]], object]) -> typing.Any"));
}

} // namespace pigro::bind
