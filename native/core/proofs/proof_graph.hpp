// The graph that proofs about a path formula are made of: pairs under operand contexts, and all their moves.
//
// Question: from which vertices does an accepted run go on without a return, and why, or why not?
// Idea: everything that the asked vertices lead to is expanded with the summaries that the level found,
// and cut into strongly connected parts. A part is live if its inner moves have all marks, if a vertex
// of it is accepted at once, or if it leads to a live part. Parts are numbered so that no move leads to a
// higher number: the numbers are the ranks of K7.
// Cost: linear in the moves.
#pragma once

#include "core/paths/path.hpp"

namespace pigro::core {

class ProofGraph {
 public:
  using Pair = PathLevel::Pair;

  struct Place {
    Id operands; // the level's
    Id node;     // or, where a run stays at an exit, that many more than there are nodes in the model
    Id state;
  };
  // Reads a node and goes to a successor. Into a call, or past a call, by an exit of its key.
  struct Move {
    Id to;
    const Branch* branch;
    Id call = kNone; // the call node
    Id key = kNone;  // the table of the called entry, and
    Pair exit = {kNone, kNone};
    bool inside = true; // stays in the invocation
  };
  // Why a run is accepted at once: by a branch, or by the end of the run at an exit after a call.
  struct Acceptance {
    const Branch* branch = nullptr;
    Id call = kNone;
    Id key = kNone;
    Pair exit = {kNone, kNone};
    const Branch* end = nullptr;
  };
  struct Part {
    bool live = false;
    bool accepting = false;
    bool has_moves = false; // inside
    Id mark = kNone;        // one that no inner move has
    Id base = kNone;        // a vertex
  };

  explicit ProofGraph(PathLevel& level) : level_(level), model_(level.model_) {}

  // The vertex, with everything that it leads to.
  Id vertex(const Place& place);
  Id staying(Id operands, Id exit, Id state) { return vertex({operands, exit + model_.nodes(), state}); }

  const Place& place(Id vertex) const { return places_[vertex]; }
  Id node_read(Id vertex) const { return stays(vertex) ? places_[vertex].node - model_.nodes() : places_[vertex].node; }
  bool stays(Id vertex) const { return places_[vertex].node >= model_.nodes(); }
  bool is_exit(Id vertex) const { return !stays(vertex) && model_.kind(places_[vertex].node) == NodeKind::exit; }
  std::span<const Move> moves(Id vertex) const {
    const auto at = static_cast<std::size_t>(vertex);
    return std::span(moves_).subspan(first_move_[at], first_move_[at + 1] - first_move_[at]);
  }
  bool has_mark(const Move& move, Id mark) const;
  const Acceptance* acceptance(Id vertex) const {
    return acceptance_[vertex] == kNone ? nullptr : &acceptances_[acceptance_[vertex]];
  }
  Id part_of(Id vertex) const { return part_of_[vertex]; }
  const Part& part(Id number) const { return parts_[number]; }
  bool live(Id vertex) const { return parts_[part_of_[vertex]].live; }
  // Of a live vertex: the move towards acceptance. Null if it is accepted at once or the base of an accepting part.
  const Move* next(Id vertex) const { return next_[vertex] == kNone ? nullptr : &moves_[next_[vertex]]; }
  Id size() const { return static_cast<Id>(places_.size()); }

 private:
  Id number(const Place& place);
  void explore();
  void expand(Id vertex);
  bool expand_call(const Place& from, Id call, const Branch& branch);
  void accept(Id vertex, const Acceptance& how);
  void find_parts(Id from);
  void close_part(std::vector<Id>& open, Id root);
  void find_ways(Id from);

  PathLevel& level_;
  const Model& model_;
  PairTable rows_;    // operand context and state
  PairTable numbers_; // row and node
  std::vector<Place> places_;
  std::vector<std::size_t> first_move_{0}; // of each vertex that is expanded, and the end
  std::vector<Move> moves_;
  std::vector<Id> acceptance_; // of each vertex
  std::vector<Acceptance> acceptances_;
  std::vector<Id> part_of_, next_;
  std::vector<Part> parts_;
};

} // namespace pigro::core
