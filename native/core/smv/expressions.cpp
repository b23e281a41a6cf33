#include "core/smv/expressions.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace pigro::core::smv {

namespace {

using Kind = Fault::Kind;

constexpr std::size_t kManyOperands = 16;

// Of values that come one after the other.
std::uint64_t hashed(std::uint64_t hash, Value value) { return mix(hash, static_cast<std::uint64_t>(value)); }

bool is_word(Op op) { return op >= Op::word_add; }

std::uint64_t mask_of(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

Value quotient_of(Value left, Value right) { return left / right; }

[[noreturn]] void fail(Kind kind, Id at, Value first = 0, Value second = 0) {
  throw Fault{.kind = kind, .at = at, .first = first, .second = second};
}

// For an operator that was added to the table and not here: another one's value would be a wrong verdict.
[[noreturn]] void no_rule() { throw std::logic_error("an operator of terms has no value"); }

// Of two integers.
Value computed(Op op, Value left, Value right, Id at) {
  Value made = 0;
  bool over = false;
  switch (op) {
    case Op::add:
      over = __builtin_add_overflow(left, right, &made);
      break;
    case Op::subtract:
      over = __builtin_sub_overflow(left, right, &made);
      break;
    case Op::multiply:
      over = __builtin_mul_overflow(left, right, &made);
      break;
    case Op::divide:
    case Op::modulo:
      if (right == 0) fail(Kind::zero, at);
      made = op == Op::divide ? quotient_of(left, right) : left % right;
      break;
    case Op::minimum:
      made = std::min(left, right);
      break;
    case Op::maximum:
      made = std::max(left, right);
      break;
    default:
      no_rule();
  }
  if (over || !is_integer(made)) fail(Kind::overflow, at);
  return made;
}

} // namespace

std::optional<Value> folded(Op op, std::span<const Value> values, Value limit) {
  const auto fits = [&](Value value) { return value > -limit && value < limit; };
  if (values.empty() || !std::ranges::all_of(values, fits)) return std::nullopt;
  Value made = values[0];
  if (op == Op::minus) return -made;
  if (op == Op::absolute) return made < 0 ? -made : made;
  try {
    for (const Value each : values.subspan(1)) {
      made = computed(op, made, each, kNone);
      if (!fits(made)) return std::nullopt;
    }
  } catch (const Fault&) {
    return std::nullopt;
  }
  return made;
}

void Expressions::check(Op op, std::span<const Id> args, Value value) const {
  const auto need = [](bool fine) {
    if (!fine) throw std::invalid_argument("malformed expression");
  };
  need(op < Op::last);
  for (const Id arg : args) need(arg >= 0 && arg < size());
  const std::size_t count = args.size();
  const TermOperator& row = kTermOperators[static_cast<std::size_t>(op)];
  need(count >= static_cast<std::size_t>(row.least) && count <= static_cast<std::size_t>(row.most));
  if (op == Op::slot) need(value >= 0);
  if (op == Op::choice) need(count % 2 == 0);
  if (is_word(op)) need(value != 0 && value >= -64 && value <= 64);
  for (std::size_t i = 0; i < count; ++i) {
    const bool may = op == Op::set || op == Op::remember || (op == Op::member) || (op == Op::choice && i % 2 == 1) ||
                     (op == Op::condition && i > 0) || (op == Op::element && i > 0);
    need(may || !nodes_[args[i]].is_set);
  }
}

Id Expressions::add(Op op, std::span<const Id> args, Value value, Id at) {
  check(op, args, value);
  const bool is_large = op == Op::set && args.size() > kWidestSet;
  const bool can_fail = is_large || kTermOperators[static_cast<std::size_t>(op)].can_fail;
  Node made{.op = op,
            .is_set = op == Op::set || op == Op::range,
            .looks_ahead = op == Op::slot && value >= current_,
            .can_fail = can_fail,
            .depth = 0,
            .at = at,
            .first = static_cast<Id>(args_.size()),
            .count = static_cast<Id>(args.size()),
            .value = value};
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Node& arg = nodes_[args[i]];
    made.looks_ahead = made.looks_ahead || arg.looks_ahead;
    made.can_fail = made.can_fail || arg.can_fail || (op == Op::set && arg.is_set); // sets may be too large together
    made.depth = std::max(made.depth, static_cast<std::int16_t>(arg.depth + 1));
    const bool passes = op == Op::remember || (op == Op::choice && i % 2 == 1) || (op == Op::condition && i > 0) ||
                        (op == Op::element && i > 0);
    made.is_set = made.is_set || (passes && arg.is_set);
  }
  if (made.depth > kDeepest) throw std::invalid_argument("nested too deeply"); // V1
  args_.insert(args_.end(), args.begin(), args.end());
  nodes_.push_back(made);
  if (op == Op::choice) tabulate(size() - 1);
  if (op == Op::disjunction && args.size() >= kManyOperands) find_alternatives(size() - 1);
  return size() - 1;
}

