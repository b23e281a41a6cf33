// Call stacks by number: a stack is a box on top of another stack, and every stack is there once.
#pragma once

#include <cassert>
#include <vector>

#include "verify/store.hpp"

namespace pigro::evidence {

using core::Id;
using core::kNone;

class Stacks {
 public:
  static constexpr Id kEmpty = 0;

  // How many stacks there are, the empty one included. Below each stack is one with a smaller number.
  Id size() const { return static_cast<Id>(rows_.size()); }
  Id below(Id stack) const { return rows_[stack].below; }
  Id box(Id stack) const { return rows_[stack].box; }

  // The stack with a box on top of another.
  Id push(Id below, Id box) {
    Id& known = above_(below, box);
    if (known == kNone) {
      known = size();
      rows_.push_back({below, box});
    }
    assert(below < known && known < size());
    return known;
  }

 private:
  struct Row {
    Id below;
    Id box;
  };
  std::vector<Row> rows_{{kNone, kNone}};
  verify::Table above_; // stack, box: stack
};

} // namespace pigro::evidence
