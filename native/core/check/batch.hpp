// Many formulas on one model, on several threads, within limits of time and memory.
//
// Each formula is checked on its own, so the outcomes are the same for any number of threads.
#pragma once

#include <atomic>
#include <deque>
#include <exception>

#include "core/check/check.hpp"

namespace pigro::core {

// How far a formula got. `timeout` is that of the run, `timeout_each` that of one formula.
enum class Status : std::uint8_t { waiting, decided, timeout, timeout_each, memory };

struct Outcome {
  Status status = Status::waiting; // waiting: not checked, or stopped
  CheckResult result;
  double seconds = 0;
};

struct Limits {
  double seconds = 0;      // of wall time for all formulas. 0: none
  double seconds_each = 0; // of wall time for one formula. 0: none
  std::int64_t memory = 0; // bytes of the process. 0: none
  double spent = 0;        // seconds that the first formula has used before
};

class Batch {
 public:
  Batch(const Model& model, StaticSummaries& statics, std::vector<Id> starts, DeadEnds dead_ends, Engine engine,
        Proofs proofs = Proofs::none)
      : setting_(make_setting(model, statics, std::move(starts), dead_ends, engine, proofs)),
        engine_(engine),
        proves_(proofs != Proofs::none) {}
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Copies the formula. Returns its number.
  std::size_t add(const FlatFormula& formula);
  std::size_t size() const { return formulas_.size(); }

  // Checks all formulas that wait, on at most `jobs` threads and on fewer if no more can be started. If there are
  // fewer formulas, parts of one may have threads of their own (core/check/beside.hpp). A
  // formula that has no room for its proof is decided without. `on_tick(finished)` runs on the calling thread every few
  // milliseconds, and may throw: then the threads stop, and finished verdicts stay.
  void run(int jobs, Limits limits, const std::function<void(std::size_t)>& on_tick);

  // Needs: no run is going on, or this one is finished.
  const Outcome& outcome(std::size_t index) const { return outcomes_[index]; }
  bool finished(std::size_t index) const { return done_[index].load(std::memory_order_acquire); }

 private:
  struct Kept {
    std::vector<std::uint8_t> ops;
    std::vector<Id> left, right, atom_labels;
  };
  class Run;
  Setting without_proofs() const;

  const Setting setting_;
  const Engine engine_;
  const bool proves_;
  std::vector<Kept> formulas_;
  std::vector<Outcome> outcomes_;
  std::deque<std::atomic<bool>> done_;
};

// Resident memory of this process in bytes. 0 where the system does not tell.
std::int64_t resident_memory();

// Gives back what the allocator keeps of freed memory.
void release_memory();

} // namespace pigro::core
