// The arrays of a model with all names, as a file gives them.
#pragma once

#include <vector>

#include "core/base/texts.hpp"
#include "core/model/unflatten.hpp"

namespace pigro::core {

struct NamedArrays {
  RawArrays arrays;
  std::vector<Id> initial; // declared nodes
  JoinedTexts components, nodes, boxes, labels;
};

} // namespace pigro::core
