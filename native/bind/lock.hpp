// The interpreter lock, given up and taken so that a thread survives the end of the interpreter.
//
// While the main thread ends, CPython up to 3.13 ends a thread that asks for the lock: it unwinds the stack of the
// thread, which C++ answers with std::terminate at the next noexcept function. So a thread that finds the interpreter
// ending, or is being unwound, sleeps here until the process is gone. CPython 3.14 does the same.
#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <functional>
#include <optional>

namespace pigro::bind {

namespace nb = nanobind;

using Tick = std::optional<nb::callable>;

// Gives the lock up for a scope. Needs: this thread has it.
class WithoutLock {
 public:
  WithoutLock() : thread_(PyEval_SaveThread()) {}
  ~WithoutLock() { take(); }
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

  // Takes the lock for a moment, lets Ctrl-C through, and runs the caller's own tick.
  void tick(const Tick& tick, std::size_t argument) const {
    take();
    const Given given;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (tick) (*tick)(argument);
    } catch (const abi::__forced_unwind&) {
      sleep_forever();
    }
  }

 private:
  struct Given {
    ~Given() { PyEval_SaveThread(); }
  };

  [[noreturn]] static void sleep_forever() {
    for (;;) ::pause();
  }

  // The thread that ends the interpreter, which is the first one, may still take the lock.
  static bool is_too_late() {
#if PY_VERSION_HEX >= 0x030D0000
    const bool is_ending = Py_IsFinalizing() != 0;
#else
    const bool is_ending = _Py_IsFinalizing() != 0;
#endif
    return (is_ending || Py_IsInitialized() == 0) && ::gettid() != ::getpid();
  }

  void take() const {
    if (is_too_late()) sleep_forever();
    try {
      PyEval_RestoreThread(thread_);
    } catch (const abi::__forced_unwind&) {
      sleep_forever(); // to leave this block would be std::terminate
    }
  }

  PyThreadState* const thread_;
};

// For a Ticker, inside of a scope without the lock. Keeps references to both.
inline std::function<void(std::size_t)> ticker(const WithoutLock& unlocked, const Tick& tick) {
  return [&unlocked, &tick](std::size_t argument) { unlocked.tick(tick, argument); };
}

} // namespace pigro::bind
