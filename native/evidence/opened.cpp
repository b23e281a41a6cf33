#include "evidence/opened.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace pigro::evidence {

using core::NodeKind;
using verify::Block;
using verify::Kind;
using verify::Malformed;
using verify::OperandContext;

namespace {

constexpr int kRound = 1 << 12; // steps between two calls of `Ticker::tick`

core::Zeroed<Word> call_nodes(const Model& model) {
  auto bits = core::make_zeroed<Word>(core::words_for(static_cast<std::size_t>(model.nodes())) + 2);
  for (Id node = 0; node < model.nodes(); ++node) {
    if (model.kind(node) == NodeKind::call) core::set_bit(bits.get(), static_cast<std::size_t>(node));
  }
  return bits;
}

void require(bool fine, const char* what) {
  if (!fine) throw Malformed(what);
}

} // namespace

// ---- a section

void Sheet::clear() {
  pool.reset();
  section.clear();
  first_about_.clear();
  next_about_.clear();
  placed_.clear();
  places_.clear();
  cut = nullptr;
}

void Sheet::read(const verify::Form& form, Kind kind, std::span<const std::uint8_t> body) {
  clear();
  const verify::Cut& made = cutter.cut(form, around.model.labels());
  verify::read_section(around, made, kind, body, section);
  check_components(made);
  index_blocks();
  cut = &made; // from now on it may be asked
}

// E1: a part of rule R1, without which values would be read beyond their ends.
void Sheet::check_components(const verify::Cut& made) const {
  const Model& model = around.model;
  const auto& operand_contexts = section.operand_contexts;
  const auto component_of = [&](Id instance) {
    return operand_contexts[section.instances[instance].operands].component;
  };
  for (const OperandContext& operands : operand_contexts) {
    const verify::Piece& piece = made.pieces[operands.level];
    for (Id child = 0; child < piece.children_end - piece.children; ++child) {
      const Id lower = section.lowers[operands.lower + child];
      require(lower == kNone || component_of(lower) == operands.component, "a lower instance of another component");
    }
  }
  for (const verify::Link& link : section.links) {
    const Id box = model.first_box(operand_contexts[link.source].component) + link.box;
    require(model.callee(box) == operand_contexts[link.target].component, "a link to another component");
  }
  for (const verify::Link& link : section.instance_links) {
    const Id box = model.first_box(component_of(link.source)) + link.box;
    require(model.callee(box) == component_of(link.target), "an instance link to another component");
  }
}

void Sheet::index_blocks() {
  next_about_.assign(section.blocks.size(), kNone);
  placed_.assign(section.blocks.size(), false);
  for (Id number = static_cast<Id>(section.blocks.size()) - 1; number >= 0; --number) {
    const Block& at = section.blocks[number];
    if (!at.sure || at.entry == kNone) continue;
    Id& first = first_about_(at.operands, at.entry);
    assert(first == kNone || first > number); // in the order of the file
    next_about_[number] = first;
    first = number;
  }
}

Id Sheet::place(Id number, Id local) {
  const Block& at = section.blocks[number];
  if (at.set != nullptr) {
    const auto bit = static_cast<std::size_t>(local);
    if (!core::test_bit(at.set, bit)) return kNone;
    Id before = 0;
    for (std::size_t i = 0; i < bit / core::kWordBits; ++i) before += std::popcount(at.set[i]);
    return before + std::popcount(at.set[bit / core::kWordBits] & ((Word{1} << (bit % core::kWordBits)) - 1));
  }
  if (!placed_[number]) {
    placed_[number] = true;
    for (std::size_t i = at.list; i < at.list_end; ++i) {
      Id& known = places_(number, section.listed[i]);
      if (known == kNone) known = static_cast<Id>(i - at.list);
    }
    around.ticker.poll(at.list_end - at.list);
  }
  return places_.find(number, local);
}

// ---- a certificate

Opened::Opened(const Model& of, core::DeadEnds dead_ends, std::function<void(std::size_t)> on_tick)
    : model(of),
      ticker(std::move(on_tick)),
      calls_(call_nodes(of)),
      empty_(core::make_zeroed<Word>(core::words_for(static_cast<std::size_t>(of.nodes())))),
      verify_ticker_([this] { ticker.poll(kRound); }),
      labels_(of),
      formula(of, calls_.get(), empty_.get(), verify_ticker_),
      lemmas(of, calls_.get(), empty_.get(), verify_ticker_),
      values(formula.around, dead_ends, formula.section) {}

void Opened::open(std::span<const std::uint8_t> body, const verify::Form& form) {
  formula.clear();
  lemmas.clear();
  described_.clear();
  roots_.clear();
  rows_.clear();
  ids_.clear();
  first_lemma_.clear();
  next_lemma_.clear();
  formula.read(form, Kind::formula, body);
  values.start(*formula.cut, labels_.of(form.atom_labels));
}

