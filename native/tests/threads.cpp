// Many threads on one model: `make tsan` runs this with ThreadSanitizer. A tick that stops, one that checks the same
// model itself, and one that forks.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/check/batch.hpp"
#include "tests/testing.hpp"

namespace pigro::testing {

using namespace core;

namespace {

constexpr Id kLength = 500;

// A chain (0) of which every node is called by main (1), so that what each reaches is searched anew.
struct Chain {
  std::vector<Id> component_offsets{0, kLength + 1, kLength + 3};
  std::vector<std::uint8_t> flags = std::vector<std::uint8_t>(kLength + 3, 0);
  std::vector<Id> box_offsets{0, 0, 1}, box_callee{0}, call_offsets{0, kLength}, call_entries;
  std::vector<Id> return_offsets{0, 1}, return_exits{kLength};
  std::vector<Id> sources, targets, label_offsets{0, 1}, label_nodes{kLength + 2}; // goal: after the call

  Chain() {
    const Id start = kLength + 1;
    const Id nodes = kLength + 3; // references to calls and returns come after the nodes
    flags[kLength] = kExitFlag;
    flags[start] = kEntryFlag;
    for (Id node = 0; node < kLength; ++node) {
      flags[node] = kEntryFlag;
      call_entries.push_back(node);
      sources.insert(sources.end(), {node, start});
      targets.insert(targets.end(), {node + 1, nodes + node});
    }
    sources.push_back(nodes + kLength);
    targets.push_back(start + 1);
  }

  RawModel raw() const {
    return {component_offsets, flags,        box_offsets, box_callee, call_offsets,  call_entries,
            return_offsets,    return_exits, sources,     targets,    label_offsets, label_nodes};
  }
};

// EG !goal: false, after all that calls can do was searched.
const std::vector<std::uint8_t> kOps{1, 2, 7};
const std::vector<Id> kLeft{0, 0, 1};
const std::vector<Id> kRight{-1, -1, -1};
const std::vector<Id> kLabels{0};

struct Stop {};

struct Shared {
  const Chain chain;
  const Model model = built(chain.raw(), Semantics::standard);
  StaticSummaries statics{model};

  bool is_refuted(int jobs, const std::function<void(std::size_t)>& on_tick) {
    Batch batch(model, statics, {kLength + 1}, DeadEnds::stutter, Engine::demand);
    for (int i = 0; i < jobs; ++i) batch.add({kOps, kLeft, kRight, kLabels});
    batch.run(jobs, {}, on_tick);
    for (int i = 0; i < jobs; ++i) {
      if (batch.outcome(i).status != Status::decided || batch.outcome(i).result.holds[0]) return false;
    }
    return true;
  }
};

void test_many_threads() {
  Shared shared;
  std::atomic<int> refuted = 0;
  std::atomic<int> stopped = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        try {
          const bool stops = i % 3 == 0 && round == 0;
          refuted += shared.is_refuted(1 + i % 2, [&](std::size_t) {
            if (stops) throw Stop();
            if (i % 3 == 1 && round == 0) shared.is_refuted(1, {});
          });
        } catch (const Stop&) {
          ++stopped;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT(refuted + stopped == 18 && stopped <= 2);
}

void test_fork_in_a_tick() {
  Shared shared;
  pid_t child = -1;
  const bool refuted = shared.is_refuted(1, [&](std::size_t) {
    if (child >= 0) return;
    child = ::fork();
    if (child == 0) ::_exit(shared.is_refuted(1, {}) ? 0 : 1);
  });
  int status = 0;
  EXPECT(refuted && (child < 0 || (::waitpid(child, &status, 0) == child && status == 0)));
}

} // namespace

void test_threads() {
  test_fork_in_a_tick();
  test_many_threads();
}

} // namespace pigro::testing