bool Expressions::is_test(Id id, Value& slot, std::vector<Value>& values) const {
  const Node& test = nodes_[id];
  if (test.op == Op::remember) return is_test(args(test)[0], slot, values);
  if (test.can_fail || (test.op != Op::equal && test.op != Op::member)) return false;
  const Node* left = &nodes_[args(test)[0]];
  const Node* right = &nodes_[args(test)[1]];
  if (test.op == Op::equal && left->op != Op::slot) std::swap(left, right);
  if (left->op != Op::slot) return false;
  values.clear();
  if (right->op == Op::constant) {
    values.push_back(right->value);
  } else if (right->op == Op::set) {
    for (const Id each : args(*right)) {
      if (nodes_[each].op != Op::constant) return false;
      values.push_back(nodes_[each].value);
    }
  } else {
    return false;
  }
  slot = left->value;
  return true;
}

void Expressions::tabulate(Id id) {
  std::vector<Segment>& made = tables_[id];
  const std::vector<Id> all(args(nodes_[id]).begin(), args(nodes_[id]).end());
  std::vector<Value> values;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    Value slot = -1;
    bool exact = is_test(all[i], slot, values);
    bool found = exact;
    if (!found && nodes_[all[i]].op == Op::conjunction) {
      for (const Id each : args(nodes_[all[i]])) {
        if (is_test(each, slot, values)) {
          found = true;
          break;
        }
        if (nodes_[each].can_fail) break; // what comes first must be evaluated first
      }
    }
    if (!found) {
      made.push_back({.slot = -1, .single = static_cast<Id>(i), .branches = {}});
      continue;
    }
    if (made.empty() || made.back().slot != slot) made.push_back({.slot = slot, .single = 0, .branches = {}});
    for (const Value value : values) made.back().branches[value].emplace_back(static_cast<Id>(i), exact);
  }
}

// The tests `slot = constant` that an operand of a disjunction makes before anything that can fail. Where one of them
// is false, so is the operand.
Expressions::Needs Expressions::needs(Id operand) const {
  while (nodes_[operand].op == Op::remember) operand = args(nodes_[operand])[0];
  const Node& node = nodes_[operand];
  const std::span<const Id> parts = node.op == Op::conjunction ? args(node) : std::span<const Id>(&operand, 1);
  Needs found;
  Value slot = -1;
  std::vector<Value> values;
  for (const Id part : parts) {
    if (nodes_[part].can_fail) break;
    if (is_test(part, slot, values) && values.size() == 1) found.emplace_back(slot, values[0]);
  }
  const auto same_slot = [](const auto& one, const auto& other) { return one.first == other.first; };
  std::ranges::stable_sort(found, {}, &std::pair<Value, Value>::first);
  found.erase(std::unique(found.begin(), found.end(), same_slot), found.end());
  return found;
}

