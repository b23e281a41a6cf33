#include "core/smv/grammar.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::core::smv {

namespace {

constexpr int kConstant = operator_named("CONSTANT");
constexpr int kBits = operator_named("WORD");
constexpr int kNext = operator_named("NEXT");
constexpr int kIte = operator_named("ITE");
constexpr int kBraces = operator_named("SET");
constexpr int kCase = operator_named("CASE");
constexpr int kIndex = operator_named("INDEX");
constexpr int kSlice = operator_named("BITS");
constexpr int kDot = operator_named("DOT");
constexpr int kElements = operator_named("ARRAY");
constexpr int kExistsUntil = operator_named("EU");
constexpr int kAlwaysUntil = operator_named("AU");
constexpr int kExistsUntilIn = operator_named("EBU");
constexpr int kAlwaysUntilIn = operator_named("ABU");

bool has(int op, unsigned flag) { return (kOperators[op].flags & flag) != 0; }

bool has_one_argument(int op) {
  const Form form = kOperators[op].form;
  return form == Form::prefix || form == Form::modal || form == Form::path;
}

} // namespace

Id Grammar::read(Id place, const Reading& reading) {
  reading_ = reading;
  nodes.clear();
  stack_.clear();
  values_.clear();
  opened_.clear();
  known_.clear();
  bool wanted = true;
  while (true) {
    if (wanted) {
      wanted = operand(place);
      continue;
    }
    const Id token = word(place);
    const WordRules& rule = rules(place);
    if (token == signs_.square || token == signs_.dot) {
      wanted = token == signs_.square;
      place += postfix(place);
      continue;
    }
    const Rule& infix_rule = reading_.in_type ? rule.in_type : rule.infix;
    if (infix_rule.level != 0) {
      infix(infix_rule, place);
      wanted = true;
      place += token == signs_.bounded_until ? 1 + bounds(place) : 1;
      continue;
    }
    if (!rule.is_between || (opened_.empty() && token != signs_.question)) {
      finish(place);
      return place;
    }
    wanted = between(place);
    if (wanted && token == signs_.semicolon && word(place + 1) == signs_.esac) {
      ++place;
      close();
      wanted = false;
    }
    ++place;
  }
}

// Takes a token where an operand is wanted. Whether one still is.
bool Grammar::operand(Id& place) {
  const WordRules& rule = rules(place);
  const Id at = place++;
  if (rule.prefix.level != 0) {
    if (rule.is_step) step(at);
    stack_.push_back({rule.prefix.level, rule.prefix.op, at});
    if (rule.bounds != StepBounds::none) place += bounds(at);
    return true;
  }
  if (rule.closing != kNone) {
    place += open(at);
    return true;
  }
  if (word(at) == signs_.plus && is_number(place)) return true; // as in NuSMV, a number may have this sign
  leaf(at);
  return false;
}

// Before X, F or G: a loose A or E belongs to it.
void Grammar::step(Id place) {
  if (word(place + 1) == signs_.square && rules(place).bounds == StepBounds::none) {
    throw Mistake{.kind = Mistake::Kind::refused, .place = place};
  }
  if (!stack_.empty() && stack_.back().level == kLoose) stack_.back().level = kTemporal;
}

// Makes leaves of the bounds of the operator at a token. The number of their tokens. The nodes of the operand come
// next, so the bounds are the two nodes before them.
Id Grammar::bounds(Id place) {
  const bool in_brackets = rules(place).bounds == StepBounds::brackets;
  if (in_brackets) {
    if (word(place + 1) != signs_.square) return 0;
    assert(!stack_.empty() && stack_.back().at == place);
    stack_.back().op = operator_named(kOperators[stack_.back().op].with_bounds);
  }
  Id at = place + 1 + static_cast<Id>(in_brackets);
  const auto expect = [&](Id sign) {
    if (word(at) != sign) throw Mistake{.kind = Mistake::Kind::sign, .place = at, .word = sign};
    ++at;
  };
  const auto limit = [&] {
    if (word(at) == signs_.plus && is_number(at + 1)) ++at; // as in NuSMV, a number may have this sign
    if (!is_number(at)) throw Mistake{.kind = Mistake::Kind::steps, .place = at};
    const std::int64_t found = number(at);
    add_leaf(kConstant, at, SyntaxNode::Leaf::number, found);
    ++at;
    return found;
  };
  const std::int64_t low = limit();
  expect(in_brackets ? signs_.comma : signs_.range);
  const std::int64_t high = limit();
  if (in_brackets) expect(signs_.square_end);
  if (low > high) throw Mistake{.kind = Mistake::Kind::no_step, .place = place, .low = low, .high = high};
  if (high > vocabulary_.farthest) throw Mistake{.kind = Mistake::Kind::far_step, .place = place, .high = high};
  return at - place - 1;
}

