// What the parts of the Python face share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <functional>
#include <optional>
#include <span>

#include "core/model.hpp"
#include "core/statics.hpp"

namespace pigro::bind {

namespace nb = nanobind;

using Ids = nb::ndarray<const core::Id, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Array>
auto view(const Array& array) {
  return std::span(array.data(), array.size());
}

using Tick = std::optional<nb::callable>;

// Lets Ctrl-C through, and the caller's own tick.
inline std::function<void(std::size_t)> ticker(const Tick& tick) {
  return [&tick](std::size_t bytes) {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (tick) (*tick)(bytes);
  };
}

// The model with what its formulas share.
struct SharedModel : core::Model {
  using Model::Model;
  explicit SharedModel(Model&& model) : Model(std::move(model)) {}
  core::StaticSummaries statics{*this};
};

void bind_evidence(nb::module_& m);
void bind_game(nb::module_& m);
void bind_onthefly(nb::module_& m);
void bind_verify(nb::module_& m);

} // namespace pigro::bind
