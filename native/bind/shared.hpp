// What the parts of the Python face share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <span>
#include <vector>

#include "bind/lock.hpp"
#include "core/formula/formula.hpp"
#include "core/games/ways_out.hpp"
#include "core/levels/statics.hpp"
#include "core/model/model.hpp"

namespace pigro::bind {

namespace nb = nanobind;

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = Array<core::Id>;
using Bytes = Array<std::uint8_t>;

// What comes in is copied before it is validated: others may write to the array meanwhile, with or without the
// interpreter lock.
template <typename T>
std::vector<T> copy(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// Needs: the bytes, which never change, outlive the view.
inline std::span<const std::uint8_t> bytes_of(const nb::bytes& bytes) {
  return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// A formula in flat normal form, copied.
struct OwnFormula {
  OwnFormula(const Bytes& ops, const Ids& left, const Ids& right, const std::vector<core::Id>& atom_labels)
      : ops(copy(ops)), left(copy(left)), right(copy(right)), atom_labels(atom_labels) {}

  core::FlatFormula flat() const { return {ops, left, right, atom_labels}; }

  std::vector<std::uint8_t> ops;
  std::vector<core::Id> left, right, atom_labels;
};

// The model with what its formulas share.
struct SharedModel : core::Model {
  using Model::Model;
  explicit SharedModel(Model&& model) : Model(std::move(model)) {}
  core::StaticSummaries statics{*this};
  core::KeptWays ways; // for games
};

void bind_compiling(nb::module_& m);
void bind_contexts(nb::module_& m);
void bind_evidence(nb::module_& m);
void bind_game(nb::module_& m);
void bind_labelling(nb::module_& m);
void bind_onthefly(nb::module_& m);
void bind_pushdown(nb::module_& m);
void bind_reading(nb::module_& m);
void bind_smv(nb::module_& m);
void bind_smv_tables(nb::module_& m);
void bind_syntax(nb::module_& m);
void bind_verify(nb::module_& m);

} // namespace pigro::bind
