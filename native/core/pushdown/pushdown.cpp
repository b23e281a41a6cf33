#include "core/pushdown/pushdown.hpp"

namespace pigro::core {

void Pushdown::reserve(std::size_t bytes) {
  names.reserve(bytes / 64);
  heads.reserve(bytes / 64, bytes / 64);
  for (auto* const column : {&sources, &targets, &rule_lines, &label_owner, &label}) {
    column->reserve(column->size() + bytes / 64);
  }
}

void Pushdown::add_rule(Id state, Id symbol, Id after, std::span<const Id> word, Id line) {
  sources.push_back(heads.number(state, symbol));
  rule_lines.push_back(line);
  if (word.size() == 1) {
    targets.push_back(heads.number(after, word[0]));
    return;
  }
  targets.push_back(~static_cast<Id>(word_state.size()));
  word_state.push_back(after);
  word_symbols.insert(word_symbols.end(), word.begin(), word.end());
  word_offsets.push_back(static_cast<Id>(word_symbols.size()));
}

} // namespace pigro::core
