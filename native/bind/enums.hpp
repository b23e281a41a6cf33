// Every number that has a name in both languages: Python writes it down by itself, and C++ believes what it reads.
//
// `pigro._core.ENUMS` is this table. tests/unit/native/test_enums.py compares it with the constants of the Python side,
// and with the declarations here, so that no value can be added or moved in one place alone. Enums that Python takes
// from `_core` are not listed: nanobind binds them by name.
#pragma once

#include "bind/machine.hpp"
#include "bind/shared.hpp"
#include "core/formula/obligations.hpp"
#include "core/games/game.hpp"
#include "evidence/opened.hpp"

namespace pigro::bind {

struct SharedNumber {
  const char* kind;
  const char* name;
  int value;

  template <typename Value>
  constexpr SharedNumber(const char* of, const char* called, Value is)
      : kind(of), name(called), value(static_cast<int>(is)) {}
};

inline constexpr SharedNumber kSharedNumbers[] = {
    // logic/simplify.py
    {"Op", "truth", core::Op::truth},
    {"Op", "atom", core::Op::atom},
    {"Op", "negation", core::Op::negation},
    {"Op", "conjunction", core::Op::conjunction},
    {"Op", "disjunction", core::Op::disjunction},
    {"Op", "next", core::Op::next},
    {"Op", "until", core::Op::until},
    {"Op", "globally", core::Op::globally},
    {"Op", "exists", core::Op::exists},
    {"Op", "path_next", core::Op::path_next},
    {"Op", "path_until", core::Op::path_until},
    {"Op", "path_release", core::Op::path_release},
    {"Op", "path_weak_next", core::Op::path_weak_next},
    {"Op", "path_tick", core::Op::path_tick},
    {"Op", "path_calm", core::Op::path_calm},
    {"Op", "path_thread", core::Op::path_thread},
    // logic/simplify.py, too: the checker shares nothing with the engines
    {"verify::Op", "truth", verify::Op::truth},
    {"verify::Op", "atom", verify::Op::atom},
    {"verify::Op", "negation", verify::Op::negation},
    {"verify::Op", "both", verify::Op::both},
    {"verify::Op", "either", verify::Op::either},
    {"verify::Op", "next", verify::Op::next},
    {"verify::Op", "until", verify::Op::until},
    {"verify::Op", "always", verify::Op::always},
    {"verify::Op", "exists", verify::Op::exists},
    {"verify::Op", "path_next", verify::Op::path_next},
    {"verify::Op", "path_until", verify::Op::path_until},
    {"verify::Op", "path_release", verify::Op::path_release},
    {"verify::Op", "path_weak_next", verify::Op::path_weak_next},
    {"verify::Op", "path_tick", verify::Op::path_tick},
    {"verify::Op", "path_calm", verify::Op::path_calm},
    {"verify::Op", "path_thread", verify::Op::path_thread},
    // certificates/path_reading.py
    {"SureKind", "value", verify::SureKind::value},
    {"SureKind", "way", verify::SureKind::way},
    {"SureKind", "live", verify::SureKind::live},
    {"SureKind", "loop", verify::SureKind::loop},
    // logic/positive.py
    {"PathOp", "truth", core::PathOp::truth},
    {"PathOp", "atom", core::PathOp::atom},
    {"PathOp", "negation", core::PathOp::negation},
    {"PathOp", "conjunction", core::PathOp::conjunction},
    {"PathOp", "disjunction", core::PathOp::disjunction},
    {"PathOp", "all", core::PathOp::all},
    {"PathOp", "next", core::PathOp::next},
    {"PathOp", "until", core::PathOp::until},
    {"PathOp", "release", core::PathOp::release},
    {"PathOp", "strong_next", core::PathOp::strong_next},
    {"PathOp", "tick", core::PathOp::tick},
    {"PathOp", "calm", core::PathOp::calm},
    {"PathOp", "thread", core::PathOp::thread},
    // logic/modal.py
    {"ModalOp", "yes", core::ModalOp::yes},
    {"ModalOp", "no", core::ModalOp::no},
    {"ModalOp", "atom", core::ModalOp::atom},
    {"ModalOp", "negated", core::ModalOp::negated},
    {"ModalOp", "conjunction", core::ModalOp::conjunction},
    {"ModalOp", "disjunction", core::ModalOp::disjunction},
    {"ModalOp", "diamond", core::ModalOp::diamond},
    {"ModalOp", "box", core::ModalOp::box},
    {"ModalOp", "mu", core::ModalOp::mu},
    {"ModalOp", "nu", core::ModalOp::nu},
    {"ModalOp", "variable", core::ModalOp::variable},
    // engines/game/solver.py
    {"Colour", "no", core::Colour::no},
    {"Colour", "yes", core::Colour::yes},
    {"Colour", "maybe", core::Colour::maybe},
    {"Colour", "none", core::Colour::none},
    // evidence/following.py
    {"Value", "unknown", evidence::Value::unknown},
    {"Value", "yes", evidence::Value::yes},
    {"Value", "no", evidence::Value::no},
    // formats/smv/operators.py
    {"Fold", "never", Fold::never},
    {"Fold", "first", Fold::first},
    {"Fold", "any_false", Fold::any_false},
    // and those that stand alone
    {"constants", "kNone", core::kNone},           // all over: no such id
    {"constants", "kEntryFlag", core::kEntryFlag}, // model/assembly.py
    {"constants", "kExitFlag", core::kExitFlag},
    {"constants", "kOpen", core::kOpen}, // engines/game/solver.py
    {"constants", "kTie", core::kTie},
    {"constants", "kUnknown", core::kUnknown}, // model/part.py
    {"constants", "kUnseen", core::kUnseen},   // engines/game/setting.py
    {"constants", "kIdle", core::Game::kIdle}, // model/part.py: LOCAL
};

inline nb::dict enums() {
  nb::dict made;
  for (const SharedNumber& each : kSharedNumbers) {
    if (!made.contains(each.kind)) made[each.kind] = nb::dict();
    nb::borrow<nb::dict>(made[each.kind])[each.name] = each.value;
  }
  return made;
}

} // namespace pigro::bind
