// A flat SMV module: variables with finite types, and how they get their values.
//
// A *plan* chooses values for slots one after the other: by a right side, or any value of a type. After each choice,
// the constraints that read the slot are evaluated, and the choice is given up as soon as the values so far make one
// false. So a constraint over many variables need not wait for the last of them. There is a plan for initial states and
// one for steps. Initial states are written into the slots of next values.
//
// Slots: the current values 0..n-1, the next values n..2n-1, then the inputs.
#pragma once

#include "core/base/ticker.hpp"
#include "core/smv/expressions.hpp"

namespace pigro::core::smv {

// The type of a variable or input: the integers (or truth values) from `low` on, listed values, or words beyond
// kPlainBits. The index of such a word is made of its bits.
struct Domain {
  Value low = 0;
  std::uint64_t size = 0;
  std::vector<Value> listed; // ascending. Empty if the type is a range
  bool has_exit = false;     // EXIT is one more value, the last
  // Of words beyond kPlainBits: how many, negative if they are signed. Else 0. Those of 64 bits have one value more
  // than `size` says: no plan ever comes to the last one.
  int bits = 0;
  std::shared_ptr<WideWords> wide = {};

  std::uint64_t count() const { return size + (has_exit ? 1 : 0); }
  Value value(std::uint64_t index) const {
    if (index == size && has_exit) return kExit;
    if (bits != 0) return word(index);
    return listed.empty() ? low + static_cast<Value>(index) : listed[index];
  }
  bool contains(Value value) const;
  // Needs, of a word beyond kPlainBits: the type has it. Of others: kMissing if the type has it not.
  std::uint64_t index(Value value) const;
  static constexpr std::uint64_t kMissing = ~std::uint64_t{0};

 private:
  Value word(std::uint64_t index) const;
};

struct Choice {
  Id slot = 0;
  Id right_side = kNone; // kNone: any value of the type
  Id domain = 0;         // variables first, then inputs
  Id at = kNone;
  std::vector<Id> open;    // constraints that read the slot, and others that have no value yet
  std::vector<Id> decided; // constraints whose last slot this is
  Id same_as = kNone;      // of any value: what a constraint of `decided` says that it equals
};

using Plan = std::vector<Choice>;

struct Machine {
  Expressions expressions;
  Id variables = 0;
  std::vector<Domain> domains;
  Plan initial, step;
  std::vector<Id> initial_checks, step_checks; // constraints that read no slot that a plan chooses
  bool has_exit = false; // variables may be EXIT: those that are stay so, and where all are there is no step

  std::size_t slots() const { return domains.size() + static_cast<std::size_t>(variables); }
  // Throws std::invalid_argument for a malformed machine.
  void check() const;
  // Finds out which free choices have one value that constraints allow, such as by `next(x) = x + 1`.
  void find_equations();

 private:
  Id equation(Id constraint, Id slot) const;
  bool may_read(Id expression, Id slot) const;
};

// Goes through the choices of a plan, depth first. Slots of choices that are not made are unknown.
class Choosing {
 public:
  // `ticker` may be missing. It is polled for every value that is tried: constraints may forbid very many of them.
  Choosing(const Machine& machine, Evaluator& evaluator, Ticker* ticker);

  // Before the first choice. `current` are the values of the state, none for initial states. With a seed, values that
  // could be any of a type begin anywhere.
  void start(const Plan& plan, std::span<const Value> current, std::uint64_t seed);
  // From now on, variables get only these values.
  void want(std::span<const Value> next) { wanted_.assign(next.begin(), next.end()); }
  // The next complete choice. False if there is none left. Throws Fault.
  bool advance();
  std::span<const Value> chosen() const {
    return {slots_.data() + machine_.variables, static_cast<std::size_t>(machine_.variables)};
  }

  // The inputs that were chosen. Unknown where no choice reads them.
  std::span<const Value> inputs() const {
    return std::span(slots_).subspan(2 * static_cast<std::size_t>(machine_.variables));
  }
  std::span<const Value> slots() const { return slots_; }

  // Where it is, to go on later: start as before, then resume.
  std::vector<std::uint64_t> place() const;
  void resume(std::span<const std::uint64_t> place);

 private:
  struct Level {
    std::vector<Value> values; // of a right side
    std::uint64_t count = 0;
    std::uint64_t first = 0; // where to begin
    std::uint64_t next = 0;  // how many were tried
  };

  void enter(std::size_t depth);
  void solve(const Choice& choice, Level& level);
  void restrict_to(Level& level, const Domain& domain, Value wanted) const;
  bool take(std::size_t depth); // the next value that no constraint forbids
  void put(std::size_t depth, std::uint64_t tried);
  bool allowed(const Choice& choice);

  const Machine& machine_;
  Evaluator& evaluator_;
  Ticker* const ticker_;
  const Plan* plan_ = nullptr;
  bool is_step_ = false;
  std::uint64_t seed_ = 0;
  std::vector<Value> slots_;
  std::vector<Value> wanted_; // empty: any
  std::vector<Level> levels_;
  std::size_t depth_ = 0; // levels that have a value
  bool begun_ = false;
};

} // namespace pigro::core::smv
