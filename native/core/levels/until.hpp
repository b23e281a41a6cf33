// E[phi1 U phi2]: summaries by forward tabulation, values by backward search inside one component.
//
// Summary of a key (operand context, entry): `hit`, if phi2 is reached from the entry through phi1-nodes
// at this stack level or deeper. `exits`, the exits reached through phi1-nodes.
// Source: the functional approach to interprocedural analysis [Sharir1981], as a tabulation with one
// visited bit a node [Reps1995].
// A search that stops at a hit keeps its worklist. The next question goes on with it before it reads
// any exits (L5). With direction `backward`, core/levels/backward.hpp takes the place of both.
#pragma once

#include "core/levels/backward.hpp"
#include "core/levels/level.hpp"

namespace pigro::core {

class UntilLevel final : public Level {
 public:
  using Level::Level;

  // The finished summary of an entry under an operand context (L5).
  Summary summary(Id operands, Id entry);
  // How many steps it takes to each exit that is reached. Needs: a policy for shortest paths.
  const Id* lengths(Id operands, Id entry);

 protected:
  bool decide(Id node) override;
  void pass(Instance& instance, Word* values) override;

 private:
  friend class UntilProof; // reads the searches' tables

  struct Key {
    Id operands;
    Id entry;
    Id first_node;
    const Word* phi1;
    const Word* phi2;
    Word* visited;
    Word* exits;
    Id* parents;        // when certifying, of visited nodes: where the search came from,
    Id* lengths;        // for shortest paths: in how many steps
    Id callers = kNone; // list in callers_
    Id hit_at = kNone;  // the phi2-node, or the call node whose callee was hit
    Id hit_after = 0;   // for shortest paths: in how many steps
    bool hit = false;
    Word own_visited = 0; // `visited` and `exits`, if they fit
    Word own_exits = 0;
  };
  struct Caller {
    Id key;
    Id call; // the call node in the caller
    Id next;
  };
  struct Pending {
    Id key;
    Id node;
  };
  // For shortest paths, the search takes what is nearest to the entry of its key first, calls counted
  // with their steps [Knuth1977].
  struct Ranked {
    Id key;
    Id node;
    Id from;
    bool is_hit; // not a node to visit: the callee of this call node was hit
  };

  Summary summary_of_call(Id operands, Id call);
  Id key(Id operands, Id entry);
  void visit(Id key, const Key& at, Id node, Id from, Id length); // `at`: the key
  // `lengths`: steps to each exit of the callee. Null if they do not matter.
  void visit_returns(Id key, Id call, const Word* exits, const Id* lengths);
  void rank(Ranked at, Id length);
  void take_nearest();
  Id length(const Key& key, Id node) const { return key.lengths == nullptr ? 0 : key.lengths[node - key.first_node]; }
  bool is_idle() const { return pending_.empty() && ranked_ == 0; }
  void step(Pending at);
  void step_call(Pending at);
  void reach_exit(Id key, Id exit);
  void leave_by(Id key, Id exit, const Caller& caller);
  void hit(Pending at);
  void hit_through(Pending call, const Key& called);
  Id* ids_if(bool wanted, Id component);

  Stable<Key> keys_{query_.arena};
  OwnedIds key_ids_{query_.allocation_guard()}; // by operand context
  std::vector<Caller> callers_;
  std::vector<Pending> pending_;
  std::vector<std::vector<Ranked>> by_length_; // for shortest paths, in place of pending_
  std::size_t nearest_ = 0;                    // none in by_length_ is nearer
  std::size_t ranked_ = 0;                     // how many there are
  std::vector<Pending> hits_;                  // scratch of hit
  std::vector<Id> stack_;                      // scratch of pass
  std::vector<const Word*> call_exits_;        // scratch of pass
  Backward backward_{*this};
};

} // namespace pigro::core
