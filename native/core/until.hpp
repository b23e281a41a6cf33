// E[phi1 U phi2]: summaries by forward tabulation, values by backward search inside one component.
//
// Summary of a key (argument, entry): `hit`, if phi2 is reached from the entry through phi1-nodes
// at this stack level or deeper; `exits`, the exits reached through phi1-nodes.
// Source: the functional approach to interprocedural analysis [Sharir1981], as a tabulation with one
// visited bit a node [Reps1995].
// A search that stops at a hit keeps its worklist; the next question goes on with it before it reads
// any exits (L5). With direction `backward`, core/backward.hpp takes the place of both.
#pragma once

#include "core/backward.hpp"
#include "core/level.hpp"

namespace pigro::core {

class UntilLevel final : public Level {
 public:
  using Level::Level;

  // The finished summary of an entry under an argument (L5).
  Summary summary(Id argument, Id entry);

 protected:
  bool decide(Id node) override;
  void pass(const Instance& instance, Word* values) override;

 private:
  friend class UntilProof; // reads the searches' tables

  struct Key {
    Id argument;
    Id entry;
    Id first_node;
    const Word* phi1;
    const Word* phi2;
    Word* visited;
    Word* exits;
    Id* parents;        // when certifying, of visited nodes: where the search came from
    Id callers = kNone; // list in callers_
    Id hit_at = kNone;  // the phi2-node, or the call node whose callee was hit
    bool hit = false;
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

  Summary summary_of_call(Id argument, Id call);
  Id key(Id argument, Id entry);
  void visit(Id key, Id node, Id from);
  void visit_returns(Id key, Id call, const Word* exits);
  Pending next();
  void step(Pending at);
  void step_call(Pending at);
  void reach_exit(Id key, Id exit);
  void hit(Pending at);

  std::deque<Key> keys_;
  Interner key_ids_{query_.allocation_guard()};
  std::vector<Caller> callers_;
  std::vector<Pending> pending_;
  std::size_t taken_ = 0; // of pending_, from the front; only when certifying
  std::vector<Pending> hits_;           // scratch of hit
  std::vector<Id> stack_;               // scratch of pass
  std::vector<const Word*> call_exits_; // scratch of pass
  Backward backward_{*this};
};

} // namespace pigro::core