// The slots of the table are those that all operands with tests of current slots have in common, or the most frequent
// one. Without tests of current slots, the same for all slots.
void Expressions::find_alternatives(Id id) {
  std::vector<Needs> all;
  for (const Id operand : args(nodes_[id])) all.push_back(needs(operand));
  std::unordered_map<Value, std::size_t> frequency;
  std::size_t testing = 0;
  const auto count = [&](Value end) {
    for (const Needs& each : all) {
      bool any = false;
      for (const auto& [slot, value] : each) {
        if (slot >= end) continue;
        ++frequency[slot];
        any = true;
      }
      testing += any ? 1 : 0;
    }
  };
  count(current_);
  if (testing == 0) count(std::numeric_limits<Value>::max());
  if (testing < kManyOperands) return;
  Alternatives made;
  std::pair<std::size_t, Value> most{0, 0};
  for (const auto& [slot, times] : frequency) {
    if (times == testing) made.slots.push_back(slot);
    most = std::max(most, {times, -slot});
  }
  if (made.slots.empty()) made.slots.push_back(-most.second);
  std::ranges::sort(made.slots);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t hash = 0;
    const bool fits = std::ranges::all_of(made.slots, [&](Value slot) {
      const auto found = std::ranges::find(all[i], slot, &std::pair<Value, Value>::first);
      if (found != all[i].end()) hash = hashed(hash, found->second);
      return found != all[i].end();
    });
    if (fits) {
      made.fitting.emplace_back(hash, static_cast<Id>(i));
    } else {
      made.others.push_back(static_cast<Id>(i));
    }
  }
  std::ranges::sort(made.fitting);
  nodes_[id].table = static_cast<Id>(alternatives_.size());
  alternatives_.push_back(std::move(made));
}

template <bool partial>
Value Evaluator::disjunction(const Expressions::Node& node, const Value* slots) {
  const std::span<const Id> args = pool_.args(node);
  bool open = false;
  const auto holds = [&](Id arg) {
    const Value each = eval<partial>(arg, slots);
    open = open || (partial && each == kUnknown);
    return each == kTrue;
  };
  const auto otherwise = [&] { return partial && open ? kUnknown : kFalse; };
  const Expressions::Alternatives* const table = pool_.alternatives(node);
  const auto is_unknown = [&](Value slot) { return slots[slot] == kUnknown; };
  if (table == nullptr || std::ranges::any_of(table->slots, is_unknown)) {
    return std::ranges::any_of(args, holds) ? kTrue : otherwise();
  }
  std::uint64_t hash = 0;
  for (const Value slot : table->slots) hash = hashed(hash, slots[slot]);
  auto fitting = std::ranges::lower_bound(table->fitting, std::pair(hash, Id{0}));
  auto other = table->others.begin();
  while (true) { // in the order of the operands: an earlier one may fail
    const bool has_fitting = fitting != table->fitting.end() && fitting->first == hash;
    if (!has_fitting && other == table->others.end()) return otherwise();
    const bool is_fitting = has_fitting && (other == table->others.end() || fitting->second < *other);
    if (holds(args[is_fitting ? (fitting++)->second : *other++])) return kTrue;
  }
}

