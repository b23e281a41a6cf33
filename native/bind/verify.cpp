// The Python face of the verifier: conversions only.
#include "verify/verify.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"
#include "core/base/exclusive.hpp"
#include "verify/game_strategy.hpp"

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

Verdict check_game(const SharedModel& model, core::DeadEnds dead_ends, const Bytes& ops, const Ids& left,
                   const Ids& right, const Ids& priority, Id root, const std::vector<Id>& labels, bool holds,
                   const std::vector<Id>& initial, const std::vector<Id>& starts, const std::vector<Id>& components,
                   const Bytes& below, const Ids& promise_offsets, const Ids& promises, const Ids& offsets,
                   const Ids& claims, const Tick& tick) {
  const OwnFormula formula(ops, left, right, labels);
  const std::vector<Id> ids[] = {copy(priority), copy(promise_offsets), copy(promises), copy(offsets), copy(claims)};
  const std::vector<std::uint8_t> bottoms = copy(below);
  const auto rows = [](const std::vector<Id>& begins, std::size_t count, std::size_t least) {
    bool fine = !begins.empty() && begins[0] == 0 && static_cast<std::size_t>(begins.back()) == count;
    for (std::size_t at = 1; fine && at < begins.size(); ++at) {
      fine =
          begins[at] >= 0 && static_cast<std::int64_t>(begins[at]) - begins[at - 1] >= static_cast<std::int64_t>(least);
    }
    return fine;
  };
  if (bottoms.size() != components.size() || ids[1].size() != components.size() + 1 || ids[2].size() % 3 != 0 ||
      !rows(ids[1], ids[2].size() / 3, 0) || !rows(ids[3], ids[4].size(), 4)) {
    throw nb::value_error("arrays don't fit");
  }
  const WithoutLock unlocked;
  return verify::check_strategy(model, dead_ends, {formula.ops, formula.left, formula.right, ids[0], root, labels},
                                {holds, starts, components, bottoms, ids[1], ids[2], ids[3], ids[4]}, initial,
                                [&] { unlocked.tick(tick, 0); });
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
  m.def("check_strategy", &check_game, "model"_a, "dead_ends"_a, "ops"_a, "left"_a, "right"_a, "priority"_a, "root"_a,
        "labels"_a, "holds"_a, "initial"_a, "starts"_a, "components"_a, "below"_a, "promise_offsets"_a, "promises"_a,
        "offsets"_a, "claims"_a, "tick"_a = nb::none(),
        "Checks a strategy for a formula of the mu-calculus in positive normal form. None, or the first fault.",
        nb::sig("def check_strategy(model: Model, dead_ends: DeadEnds, ops: memoryview, left: memoryview, "
                "right: memoryview, priority: memoryview, root: int, labels: collections.abc.Sequence[int], "
                "holds: bool, initial: collections.abc.Sequence[int], starts: collections.abc.Sequence[int], "
                "components: collections.abc.Sequence[int], below: memoryview, promise_offsets: memoryview, "
                "promises: memoryview, offsets: memoryview, claims: memoryview, "
                "tick: collections.abc.Callable[[int], None] | None = None) -> str | None"));
}

} // namespace pigro::bind
