// The Python face of the verifier: conversions only.
#include "verify/verify.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"

namespace pigro::bind {

using namespace nb::literals;
using core::Id;
using verify::Verifier;

namespace {

using Verdict = std::optional<std::string>;

// A verifier that works without the interpreter lock, for one user at a time.
struct OneUser {
  OneUser(const SharedModel& model, core::DeadEnds dead_ends, Tick own_tick)
      : tick(std::move(own_tick)), verifier(model, dead_ends, [this] { unlocked->tick(tick, 0); }) {}
  Tick tick;
  Verifier verifier;
  core::Exclusive exclusive;
  const WithoutLock* unlocked = nullptr; // while it works
};

template <typename Check>
Verdict check(OneUser& user, Check&& section) {
  const core::Exclusive::Use use(user.exclusive);
  const WithoutLock unlocked;
  user.unlocked = &unlocked;
  return section(user.verifier);
}

Verdict check_lemmas(OneUser& user, const nb::bytes& body) {
  return check(user, [&](Verifier& verifier) { return verifier.lemmas(bytes_of(body)); });
}

Verdict check_formula(OneUser& user, const nb::bytes& body, const Bytes& ops, const Ids& left, const Ids& right,
                      const std::vector<Id>& atom_labels) {
  const OwnFormula formula(ops, left, right, atom_labels);
  return check(user, [&](Verifier& verifier) {
    return verifier.formula(bytes_of(body), {formula.ops, formula.left, formula.right, formula.atom_labels});
  });
}

} // namespace

void bind_verify(nb::module_& m) {
  nb::exception<verify::Malformed>(m, "Malformed");
  nb::class_<OneUser>(m, "Verifier", "Checks sections of certificates on one model.")
      .def(nb::init<const SharedModel&, core::DeadEnds, Tick>(), "model"_a, "dead_ends"_a, "tick"_a = nb::none(),
           nb::keep_alive<1, 2>(), "`tick(0)` runs every few thousand steps, and may raise to stop.",
           nb::sig("def __init__(self, model: Model, dead_ends: DeadEnds, "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("lemmas", &check_lemmas, "body"_a,
           "Checks a section of lemmas, which then count for later ones. None, or the first fault.")
      .def("formula", &check_formula, "body"_a, "ops"_a, "left"_a, "right"_a, "atom_labels"_a,
           "Checks a section about this formula in flat normal form. None, or the first fault.",
           nb::sig("def formula(self, body: bytes, ops: memoryview, left: memoryview, right: memoryview, "
                   "atom_labels: collections.abc.Sequence[int]) -> str | None"));
}

} // namespace pigro::bind