template <bool partial>
Value Evaluator::eval(Id id, const Value* slots) {
  const Expressions::Node& node = pool_.node(id);
  const std::span<const Id> args = pool_.args(node);
  switch (node.op) {
    case Op::constant:
      return node.value;
    case Op::slot:
      return slots[node.value];
    case Op::remember:
      return remembered<partial>(node, id, slots);
    case Op::negation: {
      const Value inner = eval<partial>(args[0], slots);
      return partial && inner == kUnknown ? kUnknown : truth(inner != kTrue);
    }
    case Op::conjunction: {
      bool open = false;
      for (const Id arg : args) {
        const Value each = eval<partial>(arg, slots);
        if (partial && each == kUnknown) {
          open = true;
        } else if (each != kTrue) {
          return kFalse;
        }
      }
      return partial && open ? kUnknown : kTrue;
    }
    case Op::disjunction:
      return disjunction<partial>(node, slots);
    case Op::implication: {
      const Value left = eval<partial>(args[0], slots);
      if (left != kTrue && !(partial && left == kUnknown)) return kTrue;
      const Value right = eval<partial>(args[1], slots);
      if (right == kTrue) return kTrue;
      return partial && (left == kUnknown || right == kUnknown) ? kUnknown : kFalse;
    }
    case Op::exclusive:
    case Op::equivalence:
    case Op::equal:
    case Op::less:
    case Op::less_equal: {
      const Value left = eval<partial>(args[0], slots);
      const Value right = eval<partial>(args[1], slots);
      if (partial && (left == kUnknown || right == kUnknown)) return kUnknown;
      const auto is_number = [](Value value) { return is_integer(value) || is_wide(value); };
      const bool both = is_number(left) && is_number(right);
      if (both && (is_wide(left) || is_wide(right)) && node.op != Op::equal) {
        const WideNumber first = pool_.wide().number(left);
        const WideNumber second = pool_.wide().number(right);
        return truth(first < second || (node.op == Op::less_equal && first == second));
      }
      switch (node.op) {
        case Op::exclusive:
          return truth((left == kTrue) != (right == kTrue));
        case Op::equivalence:
          return truth((left == kTrue) == (right == kTrue));
        case Op::equal:
          return truth(left == right);
        case Op::less:
          return truth(both && left < right);
        case Op::less_equal:
          return truth(both && left <= right);
        default:
          no_rule();
      }
    }
    case Op::member:
      return membership<partial>(node, slots);
    case Op::choice:
      return chosen<partial>(node, id, slots);
    case Op::condition: {
      const Value test = eval<partial>(args[0], slots);
      if (partial && test == kUnknown) {
        const Value yes = eval<partial>(args[1], slots);
        return yes == kUnknown || yes != eval<partial>(args[2], slots) ? kUnknown : yes;
      }
      return eval<partial>(args[test == kTrue ? 1 : 2], slots);
    }
    case Op::element: {
      const Value index = eval<partial>(args[0], slots);
      if (partial && index == kUnknown) return kUnknown;
      if (index == kExit) return kExit;
      const bool fine = index >= node.value && index - node.value < static_cast<Value>(args.size()) - 1;
      if (!fine && partial) return kUnknown;
      if (!fine) fail(Kind::index, node.at, index);
      return eval<partial>(args[static_cast<std::size_t>(index - node.value) + 1], slots);
    }
    case Op::count: {
      Value found = 0;
      for (const Id arg : args) {
        const Value each = eval<partial>(arg, slots);
        if (partial && each == kUnknown) return kUnknown;
        found += each == kTrue ? 1 : 0;
      }
      return found;
    }
    case Op::number_of: {
      const Value inner = eval<partial>(args[0], slots);
      if ((partial && inner == kUnknown) || inner == kExit) return inner;
      return inner == kTrue ? 1 : 0;
    }
    case Op::truth_of: {
      const Value inner = eval<partial>(args[0], slots);
      if (partial && inner == kUnknown) return inner;
      return truth((is_integer(inner) && inner != 0) || is_wide(inner));
    }
    default:
      return is_word(node.op) ? word<partial>(node, slots) : arithmetic<partial>(node, slots);
  }
}

template <bool partial>
Value Evaluator::remembered(const Expressions::Node& node, Id id, const Value* slots) {
  if (static_cast<std::size_t>(id) >= memory_.size()) memory_.resize(static_cast<std::size_t>(pool_.size()));
  const std::uint64_t when = node.looks_ahead ? ahead_ : now_;
  {
    const Memory& known = memory_[id];
    if (known.when == when && (partial || !known.partial)) return known.value;
  }
  const Value made = eval<partial>(pool_.args(node)[0], slots);
  memory_[id] = {.when = when, .partial = partial && made == kUnknown, .value = made};
  return made;
}

template <bool partial>
Value Evaluator::chosen(const Expressions::Node& node, Id id, const Value* slots) {
  const std::span<const Id> args = pool_.args(node);
  if (!partial) return eval<partial>(branch(id, slots), slots);
  Value found = kUnknown;
  bool some = false;
  for (std::size_t i = 0; i < args.size(); i += 2) {
    const Value test = eval<partial>(args[i], slots);
    if (test != kTrue && test != kUnknown) continue;
    const Value value = eval<partial>(args[i + 1], slots);
    if (value == kUnknown || (some && value != found)) return kUnknown;
    found = value;
    some = true;
    if (test == kTrue) return found;
  }
  return kUnknown;
}

Id Evaluator::branch(Id id, const Value* slots) {
  const Expressions::Node& node = pool_.node(id);
  const std::span<const Id> args = pool_.args(node);
  for (const Expressions::Segment& segment : pool_.segments(id)) {
    if (segment.slot < 0) {
      if (eval<false>(args[segment.single], slots) == kTrue) return args[segment.single + 1];
      continue;
    }
    const auto found = segment.branches.find(slots[segment.slot]);
    if (found == segment.branches.end()) continue;
    for (const auto& [at, exact] : found->second) {
      if (exact || eval<false>(args[at], slots) == kTrue) return args[at + 1];
    }
  }
  fail(Kind::no_case, node.at);
}

