#include "verify/verify.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::verify {

namespace {

core::Zeroed<Word> call_nodes(const Model& model) {
  auto bits = core::make_zeroed<Word>(core::words_for(static_cast<std::size_t>(model.nodes())) + 2);
  for (Id node = 0; node < model.nodes(); ++node) {
    if (model.kind(node) == core::NodeKind::call) core::set_bit(bits.get(), static_cast<std::size_t>(node));
  }
  return bits;
}

} // namespace

Verifier::Verifier(const Model& model, DeadEnds dead_ends, std::function<void()> on_tick)
    : model_(model),
      calls_(call_nodes(model)),
      empty_(core::make_zeroed<Word>(core::words_for(static_cast<std::size_t>(model.nodes())))),
      ticker_(std::move(on_tick)),
      around_{model, calls_.get(), empty_.get(), pool_, ticker_},
      labels_(model),
      values_(around_, dead_ends, section_),
      rules_(around_, dead_ends, section_, values_, lemmas_) {}

std::optional<std::string> Verifier::lemmas(std::span<const std::uint8_t> body) {
  const Cut& cut = cutter_.cut(lemma_form(), 0);
  auto fault = check(cut, {}, Kind::lemmas, body);
  if (!fault) keep_lemmas(cut);
  return fault;
}

std::optional<std::string> Verifier::formula(std::span<const std::uint8_t> body, const Form& form) {
  return check(cutter_.cut(form, model_.labels()), form.atom_labels, Kind::formula, body);
}

std::optional<std::string> Verifier::check(const Cut& cut, std::span<const Id> labels, Kind kind,
                                           std::span<const std::uint8_t> body) {
  pool_.reset();
  read_section(around_, cut, kind, body, section_);
  assert(kind == Kind::formula || (section_.instances.empty() && labels.empty()));
  values_.start(cut, labels_.of(labels));
  try {
    rules_.check(cut, kind);
  } catch (const Rejection& fault) {
    return fault.text(kind);
  }
  return std::nullopt;
}

void Verifier::keep_lemmas(const Cut& cut) {
  for (const Block& block : section_.blocks) {
    if (block.entry == kNone) continue;
    const OperandContext& operands = section_.operand_contexts[block.operands];
    assert(section_.irrelevant(operands.level, operands.component)); // lemmas speak of all components alike
    const auto about = static_cast<Id>(cut.pieces[operands.level].op);
    const Id entry = model_.first(operands.component) + block.entry;
    const std::size_t words = model_.exit_words(operands.component);
    Word* const exits = lemma_sets_.take(words);
    std::copy_n(block.exits, words, exits);
    if (block.sure) {
      lemmas_.sure.add(about, entry, exits, first_of(exits, words));
    } else {
      lemmas_.bound.add_first(about, entry, exits);
    }
  }
}

} // namespace pigro::verify
