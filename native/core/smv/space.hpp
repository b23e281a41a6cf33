// The states of a machine, packed into bits and numbered in the order in which they are found.
#pragma once

#include "core/base/names.hpp"
#include "core/base/ticker.hpp"
#include "core/model/model.hpp"
#include "core/smv/machine.hpp"

namespace pigro::core::smv {

struct Bounds {
  std::int64_t states = 0;
  std::int64_t edges = 0;
};

class Space {
 public:
  // `ticker` outlives the space. With `anywhere`, states that come one by one come in an order that begins anywhere:
  // a search that goes deep then does not change the same few variables all the time.
  Space(const Machine& machine, Ticker& ticker, bool anywhere);
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  Id size() const { return size_; }
  // The value of a variable in a state.
  Value value(Id state, Id variable) const;
  bool is_exit(Id state) const;       // all variables are EXIT
  bool holds(Id state, Id condition); // Throws Fault.

  // The initial states. They come one by one: the one at a position, kNone if there are fewer.
  // Positions are asked for in order.
  Id initial(std::size_t position);

  // The states after a state: at least one more than `position`, if there are so many. Valid until the next call.
  // Throws Fault.
  std::span<const Id> next(Id state, std::size_t position);

  // Gives back what only new states need: from now on, no steps may be asked for.
  void keep_values_only() {
    slots_ = {};
    packed_.shrink_to_fit();
  }

  // All states after a state, ascending, which are not kept. Throws as `explore` does.
  void all_next(Id state, std::vector<Id>& found, Bounds bounds);

 private:
  static constexpr std::size_t kBatch = 8;
  static constexpr std::size_t kManySteps = 32;
  // Of a state whose row is not begun, and of one whose row is not complete.
  static constexpr std::uint32_t kNotMade = 0;
  static constexpr std::uint32_t kIsLong = 1;

  struct Field {
    std::uint32_t word;
    std::uint8_t shift;
    std::uint8_t width; // at most 64
  };
  // A row that is not complete.
  struct LongRow {
    std::vector<Id> states;
    std::vector<std::uint64_t> place; // where to go on
    std::size_t batch = kBatch;
    bool complete = false;
  };

  Id number(std::span<const Value> values);
  void unpack(Id state);
  const Word* words(Id state) const { return packed_.data() + static_cast<std::size_t>(state) * words_; }
  bool begin_step(Id state, std::uint64_t seed);
  bool store(Id state, const LongRow& row);
  void extend(LongRow& row, Id state);
  void sample(LongRow& row, Id state, std::uint64_t seed);

  const Machine& machine_;
  Ticker& ticker_;
  const int work_; // of one choice of values: it may evaluate all expressions
  const bool anywhere_;
  Evaluator evaluator_;
  Choosing starting_, stepping_;
  Id stepping_from_ = kNone; // whose row `stepping_` is in
  std::vector<Field> fields_;
  std::size_t words_ = 0;
  Growing<Word> packed_;
  std::vector<Word> key_;
  Slots slots_;
  Id size_ = 0;
  std::vector<Value> values_; // of `unpacked_`, and room for the other slots
  Id unpacked_ = kNone;
  std::vector<Id> starts_;
  std::vector<bool> is_start_;
  bool started_ = false;
  bool all_started_ = false;
  Growing<std::uint32_t> row_of_; // of each state: where its row is in `rows_`
  Growing<Id> rows_;              // of each complete row: how many states, then these
  std::unordered_map<Id, LongRow> long_rows_;
};

// All states that can be reached, and the steps between them.
struct Reachable {
  Id initial = 0; // the first so many states are initial
  Id exit = kNone;
  Id dead_ends = 0;
  Id first_dead_end = kNone;
  std::shared_ptr<const Rows> steps;

  std::vector<Id> sources() const; // of each step: the state
};

// Throws Fault, and std::length_error beyond the bounds, whose text is "states" or "edges".
Reachable explore(Space& space, Ticker& ticker, Bounds bounds);

} // namespace pigro::core::smv
