// Which blocks are known for an entry? Those of the section at hand, by argument and entry, and the
// lemmas, by operator and entry.
#pragma once

#include <algorithm>
#include <vector>

#include "verify/store.hpp"

namespace pigro::verify {

class Facts {
 public:
  struct Fact {
    const Word* exits;
    Id next; // for the same pair
  };

  void clear() {
    head_.clear();
    facts_.clear();
  }

  // The first fact for the pair, or kNone; the others by `next`.
  Id find(Id about, Id entry) const { return head_.find(about, entry); }
  const Fact& operator[](Id fact) const { return facts_[fact]; }

  // Adds a bound block: only the first counts.
  void add_first(Id about, Id entry, const Word* exits) {
    Id& head = head_(about, entry);
    if (head != kNone) return;
    head = static_cast<Id>(facts_.size());
    facts_.push_back({exits, kNone});
  }

  // Adds a sure block: all count, but two with the same set are one. With at most one exit each,
  // there are no more of them than exits, and one.
  void add(Id about, Id entry, const Word* exits, std::size_t words) {
    Id& head = head_(about, entry);
    for (Id fact = head; fact != kNone; fact = facts_[fact].next) {
      if (std::equal(exits, exits + words, facts_[fact].exits)) return;
    }
    facts_.push_back({exits, head});
    head = static_cast<Id>(facts_.size()) - 1;
  }

 private:
  Table head_;
  std::vector<Fact> facts_;
};

// Sure and bound blocks.
struct Known {
  Facts sure;
  Facts bound;
};

} // namespace pigro::verify