// Opens a bracket, or takes a loose A or E. The number of further tokens that belong to it.
Id Grammar::open(Id place) {
  const Id token = word(place);
  const Id after = word(place + 1);
  const WordRules& rule = rules(place);
  if (rule.quantifier != 0 && after != signs_.square) {
    stack_.push_back({kLoose, rule.quantifier, place});
    return 0;
  }
  Open opening{.sign = token, .at = place, .base = values_.size()};
  Id more = 0;
  if (rule.quantifier != 0) {
    opening.splits = splits(place);
    more = 1;
  } else if (token == signs_.next || rule.function != 0) {
    if (after != signs_.round) throw Mistake{.kind = Mistake::Kind::sign, .place = place + 1, .word = signs_.round};
    more = 1;
  } else if (token == signs_.square) {
    opening.sign = kArray;
  }
  opened_.push_back(opening);
  stack_.push_back({0, 0, place});
  return more;
}

void Grammar::leaf(Id place) {
  const Id token = word(place);
  const WordRules& rule = rules(place);
  Id made = kNone;
  if (rule.is_reserved) {
    if (token == signs_.true_ || token == signs_.false_) {
      made = add_leaf(kConstant, place, SyntaxNode::Leaf::truth, token == signs_.true_ ? 1 : 0);
    } else if (token == signs_.exit) {
      made = add_leaf(kConstant, place, SyntaxNode::Leaf::word, token);
    }
  } else if (is_name(place)) {
    if (rule.is_missing && word(place + 1) == signs_.round) {
      throw Mistake{.kind = Mistake::Kind::missing, .place = place};
    }
    if (!rule.is_foreign) made = add_leaf(kNameNode, place, SyntaxNode::Leaf::word, token);
  } else if (is_number(place)) {
    made = add_leaf(kConstant, place, SyntaxNode::Leaf::number, number(place));
  } else if (tokens_.kinds[token] == Tokens::Kind::bits) {
    on_bits(place);
    made = add_leaf(kBits, place, SyntaxNode::Leaf::bits, place);
  }
  if (made == kNone) throw Mistake{.kind = Mistake::Kind::expression, .place = place};
  values_.push_back(made);
}

std::int64_t Grammar::number(Id place) const {
  assert(is_number(place));
  if (tokens_.lengths[word(place)] > kLongestNumber) throw Mistake{.kind = Mistake::Kind::number, .place = place};
  return tokens_.numbers[word(place)];
}

// Takes [ of an index or . of a name, after an operand. Returns the number of tokens.
Id Grammar::postfix(Id place) {
  assert(!values_.empty());
  if (word(place) == signs_.square) {
    opened_.push_back({.sign = signs_.square, .at = place, .base = values_.size() - 1});
    stack_.push_back({0, 0, place});
    return 1;
  }
  if (is_number(place + 1) && is_number(place - 1)) throw Mistake{.kind = Mistake::Kind::real, .place = place - 1};
  if (!is_name(place + 1) || rules(place + 1).is_reserved) {
    throw Mistake{.kind = Mistake::Kind::name, .place = place + 1};
  }
  const Id name = add_leaf(kNameNode, place + 1, SyntaxNode::Leaf::word, word(place + 1));
  values_.back() = add_over(kDot, {values_.back(), name}, place);
  return 2;
}

