// The numbers and the table of operators of SMV, for Python. They are written down in core/smv alone.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>

#include "bind/machine.hpp"
#include "bind/shared.hpp"
#include "core/smv/tokens.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using core::smv::Form;
using core::smv::Operator;
namespace smv = core::smv;

struct SyntaxNumbers {};
struct TermNumbers {};
struct KindNumbers {};
struct ValueNumbers {};
struct SharedNumbers {};

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

const char* form_of(const Operator& self) {
  constexpr const char* kForms[] = {"made", "infix", "prefix", "modal", "function", "path"};
  return kForms[static_cast<std::size_t>(self.form)];
}

std::optional<int> term(smv::Op op) { return op == smv::Op::last ? std::nullopt : std::optional(static_cast<int>(op)); }

template <unsigned flag>
bool has(const Operator& self) {
  return (self.flags & flag) != 0;
}

std::vector<const Operator*> operators() {
  std::vector<const Operator*> found;
  for (const Operator& each : smv::kOperators) found.push_back(&each);
  return found;
}

// Of constant numbers, by the number of an operator.
std::optional<smv::Value> folded(std::size_t op, const std::vector<smv::Value>& values, smv::Value limit) {
  if (op >= std::size(smv::kOperators) || !has<smv::kFolded>(smv::kOperators[op]))
    throw nb::index_error("no such rule");
  return smv::folded(smv::kOperators[op].plain, values, limit);
}

} // namespace

void bind_smv_tables(nb::module_& m) {
  nb::class_<SyntaxNumbers> nodes(m, "SmvNode", "What a node of the syntax of SMV is, by number.");
  int number = 0;
  for (const Operator& each : smv::kOperators) nodes.attr(each.name) = number++;
  nb::class_<TermNumbers> terms(m, "SmvTerm", "The operators of expressions of a machine, by number.");
  for (const smv::TermOperator& each : smv::kTermOperators) {
    terms.attr(upper(each.name).c_str()) = static_cast<int>(each.op);
  }
  nb::class_<KindNumbers> kinds(m, "SmvKind", "What a value can be, as bits.");
  kinds.attr("BOOL") = static_cast<int>(smv::kBoolean);
  kinds.attr("INT") = static_cast<int>(smv::kInteger);
  kinds.attr("SYMBOL") = static_cast<int>(smv::kSymbol);
  kinds.attr("SET") = static_cast<int>(smv::kSet);
  kinds.attr("FORMULA") = static_cast<int>(smv::kFormula);
  kinds.attr("SHIFTED") = static_cast<int>(smv::kShifted);
  kinds.attr("WORD") = static_cast<int>(smv::kWord);
  nb::class_<ValueNumbers> values(m, "SmvValue", "Values that are no integers, and where integers begin.");
  values.attr("UNKNOWN") = smv::kUnknown;
  values.attr("EXIT") = smv::kExit;
  values.attr("FALSE") = smv::kFalse;
  values.attr("TRUE") = smv::kTrue;
  values.attr("FIRST_SYMBOL") = smv::kFirstSymbol;
  values.attr("FIRST_WIDE") = smv::kFirstWide;
  values.attr("LEAST_INTEGER") = smv::kLeastInteger;
  nb::class_<SharedNumbers> numbers(m, "SmvNumbers", "Other numbers that both languages need.");
  numbers.attr("PLAIN_BITS") = smv::kPlainBits;
  numbers.attr("WIDEST_SET") = smv::kWidestSet;
  numbers.attr("LONGEST_NUMBER") = smv::kLongestNumber;
  numbers.attr("TERNARY") = smv::kTernary;
  nb::class_<Operator>(m, "SmvOperator", "How an operator is written, what it takes and gives, and what it becomes.")
      .def_ro("name", &Operator::name)
      .def_prop_ro("form", &form_of, "made, infix, prefix, modal, function or path.")
      .def_ro("sign", &Operator::sign, "The word that it is written with.")
      .def_ro("also", &Operator::also, "Another word for it.")
      .def_ro("level", &Operator::level, "How tightly it binds.")
      .def_ro("least", &Operator::least, "How many arguments a function has at least.")
      .def_ro("takes", &Operator::takes, "The kinds of its arguments.")
      .def_ro("gives", &Operator::gives, "Its kinds. 0: those of its arguments.")
      .def_prop_ro(
          "plain", [](const Operator& self) { return term(self.plain); }, "The operator of terms that it is.")
      .def_prop_ro(
          "on_words", [](const Operator& self) { return term(self.on_words); }, "That on words of one width.")
      .def_prop_ro("is_chain", &has<smv::kChains>)
      .def_prop_ro("is_connective", &has<smv::kConnective>)
      .def_prop_ro("is_folded", &has<smv::kFolded>, "Constant numbers are computed at once.")
      .def_prop_ro("is_temporal", &has<smv::kFormulaOp>)
      .def_prop_ro("is_on_paths", &has<smv::kOnPaths>)
      .def_prop_ro("is_past", &has<smv::kPast>)
      .def_prop_ro("is_with_path", &has<smv::kWithPath>, "A quantifier and an operator on paths, in one.")
      .def_prop_ro("is_modal", &has<smv::kOfMu>)
      .def_prop_ro("is_bounded", &has<smv::kBounded>, "It speaks of some steps only.")
      .def_prop_ro("is_first_only", &has<smv::kFirstOnly>, "`takes` is about the first argument alone.")
      .def_prop_ro("may_have_bounds", [](const Operator& self) { return self.bounds != smv::StepBounds::none; });
  m.def("smv_operators", &operators, nb::rv_policy::reference, "All operators, by number.");
  m.def("smv_folded", &folded, "op"_a, "values"_a, "limit"_a,
        "The value of an operator on constant numbers. None if there is none, or some number reaches the limit.");
}

} // namespace pigro::bind