template <bool partial>
Value Evaluator::arithmetic(const Expressions::Node& node, const Value* slots) {
  const std::span<const Id> args = pool_.args(node);
  Value left = eval<partial>(args[0], slots);
  const auto usable = [&](Value value) {
    if (is_integer(value) || value == kExit) return true;
    if (!partial) fail(Kind::compute, node.at, value);
    return false;
  };
  if (node.op == Op::minus || node.op == Op::absolute) {
    if (!usable(left)) return kUnknown;
    if (left == kExit) return left;
    if (node.op == Op::minus) return computed(Op::subtract, 0, left, node.at);
    return left < 0 ? computed(Op::subtract, 0, left, node.at) : left;
  }
  if (args.size() < 2) no_rule();
  for (const Id arg : args.subspan(1)) {
    const Value right = eval<partial>(arg, slots);
    if (!usable(left) || !usable(right)) return kUnknown;
    if (left == kExit || right == kExit) {
      left = kExit;
      continue;
    }
    if (partial) {
      if (right == 0 && (node.op == Op::divide || node.op == Op::modulo)) return kUnknown;
      constexpr Value kSafe = Value{1} << 30;
      const bool safe = left < kSafe && left > -kSafe && right < kSafe && right > -kSafe;
      if (!safe) return kUnknown; // it may not fit
    }
    left = computed(node.op, left, right, node.at);
  }
  return left;
}

Value Evaluator::wrapped(std::uint64_t bits, Value width) {
  const int size = static_cast<int>(width < 0 ? -width : width);
  bits &= mask_of(size);
  if (width < 0 && ((bits >> (size - 1)) & 1U) != 0) bits |= ~mask_of(size);
  if (size <= kPlainBits) return static_cast<Value>(bits);
  return pool_.wide().value(width < 0 ? WideNumber{static_cast<std::int64_t>(bits)} : WideNumber{bits});
}

template <bool partial>
Value Evaluator::word(const Expressions::Node& node, const Value* slots) {
  const std::span<const Id> args = pool_.args(node);
  const Value left = eval<partial>(args[0], slots);
  if (left == kExit || (partial && left == kUnknown)) return left;
  const WideNumber number = pool_.wide().number(left);
  const auto bits = static_cast<std::uint64_t>(number);
  if (node.op == Op::word_not) return wrapped(~bits, node.value);
  if (node.op == Op::word_wrap) return wrapped(bits, node.value);
  const Value right = eval<partial>(args[1], slots);
  if (right == kExit || (partial && right == kUnknown)) return right;
  const WideNumber other = pool_.wide().number(right);
  const auto others = static_cast<std::uint64_t>(other);
  const Value width = node.value < 0 ? -node.value : node.value;
  switch (node.op) {
    case Op::word_add:
      return wrapped(bits + others, node.value);
    case Op::word_subtract:
      return wrapped(bits - others, node.value);
    case Op::word_multiply:
      return wrapped(bits * others, node.value);
    case Op::word_divide:
    case Op::word_modulo:
      if (right == 0 && partial) return kUnknown;
      if (right == 0) fail(Kind::zero, node.at);
      return wrapped(static_cast<std::uint64_t>(node.op == Op::word_divide ? number / other : number % other),
                     node.value);
    case Op::word_and:
      return wrapped(bits & others, node.value);
    case Op::word_or:
      return wrapped(bits | others, node.value);
    case Op::word_xor:
      return wrapped(bits ^ others, node.value);
    case Op::word_left:
    case Op::word_right: {
      const bool fine = other >= 0 && other <= width;
      if (!fine && partial) return kUnknown;
      if (!fine) fail(Kind::shift, node.at, right);
      if (node.op == Op::word_left) return wrapped(right >= 64 ? 0 : bits << right, node.value);
      return wrapped(static_cast<std::uint64_t>(number >> right), node.value);
    }
    case Op::word_bits:
      return wrapped(bits >> eval<partial>(args[2], slots), node.value);
    case Op::word_join: {
      const Value low = eval<partial>(args[2], slots);
      return wrapped(bits << low | (others & mask_of(static_cast<int>(low))), node.value);
    }
    default:
      no_rule();
  }
}

