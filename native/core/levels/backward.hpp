// Summaries of all nodes of a component at once, backwards: for components with many entries.
//
// For an operand context J and every node n of its component: `base`, and `reach`, the exits that n reaches
// through phi1-nodes (EU) or phi-nodes (EG) before it returns. Least solution of
//   reach(exit e) = {e},  reach(n) = union over successors,  all only where phi1 holds,
//   reach(call)   = union of reach(return(b, e)) for e in reach of the entry in the callee.
// base of EU: phi2 is reached. The same equations with true at phi2-nodes.
// base of EG: a run that stays among phi-nodes and never returns below this level. A greatest solution
// over the graph of local edges, descents call -> entry and summary edges call -> return.
//
// Invariants:
//   B1  a finished table is a solution, and so are the tables of all operand contexts it calls.
//   B2  a table is opened for every operand context that a call node of an open table can call.
// Cost: an edge is looked at once for each time that the set at its target grows.
#pragma once

#include <deque>

#include "core/levels/level.hpp"

namespace pigro::core {

class Backward {
 public:
  explicit Backward(Level& level)
      : level_(level), query_(level.query_), model_(level.model_), greatest_(level.spec_.op == Op::globally) {}

  bool base(Id operands, Id node);
  // Words of the exits reached, by ordinal. Complete unless base.
  const Word* reach(Id operands, Id node);
  // The values of all nodes under a context: base, or a true exit within reach.
  void pass(Id operands, const Word* mask, Word* values);

 private:
  struct Table {
    Id operands;
    Id component;
    Id first_node;
    std::size_t exit_words;
    const Word* through; // phi1 or phi
    Word* base;
    Word* reach;                 // exit_words for each node
    Word* queued;                // nodes that wait in pending_
    Id* callers;                 // of each node: list in callers_
    const Word** called_exits;   // of call nodes: what the callee's entry reaches
    Zeroed<Id> living = nullptr; // scratch of find_endless: successors that may go on for ever
    bool solved = false;

    Word* reach_of(Id node) const { return reach + static_cast<std::size_t>(node - first_node) * exit_words; }
    std::size_t bit(Id node) const { return static_cast<std::size_t>(node - first_node); }
  };
  struct Caller {
    Id table;
    Id call;
    Id next;
  };
  struct Pending {
    Id table;
    Id node;
  };

  const Table& solved(Id operands);
  Id open(Id operands);
  void start(Id table);
  void start_call(Id table, Id call);
  void spread(Pending at);
  void spread_to_callers(const Table& from, Id entry);
  void absorb_returns(Id table, Id call, const Word* exits);
  void absorb(Id table, Id node, const Table& from, Id other);
  void set_base(Id table, Id node);
  void changed(Id table, Id node);
  void find_endless(std::span<const Id> tables);
  void check_solution(const Table& table); // in debug builds

  Level& level_;
  Query& query_;
  const Model& model_;
  const bool greatest_; // EG: base is found by find_endless
  std::deque<Table> tables_;
  std::vector<Id> table_of_; // by operand context
  std::vector<Id> to_start_;
  std::vector<Id> fresh_; // opened since the last solution
  std::vector<Caller> callers_;
  std::vector<Pending> pending_;
};

} // namespace pigro::core
