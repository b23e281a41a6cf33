// What a called entry can do by itself.
#pragma once

#include "core/bits.hpp"

namespace pigro::core {

struct Summary {
  bool hit;          // it decides the operator, whatever waits behind the exits
  const Word* exits; // the exits it reaches, by ordinal; complete unless hit
};

} // namespace pigro::core