void Opened::open_lemmas(std::span<const std::uint8_t> body) {
  first_lemma_.clear();
  lemmas.read(verify::lemma_form(), Kind::lemmas, body);
  const auto& blocks = lemmas.section.blocks;
  next_lemma_.assign(blocks.size(), kNone);
  for (Id number = static_cast<Id>(blocks.size()) - 1; number >= 0; --number) {
    const Block& at = blocks[number];
    if (!at.sure || at.entry == kNone) continue;
    const OperandContext& operands = lemmas.section.operand_contexts[at.operands];
    Id& first = first_lemma_(static_cast<Id>(lemmas.op(operands.level)), model.first(operands.component) + at.entry);
    assert(first == kNone || first > number);
    next_lemma_[number] = first;
    first = number;
  }
}

std::optional<State> Opened::after_return(State state) const {
  assert(state.stack == Stacks::kEmpty || model.callee(stacks.box(state.stack)) == model.component(state.node)); // E2
  if (state.stack == Stacks::kEmpty || model.kind(state.node) != NodeKind::exit) return std::nullopt;
  const Id back = model.return_node(stacks.box(state.stack), model.ordinal(state.node));
  if (back == kNone) return std::nullopt;
  return State{stacks.below(state.stack), back};
}

Value Opened::value(Id level, State state) {
  ticker.poll();
  const Value here = value_at(level, state);
  if (here != Value::unknown) return here;
  const auto returned = after_return(state);
  return returned ? value_at(level, *returned) : Value::unknown;
}

Value Opened::value_at(Id level, State state) {
  const Id component = model.component(state.node);
  const auto local = static_cast<std::size_t>(state.node - model.first(component));
  const std::span<const Id> instances = describing(level, state.stack, component);
  for (const Id instance : instances) {
    assert(instance == kNone ||
           formula.section.operand_contexts[formula.section.instances[instance].operands].component == component); // E1
    const verify::Truth truth = values.value(instance == kNone ? values.free_instance(level, component) : instance);
    if (core::test_bit(truth.yes, local)) return Value::yes;
    if (core::test_bit(truth.no, local)) return Value::no;
  }
  return Value::unknown;
}

std::size_t Opened::explored(Id level) const {
  const verify::Range blocks = formula.section.levels[level].blocks;
  std::size_t found = 0;
  for (Id number = blocks.begin; number < blocks.end; ++number) {
    const Block& at = formula.block(number);
    if (at.sure) continue;
    found += at.list_end - at.list;
    if (at.set == nullptr) continue;
    for (std::size_t i = 0; i < model.words(formula.component(number)); ++i) {
      found += static_cast<std::size_t>(std::popcount(at.set[i]));
    }
  }
  return found;
}

// ---- which instances describe a stack

std::span<const Id> Opened::describing(Id level, Id stack, Id component) {
  pending_.clear();
  Id at = stack;
  Id found = kNone;
  for (; at != Stacks::kEmpty; at = stacks.below(at)) {
    found = described_.find(level, at);
    if (found != kNone) break;
    pending_.push_back(at);
  }
  if (found == kNone) {
    found = roots(level, pending_.empty() ? component : model.box_component(stacks.box(pending_.back())));
  }
  for (; !pending_.empty(); pending_.pop_back()) {
    ticker.poll();
    found = enter(found, stacks.box(pending_.back()));
    described_(level, pending_.back()) = found;
  }
  return row(found);
}

Id Opened::roots(Id level, Id component) {
  const Id known = roots_.find(level, component);
  if (known != kNone) return known;
  const verify::Section& section = formula.section;
  const std::size_t begin = ids_.size();
  for (Id i = section.levels[level].instances.begin; i < section.levels[level].instances.end; ++i) {
    const verify::Instance& at = section.instances[i];
    if (at.root && section.operand_contexts[at.operands].component == component) ids_.push_back(i);
  }
  const Id made = add_row(begin);
  return roots_(level, component) = made;
}

// What instances become when a box is entered.
Id Opened::enter(Id from, Id box) {
  if (rows_[from].end - rows_[from].begin == 1) return from;
  const Id local = box - model.first_box(model.box_component(box));
  const std::size_t begin = ids_.size();
  for (std::size_t i = rows_[from].begin; i < rows_[from].end; ++i) {
    if (ids_[i] == kNone) continue;
    const Id joined = formula.section.instance_link_of.find(ids_[i], local);
    if (joined != kNone) ticker.push(ids_, joined);
  }
  std::sort(ids_.begin() + static_cast<std::ptrdiff_t>(begin), ids_.end());
  const auto last = std::unique(ids_.begin() + static_cast<std::ptrdiff_t>(begin), ids_.end());
  ids_.erase(last, ids_.end());
  return add_row(begin);
}

Id Opened::add_row(std::size_t begin) {
  ids_.push_back(kNone);
  rows_.push_back({begin, ids_.size()});
  assert(std::is_sorted(ids_.begin() + static_cast<std::ptrdiff_t>(begin), ids_.end() - 1)); // kNone comes last
  return static_cast<Id>(rows_.size()) - 1;
}

} // namespace pigro::evidence
