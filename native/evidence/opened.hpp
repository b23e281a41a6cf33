// What does a certificate say about single states? A certificate, opened: the section about a formula
// and, if runs are to be followed, the section with its lemmas.
//
// An instance speaks of all stacks that it describes (docs/certificate-rules.md), so the value of an
// operator in a state is that of any instance that describes its stack. Nothing is checked but what
// memory safety needs. The verifier is there for proof.
//
//   E1  A section that was opened has links, lower instances and joins of the right components.
//   E2  A stack's boxes fit: each is in the component that the one below calls.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/ticker.hpp"
#include "evidence/stacks.hpp"
#include "verify/values.hpp"

namespace pigro::evidence {

using core::Model;
using core::Word;
using verify::Op;

// A moment of a run. Call nodes are in no state.
struct State {
  Id stack;
  Id node;

  bool operator==(const State&) const = default;
};

enum class Value : std::uint8_t { unknown, yes, no };

// A section, with the memory for its sets and the places of nodes in its blocks.
struct Sheet {
  Sheet(const Model& model, const Word* calls, const Word* empty, verify::Ticker& ticker)
      : around{model, calls, empty, pool, ticker} {}
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;

  // Reads a section about a formula, or lemmas. Throws Malformed.
  void read(const verify::Form& form, verify::Kind kind, std::span<const std::uint8_t> body);
  void clear();

  const verify::Block& block(Id number) const { return section.blocks[number]; }
  Op op(Id level) const { return cut->pieces[level].op; }
  Id component(Id number) const { return section.operand_contexts[section.blocks[number].operands].component; }
  // The place of a node in a block, counted from 0, or kNone if it is not there.
  Id place(Id number, Id local);
  // The sure blocks about an entry, in the order of the file: the first one, and the one after another.
  Id first_about(Id operands, Id entry) const { return first_about_.find(operands, entry); }
  Id next_about(Id number) const { return next_about_[number]; }

  verify::Pool pool;
  verify::Surroundings around;
  verify::Section section;
  verify::Cutter cutter;
  const verify::Cut* cut = nullptr; // null if nothing was read

 private:
  void check_components(const verify::Cut& made) const;
  void index_blocks();

  verify::Table first_about_; // operand context, entry: block
  std::vector<Id> next_about_;
  std::vector<bool> placed_;
  verify::Table places_; // block, node: place
};

class Opened {
 public:
  // `on_tick` runs every few milliseconds and before large allocations. It may throw. The model must outlive this.
  Opened(const Model& model, core::DeadEnds dead_ends, std::function<void(std::size_t)> on_tick);
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  // Opens the section about a formula, whose lemmas are not opened yet.
  void open(std::span<const std::uint8_t> body, const verify::Form& form);
  void open_lemmas(std::span<const std::uint8_t> body);

  Id levels() const { return formula.cut == nullptr ? 0 : formula.cut->levels(); }
  // The value of a level's operator in a state, be it proved at the exit or at the return node.
  Value value(Id level, State state);
  // At how many places the section proves what a level's operator does not do.
  std::size_t explored(Id level) const;

  // The instances that describe a stack (kNone last: it speaks of all stacks).
  std::span<const Id> describing(Id level, Id stack, Id component);
  // The same moment seen by the caller, if the state is at an exit that somebody waits for.
  std::optional<State> after_return(State state) const;
  // The first sure lemma about an entry, by operator. Then the next.
  Id first_lemma(Op op, Id entry) const { return first_lemma_.find(static_cast<Id>(op), entry); }
  Id next_lemma(Id block) const { return next_lemma_[block]; }

  const Model& model;
  core::Ticker ticker;
  Stacks stacks;

 private:
  core::Zeroed<Word> calls_;
  core::Zeroed<Word> empty_;
  verify::Ticker verify_ticker_;
  verify::Labels labels_;

 public:
  Sheet formula;
  Sheet lemmas;
  verify::Values values; // of the section about the formula

 private:
  struct Row {
    std::size_t begin;
    std::size_t end;
  };
  Value value_at(Id level, State state);
  Id roots(Id level, Id component);
  Id enter(Id row, Id box);
  Id add_row(std::size_t begin);
  std::span<const Id> row(Id number) const {
    return {ids_.data() + rows_[number].begin, ids_.data() + rows_[number].end};
  }

  verify::Table described_; // level, stack: row
  verify::Table roots_;     // level, component: row
  std::vector<Row> rows_;
  std::vector<Id> ids_;
  std::vector<Id> pending_;
  verify::Table first_lemma_; // operator, entry: block
  std::vector<Id> next_lemma_;
};

} // namespace pigro::evidence