// Takes an operator between two operands.
void Grammar::infix(const Rule& rule, Id place) {
  int limit = has(rule.op, kRight) ? rule.level + 1 : rule.level;
  if (rule.level == kUntil) {
    Open* const inner = opened_.empty() ? nullptr : &opened_.back();
    if (word(place + 1) == signs_.square) throw Mistake{.kind = Mistake::Kind::refused, .place = place};
    if (inner != nullptr && inner->splits && inner->step == 0) {
      reduce(1);
      inner->step = rule.op == kExistsUntilIn ? 2 : 1;
      return;
    }
    if (rule.op == kExistsUntilIn) throw Mistake{.kind = Mistake::Kind::refused, .place = place};
    if (!reading_.grouped) {
      limit = kUntil + 1;
      reduce(limit);
      check_group(place);
    }
  }
  reduce(limit);
  stack_.push_back({rule.level, rule.op, place});
}

// Refuses a U or V after another one.
void Grammar::check_group(Id place) const {
  if (stack_.empty() || stack_.back().level != kUntil) return;
  const auto is_either = [&](Id at) { return word(at) == signs_.until || word(at) == signs_.release; };
  if (is_either(stack_.back().at) && is_either(place)) {
    throw Mistake{.kind = Mistake::Kind::grouping, .place = place, .other = stack_.back().at};
  }
}

// Takes a token that separates or closes. Is an operand wanted after it?
bool Grammar::between(Id place) {
  const Id token = word(place);
  reduce(token == signs_.question ? kTernary + 1 : 1);
  if (token == signs_.question) {
    opened_.push_back({.sign = token, .at = place, .base = values_.size()});
    stack_.push_back({0, 0, place});
    return true;
  }
  assert(!opened_.empty());
  Open& inner = opened_.back();
  const Id sign = inner.sign;
  if (token == signs_.colon && sign == signs_.question) {
    stack_.back() = {kTernary, kIte, inner.at};
    opened_.pop_back();
    return true;
  }
  const bool has_two_sides = sign == signs_.case_ || sign == signs_.square; // key : value, or high : low
  if (token == signs_.colon && has_two_sides && inner.step == 0) {
    inner.step = 1;
    return true;
  }
  if (token == signs_.semicolon && sign == signs_.case_ && inner.step == 1) {
    inner.step = 0;
    return true;
  }
  const bool is_function = sign >= 0 && vocabulary_.rules[sign].function != 0;
  if (token == signs_.comma && (sign == signs_.curly || sign == kArray || is_function)) return true;
  const Id closing = sign == kArray ? signs_.square_end : vocabulary_.rules[sign].closing;
  if (token != closing || sign == signs_.case_) unfinished(inner, place);
  close();
  return false;
}

// Makes the node of a bracket that ends here, out of its values.
void Grammar::close() {
  assert(!opened_.empty() && !stack_.empty());
  const Open done = opened_.back();
  opened_.pop_back();
  stack_.pop_back();
  const std::span<const Id> inside(values_.begin() + static_cast<std::ptrdiff_t>(done.base), values_.end());
  assert(!inside.empty()); // an operand is wanted after every opening bracket
  const Id made = closed(done, inside);
  values_.resize(done.base);
  values_.push_back(made);
}

