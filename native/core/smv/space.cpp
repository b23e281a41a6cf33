#include "core/smv/space.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>

namespace pigro::core::smv {

Space::Space(const Machine& machine, Ticker& ticker, bool anywhere)
    : machine_(machine),
      ticker_(ticker),
      work_(1 + std::min(machine.expressions.size() / 64, 1024)),
      anywhere_(anywhere),
      evaluator_(machine.expressions),
      starting_(machine, evaluator_, &ticker),
      stepping_(machine, evaluator_, &ticker),
      values_(machine.slots(), kUnknown) {
  std::size_t bit = 0;
  for (Id i = 0; i < machine.variables; ++i) {
    const std::uint64_t count = machine.domains[i].count();
    const auto width = static_cast<std::size_t>(std::bit_width(count - 1));
    if (bit % kWordBits + width > kWordBits) bit += kWordBits - bit % kWordBits;
    fields_.push_back({static_cast<std::uint32_t>(bit / kWordBits), static_cast<std::uint8_t>(bit % kWordBits),
                       static_cast<std::uint8_t>(width)});
    bit += width;
  }
  words_ = std::max<std::size_t>(1, words_for(bit));
  key_.resize(words_);
}

Value Space::value(Id state, Id variable) const {
  const Field field = fields_[variable];
  const Domain& domain = machine_.domains[variable];
  if (field.width == 0) return domain.value(0);
  const Word bits = words(state)[field.word] >> field.shift;
  return domain.value(field.width == kWordBits ? bits : bits & ((Word{1} << field.width) - 1));
}

bool Space::is_exit(Id state) const {
  if (!machine_.has_exit || machine_.variables == 0) return false;
  for (Id i = 0; i < machine_.variables; ++i) {
    if (value(state, i) != kExit) return false;
  }
  return true;
}

void Space::unpack(Id state) {
  if (unpacked_ == state) return;
  for (Id i = 0; i < machine_.variables; ++i) values_[i] = value(state, i);
  unpacked_ = state;
  evaluator_.state_changed();
  evaluator_.slot_changed();
  stepping_from_ = kNone; // its memory is of another state
}

bool Space::holds(Id state, Id condition) {
  unpack(state);
  evaluator_.state_changed();
  stepping_from_ = kNone;
  return evaluator_.value(condition, values_.data()) == kTrue;
}

Id Space::number(std::span<const Value> values) {
  std::ranges::fill(key_, 0);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    key_[fields_[i].word] |= machine_.domains[i].index(values[i]) << fields_[i].shift;
  }
  std::uint64_t hash = 0;
  for (const Word word : key_) hash = mix(hash, word);
  const std::size_t grown = slots_.bytes_to_grow();
  if (grown >= kLarge) ticker_.before_allocating(grown);
  const Id found = slots_.find_or_add(static_cast<std::uint32_t>(hash >> 7), size_,
                                      [&](Id id) { return std::equal(key_.begin(), key_.end(), words(id)); });
  if (found == size_) {
    if (size_ == std::numeric_limits<Id>::max() - 1) throw std::length_error("states");
    for (const Word word : key_) ticker_.push(packed_, word);
    ++size_;
  }
  return found;
}

Id Space::initial(std::size_t position) {
  while (position >= starts_.size() && !all_started_) {
    ticker_.poll(8 * work_);
    if (!started_) {
      started_ = true;
      evaluator_.state_changed();
      evaluator_.slot_changed();
      all_started_ = !std::ranges::all_of(machine_.initial_checks,
                                          [&](Id each) { return evaluator_.value(each, values_.data()) == kTrue; });
      if (all_started_) break;
      starting_.start(machine_.initial, {}, anywhere_ ? 1 : 0);
    }
    stepping_from_ = kNone;
    evaluator_.slot_changed();
    evaluator_.state_changed();
    if (!starting_.advance()) {
      all_started_ = true;
      break;
    }
    const Id state = number(starting_.chosen());
    if (is_start_.size() <= static_cast<std::size_t>(state)) is_start_.resize(static_cast<std::size_t>(state) + 1);
    if (is_start_[state]) continue;
    is_start_[state] = true;
    starts_.push_back(state);
  }
  return position < starts_.size() ? starts_[position] : kNone;
}

// Whether there can be a step at all.
bool Space::begin_step(Id state, std::uint64_t seed) {
  unpack(state);
  if (is_exit(state)) return false;
  stepping_.start(machine_.step, std::span(values_).first(static_cast<std::size_t>(machine_.variables)), seed);
  return std::ranges::all_of(machine_.step_checks,
                             [&](Id each) { return evaluator_.value(each, values_.data()) == kTrue; });
}

