// What one check needs beside the model: atoms as bit sets, memory, counters, and a way to be stopped.
#pragma once

#include "core/base/ticker.hpp"
#include "core/formula/formula.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

class StaticSummaries;

struct Counters {
  std::int64_t contexts = 0; // instances built, root included
  std::int64_t visited = 0;  // (key, node) pairs first reached by a search, one that was given up included
  std::int64_t passes = 0;   // instances whose values were computed
  std::int64_t states = 0;   // of the automata of path formulas
  std::int64_t branches = 0; // of one state of these under one letter, at most
};

enum class Direction : std::uint8_t {
  forward, // a search per called entry
  backward // one search for all nodes of a component: for many entries
};

// Whether to decide by functions of contexts (core/symbolic/functions.hpp).
enum class Functions : std::uint8_t { never, late, at_once };

// What an engine asks for. All engines use the same machinery. They differ in this alone.
struct Policy {
  bool everything = false;      // every reachable instance of every level, before the verdict
  bool skip_irrelevant = false; // labels decide where to look (core/levels/relevance.hpp)
  bool stop_at_hit = false;     // a search ends when its question is answered
  Direction direction = Direction::forward;
  bool tentative = false; // give up and go backward where that promises to be cheaper
  Functions functions = Functions::never;
  bool certify = false;  // searches keep what a certificate needs (core/proofs/certify.hpp)
  bool shortest = false; // and, of EU, keep shortest paths
  bool trace = false;    // path formulas keep what a run needs (core/paths/path_runs.hpp)
  bool any_box = false;  // callees of boxes without call nodes may be asked about too (core/check/labelling.hpp)

  static Policy exhaustive() { return {.everything = true}; }
  static Policy demand(Direction direction) {
    return {.skip_irrelevant = true, .stop_at_hit = true, .direction = direction};
  }
};

class Query : public Ticker {
 public:
  // `statics` and `reachable` (components, as bits) may be null where the policy does not skip anything.
  Query(const Model& model, StaticSummaries* statics, const Word* reachable, std::span<const Id> atom_labels,
        DeadEnds dead_ends, Policy policy, std::function<void(std::size_t)> on_tick)
      : Ticker(std::move(on_tick)),
        model(model),
        statics(statics),
        reachable(reachable),
        dead_ends(dead_ends),
        policy(policy),
        labels_(atom_labels.begin(), atom_labels.end()) {
    assert(!policy.skip_irrelevant || (statics != nullptr && reachable != nullptr));
    assert(policy.direction == Direction::forward || (!policy.certify && !policy.tentative)); // only those leave paths
    const std::size_t words = words_for(static_cast<std::size_t>(model.nodes())) + 1;         // word_at reads one more
    for (const Id label : labels_) {
      atoms_.push_back(make_zeroed<Word>(words));
      weights_.push_back(label == kNone ? 0 : static_cast<std::int64_t>(model.labelled(label).size()));
      if (label != kNone) model.mark_label(label, atoms_.back().get());
    }
  }

  // What a table of `Backward` takes, in steps of which a visit of a forward search takes kStepsOfVisit:
  // each node's set of exits can grow by one exit at a time. Measured: decision 0008.
  static std::int64_t backward_steps(const Model& model, Id component) {
    return std::int64_t{model.width(component)} * (1 + std::int64_t{model.exit_count(component)});
  }
  static constexpr std::int64_t kStepsOfVisit = 3;

  // 64 nodes' truth of an atom, from any node on.
  Word atom_word(Id atom, std::size_t node) const { return word_at(atoms_[atom].get(), node); }
  bool carries(Id atom, Id node) const { return test_bit(atoms_[atom].get(), static_cast<std::size_t>(node)); }
  Id label(Id atom) const { return labels_[atom]; }
  const std::vector<std::int64_t>& weights() const { return weights_; } // nodes that carry each atom

  const Model& model;
  StaticSummaries* const statics;
  const Word* const reachable;
  const DeadEnds dead_ends;
  const Policy policy;
  Arena arena;
  Counters counters;
  std::int64_t expected_backward = 0; // steps for the operand contexts seen so far

 private:
  std::vector<Id> labels_;
  std::vector<Zeroed<Word>> atoms_;
  std::vector<std::int64_t> weights_;
};

} // namespace pigro::core