Id Grammar::closed(const Open& done, std::span<const Id> inside) {
  if (done.sign == kArray) return add_over(kElements, inside, done.at);
  if (done.sign == signs_.round) {
    const Id made = inside[0];
    if (!has(nodes[made].op, kOnPaths) || stack_.empty() || stack_.back().level != kLoose) return made;
    const Waiting quantifier = stack_.back();
    stack_.pop_back();
    return add_over(quantifier.op, inside.first(1), quantifier.at);
  }
  if (done.sign == signs_.curly) return add_over(kBraces, inside, done.at);
  if (done.sign == signs_.square) return add_over(done.step != 0 ? kSlice : kIndex, inside, done.at);
  if (done.sign == signs_.case_) return add_over(kCase, inside, done.at);
  if (done.sign == signs_.next) return add_over(kNext, inside, done.at);
  const WordRules& rule = vocabulary_.rules[done.sign];
  if (rule.function != 0) {
    const auto count = static_cast<int>(inside.size());
    if (count < kOperators[rule.function].least || count > kOperators[rule.function].most) {
      throw Mistake{.kind = Mistake::Kind::arguments, .place = done.at, .low = count};
    }
    return add_over(rule.function, inside, done.at);
  }
  const bool exists = done.sign == signs_.exists;
  if (done.step == 0) return add_over(rule.quantifier, inside, done.at);
  if (done.step == 1) return add_over(exists ? kExistsUntil : kAlwaysUntil, inside, done.at);
  assert(done.step == 2 && inside.size() == 2);
  const Id limits = nodes[inside[1]].first;
  assert(limits >= 2); // the bounds are the two nodes before the operand
  return add_over(exists ? kExistsUntilIn : kAlwaysUntilIn, {inside[0], limits - 2, limits - 1, inside[1]}, done.at);
}

void Grammar::finish(Id place) {
  reduce(1);
  if (!opened_.empty()) unfinished(opened_.back(), place);
}

void Grammar::unfinished(const Open& open, Id place) const {
  throw Mistake{.kind = Mistake::Kind::unfinished,
                .place = place,
                .other = open.at,
                .word = open.sign == kArray ? kNone : open.sign,
                .low = open.step};
}

// Makes the nodes of waiting operators from a level up.
void Grammar::reduce(int level) {
  while (!stack_.empty() && stack_.back().level >= level) {
    const Waiting done = stack_.back();
    stack_.pop_back();
    const auto pop = [&] {
      assert(!values_.empty()); // every operator has got its operands
      const Id value = values_.back();
      values_.pop_back();
      return value;
    };
    const Id right = pop();
    Id made = kNone;
    if (has(done.op, kBounded)) {
      const Id limits = nodes[right].first;
      made = add_over(done.op, {limits - 2, limits - 1, right}, done.at);
    } else if (has_one_argument(done.op)) {
      made = add_over(done.op, {right}, done.at);
    } else {
      const Id left = pop();
      if (done.op == kIte) {
        made = add_over(done.op, {pop(), left, right}, done.at);
      } else if (reading_.chains && has(done.op, kChains) && nodes[left].op == done.op) {
        made = chained(left, right, done.at);
      } else {
        made = add_over(done.op, {left, right}, done.at);
      }
    }
    values_.push_back(made);
  }
}

Id Grammar::add_leaf(int op, Id at, SyntaxNode::Leaf leaf, std::int64_t value) {
  const auto number = static_cast<Id>(nodes.size());
  nodes.push_back({.op = op, .at = at, .first = number, .value = value, .leaf = leaf});
  return number;
}

Id Grammar::add_over(int op, std::initializer_list<Id> args, Id at) {
  return add_over(op, std::span<const Id>(args.begin(), args.size()), at);
}

Id Grammar::add_over(int op, std::span<const Id> args, Id at) {
  assert(!args.empty());
  const auto number = static_cast<Id>(nodes.size());
  nodes.push_back({.op = op, .at = at, .first = nodes[args[0]].first});
  for (const Id each : args) take(number, each);
  return number;
}

// A node like the left one with one more argument. The left one is gone.
Id Grammar::chained(Id left, Id right, Id at) {
  const auto number = static_cast<Id>(nodes.size());
  assert(nodes[left].op != kGoneNode && left < right);
  SyntaxNode made = nodes[left];
  made.at = at;
  nodes.push_back(made);
  nodes[left].op = kGoneNode;
  nodes[left].last = kNone;
  nodes[left].count = 0;
  take(number, right);
  return number;
}

void Grammar::take(Id node, Id argument) {
  assert(argument < node); // arguments come first
  nodes[argument].before = nodes[node].last;
  nodes[node].last = argument;
  ++nodes[node].count;
}

} // namespace pigro::core::smv
