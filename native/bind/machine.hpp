// The machine that Python declares bit by bit.
#pragma once

#include <nanobind/nanobind.h>

#include "core/smv/machine.hpp"

namespace pigro::bind {

// Which constant argument of a plain rule hands the node over to Python.
enum class Fold : std::uint8_t { never, first, any_false };

// Ids are not the core's alone: they come from Python.
inline void require_well_formed(bool fine) {
  if (!fine) throw nanobind::value_error("malformed machine");
}

struct BoundMachine : core::smv::Machine {
  bool sealed = false;
  std::shared_ptr<core::smv::WideWords> wide;

  core::Id add(int op, const std::vector<core::Id>& args, core::smv::Value value, core::Id at) {
    require_well_formed(op >= 0 && op < static_cast<int>(core::smv::Op::last));
    if (op == static_cast<int>(core::smv::Op::slot) && sealed) {
      require_well_formed(value >= 0 && static_cast<std::size_t>(value) < slots());
    }
    return expressions.add(static_cast<core::smv::Op>(op), args, value, at);
  }
};

} // namespace pigro::bind
