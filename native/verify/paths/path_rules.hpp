// Does a level over a path formula obey the rules? K2 to K9 of docs/certificate-rules.md. K0 is in
// verify/paths/tableau.hpp. K1 and K10 are R1 and R8.
//
// Sure blocks are checked in order, then bound blocks, parts and masks, as the checker in Python does.
#pragma once

#include "verify/paths/tableau.hpp"
#include "verify/rejection.hpp"
#include "verify/values.hpp"

namespace pigro::verify {

class PathRules {
 public:
  PathRules(const Surroundings& around, DeadEnds dead_ends, Section& section, Values& values)
      : around_(around),
        model_(around.model),
        dead_ends_(dead_ends),
        section_(section),
        claims_(section.paths),
        values_(values),
        tableau_(around.ticker) {}

  // Throws Rejection.
  void check(const Cut& cut, Id level);

 private:
  enum class Side : std::uint8_t { sure, possible };
  struct Place {
    Id operands, state, node;
  };
  // A way to go on: to a vertex. Or, sure ones: accepted at once, possible ones: so or not known.
  struct Move {
    Id to; // kNone if no claim names the vertex
    const Word* marks;
    bool inside; // stays in the invocation
    bool to_exit;
  };
  struct Way {
    Id pair; // state and exit
    std::vector<Word> marks;
  };

  [[noreturn]] void reject(int rule, const char* what, Id index, Id node) const {
    throw Rejection{kPathRules + rule, level_, what, index, node};
  }

  void check_sure(const SureBlock& block, Id index);
  bool check_vertex(const SureBlock& block, Id vertex);
  void check_bound(const BoundBlock& block, Id number, Id index);
  bool stays_in(const BoundBlock& block, Id number, std::size_t place);
  void check_part(const PathPart& part, Id number, Id index);
  bool ranks(const PathPart& part, Id number, Id vertex);
  void check_masks();
  void check_root(const Instance& instance, Id index);
  void check_link(const Link& link, Id index);
  bool stays(Id operands, Id pair, bool value) const;

  // Calls take(branch) for those that can be taken. Stops if it returns false.
  template <typename Take>
  bool branches(Id operands, Id state, Id node, Side side, Take&& take);
  // Calls move(Move) for each move, and alone() for a branch that is accepted at once or whose moves are not known.
  // Stops if they return false.
  template <typename OnMove, typename Alone>
  bool moves(Id vertex, Side side, OnMove&& move, Alone&& alone);
  template <typename OnMove, typename Alone>
  bool call_moves(Id operands, Id call, const Branch& branch, Side side, OnMove& move, Alone& alone);
  template <typename OnMove>
  bool go(OnMove& move, const Place& to, const Word* marks, bool inside);
  template <typename Visit>
  bool summary(Id entry, Side side, Visit&& visit);
  bool may_end(Id operands, Id state, Id exit, Side side);
  bool is_exit(const Vertex& at) const;
  Id component(Id operands) const { return section_.operand_contexts[operands].component; }
  Word* seen(Id vertex) { return seen_.data() + static_cast<std::size_t>(vertex - first_vertex_) * words_; }
  bool has_all(const Word* marks) const;

  const Surroundings& around_;
  const Model& model_;
  DeadEnds dead_ends_;
  Section& section_;
  PathClaims& claims_;
  Values& values_;
  Tableau tableau_;

  Id level_ = 0;
  const PathLevel* path_ = nullptr;
  std::size_t words_ = 0; // of marks
  Id first_vertex_ = 0;
  std::vector<Id> claimed_; // of each vertex: the last block that it is claimed in
  std::vector<Word> seen_;  // of each vertex: the marks on ways from it, in that block
  Id block_ = 0;
  std::vector<std::vector<Way>> ways_; // by vertex
  std::vector<Word> letter_;
};

} // namespace pigro::verify
