// The game on several parts, composed of the undecided nodes of smaller games (core/games/game.hpp).
#pragma once

#include <array>

#include "core/games/game.hpp"

namespace pigro::core {

// The part of a solved game that the colour of its roots can depend on: undecided nodes, and nodes that they lead to.
class OpenPart {
 public:
  enum class Keep : std::uint8_t {
    that_matter, // edges to children that can matter
    children,    // all edges of undecided nodes
    everything   // all of the game
  };

  struct Arc {
    Id action;
    Id shown; // what the target shows
    Id target;
    bool must; // the parts of the layer can make the step for sure

    std::pair<Id, Id> key() const { return {action, shown}; }
  };

  // `shown`: of each node, what it shows of the labels shared with a part. Empty: nothing.
  OpenPart(const Game& game, Keep keep, std::span<const Id> shown, Ticker& ticker);

  // How many nodes and edges are undecided, with those that they lead to.
  static std::pair<Id, std::size_t> size(const Game& game, Ticker& ticker);

  // Those of a step are sorted by their keys.
  std::span<const Arc> arcs(Id node) const {
    return {arcs_.data() + first_[node], static_cast<std::size_t>(first_[node + 1] - first_[node])};
  }

  // Targets of which one is reached for sure, by an action, if no other part prevents it.
  struct Goals {
    Id action;
    Id shown; // what all of them show, or kNone if that differs
    std::vector<Id> targets;
  };

  // Of hyper-steps whose edges are all kept, if there are any.
  std::span<const Goals> hypers(Id node) const {
    if (goals_of_.empty()) return {};
    return {goals_.data() + goals_of_[node], static_cast<std::size_t>(goals_of_[node + 1] - goals_of_[node])};
  }
  bool has_hypers() const { return !goals_.empty(); }

 private:
  void add_goals(const Game& game, Id node, Keep keep, std::span<const Id> shown, Ticker& ticker);

  std::vector<Id> first_;
  std::vector<Arc> arcs_;
  std::vector<Id> goals_of_; // empty if the game has no hyper-steps
  std::vector<Goals> goals_;
};

// Pairs of nodes of two games with the same subformula, numbered in the order in which they are first seen. Pairs are
// found by hash. Once many of the possible pairs exist, a dense table indexed by both nodes replaces the hash table.
class PairsOfNodes {
 public:
  PairsOfNodes(const Game& left, const Game& right);

  Id number(Id left, Id right, Ticker& ticker);
  Id first(Id pair) const { return pairs_[pair].first; }
  Id second(Id pair) const { return pairs_[pair].second; }

 private:
  static constexpr std::size_t kPlaces = 16; // of the table, for each pair that is there
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 31;

  std::size_t place(Id left, Id right) const { return row_[left] + static_cast<std::size_t>(column_[right]); }
  void make_table(Ticker& ticker);

  std::vector<std::pair<Id, Id>> pairs_;
  Slots slots_;
  std::vector<std::size_t> row_; // of the nodes on the left: where their places begin
  std::vector<Id> column_;       // of those on the right
  std::size_t places_ = 0;
  Zeroed<Id> table_; // of each place: the number of its pair, and 1. 0: none
};

// The game on a layer and one more part, composed of the undecided nodes of both.
class ProductGame final : public Game {
 public:
  struct Layer {
    std::span<const std::uint8_t> elsewhere;  // of each action: whether some part outside of the layer has it
    std::span<const std::uint8_t> modalities; // as in PartView
    bool everything = false;                  // compose all of both games, decided or not
    // Keep decided nodes that are next to open ones, for a larger layer that is watched. The colours of the sides are
    // then right wherever the sides meet all other parts. Pairs of nodes that contradict each other never meet them,
    // and are left out. If other parts see a pair as true, and others as open, it must not become false.
    bool decided = false;
    bool watch = false; // keep what `appearances` needs. Needs: smaller layers kept decided nodes
  };

  // `roots`: pairs of numbers of roots. Needs: games that are solved, of the same formula, and that outlive this one.
  // Throws std::logic_error if the games contradict each other.
  ProductGame(const Game& left, const PartGame& right, Id right_part, const Layer& layer,
              std::span<const std::pair<Id, Id>> roots, Ticker& ticker);

  Id left_node(Id node) const { return nodes_.first(node); }
  Id right_node(Id node) const { return nodes_.second(node); }
  const Game& left() const { return left_; }
  const PartGame& right() const { return right_; }

  // For each node of the game on a part, the colours it has where it meets the others, as bits: in this game, in what
  // was left out because one side had decided it, and in what smaller layers had decided. Needs: solved, and watched.
  std::vector<std::uint8_t> appearances(Id part) const;
  bool is_watched() const { return !left_out_[0].empty(); }
  const PartGame& part_game(Id part) const; // by number in the layer

  // Forgets what the layer has found out by itself. When blocks are split it may not find it out again, and then it
  // matters how its positions meet those of other parts. Needs: solved, and decided positions were kept.
  void forget();
  bool can_forget() const { return learns_; }

  void states(Id node, std::vector<Id>& to) const override {
    left_.states(left_node(node), to);
    right_.states(right_node(node), to);
  }
  const std::vector<std::uint8_t>& alphabet() const override { return alphabet_; }
  Id parts() const override { return left_.parts() + 1; }
  Id known_parts() const override { return std::min(left_.known_parts(), right_.known_parts()); }
  Id signature(Id node, Id other, PairTable& table) const override {
    const Id before = left_.signature(left_node(node), other, table);
    return table.number(before, right_.signature_to(right_node(node), other));
  }
  void show(Id node, std::string& row) const override {
    left_.show(left_node(node), row);
    right_.show(right_node(node), row);
  }

 private:
  class Matching;

  Id position(Id left, Id right, Ticker& ticker);

  const Game& left_;
  const PartGame& right_;
  PairsOfNodes nodes_;
  std::vector<std::uint8_t> alphabet_;
  const bool learns_;                                 // nodes can't get colours that both of their sides can't
  std::array<std::vector<std::uint8_t>, 2> left_out_; // of each node of a side: colours of nodes that were left out
};
} // namespace pigro::core
