// Where is a level, or an operand of it, true, false or unknown? The section "Values" of
// docs/certificate-rules.md, by words: the nodes of a component at once.
//
// Everything is worked out when it is first asked for, and kept until the next section. The values of
// call nodes mean nothing, and are not used.
#pragma once

#include <span>
#include <vector>

#include "verify/section.hpp"

namespace pigro::verify {

using core::DeadEnds;

// The bit sets of labels over all nodes, each made once, with a word to spare.
class Labels {
 public:
  explicit Labels(const Model& model) : model_(model), none_(core::make_zeroed<Word>(words())) {}

  // The sets of these labels. kNone is the label that no node has. Valid until the next call.
  std::span<const Word* const> of(std::span<const Id> labels);

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 21; // words

  std::size_t words() const { return core::words_for(static_cast<std::size_t>(model_.nodes())) + 2; }
  const Word* bits(Id label);

  const Model& model_;
  core::Zeroed<Word> none_;
  std::vector<core::Zeroed<Word>> made_;
  Table place_; // 0, label: in made_
  std::vector<const Word*> found_;
};

class Values {
 public:
  Values(const Surroundings& around, DeadEnds dead_ends, Section& section)
      : around_(around), model_(around.model), dead_ends_(dead_ends), section_(section) {}

  // What the next section is about. Both must live as long as it is asked.
  void start(const Cut& cut, std::span<const Word* const> atoms) {
    cut_ = &cut;
    atoms_ = atoms;
  }

  // The operand context, with phi1, phi2 or phi worked out. Valid until the next call.
  const OperandContext& at(Id operands);
  // The leaves of an operand context of a path formula. Valid until the next call.
  std::span<const Truth> leaves(Id operands);
  // Whether a vertex has a value, by the claims about live vertices, parts and blocks.
  bool has_value(const Instance& instance, Id vertex, bool value) const;
  // The value of an instance at the nodes of its component.
  Truth value(Id instance);
  // phi1, phi2 or phi over all nodes of the model, with all children unknown.
  void everywhere(Id level, Truth& first, Truth& last);

  // The operand context of the component without lower instances: the first listed one, or one without
  // links and blocks.
  Id free_operands(Id level, Id component);
  // The instance with empty masks of the free operand context: what *none* stands for.
  Id free_instance(Id level, Id component);

 private:
  struct Run {
    std::size_t first_bit;
    std::size_t words;
    std::span<const Truth> children; // empty if all are unknown
  };

  Id instance_below(Id operands, Id child);
  void settle(Id operands);
  bool lower_known(Id operands);
  void push_unknown(const Instance& instance);
  void work_out(Id operands);
  void evaluate(const Piece& piece, const Run& run, Truth& first, Truth& last);
  void evaluate_step(const Step& step, const Run& run, std::size_t from, std::size_t count, Word* yes, Word* no);

  void value_instance(Id instance);
  void value_masks(const Instance& instance, Word* yes, Word* no) const;
  void value_blocks(const Instance& instance, Word* yes, Word* no) const;
  void evaluate_leaves(const Piece& piece, const Run& run, OperandContext& operands);
  void value_paths(const Instance& instance, Word* yes, Word* no) const;
  void value_irrelevant(const Instance& instance, Word* yes, Word* no) const;
  void value_next(const Instance& instance, Word* yes, Word* no);
  Truth seen_by_steps(Id operands);
  void see_call(Id call, const OperandContext& callee, Word* yes, Word* no) const;

  const Surroundings& around_;
  const Model& model_;
  DeadEnds dead_ends_;
  Section& section_;
  const Cut* cut_ = nullptr;
  std::span<const Word* const> atoms_;
  std::vector<Id> pending_;
  std::vector<Truth> below_;
  std::vector<Word> steps_; // of a program: what each step gives for a few words
};

} // namespace pigro::verify
