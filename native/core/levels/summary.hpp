// What a called entry can do by itself.
#pragma once

#include "core/base/bits.hpp"

namespace pigro::core {

struct Summary {
  bool hit;                    // it decides the operator, whatever waits behind the exits
  const Word* exits;           // the exits it reaches, by ordinal. Complete unless hit
  const Id* lengths = nullptr; // of static summaries, for shortest paths: the steps to each of these exits
};

} // namespace pigro::core
