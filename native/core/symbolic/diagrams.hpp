// Boolean functions as reduced ordered decision diagrams: equal functions have equal numbers.
//
// Source: [Bryant1986]. Nodes are never removed, because callers limit the number of steps, and a step makes at most
// one node. Callers count their own work as steps too.
//
// Invariants:
//   D1  the variable of a node is smaller than those of its branches, and its number is larger than theirs.
//   D2  no two nodes are equal, and the branches of a node differ.
#pragma once

#include <unordered_map>

#include "core/base/ticker.hpp"

namespace pigro::core {

class Diagrams {
 public:
  // Thrown when all steps are used up.
  struct TooLarge {};
  static constexpr Id kFalse = 0;
  static constexpr Id kTrue = 1;
  static constexpr std::size_t kMostVariables = std::size_t{1} << 12; // functions here recurse over them

  Diagrams(Ticker& ticker, std::int64_t steps);

  // Needs: number < kMostVariables.
  Id variable(Id number) { return node(number, kFalse, kTrue); }
  Id negated(Id of) { return choice(of, kFalse, kTrue); }
  Id both(Id left, Id right) { return choice(left, right, kFalse); }
  Id either(Id left, Id right) { return choice(left, kTrue, right); }
  // `then` where the condition is true, otherwise `otherwise`.
  Id choice(Id condition, Id then, Id otherwise);
  // The function with `by[v]` in place of each variable v. Needs: an entry for each of its variables.
  Id replaced(Id of, const std::vector<Id>& by);
  // Needs: a bit for each of its variables.
  bool value(Id of, const std::vector<bool>& bits) const;

  std::size_t size() const { return nodes_.size(); }
  // One step more, of those that there may be. Throws TooLarge after the last one.
  void step();

 private:
  struct Node {
    Id variable;
    Id low;
    Id high;
  };
  struct Known {
    Id condition = kNone;
    Id then = kNone;
    Id otherwise = kNone;
    Id result = kNone;
  };

  Id node(Id variable, Id low, Id high);
  Id branch(Id of, Id variable, bool high) const;
  Id replace(Id of, const std::vector<Id>& by);
  Known& known(Id condition, Id then, Id otherwise);

  Ticker& ticker_;
  std::int64_t steps_left_;
  std::vector<Node> nodes_;
  Interner ids_;
  std::vector<Known> known_;            // results of `choice`, where a new one may take the place of an old one
  std::unordered_map<Id, Id> replaced_; // scratch of replaced
};

} // namespace pigro::core
