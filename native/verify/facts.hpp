// Which blocks are known for an entry? Those of the section at hand, by operand context and entry, and the
// lemmas, by operator and entry.
#pragma once

#include <bit>
#include <vector>

#include "verify/store.hpp"

namespace pigro::verify {

class Facts {
 public:
  struct Fact {
    const Word* exits;
    Id next;  // for the same pair
    Id chain; // the first fact for the pair
  };

  void clear() {
    head_.clear();
    present_.clear();
    facts_.clear();
  }

  // A fact for the pair, or kNone. The others by `next`.
  Id find(Id about, Id entry) const { return head_.find(about, entry); }
  const Fact& operator[](Id fact) const { return facts_[fact]; }

  // Adds a bound block: only the first counts.
  void add_first(Id about, Id entry, const Word* exits) {
    Id& head = head_(about, entry);
    assert(head == kNone || facts_[head].chain == head);
    if (head != kNone) return;
    head = static_cast<Id>(facts_.size());
    facts_.push_back({exits, kNone, head});
  }

  // Adds a sure block: all count, but two with the same set are one. `only` is its exit, or kNone: with
  // at most one exit each, there are no more of them than exits, and one.
  void add(Id about, Id entry, const Word* exits, Id only) {
    Id& head = head_(about, entry);
    const Id chain = head == kNone ? static_cast<Id>(facts_.size()) : facts_[head].chain;
    assert(head == kNone || facts_[chain].next == kNone); // the first fact ends the chain
    Id& present = present_(chain, only);
    if (present != kNone) return;
    present = static_cast<Id>(facts_.size());
    facts_.push_back({exits, head, chain});
    head = present;
  }

 private:
  Table head_;    // about, entry: the last fact
  Table present_; // chain, exit: the fact
  std::vector<Fact> facts_;
};

// The least member of a bit set, or kNone.
inline Id first_of(const Word* bits, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    if (bits[i] != 0) return static_cast<Id>(i * core::kWordBits) + std::countr_zero(bits[i]);
  }
  return kNone;
}

// Sure and bound blocks.
struct Known {
  Facts sure;
  Facts bound;
};

} // namespace pigro::verify
