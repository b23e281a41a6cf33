// The arrays of a model with all names, as a file gives them.
#pragma once

#include <string>
#include <vector>

#include "core/base/texts.hpp"
#include "core/model/unflatten.hpp"

namespace pigro::core {

struct NamedArrays {
  RawArrays arrays;
  std::vector<Id> initial; // declared nodes
  JoinedTexts components, nodes, boxes, labels;
  std::vector<std::string> other_keys; // some of the keys that the reader does not know, each once
  std::string semantics, dead_ends;    // how the file says that it is to be read. Empty if it does not
};

} // namespace pigro::core
