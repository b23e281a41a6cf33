#include "core/check/batch.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>
#include <cassert>

#include <algorithm>
#include <condition_variable>
#include <system_error>
#include <thread>

namespace pigro::core {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTick = std::chrono::milliseconds(5);

struct TimedOut : OverLimit {};
struct TimedOutEach : OverLimit {};
struct OutOfMemory : OverLimit {};
struct Stopped {};

// Runs `decide` and says how it ended.
template <typename Decide>
Status ended(Decide decide) {
  try {
    decide();
    return Status::decided;
  } catch (const TimedOut&) {
    return Status::timeout;
  } catch (const TimedOutEach&) {
    return Status::timeout_each;
  } catch (const OutOfMemory&) {
  } catch (const std::bad_alloc&) {
  }
  release_memory();
  return Status::memory;
}

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
  cut_into_levels(formula); // refuses malformed input
  for (const Id label : formula.atom_labels) {
    if (label < kNone || label >= setting_.model.labels()) throw std::out_of_range("no such label");
  }
  formulas_.push_back({{formula.ops.begin(), formula.ops.end()},
                       {formula.left.begin(), formula.left.end()},
                       {formula.right.begin(), formula.right.end()},
                       {formula.atom_labels.begin(), formula.atom_labels.end()}});
  outcomes_.emplace_back();
  done_.emplace_back(false);
  assert(formulas_.size() == outcomes_.size() && outcomes_.size() == done_.size());
  return formulas_.size() - 1;
}

// One run over the waiting formulas, shared by its threads.
class Batch::Run {
 public:
  // `spare`: how many threads a formula may use beside its own.
  Run(Batch& batch, Limits limits, const std::function<void(std::size_t)>& on_tick, std::size_t spare)
      : batch_(batch),
        limits_(limits),
        on_tick_(on_tick),
        began_(Clock::now()),
        spare_{spare, [this](std::size_t about_to_allocate) { watch_limits(about_to_allocate); }} {}

  // On the calling thread alone.
  void alone() {
    work([this, last = Clock::now()](std::size_t about_to_allocate) mutable {
      watch_limits(about_to_allocate);
      const Clock::time_point now = Clock::now();
      if (!on_tick_ || now - last < kTick) return;
      last = now;
      on_tick_(finished_.load());
      away_ += Clock::now() - now;
    });
  }

  // On `jobs` other threads, or as many as can be started, while this one ticks.
  void together(std::size_t jobs) {
    std::vector<std::jthread> threads;
    threads.reserve(jobs);
    while (threads.size() < jobs && start_one(threads)) {
    }
    if (threads.empty()) return alone();
    std::exception_ptr refused;
    std::unique_lock lock(mutex_);
    while (threads_done_ < threads.size()) {
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
  // Needs: room in `threads`, so that nothing unwinds while others work.
  bool start_one(std::vector<std::jthread>& threads) {
    try {
      threads.emplace_back([this] { work_on_thread(); });
      return true;
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return false;
  }

  void work_on_thread() {
    try {
      work([this](std::size_t about_to_allocate) { watch_limits(about_to_allocate); });
    } catch (...) {
      keep_failure(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    ++threads_done_;
    changed_.notify_one();
  }

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
    const FlatFormula formula{kept.ops, kept.left, kept.right, kept.atom_labels};
    Outcome& outcome = batch_.outcomes_[i];
    assert(outcome.status == Status::waiting && !batch_.done_[i].load());
    const Clock::time_point began = Clock::now() - away_;
    const auto spent = [&] { return Clock::now() - began - away_; }; // without what ticks took
    const std::chrono::duration<double> before(i == 0 ? limits_.spent : 0);
    const auto watch = [&](std::size_t about_to_allocate) {
      if (passed(before + spent(), limits_.seconds_each)) throw TimedOutEach();
      tick(about_to_allocate);
    };
    Counters spent_on;
    SpareThreads spare = spare_;
    outcome.status = ended([&] {
      watch(0);
      outcome.result = check(batch_.setting_, formula, watch, &spent_on, &spare);
    });
    if (outcome.status == Status::memory && (batch_.proves_ || spare.used)) {
      // Without a proof it may take less, and without threads for operands that are not needed.
      outcome.status = ended([&] { outcome.result = check(batch_.without_proofs(), formula, watch, &spent_on); });
    }
    if (outcome.status != Status::decided) outcome.result.counters = spent_on;
    outcome.seconds = std::chrono::duration<double>(spent()).count();
    // That of the proof counts ticks too. It is a part of the whole.
    outcome.result.certify_seconds = std::min(outcome.result.certify_seconds, outcome.seconds);
    assert(outcome.status != Status::waiting && outcome.seconds >= 0);
    assert(outcome.status != Status::decided || outcome.result.holds.size() == batch_.setting_.starts.size());
    batch_.done_[i].store(true, std::memory_order_release);
    ++finished_;
  }

  void watch_limits(std::size_t about_to_allocate) {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped();
    if (passed(Clock::now() - began_, limits_.seconds)) throw TimedOut();
    if (!needs_too_much(about_to_allocate)) return;
    release_memory(); // what earlier checks left in the allocator does not count
    if (needs_too_much(about_to_allocate)) throw OutOfMemory();
  }

  static bool passed(std::chrono::duration<double> spent, double seconds) {
    return seconds > 0 && spent.count() > seconds;
  }

  bool needs_too_much(std::size_t about_to_allocate) const {
    return limits_.memory > 0 && resident_memory() + static_cast<std::int64_t>(about_to_allocate) > limits_.memory;
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
  const SpareThreads spare_;
  Clock::duration away_{}; // what ticks of the caller took, if it works alone
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t threads_done_ = 0;
  std::exception_ptr failure_;
};

Setting Batch::without_proofs() const {
  return make_setting(setting_.model, setting_.statics, setting_.starts, setting_.dead_ends, engine_);
}

void Batch::run(int jobs, Limits limits, const std::function<void(std::size_t)>& on_tick) {
  const auto most = static_cast<std::size_t>(std::max(jobs, 1));
  const std::size_t threads = std::max<std::size_t>(std::min(most, size()), 1);
  Run run(*this, limits, on_tick, most / threads - 1);
  if (threads <= 1) {
    run.alone();
  } else {
    run.together(threads);
  }
}

} // namespace pigro::core
