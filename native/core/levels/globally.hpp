// EG phi: summaries by one depth-first search for a lasso, values by a greatest fixpoint.
//
// Summary of a key (operand context, entry): `hit`, if from the entry runs an infinite phi-path that never
// returns below this stack level: a cycle in local edges, descents call -> entry, and summary edges
// call -> return; `exits`, the exits reached through phi-nodes (complete unless hit).
// A dead end among phi-nodes, or an exit whose return node the calling box lacks, ends such a path too.
// With direction `backward`, core/levels/backward.hpp takes the place of both.
#pragma once

#include "core/levels/backward.hpp"
#include "core/levels/level.hpp"

namespace pigro::core {

class GloballyLevel final : public Level {
 public:
  using Level::Level;

  // The finished summary of an entry under an operand context (L5).
  Summary summary(Id operands, Id entry);

 protected:
  bool decide(Id node) override;
  void pass(Instance& instance, Word* values) override;

 private:
  friend class GloballyProof; // reads the search's tables

  enum class Progress : std::uint8_t { fresh, open, finished };
  struct Key {
    Id operands;
    Id entry;
    Id first_node;
    const Word* phi;
    Word* visited;
    Word* on_path; // grey: on the current path
    Word* exits;
    Id* parents;     // when certifying, of visited nodes: where the search came from in this key
    Id last = kNone; // when certifying: list in steps_ of nodes left, the last one first. If hit, of those on the lasso
    Progress progress = Progress::fresh;
    bool hit = false;
    Word own_visited = 0; // `visited`, `on_path` and `exits`, if they fit
    Word own_path = 0;
    Word own_exits = 0;
  };
  struct Frame {
    Id key;
    Id node;
    Id callee = kNone;           // of a call node whose callee has been entered
    const Word* exits = nullptr; // of a call node: what the finished callee reaches
    Id next = 0;                 // successor, or return node of the box, to look at next
  };

  Summary summary_of_call(Id operands, Id call);
  Id key(Id operands, Id entry);
  // Runs the search until its path is empty.
  void search();
  // True if going on to the node closes a lasso. Otherwise it is on the path, known, or no phi-node.
  bool enter(Id key, Id node);
  // One step of the search. True if it closes a lasso.
  bool advance();
  bool advance_call(Frame& frame);
  bool descend(Frame& frame);
  bool lacks_return(const Word* exits, Id box) const;
  void leave();
  void close_lasso();

  // A node that the search left, or that is on a lasso. Kept only when certifying.
  struct Trace {
    Id node;
    Id before; // the one before it in the same key
  };
  void keep(Id key, Id node);

  Stable<Key> keys_{query_.arena};
  std::vector<Trace> steps_;
  OwnedIds key_ids_{query_.allocation_guard()}; // by operand context
  std::vector<Frame> path_;
  std::vector<Id> living_;              // scratch of pass
  std::vector<Id> dead_;                // scratch of pass
  std::vector<const Word*> call_exits_; // scratch of pass
  Backward backward_{*this};
};

} // namespace pigro::core
