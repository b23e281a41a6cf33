#include "core/smv/machine.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace pigro::core::smv {

namespace {

// A number that looks random, for each depth another one.
std::uint64_t scattered(std::uint64_t seed, std::size_t depth) {
  std::uint64_t x = seed ^ ((depth + 1) * 0x9E3779B97F4A7C15U);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return (x ^ (x >> 31)) >> 8;
}

} // namespace

bool Domain::contains(Value value) const {
  if (bits == 0 || value == kExit) return index(value) != kMissing;
  if (!is_integer(value) && !is_wide(value)) return false;
  const WideNumber number = wide->number(value);
  const WideNumber half = WideNumber{1} << ((bits < 0 ? -bits : bits) - 1);
  return bits < 0 ? number >= -half && number < half : number >= 0 && number < 2 * half;
}

Value Domain::word(std::uint64_t index) const {
  if (bits > 0) return wide->value(WideNumber{index});
  const int unused = 64 + bits;
  return wide->value(WideNumber{static_cast<std::int64_t>(index << unused) >> unused});
}

std::uint64_t Domain::index(Value value) const {
  if (value == kExit && has_exit) return size;
  if (bits != 0) {
    assert(contains(value));
    const int unused = 64 - (bits < 0 ? -bits : bits);
    return static_cast<std::uint64_t>(wide->number(value)) << unused >> unused;
  }
  if (listed.empty()) {
    const std::uint64_t distance = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low);
    return value >= low && distance < size ? distance : kMissing;
  }
  const auto found = std::ranges::lower_bound(listed, value);
  if (found == listed.end() || *found != value) return kMissing;
  return static_cast<std::uint64_t>(found - listed.begin());
}

void Machine::check() const {
  const auto need = [](bool fine) {
    if (!fine) throw std::invalid_argument("malformed machine");
  };
  need(variables >= 0 && static_cast<std::size_t>(variables) <= domains.size());
  for (const Domain& each : domains) {
    need(each.size > 0 && (each.listed.empty() || each.listed.size() == each.size));
    need(each.bits == 0 || (each.wide && each.bits >= -64 && each.bits <= 64 && !(each.has_exit && each.count() == 0)));
    need(std::ranges::is_sorted(each.listed, std::less_equal<>()) || each.listed.size() <= 1);
  }
  for (const Plan* plan : {&initial, &step}) {
    std::vector<bool> seen(slots());
    for (const Choice& each : *plan) {
      need(each.slot >= variables && static_cast<std::size_t>(each.slot) < slots() && !seen[each.slot]);
      seen[each.slot] = true;
      const Id place = each.slot - variables;
      need(each.domain == place);
      need(each.right_side >= kNone && each.right_side < expressions.size());
      for (const auto* constraints : {&each.open, &each.decided}) {
        for (const Id constraint : *constraints) {
          need(constraint >= 0 && constraint < expressions.size() && !expressions.node(constraint).is_set);
        }
      }
    }
    for (Id i = variables; i < 2 * variables; ++i) need(seen[i]);
  }
  for (Id id = 0; id < expressions.size(); ++id) {
    const Expressions::Node& node = expressions.node(id);
    need(node.op != Op::slot || static_cast<std::size_t>(node.value) < slots());
  }
}

void Machine::find_equations() {
  for (Plan* plan : {&initial, &step}) {
    for (Choice& choice : *plan) {
      if (choice.right_side != kNone) continue;
      for (const Id constraint : choice.decided) {
        if (choice.same_as == kNone) choice.same_as = equation(constraint, choice.slot);
      }
    }
  }
}

// The value that the constraint gives the slot, or kNone if the constraint is no equation, or the slot is on both
// sides.
Id Machine::equation(Id constraint, Id slot) const {
  const auto inside = [&](Id id) {
    while (expressions.node(id).op == Op::remember) id = expressions.args(expressions.node(id))[0];
    return id;
  };
  const Expressions::Node& node = expressions.node(inside(constraint));
  if (node.op != Op::equal) return kNone;
  for (const std::size_t side : {0U, 1U}) {
    const Id other = expressions.args(node)[1 - side];
    const Expressions::Node& alone = expressions.node(inside(expressions.args(node)[side]));
    if (alone.op == Op::slot && alone.value == slot && !may_read(other, slot)) return other;
  }
  return kNone;
}

// Whether an expression reads a slot, or is so large that this is not found out.
bool Machine::may_read(Id expression, Id slot) const {
  constexpr std::size_t kMost = 10'000;
  std::unordered_set<Id> seen{expression};
  std::vector<Id> pending{expression};
  while (!pending.empty()) {
    const Expressions::Node& node = expressions.node(pending.back());
    pending.pop_back();
    if ((node.op == Op::slot && node.value == slot) || seen.size() > kMost) return true;
    for (const Id arg : expressions.args(node)) {
      if (seen.insert(arg).second) pending.push_back(arg);
    }
  }
  return false;
}

