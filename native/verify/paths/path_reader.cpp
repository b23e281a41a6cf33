#include "verify/paths/path_reader.hpp"

#include <bit>
#include <set>

namespace pigro::verify {

const Word* read_set(const Surroundings& around, Bytes& bytes, Id width) {
  const Id head = bytes.number();
  if (head <= 1 && width <= around.model.nodes()) return around.empty; // no numbers, or no bytes
  const std::size_t words = core::words_for(static_cast<std::size_t>(width));
  Word* const bits = around.pool.zeros(words);
  bytes.set(head, width, bits);
  assert(words == 0 || (bits[words - 1] & ~core::tail_mask(static_cast<std::size_t>(width))) == 0);
  around.ticker.poll(1 + words);
  return bits;
}

Id pairs_of(const Surroundings& around, const Bytes& bytes, Id component, Id states) {
  const std::int64_t pairs = std::int64_t{around.model.exit_count(component)} * states;
  bytes.require(pairs < std::int64_t{1} << 31, "too many pairs of a state and an exit");
  return static_cast<Id>(pairs);
}

void PathClaims::clear() {
  vertices.clear();
  listed.clear();
  sure.clear();
  bound.clear();
  parts.clear();
  marks.clear();
  sure_next.clear();
  bound_next.clear();
  for (Table* table : {&row, &number, &in_sure, &in_bound, &table_of, &sure_first, &bound_first}) table->clear();
}

void PathReader::read_states() {
  for (Id i = piece_.leaves_end; i < piece_.members_end; ++i) level().marks += cut_.members[i].op == Op::path_until;
  level().mark_words = core::words_for(static_cast<std::size_t>(level().marks));
  const Id members = piece_.members_end - piece_.members;
  const std::size_t words = core::words_for(static_cast<std::size_t>(members));
  std::set<std::vector<Word>> seen;
  for (Id rest = bytes_.count(1); rest > 0; --rest) {
    const Word* const made = read_set(around_, bytes_, members);
    bytes_.require(seen.emplace(made, made + words).second, "two states are the same");
    level().states.push_back(made);
  }
  bytes_.require(!level().states.empty(), "no state");
  std::vector<Word> first(words);
  core::set_bit(first.data(), static_cast<std::size_t>(members) - 1);
  bytes_.require(std::equal(first.begin(), first.end(), level().states[0]), "the first state is another one");
}

void PathReader::read_claims(const Range& operand_contexts) {
  operand_contexts_ = operand_contexts;
  PathClaims& claims = section_.paths;
  level().vertices.begin = static_cast<Id>(claims.vertices.size());
  level().sure.begin = static_cast<Id>(claims.sure.size());
  for (Id rest = bytes_.count(2); rest > 0; --rest) read_sure();
  level().sure.end = static_cast<Id>(claims.sure.size());
  level().bound.begin = static_cast<Id>(claims.bound.size());
  for (Id rest = bytes_.count(3); rest > 0; --rest) read_bound(static_cast<Id>(claims.bound.size()));
  level().bound.end = static_cast<Id>(claims.bound.size());
  level().parts.begin = static_cast<Id>(claims.parts.size());
  for (Id rest = bytes_.count(2); rest > 0; --rest) read_part(static_cast<Id>(claims.parts.size()));
  level().parts.end = static_cast<Id>(claims.parts.size());
  level().vertices.end = static_cast<Id>(claims.vertices.size());
}

Id PathReader::read_operand_context() {
  return operand_contexts_.begin +
         bytes_.below(operand_contexts_.end - operand_contexts_.begin, "no such operand context");
}

Id PathReader::vertex(Id operands, Id state, Id node) {
  PathClaims& claims = section_.paths;
  Id& row = claims.row(operands, state);
  if (row == kNone) row = static_cast<Id>(claims.vertices.size());
  Id& known = claims.number(Id{row}, node);
  if (known == kNone) {
    known = static_cast<Id>(claims.vertices.size());
    claims.vertices.push_back({operands, state, node});
  }
  around_.ticker.poll(1);
  return known;
}

std::size_t PathReader::read_vertices(Id operands) {
  const std::size_t begin = section_.paths.listed.size();
  std::int64_t node = 0;
  for (Id rest = bytes_.count(2); rest > 0; --rest) {
    const Id at = operands == kNone ? read_operand_context() : operands;
    const Id state = read_state();
    const std::int64_t step = bytes_.number();
    node += step % 2 == 0 ? step / 2 : -(step + 1) / 2;
    const Id component = section_.operand_contexts[at].component;
    const Id width = model_.width(component);
    bytes_.require(node >= 0 && node < width + (operands == kNone ? model_.exit_count(component) : 0),
                   "no such vertex");
    const Id local = static_cast<Id>(node);
    bytes_.require(local >= width || model_.kind(model_.first(component) + local) != core::NodeKind::call,
                   "a claim is about a call node");
    section_.paths.listed.push_back(vertex(at, state, local));
  }
  return begin;
}

void PathReader::read_sure() {
  PathClaims& claims = section_.paths;
  const auto kind = static_cast<SureKind>(bytes_.below(4, "no such kind of block"));
  const bool inside = kind == SureKind::value || kind == SureKind::way;
  SureBlock block{kind, kNone, around_.empty, 0, 0};
  int exits = 0;
  if (inside) {
    block.operands = read_operand_context();
    const Id width = pairs_of(around_, bytes_, section_.operand_contexts[block.operands].component, states());
    block.exits = read_set(around_, bytes_, width);
    for (std::size_t i = 0; i < core::words_for(static_cast<std::size_t>(width)); ++i) {
      exits += std::popcount(block.exits[i]);
    }
  }
  block.list = read_vertices(block.operands);
  block.list_end = claims.listed.size();
  if (kind == SureKind::way || kind == SureKind::loop) {
    bytes_.require(exits <= 1 && block.list < block.list_end, "a block has several exits, or no vertex");
  }
  const Id number = static_cast<Id>(claims.sure.size());
  Id before = kNone;
  if (inside) {
    for (std::size_t i = block.list; i < block.list_end; ++i) claims.in_sure(number, claims.listed[i]) = 0;
    before = claims.sure_first(0, block.operands);
    claims.sure_first(0, block.operands) = number;
  }
  claims.sure.push_back(block);
  claims.sure_next.push_back(before);
}

Id PathReader::exit_pair(const Vertex& at) const {
  const Id component = section_.operand_contexts[at.operands].component;
  return at.state * model_.exit_count(component) + model_.ordinal(model_.first(component) + at.node);
}

void PathReader::read_bound(Id number) {
  PathClaims& claims = section_.paths;
  const Id operands = read_operand_context();
  const Id component = section_.operand_contexts[operands].component;
  BoundBlock block{operands, kNone, nullptr, claims.listed.size(), 0, claims.marks.size()};
  const Id pairs = pairs_of(around_, bytes_, component, states());
  block.exits = around_.pool.zeros(core::words_for(static_cast<std::size_t>(pairs)));
  if (bytes_.below(2, "neither entry nor not") == 1) {
    const Id state = read_state();
    block.entry = vertex(operands, state, bytes_.below(model_.width(component), "no such entry"));
  }
  Id last = kNone;
  for (Id rest = bytes_.count(2); rest > 0; --rest) {
    const Id state = read_state();
    bytes_.require(state > last, "states do not ascend");
    last = state;
    read_bound_row(block, state);
  }
  block.list_end = claims.listed.size();
  for (std::size_t i = block.list; i < block.list_end; ++i) {
    claims.in_bound(number, claims.listed[i]) = static_cast<Id>(i - block.list);
    const Vertex& at = claims.vertices[claims.listed[i]];
    if (model_.kind(model_.first(component) + at.node) != core::NodeKind::exit) continue;
    core::set_bit(block.exits, static_cast<std::size_t>(exit_pair(at)));
  }
  if (block.entry != kNone) {
    bytes_.require(claims.in_bound.find(number, block.entry) != kNone, "the entry is not in its block");
    Id& table = claims.table_of(0, block.entry);
    if (table == kNone) table = number;
  }
  claims.bound_next.push_back(claims.bound_first.find(0, operands));
  claims.bound_first(0, operands) = number;
  claims.bound.push_back(block);
}

void PathReader::read_bound_row(BoundBlock& block, Id state) {
  PathClaims& claims = section_.paths;
  const Id component = section_.operand_contexts[block.operands].component;
  const Id width = model_.width(component);
  const std::size_t words = model_.words(component);
  const Word* const nodes = read_set(around_, bytes_, width);
  std::vector<const Word*> marked;
  for (Id mark = 0; block.entry != kNone && mark < level().marks; ++mark) {
    marked.push_back(read_set(around_, bytes_, width));
  }
  core::for_each_bit(nodes, words, [&](std::size_t node) {
    const Id local = static_cast<Id>(node);
    bytes_.require(model_.kind(model_.first(component) + local) != core::NodeKind::call,
                   "a claim is about a call node");
    claims.listed.push_back(vertex(block.operands, state, local));
    if (block.entry == kNone) return;
    claims.marks.resize(claims.marks.size() + level().mark_words);
    Word* const made = claims.marks.data() + claims.marks.size() - level().mark_words;
    for (std::size_t mark = 0; mark < marked.size(); ++mark) {
      if (core::test_bit(marked[mark], node)) core::set_bit(made, mark);
    }
  });
  around_.ticker.poll(1 + words);
}

void PathReader::read_part(Id number) {
  PathClaims& claims = section_.paths;
  const Id mark = bytes_.below(1 + level().marks, "no such mark") - 1;
  const std::size_t list = read_vertices(kNone);
  claims.parts.push_back({mark, list, claims.listed.size()});
  for (std::size_t i = list; i < claims.listed.size(); ++i) {
    Vertex& at = claims.vertices[claims.listed[i]];
    bytes_.require(at.part == kNone, "a vertex is in two parts");
    at.part = number;
    at.place = static_cast<Id>(i - list);
  }
}

} // namespace pigro::verify
