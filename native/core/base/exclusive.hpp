// One user at a time: a second one, on another thread or inside a tick of the first, is refused.
#pragma once

#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>

namespace pigro::core {

class Exclusive {
 public:
  class Use {
   public:
    // Throws std::logic_error if the object is in use, or spoiled.
    explicit Use(Exclusive& of) : of_(of), exceptions_(std::uncaught_exceptions()) {
      State before = State::idle;
      if (of.state_.compare_exchange_strong(before, State::busy)) return;
      throw std::logic_error(before == State::busy ? "this object is in use, by another thread or by the caller"
                                                   : "this object was interrupted and can't be used again");
    }
    ~Use() {
      assert(of_.in_use()); // no other object ends a use
      const bool failed = std::uncaught_exceptions() > exceptions_;
      of_.state_.store(failed && spoils_ ? State::spoiled : State::idle);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // From now on an exception leaves an object behind that can't be used again.
    void spoil_on_failure() { spoils_ = true; }

   private:
    Exclusive& of_;
    const int exceptions_;
    bool spoils_ = false;
  };

  bool in_use() const { return state_.load() == State::busy; }

 private:
  enum class State : unsigned char { idle, busy, spoiled };
  std::atomic<State> state_ = State::idle;
};

} // namespace pigro::core
