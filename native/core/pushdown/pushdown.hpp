// Pushdown systems by number.
//
// A head is a control state with a symbol. A rule leads from a head to a head, or to ~k for the k-th word: a control
// state with zero, two or more symbols, the top of the stack first. Names of control states, symbols and labels share
// one table. Number 0 is the empty name, which stands for the empty stack where a symbol is expected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pushdown/heads.hpp"
#include "core/pushdown/pushdown_names.hpp"

namespace pigro::core {

struct Pushdown {
  PushdownNames names;
  HeadTable heads;
  std::vector<Id> sources, targets;
  std::vector<Id> rule_lines; // of rules: the line in the file, from 1 on. 0 if it is not known
  std::vector<Id> word_state, word_offsets{0}, word_symbols;
  std::vector<Id> label_owner, label; // of names: which name carries which label
  std::vector<Id> head_label_state, head_label_symbol, head_label;
  Id initial_state = -1;
  std::vector<Id> initial_stack;

  std::span<const Id> word(Id target) const {
    const auto k = static_cast<std::size_t>(~target);
    return std::span(word_symbols).subspan(word_offsets[k], word_offsets[k + 1] - word_offsets[k]);
  }
  // Room for the rules, names and labels that a text of so many bytes is likely to have. Pages that no rule comes to
  // are not touched, while columns that grow are copied.
  void reserve(std::size_t bytes);
  void add_rule(Id state, Id symbol, Id after, std::span<const Id> word, Id line = 0);
  // Forgets labels of names that are in no rule and not in the initial configuration: no configuration carries them.
  void drop_stray_labels();
};

} // namespace pigro::core
