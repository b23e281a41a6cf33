// A model with its names, as a file has them.
#pragma once

#include <memory>
#include <string>

#include "bind/texts.hpp"
#include "core/model/named_arrays.hpp"

namespace pigro::bind {

struct FileModel {
  nb::object core;
  std::vector<core::Id> initial;
  HeldTexts components, nodes, boxes, labels;
  std::vector<std::string> other_keys;
  std::string semantics, dead_ends;

  FileModel(std::unique_ptr<SharedModel> model, core::NamedArrays&& file)
      : core(nb::cast(model.release(), nb::rv_policy::take_ownership)),
        initial(std::move(file.initial)),
        components(std::move(file.components)),
        nodes(std::move(file.nodes)),
        boxes(std::move(file.boxes)),
        labels(std::move(file.labels)),
        other_keys(std::move(file.other_keys)),
        semantics(std::move(file.semantics)),
        dead_ends(std::move(file.dead_ends)) {}
};

} // namespace pigro::bind
