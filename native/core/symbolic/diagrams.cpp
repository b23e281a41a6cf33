#include "core/symbolic/diagrams.hpp"

#include <algorithm>
#include <limits>

namespace pigro::core {

namespace {

constexpr std::size_t kFirstResults = std::size_t{1} << 10;

} // namespace

Diagrams::Diagrams(Ticker& ticker, std::int64_t steps)
    : ticker_(ticker), steps_left_(steps), ids_(ticker.allocation_guard()), known_(kFirstResults) {
  constexpr Id kLast = std::numeric_limits<Id>::max(); // constants come after all variables
  nodes_.push_back({kLast, kFalse, kFalse});
  nodes_.push_back({kLast, kTrue, kTrue});
  for (const Id constant : {kFalse, kTrue}) {
    ids_.intern(mix(0, static_cast<std::uint64_t>(constant)), [](Id) { return false; }, [&] { return constant; });
  }
}

void Diagrams::step() {
  ticker_.poll();
  if (--steps_left_ < 0) throw TooLarge{};
}

Id Diagrams::node(Id variable, Id low, Id high) {
  assert(static_cast<std::size_t>(variable) < kMostVariables);
  assert(variable < nodes_[low].variable && variable < nodes_[high].variable); // D1
  if (low == high) return low;                                                 // D2
  std::uint64_t hash = mix(static_cast<std::uint64_t>(variable) + 1, static_cast<std::uint64_t>(low));
  hash = mix(hash, static_cast<std::uint64_t>(high));
  return ids_.intern(
      hash,
      [&](Id id) {
        const Node& other = nodes_[id];
        return other.variable == variable && other.low == low && other.high == high;
      },
      [&] {
        ticker_.push(nodes_, {variable, low, high});
        return static_cast<Id>(nodes_.size() - 1);
      });
}

Id Diagrams::branch(Id of, Id variable, bool high) const {
  const Node& at = nodes_[of];
  if (at.variable != variable) return of;
  return high ? at.high : at.low;
}

Diagrams::Known& Diagrams::known(Id condition, Id then, Id otherwise) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(condition), static_cast<std::uint64_t>(then));
  hash = mix(hash, static_cast<std::uint64_t>(otherwise));
  return known_[hash & (known_.size() - 1)];
}

Id Diagrams::choice(Id condition, Id then, Id otherwise) {
  if (condition == kTrue || then == otherwise) return then;
  if (condition == kFalse) return otherwise;
  if (then == condition) then = kTrue;
  if (otherwise == condition) otherwise = kFalse;
  if (then == kTrue && otherwise == kFalse) return condition;
  const Known& found = known(condition, then, otherwise);
  if (found.condition == condition && found.then == then && found.otherwise == otherwise) return found.result;
  step();
  const Id variable = std::min({nodes_[condition].variable, nodes_[then].variable, nodes_[otherwise].variable});
  const auto half = [&](bool high) {
    return choice(branch(condition, variable, high), branch(then, variable, high), branch(otherwise, variable, high));
  };
  const Id low = half(false);
  const Id high = half(true);
  const Id result = node(variable, low, high);
  if (nodes_.size() > known_.size()) {
    ticker_.before_allocating(known_.size() * 2 * sizeof(Known));
    known_.assign(known_.size() * 2, {});
  }
  known(condition, then, otherwise) = {condition, then, otherwise, result};
  return result;
}

Id Diagrams::replaced(Id of, const std::vector<Id>& by) {
  if (of == kFalse || of == kTrue) return of;
  constexpr std::size_t kManyBuckets = 1024; // clearing goes through all of them
  if (replaced_.bucket_count() > kManyBuckets) replaced_ = {};
  replaced_.clear();
  return replace(of, by);
}

Id Diagrams::replace(Id of, const std::vector<Id>& by) {
  if (of == kFalse || of == kTrue) return of;
  const auto found = replaced_.find(of);
  if (found != replaced_.end()) return found->second;
  step();
  const Node at = nodes_[of];
  assert(static_cast<std::size_t>(at.variable) < by.size() && by[at.variable] != kNone);
  const Id low = replace(at.low, by);
  const Id high = replace(at.high, by);
  return replaced_[of] = choice(by[at.variable], high, low);
}

bool Diagrams::value(Id of, const std::vector<bool>& bits) const {
  while (of != kFalse && of != kTrue) {
    const Node& at = nodes_[of];
    assert(static_cast<std::size_t>(at.variable) < bits.size());
    of = bits[at.variable] ? at.high : at.low;
  }
  return of == kTrue;
}

} // namespace pigro::core
