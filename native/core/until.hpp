// E[phi1 U phi2]: summaries by forward tabulation, values by backward search inside one component.
//
// Summary of a key (argument, entry): `hit`, if phi2 is reached from the entry through phi1-nodes
// at this stack level or deeper; `exits`, the exits reached through phi1-nodes.
// Source: the functional approach to interprocedural analysis, one visited bit a node.
#pragma once

#include "core/level.hpp"

namespace pigro::core {

class UntilLevel final : public Level {
 public:
  using Level::Level;

  // The exits that an entry of this argument's component reaches through phi1-nodes, unless hit.
  const Word* exits_from(Id argument, Id entry) { return summary(argument, entry).exits; }

 protected:
  void pass(const Instance& instance, Word* values) override;

 private:
  struct Key {
    Id argument;
    Id entry;
    Id first_node;
    const Word* phi1;
    const Word* phi2;
    Word* visited;
    Word* exits;
    Id callers = kNone; // list in callers_
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

  // The finished summary of an entry under an argument (L5).
  const Key& summary(Id argument, Id entry);
  Id key(Id argument, Id entry);
  void visit(Id key, Id node);
  void search();
  void step(Pending at);
  void step_call(Pending at);
  void reach_exit(Id key, Id exit);
  void hit(Id key);

  std::deque<Key> keys_;
  Interner key_ids_;
  std::vector<Caller> callers_;
  std::vector<Pending> pending_;
  std::vector<Id> hits_; // scratch of hit
};

} // namespace pigro::core
