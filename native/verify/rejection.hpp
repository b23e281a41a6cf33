// The first rule that a section breaks.
#pragma once

#include <string>

#include "verify/section.hpp"

namespace pigro::verify {

inline constexpr int kPathRules = 100; // added to the numbers of K0 to K10

// The first fault of a section that is well formed.
struct Rejection {
  int rule;
  Id level; // from 0
  const char* what;
  Id index;
  Id node = kNone;

  std::string text(Kind kind) const;
};

} // namespace pigro::verify
