// The claims of a path formula (K2 to K9 of docs/certificate-rules.md), from what its level found.
//
// Ways follow the arrivals that the level noted, each of which rests on earlier ones. All other claims are
// read off the graph of moves (core/proofs/proof_graph.hpp), which is explored from the wanted vertices on.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "core/proofs/certify.hpp"
#include "core/proofs/proof_graph.hpp"

namespace pigro::core {

class PathProof final : public LevelProof {
 public:
  PathProof(ProofTask& task, PathLevel& level, std::vector<LevelProof*> children)
      : LevelProof(task, level, std::move(children)), path_(level), graph_(level) {}

  void write(ByteWriter& to) const override;

 private:
  using Move = ProofGraph::Move;
  using Pair = PathLevel::Pair;
  enum class Kind : std::uint8_t { value, way, live, loop };

  struct Place {
    Id operands; // of this proof
    Id state;
    Id node; // in the component. Of exits where runs stay: after the nodes
  };
  struct SureBlock {
    Kind kind;
    Id operands; // of values and ways
    std::vector<Pair> exits;
    std::vector<Place> places;
  };
  struct BoundBlock {
    Id operands;
    Pair entry; // of a key, whose table it is, or no node
    Id key;
    std::vector<Id> vertices; // else
  };
  // The claims about an instance.
  struct Values {
    std::set<std::pair<Id, Id>> yes, no; // state and exit
    std::map<Id, Id> known;              // per vertex: the move that leads on to an exit in T, kGoal, kFalse, kOpen
    std::vector<Id> sure, bound;         // vertices, in order
    std::set<Id> claimed;                // those in `sure`
    std::set<Id> bounded;
    std::set<std::pair<Id, Id>> used; // of `yes`, by `sure`
  };
  struct Way {
    Id key;
    Pair exit;
    Id mark;
    bool operator<(const Way& other) const {
      return std::tie(key, exit.node, exit.state, mark) <
             std::tie(other.key, other.exit.node, other.exit.state, other.mark);
    }
  };
  struct Wanted {
    Id instance;
    Id vertex;
  };
  static constexpr Id kGoal = -2;
  static constexpr Id kFalse = -3;
  static constexpr Id kOpen = -4;

  void settle(Id instance, Id node) override;
  void start(Id instance, Id node, bool) override { settle(instance, node); }
  void carry_masks(const Caller& caller, Id instance) override;
  void carry_to_root(Id instance) override;
  void close() override;
  Word needed(Id operands, std::size_t word) override;
  void write_masks(ByteWriter& to, Id instance) const override;

  // Values of instances, path_proof.cpp
  Values& values_of(Id instance);
  Id vertex(Id instance, Id node, Id state) {
    return graph_.vertex({operand_contexts_[instances_[instance].operands].found, node, state});
  }
  void drain();
  void settle_vertex(Id instance, Id vertex);
  Id exit_value(Id instance, Id vertex);
  void find_values(Id instance, Id vertex);
  void claim_value(Id instance, Id vertex);
  void claim_bound(Id instance, Id vertex);
  void want_pair(Id instance, Id exit, Id state, bool value);
  void carry_pair(const Caller& caller, Id instance, Id exit, Id state, bool value);
  void claim_staying(Id instance, Id exit, Id state, bool value);

  // Claims about vertices
  void claim_live(Id vertex);
  void claim_loop(Id base);
  void claim_dead(Id vertex);
  void bound_moves(Id vertex);
  void bound_branches(Id operands, Id node, Id state, bool only_ends);
  void bound_key(Id key);
  void use_branch(const Branch& branch, Id operands, Id node);
  void use_move(Id from, const Move& move, Id mark);
  void use_acceptance(Id vertex);
  void use_call(Id operands, Id call, Id key, Pair exit, Id mark);
  void claim_way(const Way& way);
  SureBlock way_block(const Way& way, std::vector<Way>& rests_on);
  void use_step(Id operands, Pair from, Pair to, Id mark);
  void need_leaf(Id operands, Id test, Id node);
  Id leaf_of(Id test) const;
  Place place(Id vertex);
  Place place_of(Id operands, Id node, Id state, bool stays);

  // path_write.cpp
  void write_states(ByteWriter& to) const;
  void write_pairs(ByteWriter& to, Id component, std::span<const std::pair<Id, Id>> pairs) const;
  void write_places(ByteWriter& to, std::span<const Place> places, bool with_operands) const;
  void write_sure(ByteWriter& to, const SureBlock& block) const;
  void write_bound(ByteWriter& to, const BoundBlock& block) const;
  void write_parts(ByteWriter& to) const;

  PathLevel& path_;
  ProofGraph graph_;
  std::vector<Wanted> wanted_;
  std::deque<Values> values_;              // by instance
  std::vector<std::vector<Word*>> leaves_; // by operand context and leaf: where the value is needed
  std::vector<SureBlock> sure_;
  std::vector<BoundBlock> bound_;
  std::vector<bool> live_, dead_; // vertices whose claims are made
  std::vector<Id> dead_vertices_;
  std::set<Way> ways_;
  std::set<Id> keys_; // that have bound blocks
};

} // namespace pigro::core
