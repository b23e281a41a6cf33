// What calls assume of the world outside: outcomes and instances.
//
// An *outcome* of a call is a way out, the modality that is asked there, and the largest rank that the play saw inside
// of the call. An *instance* is a component with a scope of formulas and an assumption: of each outcome, whether it is
// won. Outcomes have a default, the parity of their rank. An instance lists those that differ. The *root* of a
// component stands for the empty stack, where nothing is assumed.
//
//   U1  The outcomes of an instance are in its scope.
//   U2  What an instance asked, all instances asked that it was narrowed from.
#pragma once

#include <deque>

#include "core/games/closure.hpp"

namespace pigro::core {

struct OutcomeOfCall {
  Id way; // an exit
  Id modality;
  Id rank;
};

struct Instance {
  Id component;
  Id scope;                                // kNone: the root
  std::vector<Id> differs;                 // outcomes that have not their default, ascending
  std::vector<Id> asked;                   // outcomes that some claim relies on
  std::vector<Id> wider;                   // instances that were narrowed to this one
  std::vector<Id> callers;                 // claims that rely, or relied, on a call of this instance
  std::vector<std::pair<Id, Id>> narrower; // by scope
};

class Assumptions {
 public:
  Assumptions(const Closure& closure, Ticker& ticker)
      : closure_(closure), outcome_ids_(ticker.allocation_guard()), ids_(ticker.allocation_guard()) {}

  Id outcome(Id way, Id modality, Id rank);
  const OutcomeOfCall& outcome(Id id) const { return outcomes_[id]; }
  bool by_default(Id outcome) const { return outcomes_[outcome].rank % 2 == 0; }

  Id root(Id component);
  Id instance(Id component, Id scope, const std::vector<Id>& differs);
  // The instance for a scope that is part of that of `wide`. What the new one has asked is noted as `to_ask`.
  Id narrowed(Id wide, Id scope, std::vector<std::pair<Id, Id>>& to_ask);

  Instance& operator[](Id id) { return instances_[id]; }
  const Instance& operator[](Id id) const { return instances_[id]; }
  bool is_root(Id id) const { return instances_[id].scope == kNone; }
  bool assumes(Id instance, Id outcome) const;
  bool has_asked(Id instance, Id outcome) const;
  // All outcomes that instances of a component with this scope ever asked.
  std::vector<Id>& ever_asked(Id component, Id scope);
  // Notes that an instance relies on an outcome, and so do all that it was narrowed from: they are listed in `fresh` if
  // they did not before.
  void ask(Id instance, Id outcome, std::vector<Id>& fresh);

  Id size() const { return static_cast<Id>(instances_.size()); }
  Id outcomes() const { return static_cast<Id>(outcomes_.size()); }

 private:
  const Closure& closure_;
  std::vector<OutcomeOfCall> outcomes_;
  std::deque<Instance> instances_; // references to them stay
  Interner outcome_ids_;
  Interner ids_;
  PairTable asked_ids_; // (component, scope)
  std::vector<std::vector<Id>> ever_asked_;
};

} // namespace pigro::core
