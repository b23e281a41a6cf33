// Heads by number: a control state with the symbol on top of the stack. Numbered in the order in which they first come.
//
// Most symbols come with one control state only. So the first head of a symbol is found by the symbol alone, without a
// hash, and only the others by the pair.
#pragma once

#include <cassert>
#include <vector>

#include "core/base/names.hpp"

namespace pigro::core {

class HeadTable {
 public:
  Id number(Id state, Id symbol) {
    assert(state >= 0 && symbol >= 0);
    if (!has_place(symbol)) first_.resize(static_cast<std::size_t>(symbol) + 1);
    First& first = first_[symbol];
    if (first.head == kNone) {
      first = {state, add(state, symbol)};
    } else if (first.state != state) {
      const Id fresh = others_.size();
      const Id found = others_.number(state, symbol);
      if (found == fresh) other_heads_.push_back(add(state, symbol));
      return other_heads_[found];
    }
    return first.head;
  }

  // kNone if there is no such head.
  Id find(Id state, Id symbol) const {
    if (!has_place(symbol)) return kNone;
    const First& first = first_[symbol];
    if (first.head == kNone || first.state == state) return first.head;
    const Id found = others_.find(state, symbol);
    return found < 0 ? kNone : other_heads_[found];
  }

  // Fetches from memory what `number` looks at first.
  void prefetch(Id symbol) const {
    if (has_place(symbol)) __builtin_prefetch(&first_[symbol]);
  }

  void reserve(std::size_t heads, std::size_t symbols) {
    states_.reserve(states_.size() + heads);
    symbols_.reserve(symbols_.size() + heads);
    first_.reserve(first_.size() + symbols);
  }

  const std::vector<Id>& states() const { return states_; }
  const std::vector<Id>& symbols() const { return symbols_; }
  Id state(Id head) const { return states_[head]; }
  Id symbol(Id head) const { return symbols_[head]; }
  Id size() const { return static_cast<Id>(states_.size()); }

 private:
  struct First {
    Id state = kNone, head = kNone;
  };

  bool has_place(Id symbol) const { return static_cast<std::size_t>(symbol) < first_.size(); }
  Id add(Id state, Id symbol) {
    states_.push_back(state);
    symbols_.push_back(symbol);
    return size() - 1;
  }

  std::vector<Id> states_, symbols_; // of heads
  std::vector<First> first_;         // of symbols
  PairTable others_;
  std::vector<Id> other_heads_;
};

} // namespace pigro::core
