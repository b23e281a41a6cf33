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

void Pushdown::drop_stray_labels() {
  std::vector<std::uint8_t> occurs(static_cast<std::size_t>(names.size()));
  for (const std::vector<Id>* const column : std::initializer_list<const std::vector<Id>*>{
           &heads.states(), &heads.symbols(), &word_state, &word_symbols, &initial_stack}) {
    for (const Id name : *column) occurs[name] = 1;
  }
  if (initial_state >= 0) occurs[initial_state] = 1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (occurs[label_owner[i]] == 0) continue;
    label_owner[kept] = label_owner[i];
    label[kept++] = label[i];
  }
  label_owner.resize(kept);
  label.resize(kept);
  kept = 0;
  for (std::size_t i = 0; i < head_label.size(); ++i) {
    if (occurs[head_label_state[i]] == 0 || occurs[head_label_symbol[i]] == 0) continue;
    head_label_state[kept] = head_label_state[i];
    head_label_symbol[kept] = head_label_symbol[i];
    head_label[kept++] = head_label[i];
  }
  for (auto* const column : {&head_label_state, &head_label_symbol, &head_label}) column->resize(kept);
}

} // namespace pigro::core
