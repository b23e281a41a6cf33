// A way for long work to be stopped: by time, by memory, by Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "core/base/bits.hpp"
#include "core/base/growing.hpp"

namespace pigro::core {

// Thrown by ticks when a check has used up what it may use.
struct OverLimit {};

class Ticker {
 public:
  // `on_tick` runs every few milliseconds, and before large allocations with their size in bytes. It may throw.
  explicit Ticker(std::function<void(std::size_t)> to_run) : on_tick(std::move(to_run)) {}

  // To be called in every loop that can run long. A round of some microseconds is more work.
  void poll(int work = 1) {
    if ((patience_ -= work) <= 0) tick();
  }

  void before_allocating(std::size_t bytes) const {
    if (on_tick) on_tick(bytes);
  }
  std::function<void(std::size_t)> allocation_guard() const {
    return [this](std::size_t bytes) { before_allocating(bytes); };
  }
  // Appends. Asks before a long vector grows.
  template <typename T, typename Allocator>
  void push(std::vector<T, Allocator>& to, const T& value) const {
    if (to.size() == to.capacity() && to.size() * sizeof(T) * 2 >= kLarge) before_allocating(to.size() * sizeof(T) * 2);
    to.push_back(value);
  }

  template <typename T>
  void push(Growing<T>& to, const T& value) const {
    if (to.size() == to.capacity() && to.size() * sizeof(T) >= kLarge) before_allocating(to.size() * sizeof(T));
    to.push_back(value);
  }

  std::function<void(std::size_t)> on_tick;
  std::function<void()> on_round; // runs every few thousand polls, the same ones in every run. May throw

 private:
  static constexpr int kPatience = 1 << 12;
  using Clock = std::chrono::steady_clock;

  void tick() {
    patience_ = kPatience;
    if (on_round) on_round();
    const Clock::time_point now = Clock::now();
    if (now - last_tick_ < std::chrono::milliseconds(5)) return;
    last_tick_ = now;
    if (on_tick) on_tick(0);
  }

  int patience_ = kPatience;
  Clock::time_point last_tick_ = Clock::now();
};

} // namespace pigro::core
