// Model checking games of the mu-calculus on parts of a composed system, after [Shoham2010].
//
// A position is a state with a subformula. A game is about a *layer*: one part, or several parts composed. The
// labels of parts outside of the layer are unknown. A part outside of the layer can block a step by an action that it
// has. So a step is a must edge only if no outside part has its action. A definite colour holds whatever the others do.
//
// States of two parts are composed if they agree on the labels that both parts see. A shared label that is unknown in
// some state of some part is *unsettled*. Where it is unknown in one of two states, the pair of them may exist or not,
// so steps to it are no must edges. A definite colour of a pair is right wherever the pair exists.
//
// A *hyper-step* of a part is a step that must be there, to one of several states. In a game it is a set of edges of
// one node with the same action: the owner of the node can choose the set, and then the other player one of its edges.
// Parts make hyper-steps together if all tuples of their targets agree for sure. A single must step counts as a set of
// one edge for that. So the hyper-steps of a product are products of sets.
//
// G1  A position that is coloured from the start (a label, a constant, something known before) has no edges.
// G2  Equal positions are one node. Positions are reached from a root.
// G3  After `solve`, nodes of a definite colour keep it in every larger layer.
// G4  A hyper-step has two edges at least, all of its own node. Where an edge is left out, because its node does not
//     matter or is lost for the owner, so are the hyper-steps that have it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/exclusive.hpp"
#include "core/base/names.hpp"
#include "core/games/parity.hpp"

namespace pigro::core {

enum class ModalOp : std::uint8_t { yes, no, atom, negated, conjunction, disjunction, diamond, box, mu, nu, variable };

// A formula in positive normal form: src/pigro/logic/modal.py says what the arrays hold.
struct ModalFormula {
  std::vector<ModalOp> ops;
  std::vector<Id> left;
  std::vector<Id> right;
  std::vector<std::uint16_t> priority;
  Id root = 0;

  Id size() const { return static_cast<Id>(ops.size()); }
  bool is_modal(Id node) const { return ops[node] == ModalOp::diamond || ops[node] == ModalOp::box; }
  bool is_literal(Id node) const { return ops[node] <= ModalOp::negated; }
  std::uint8_t owner(Id node) const { return ops[node] == ModalOp::conjunction || ops[node] == ModalOp::box ? 1 : 0; }
};

// Actions are numbered for the whole system. Where parts have none, there is one, which all of them perform together.
struct PartView {
  Id states = 0;
  std::span<const Id> offsets;
  std::span<const Id> targets;
  std::span<const Id> by;                   // the action of each transition
  std::span<const std::uint8_t> must;       // of each transition
  std::span<const Id> hyper_offsets;        // of the hyper-steps of each state. Empty: there are none
  std::span<const Id> hyper_first;          // of the transitions of each hyper-step. One more at the end
  std::span<const Id> hyper_steps;          // transitions, by number
  std::span<const std::uint8_t> values;     // of each state, each atom of the formula: 0, 1, or kUnknown
  std::span<const std::uint8_t> alphabet;   // of each action: whether the part has it
  std::span<const std::uint8_t> elsewhere;  // of each action: whether some other part has it
  std::span<const std::uint8_t> modalities; // of each set of actions in the formula, of each action: whether it is in
  std::vector<std::span<const Id>> signatures; // of each part, of each state: the settled labels that both see
  std::span<const std::uint8_t> unsettled;     // of each state, each unsettled label: as in values, or kUnseen
  std::span<const std::uint8_t> known;         // of each state, each subformula: as below. Empty: nothing is
};

// Prior knowledge about a position: its Colour, `Colour::none` if the position is left out, or `kOpen` with one bit for
// each colour that it can't get.
inline constexpr std::uint8_t kOpen = 4;

// Of a label that is neither false, 0, nor true, 1, and of an unsettled label that the part does not see.
inline constexpr char kUnknown = 2;
inline constexpr char kUnseen = 3;

class Game {
 public:
  static constexpr Id kIdle = -1; // the action of a step that others make without the layer

  struct Edge {
    Id target;
    Id action;
    bool model_must; // the parts of the layer can make the step for sure
    bool must;       // and no other part can prevent it
  };

  virtual ~Game() = default;
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  void solve(Ticker& ticker);

  const ModalFormula& formula() const { return *formula_; }
  const std::shared_ptr<const ModalFormula>& shared_formula() const { return formula_; }
  Id size() const { return static_cast<Id>(formula_of_.size()); }
  std::size_t edges() const { return targets_.size(); }
  const std::vector<Id>& roots() const { return roots_; }
  Id formula_at(Id node) const { return formula_of_[node]; }
  Colour colour(Id node) const { return colours_[node]; }
  std::uint8_t barred(Id node) const { return barred_.empty() ? 0 : barred_[node]; }
  bool is_fixed(Id node) const { return fixed_[node] != Colour::none; }
  // The edges of the owner's winning move: one, or those of a hyper-step. Empty if the owner does not win.
  std::span<const Id> move(Id node) const;
  Id first_edge(Id node) const { return offsets_[node]; }
  Id end_edge(Id node) const { return offsets_[node + 1]; }
  Edge edge(Id edge) const {
    return {targets_[edge], actions_.empty() ? 0 : actions_[edge], (flags_[edge] & kModelMust) != 0,
            (flags_[edge] & kMust) != 0};
  }