Choosing::Choosing(const Machine& machine, Evaluator& evaluator, Ticker* ticker)
    : machine_(machine),
      evaluator_(evaluator),
      ticker_(ticker),
      slots_(machine.slots(), kUnknown),
      levels_(std::max(machine.initial.size(), machine.step.size())) {}

void Choosing::start(const Plan& plan, std::span<const Value> current, std::uint64_t seed) {
  plan_ = &plan;
  is_step_ = !current.empty();
  seed_ = seed;
  std::ranges::fill(slots_, kUnknown);
  std::ranges::copy(current, slots_.begin());
  evaluator_.state_changed();
  evaluator_.slot_changed();
  depth_ = 0;
  begun_ = false;
}

bool Choosing::advance() {
  const std::size_t levels = plan_->size();
  if (!begun_) {
    begun_ = true;
    if (levels == 0) return true;
    enter(0);
  } else {
    if (levels == 0) return false;
    depth_ = levels - 1;
  }
  while (true) {
    if (!take(depth_)) {
      if (depth_ == 0) return false;
      --depth_;
    } else if (++depth_ == levels) {
      return true;
    } else {
      enter(depth_);
    }
  }
}

void Choosing::enter(std::size_t depth) {
  const Choice& choice = (*plan_)[depth];
  Level& level = levels_[depth];
  const Domain& domain = machine_.domains[choice.domain];
  level.next = 0;
  level.first = 0;
  slots_[choice.slot] = kUnknown;
  evaluator_.slot_changed();
  const Id now = choice.slot - machine_.variables;
  if (is_step_ && machine_.has_exit && now < machine_.variables && slots_[now] == kExit) {
    level.values.assign(1, kExit);
    level.count = 1;
    if (!wanted_.empty()) restrict_to(level, domain, wanted_[now]);
    return;
  }
  if (choice.right_side == kNone) {
    level.values.clear();
    level.count = domain.size; // EXIT must be asked for
    if (choice.same_as != kNone) solve(choice, level);
  } else {
    evaluator_.values(choice.right_side, slots_.data(), level.values);
    level.count = level.values.size();
    for (const Value value : level.values) {
      if (domain.contains(value)) continue;
      Fault fault{.kind = Fault::Kind::outside, .at = choice.at, .first = value, .variable = choice.domain};
      if (is_step_) fault.state.assign(slots_.begin(), slots_.begin() + machine_.variables);
      throw fault;
    }
  }
  if (!wanted_.empty() && now < machine_.variables) restrict_to(level, domain, wanted_[now]);
  if (seed_ != 0 && level.count > 1) level.first = scattered(seed_, depth) % level.count;
}

// Leaves the one value that an equation allows, or none. The equation itself is looked at later, with the others.
void Choosing::solve(const Choice& choice, Level& level) {
  try {
    const Value value = evaluator_.value(choice.same_as, slots_.data());
    level.values.assign(1, value);
    level.count = value != kExit && machine_.domains[choice.domain].contains(value) ? 1 : 0;
  } catch (const Fault&) { // the other constraints may forbid all values before anyone comes to the equation
  }
}

void Choosing::restrict_to(Level& level, const Domain& domain, Value wanted) const {
  const bool any = level.values.empty() && (wanted != kExit || level.count > domain.size);
  const bool fine = any ? domain.contains(wanted) : std::ranges::find(level.values, wanted) != level.values.end();
  level.values.assign(1, wanted);
  level.count = fine && level.count > 0 ? 1 : 0;
}

void Choosing::put(std::size_t depth, std::uint64_t tried) {
  const Choice& choice = (*plan_)[depth];
  Level& level = levels_[depth];
  std::uint64_t index = level.first + tried;
  if (index >= level.count) index -= level.count;
  slots_[choice.slot] = level.values.empty() ? machine_.domains[choice.domain].value(index) : level.values[index];
  evaluator_.slot_changed();
}

bool Choosing::take(std::size_t depth) {
  const Choice& choice = (*plan_)[depth];
  Level& level = levels_[depth];
  const int work = static_cast<int>(choice.open.size() + choice.decided.size()) + 1;
  while (level.next < level.count) {
    if (ticker_ != nullptr) ticker_->poll(work);
    put(depth, level.next++);
    if (allowed(choice)) return true;
  }
  slots_[choice.slot] = kUnknown;
  return false;
}

bool Choosing::allowed(const Choice& choice) {
  const auto possible = [&](Id each) {
    const Value known = evaluator_.maybe(each, slots_.data());
    return known == kUnknown || known == kTrue;
  };
  const auto holds = [&](Id each) { return evaluator_.value(each, slots_.data()) == kTrue; };
  return std::ranges::all_of(choice.open, possible) && std::ranges::all_of(choice.decided, holds);
}

std::vector<std::uint64_t> Choosing::place() const {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < plan_->size(); ++i) found.push_back(levels_[i].next);
  return found;
}

void Choosing::resume(std::span<const std::uint64_t> place) {
  begun_ = true;
  for (std::size_t i = 0; i < place.size(); ++i) {
    enter(i);
    levels_[i].next = place[i];
    put(i, place[i] - 1);
  }
  depth_ = place.size();
}

} // namespace pigro::core::smv
