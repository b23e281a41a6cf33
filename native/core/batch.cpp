#include "core/batch.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <condition_variable>
#include <thread>

namespace pigro::core {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTick = std::chrono::milliseconds(5);

struct TimedOut {};
struct OutOfMemory {};
struct Stopped {};

} // namespace

std::int64_t resident_memory() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  std::int64_t total = 0;
  std::int64_t resident = 0;
  if (size <= 0 || std::sscanf(text, "%ld %ld", &total, &resident) != 2) return 0;
  return resident * ::sysconf(_SC_PAGESIZE);
}

void release_memory() { ::malloc_trim(0); }

std::size_t Batch::add(const FlatFormula& formula) {
  cut_into_levels(formula); // refuses what is malformed
  for (const Id label : formula.atom_labels) {
    if (label < kNone || label >= setting_.model.labels()) throw std::out_of_range("no such label");
  }
  formulas_.push_back({{formula.ops.begin(), formula.ops.end()},
                       {formula.left.begin(), formula.left.end()},
                       {formula.right.begin(), formula.right.end()},
                       {formula.atom_labels.begin(), formula.atom_labels.end()}});
  outcomes_.emplace_back();
  done_.emplace_back(false);
  return formulas_.size() - 1;
}

// One run over the waiting formulas, shared by its threads.
class Batch::Run {
 public:
  Run(Batch& batch, Limits limits, const std::function<void(std::size_t)>& on_tick)
      : batch_(batch), limits_(limits), on_tick_(on_tick), began_(Clock::now()) {}

  // On the calling thread alone.
  void alone() {
    work([this, last = Clock::now()](std::size_t about_to_allocate) mutable {
      watch_limits(about_to_allocate);
      const Clock::time_point now = Clock::now();
      if (!on_tick_ || now - last < kTick) return;
      last = now;
      on_tick_(finished_.load());
    });
  }

  // On `jobs` other threads, while this one ticks.
  void together(int jobs) {
    std::vector<std::jthread> threads;
    std::exception_ptr refused;
    for (int i = 0; i < jobs; ++i) {
      threads.emplace_back([this] {
        try {
          work([this](std::size_t about_to_allocate) { watch_limits(about_to_allocate); });
        } catch (...) {
          keep_failure(std::current_exception());
        }
        const std::lock_guard lock(mutex_);
        ++threads_done_;
        changed_.notify_one();
      });
    }
    std::unique_lock lock(mutex_);
    while (threads_done_ < jobs) {
      changed_.wait_for(lock, kTick);
      lock.unlock();
      try {
        if (on_tick_ && !refused) on_tick_(finished_.load());
      } catch (...) {
        refused = std::current_exception();
        stop_.store(true);
      }
      lock.lock();
    }
    lock.unlock();
    threads.clear();
    if (refused) std::rethrow_exception(refused);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(const std::function<void(std::size_t)>& tick) {
    for (std::size_t i = next_++; i < batch_.size(); i = next_++) {
      if (stop_.load()) return;
      if (batch_.outcomes_[i].status != Status::waiting) continue;
      try {
        check_one(i, tick);
      } catch (const Stopped&) {
        return;
      }
    }
  }

  void check_one(std::size_t i, const std::function<void(std::size_t)>& tick) {
    const Kept& kept = batch_.formulas_[i];
    Outcome& outcome = batch_.outcomes_[i];
    const Clock::time_point began = Clock::now();
    try {
      tick(0);
      outcome.result = check(batch_.setting_, {kept.ops, kept.left, kept.right, kept.atom_labels}, tick);
      outcome.status = Status::decided;
    } catch (const TimedOut&) {
      outcome.status = Status::timeout;
    } catch (const OutOfMemory&) {
      outcome.status = Status::memory;
    } catch (const std::bad_alloc&) {
      outcome.status = Status::memory;
    }
    if (outcome.status == Status::memory) ::malloc_trim(0);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    batch_.done_[i].store(true, std::memory_order_release);
    ++finished_;
  }

  void watch_limits(std::size_t about_to_allocate) {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped();
    if (limits_.seconds > 0 && std::chrono::duration<double>(Clock::now() - began_).count() > limits_.seconds) {
      throw TimedOut();
    }
    if (limits_.memory > 0 && resident_memory() + static_cast<std::int64_t>(about_to_allocate) > limits_.memory) {
      throw OutOfMemory();
    }
  }

  void keep_failure(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stop_.store(true);
  }

  Batch& batch_;
  const Limits limits_;
  const std::function<void(std::size_t)>& on_tick_;
  const Clock::time_point began_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  int threads_done_ = 0;
  std::exception_ptr failure_;
};

void Batch::run(int jobs, Limits limits, const std::function<void(std::size_t)>& on_tick) {
  Run run(*this, limits, on_tick);
  if (jobs <= 1 || size() <= 1) {
    run.alone();
  } else {
    run.together(jobs);
  }
}

} // namespace pigro::core
