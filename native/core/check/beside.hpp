// Operands of a formula's boolean top that are searched at the same time, each on a thread of its own.
//
// These are temporal operators over labels alone. So they share nothing, and each has few contexts. An operand that the
// top does not ask for is stopped, and its work is not counted: values and counts are those of one thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/levels/level.hpp"

namespace pigro::core {

// Threads that a check may start, and what they call in place of the check's own `on_tick`.
struct SpareThreads {
  std::size_t count = 0;
  std::function<void(std::size_t)> on_tick; // on several threads at once. May throw
  bool used = false;                        // the check started some
};

// The operands to search beside the check's own thread: at most as many as there are spare threads. Not the one that
// the top asks for first.
std::vector<bool> operands_beside(const Query& query, const std::vector<LevelSpec>& specs, std::size_t starts,
                                  std::size_t spare);

// One of them, as a level of the check: it waits for its thread. Needs: the levels are asked about one start.
class BesideLevel final : public Level {
 public:
  // `stop`, for all operands: the check needs them no more. Throws std::system_error if no thread can be started.
  BesideLevel(Query& query, const LevelSpec& spec, std::span<const Id> atom_labels, Id start, const SpareThreads& spare,
              std::atomic<bool>& stop);
  ~BesideLevel() override { stop_.store(true); } // before the first of them is waited for

 protected:
  bool decide(Id node) override;
  void pass(Instance& instance, Word* values) override;

 private:
  void search(const LevelSpec& spec, std::span<const Id> atom_labels);

  const Id start_;
  const std::function<void(std::size_t)> on_tick_;
  std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false; // guarded by the mutex, and so are the next three
  bool value_ = false;
  Counters counters_;
  std::exception_ptr failure_;
  std::jthread thread_; // last: it uses the others
};

} // namespace pigro::core
