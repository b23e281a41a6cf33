// What the native tests share: how they tell, and a small machine.
#pragma once

#include <cstdio>
#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/model.hpp"

namespace pigro::testing {

using core::Id;
using core::kEntryFlag;
using core::kExitFlag;
using core::RawModel;

inline int failures = 0;
inline int checks = 0;

inline void expect(bool fine, const char* what, const char* file, int line) {
  ++checks;
  if (fine) return;
  ++failures;
  std::printf("%s:%d: %s\n", file, line, what);
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

// main (0): start -> call helper.in, returned out -> end. helper (1): in, out (exit, p). one (2): e (entry and exit).
struct Small {
  std::vector<Id> component_offsets{0, 2, 4, 5};
  std::vector<std::uint8_t> flags{kEntryFlag, 0, kEntryFlag, kExitFlag, kEntryFlag | kExitFlag};
  std::vector<Id> box_offsets{0, 2, 2, 2};
  std::vector<Id> box_callee{1, 2};
  std::vector<Id> call_offsets{0, 1, 2};
  std::vector<Id> call_entries{2, 4};
  std::vector<Id> return_offsets{0, 1, 2};
  std::vector<Id> return_exits{3, 4};
  std::vector<Id> sources{0, 7, 8, 2}; // nodes 0..4, calls 5, 6, returns 7, 8
  std::vector<Id> targets{5, 6, 1, 3};
  std::vector<Id> label_offsets{0, 1, 2};
  std::vector<Id> label_nodes{3, 1}; // p: out, done: end

  RawModel raw() const {
    return {component_offsets, flags,        box_offsets, box_callee, call_offsets,  call_entries,
            return_offsets,    return_exits, sources,     targets,    label_offsets, label_nodes};
  }
};

// Without limits.
inline core::Model built(const RawModel& raw, core::Semantics semantics) {
  core::Ticker never_stopped({});
  return core::Model(raw, semantics, never_stopped);
}

void test_threads();
void test_verify();

} // namespace pigro::testing
