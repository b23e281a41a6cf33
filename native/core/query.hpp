// What one check needs beside the model: atoms as bit sets, memory, counters, and a way to be stopped.
#pragma once

#include <chrono>
#include <functional>

#include "core/formula.hpp"
#include "core/model.hpp"

namespace pigro::core {

struct Counters {
  std::int64_t contexts = 0; // instances built, root included
  std::int64_t visited = 0;  // (key, node) pairs first reached by a search
  std::int64_t passes = 0;   // instances whose values were computed
};

// Thrown out of the search when the caller asked it to stop.
struct Stopped {};

class Query {
 public:
  // `on_tick` runs every few milliseconds while searching and may throw to stop it.
  Query(const Model& model, std::span<const Id> atom_labels, DeadEnds dead_ends, std::function<void()> on_tick)
      : model(model), dead_ends(dead_ends), on_tick_(std::move(on_tick)) {
    const std::size_t words = words_for(static_cast<std::size_t>(model.nodes())) + 1; // word_at reads one more
    for (const Id label : atom_labels) {
      atoms_.push_back(arena.make<Word>(words));
      if (label != kNone) model.mark_label(label, atoms_.back());
    }
  }

  // 64 nodes' truth of an atom, from any node on.
  Word atom_word(Id atom, std::size_t node) const { return word_at(atoms_[atom], node); }

  // To be called in every loop that can run long.
  void poll() {
    if (--patience_ == 0) tick();
  }

  const Model& model;
  const DeadEnds dead_ends;
  Arena arena;
  Counters counters;

 private:
  static constexpr int kPatience = 1 << 14;
  using Clock = std::chrono::steady_clock;

  void tick() {
    patience_ = kPatience;
    const Clock::time_point now = Clock::now();
    if (now - last_tick_ < std::chrono::milliseconds(5)) return;
    last_tick_ = now;
    if (on_tick_) on_tick_();
  }

  std::vector<Word*> atoms_;
  std::function<void()> on_tick_;
  int patience_ = kPatience;
  Clock::time_point last_tick_ = Clock::now();
};

} // namespace pigro::core