void Space::all_next(Id state, std::vector<Id>& found, Bounds bounds) {
  found.clear();
  stepping_from_ = kNone;
  if (begin_step(state, 0)) {
    while (stepping_.advance()) {
      ticker_.poll(work_);
      found.push_back(number(stepping_.chosen()));
      if (size_ > bounds.states) throw std::length_error("states");
      if (static_cast<std::int64_t>(found.size()) > bounds.edges) throw std::length_error("edges");
      if (found.size() % (1U << 16) == 0) { // inputs may lead to the same states again and again
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
      }
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

std::span<const Id> Space::next(Id state, std::size_t position) {
  if (static_cast<std::size_t>(state) >= row_of_.size()) row_of_.resize(static_cast<std::size_t>(size_));
  if (row_of_[state] == kNotMade) {
    LongRow row;
    extend(row, state);
    if (!row.complete || !store(state, row)) {
      row_of_[state] = kIsLong;
      long_rows_.emplace(state, std::move(row));
    }
  }
  if (row_of_[state] == kIsLong) {
    LongRow& row = long_rows_.at(state);
    while (position >= row.states.size() && !row.complete) extend(row, state);
    if (!row.complete || !store(state, row)) return row.states;
    long_rows_.erase(state);
  }
  const Id* row = rows_.data() + row_of_[state];
  return {row + 1, static_cast<std::size_t>(*row)};
}

// Rows that are complete stand one after the other. False if there are too many of them.
bool Space::store(Id state, const LongRow& row) {
  assert(row.complete);
  const std::size_t at = std::max<std::size_t>(rows_.size(), kIsLong + 1);
  if (at + row.states.size() >= std::numeric_limits<std::uint32_t>::max()) return false;
  rows_.resize(at);
  ticker_.push(rows_, static_cast<Id>(row.states.size()));
  for (const Id each : row.states) ticker_.push(rows_, each);
  row_of_[state] = static_cast<std::uint32_t>(at);
  return true;
}

void Space::extend(LongRow& row, Id state) {
  std::uint64_t seed = 1;
  for (std::size_t i = 0; i < words_; ++i) seed = mix(seed, words(state)[i]);
  seed |= 1U;
  if (stepping_from_ != state) {
    if (!begin_step(state, seed)) {
      row.complete = true;
      return;
    }
    if (!row.place.empty()) stepping_.resume(row.place);
  }
  stepping_from_ = state;
  const std::size_t before = row.states.size();
  std::vector<Id> sorted = row.states; // to find repeats
  std::ranges::sort(sorted);
  while (row.states.size() - before < row.batch) {
    ticker_.poll(work_);
    if (!stepping_.advance()) {
      row.complete = true;
      stepping_from_ = kNone;
      return;
    }
    const Id after = number(stepping_.chosen());
    if (std::find(row.states.begin() + static_cast<std::ptrdiff_t>(before), row.states.end(), after) !=
            row.states.end() ||
        std::ranges::binary_search(sorted, after)) {
      continue;
    }
    row.states.push_back(after);
  }
  row.place = stepping_.place();
  if (row.batch == kManySteps) sample(row, state, seed);
  row.batch = std::min<std::size_t>(2 * row.batch, 1024);
}

// Takes states from all over a long row: neighbours differ in the variables that are chosen last.
void Space::sample(LongRow& row, Id state, std::uint64_t seed) {
  for (std::uint64_t i = 1; i <= kManySteps; ++i) {
    if (!begin_step(state, mix(seed, i) | 1U) || !stepping_.advance()) break;
    const Id after = number(stepping_.chosen());
    if (std::ranges::find(row.states, after) == row.states.end()) row.states.push_back(after);
  }
  stepping_from_ = kNone;
}

std::vector<Id> Reachable::sources() const {
  std::vector<Id> made;
  made.reserve(steps->ids.size());
  for (std::size_t state = 0; state < steps->size(); ++state) {
    made.resize(static_cast<std::size_t>(steps->offsets[state + 1]), static_cast<Id>(state));
  }
  return made;
}

Reachable explore(Space& space, Ticker& ticker, Bounds bounds) {
  Reachable found;
  Rows steps;
  bounds.edges = std::min<std::int64_t>(bounds.edges, std::numeric_limits<Id>::max());
  for (std::size_t i = 0; space.initial(i) != kNone; ++i) {
    if (space.size() > bounds.states) throw std::length_error("states");
  }
  found.initial = space.size();
  std::vector<Id> row;
  for (Id state = 0; state < space.size(); ++state) {
    ticker.poll(8);
    space.all_next(state, row, bounds);
    const bool is_exit = space.is_exit(state);
    if (is_exit) found.exit = state;
    assert(!is_exit || row.empty());
    if (row.empty() && !is_exit && found.dead_ends++ == 0) found.first_dead_end = state;
    for (const Id after : row) ticker.push(steps.ids, after);
    if (static_cast<std::int64_t>(steps.ids.size()) > bounds.edges) throw std::length_error("edges");
    ticker.push(steps.offsets, static_cast<Id>(steps.ids.size()));
  }
  assert(steps.size() == static_cast<std::size_t>(space.size()));
  space.keep_values_only();
  steps.offsets.shrink_to_fit();
  steps.ids.shrink_to_fit();
  found.steps = std::make_shared<const Rows>(std::move(steps));
  return found;
}

} // namespace pigro::core::smv