  // The hyper-steps of a node, as ranges of numbers for `hyper_edges`.
  Id first_hyper(Id node) const { return hyper_offsets_.empty() ? 0 : hyper_offsets_[node]; }
  Id end_hyper(Id node) const { return hyper_offsets_.empty() ? 0 : hyper_offsets_[node + 1]; }
  std::span<const Id> hyper_edges(Id hyper) const {
    const auto first = static_cast<std::size_t>(hyper_first_[hyper]);
    return std::span(hyper_edges_).subspan(first, static_cast<std::size_t>(hyper_first_[hyper + 1]) - first);
  }
  bool hyper_must(Id hyper) const { return hyper_must_[hyper] != 0; } // no other part can prevent it
  std::size_t hypers() const { return hyper_must_.size(); }

  // A child that can matter for the colour of a node: not one that is lost for the node's owner.
  bool can_matter(Id node, Id child) const {
    const Id formula = formula_of_[node];
    if (formula_->ops[formula] >= ModalOp::mu) return true;
    return colours_[child] != (formula_->owner(formula) == 1 ? Colour::yes : Colour::no);
  }
  bool is_open(Id node) const { return colours_[node] == Colour::maybe && !is_fixed(node); }

  struct Cause {
    Id node;
    Id edge;         // one that is not a must edge, or kNone for an undecided label
    bool is_covered; // by a hyper-step that the owner of the node has not lost
  };
  // Why a root is not decided, nearest first. At most `limit` causes. Needs: solved.
  // Edges of a hyper-step that can still be won come last: whether it is won depends on what lies further on.
  std::vector<Cause> causes(std::size_t limit) const;

  virtual void states(Id node, std::vector<Id>& to) const = 0; // of the parts in the layer
  virtual const std::vector<std::uint8_t>& alphabet() const = 0;
  virtual Id parts() const = 0;
  virtual Id known_parts() const = 0; // of the whole system: those that nodes can show labels to
  virtual Id signature(Id node, Id other, PairTable& table) const = 0; // the settled labels shared with a part
  virtual void show(Id node, std::string& row) const = 0; // writes what its parts know of each unsettled label
  Id unsettled() const { return unsettled_; }             // how many unsettled labels there are

  mutable Exclusive exclusive; // for callers on several threads. The game itself does not look at it

 protected:
  void mark_covered(Id node, std::vector<std::uint8_t>& covered) const;
  static constexpr std::uint8_t kModelMust = 1;
  static constexpr std::uint8_t kMust = 2;

  explicit Game(std::shared_ptr<const ModalFormula> formula) : formula_(std::move(formula)) {}

  struct Flat;

  // Whether edges differ in their actions: there are several, or some are made by others.
  static bool actions_differ(const std::vector<std::uint8_t>& alphabet) {
    return alphabet.size() > 1 || std::find(alphabet.begin(), alphabet.end(), 0) != alphabet.end();
  }

  void add_node(Id formula, Colour fixed, Ticker& ticker);
  void add_edge(const Edge& edge, Ticker& ticker);
  void add_hyper(std::span<const Id> edges, bool must, Ticker& ticker); // of the node that is being added
  void end_node(Ticker& ticker);
  void add_hyper_nodes(Flat& flat, Ticker& ticker) const;

  std::shared_ptr<const ModalFormula> formula_;
  std::vector<Id> formula_of_;
  std::vector<Colour> fixed_; // the colouring to start from
  std::vector<Colour> colours_;
  std::vector<std::uint8_t> barred_; // as in FlatGame
  bool actions_differ_ = false;      // of edges
  std::vector<Id> offsets_{0};
  std::vector<Id> targets_;
  std::vector<Id> actions_; // empty: all 0
  std::vector<std::uint8_t> flags_;
  std::vector<Id> hyper_offsets_; // of each node, as far as they are needed
  std::vector<Id> hyper_first_{0};
  std::vector<Id> hyper_edges_;
  std::vector<std::uint8_t> hyper_must_;
  std::vector<Id> roots_;
  std::vector<Id> moves_; // an edge, or, after all edges, a hyper-step
  Id unsettled_ = 0;
};

// The game on one part alone.
class PartGame final : public Game {
 public:
  // `roots`: states. Needs: spans that outlive the constructor. Signatures are copied.
  PartGame(std::shared_ptr<const ModalFormula> formula, const PartView& part, std::span<const Id> roots,
           Ticker& ticker);

  Id state(Id node) const { return nodes_.first(node); }
  Id states_of_part() const { return states_; }

  void states(Id node, std::vector<Id>& to) const override { to.push_back(state(node)); }
  const std::vector<std::uint8_t>& alphabet() const override { return alphabet_; }
  Id parts() const override { return 1; }
  Id known_parts() const override { return static_cast<Id>(signatures_.size()); }
  Id signature(Id node, Id other, PairTable& table) const override {
    return table.number(0, signatures_[other][state(node)]);
  }
  Id signature_to(Id node, Id other) const { return signatures_[other][state(node)]; }
  void show(Id node, std::string& row) const override;

 private:
  const Id states_;
  PairTable nodes_; // (state, subformula)
  std::vector<std::uint8_t> alphabet_;
  std::vector<std::vector<Id>> signatures_;
  std::vector<std::uint8_t> unsettled_values_;
};

} // namespace pigro::core