template <bool partial>
Value Evaluator::membership(const Expressions::Node& node, const Value* slots) {
  const std::span<const Id> args = pool_.args(node);
  const bool many = pool_.node(args[0]).is_set;
  if (partial) {
    const Value left = many ? kUnknown : eval<partial>(args[0], slots);
    if (left == kUnknown) return kUnknown;
    const Expressions::Node& right = pool_.node(args[1]);
    if (right.op != Op::set) {
      if (right.is_set) return kUnknown;
      const Value only = eval<partial>(args[1], slots);
      return only == kUnknown ? kUnknown : truth(only == left);
    }
    bool open = false;
    for (const Id arg : pool_.args(right)) {
      const Value each = pool_.node(arg).is_set ? kUnknown : eval<partial>(arg, slots);
      if (each == left) return kTrue;
      open = open || each == kUnknown;
    }
    return open ? kUnknown : kFalse;
  }
  std::vector<Value> left;
  std::vector<Value> right;
  if (!many) {
    const Value value = eval<false>(args[0], slots);
    const Expressions::Node& set = pool_.node(args[1]);
    if (set.op == Op::range) { // no list
      const std::span<const Id> ends = pool_.args(set);
      const Value low = eval<false>(ends[0], slots);
      const Value high = eval<false>(ends[1], slots);
      if (is_integer(low) && is_integer(high) && low <= high && high - low < static_cast<Value>(kWidestSet)) {
        return truth(value >= low && value <= high);
      }
    }
    left.push_back(value);
  } else {
    collect(args[0], slots, left);
  }
  collect(args[1], slots, right);
  return truth(std::ranges::all_of(left, [&](Value each) { return std::ranges::find(right, each) != right.end(); }));
}

void Evaluator::values(Id id, const Value* slots, std::vector<Value>& found) {
  found.clear();
  if (!pool_.node(id).is_set) {
    found.push_back(eval<false>(id, slots));
    return;
  }
  collect(id, slots, found);
  if (found.size() <= 1) return;
  if (found.size() <= 16) { // keeps the order of the file
    std::size_t kept = 0;
    for (const Value value : found) {
      if (std::find(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), value) ==
          found.begin() + static_cast<std::ptrdiff_t>(kept)) {
        found[kept++] = value;
      }
    }
    found.resize(kept);
    return;
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

// May list a value twice.
void Evaluator::collect(Id id, const Value* slots, std::vector<Value>& found) {
  const Expressions::Node& node = pool_.node(id);
  const std::span<const Id> args = pool_.args(node);
  if (!node.is_set) {
    found.push_back(eval<false>(id, slots));
    return;
  }
  switch (node.op) {
    case Op::remember: {
      SetMemory& known = sets_[id];
      const std::uint64_t when = node.looks_ahead ? ahead_ : now_;
      if (known.when != when) {
        std::vector<Value> made;
        values(args[0], slots, made);
        known = {.when = when, .values = std::move(made)};
      }
      found.insert(found.end(), known.values.begin(), known.values.end());
      return;
    }
    case Op::set:
      for (const Id arg : args) collect(arg, slots, found);
      if (found.size() > kWidestSet) {
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
        if (found.size() > kWidestSet) fail(Kind::large, node.at);
      }
      return;
    case Op::range: {
      const Value low = eval<false>(args[0], slots);
      const Value high = eval<false>(args[1], slots);
      for (const Value each : {low, high}) {
        if (!is_integer(each) && each != kExit) fail(Kind::compute, node.at, each);
      }
      if (low == kExit || high == kExit) {
        found.push_back(kExit);
        return;
      }
      if (low > high) fail(Kind::empty, node.at, low, high);
      if (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) >= kWidestSet) {
        fail(Kind::wide, node.at, low, high);
      }
      for (Value value = low; value <= high; ++value) found.push_back(value);
      return;
    }
    case Op::choice:
      return collect(branch(id, slots), slots, found);
    case Op::condition:
      return collect(args[eval<false>(args[0], slots) == kTrue ? 1 : 2], slots, found);
    case Op::element: {
      const Value index = eval<false>(args[0], slots);
      if (index < node.value || index - node.value >= static_cast<Value>(args.size()) - 1) {
        fail(Kind::index, node.at, index);
      }
      collect(args[static_cast<std::size_t>(index - node.value) + 1], slots, found);
      return;
    }
    default:
      no_rule();
  }
}

template Value Evaluator::eval<true>(Id, const Value*);
template Value Evaluator::eval<false>(Id, const Value*);

} // namespace pigro::core::smv
