// The graph of instances of [Dubslaff2024], as searches for reasons and runs for E U walk it: a copy that Python keeps
// up to date (src/pigro/papers/dubslaff2024/mirror.py).
//
// For each formula an instance has two sets of places, `sure` and `may` (interpretation.py).
// Where `sure` and `may` contradict each other, `sure` counts. Invariant:
//   IG1  once callers are listed, (c, b) is in callers(i) exactly if callee(c, b) is i, c was not dropped and b counts
//        as a caller. Callers are in the order in which they came.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "core/contexts/places.hpp"
#include "core/formula/formula.hpp"

namespace pigro::core {

// The subformulas, operands before their formulas.
struct Subformulas {
  std::vector<Op> ops;
  std::vector<Id> left, right; // kNone: no operand

  Id size() const { return static_cast<Id>(ops.size()); }
};

class InstanceGraph {
 public:
  struct Caller {
    Id instance;
    Id box;
    Id first; // the place of the return node for the first exit, if all exits have one. Otherwise kNone
  };

  // What a box is, as a set.
  static constexpr std::uint8_t kCounts = 1; // as a caller, for searches
  static constexpr std::uint8_t kInner = 2;  // its callee can call its component again

  // Needs: `boxes` has a value for each box.
  InstanceGraph(const Places& places, Subformulas formulas, std::vector<std::uint8_t> boxes);

  const Model& model() const { return model_; }
  const Subformulas& formulas() const { return formulas_; }
  Id size() const { return static_cast<Id>(instances_.size()); }
  bool has(Id instance) const { return instance >= 0 && instance < size() && instances_[instance].component != kNone; }
  bool was_dropped(Id instance) const { return instances_[instance].dropped; }
  Id component(Id instance) const { return instances_[instance].component; }
  std::size_t words(Id instance) const { return static_cast<std::size_t>(instances_[instance].words); }

  // Changes. Needs: the instances that are named are there, and `added` is not. No caller was dropped.
  void add(Id added, Id component);
  void copy(Id added, Id like); // with its values, and calls the same instances
  void bind(Id caller, Id box, Id callee);
  void drop(Id instance); // it calls nothing any more. A search that has been there can still walk through it
  void set(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may);
  void set_context(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may);
  // Lists callers from now on: one by one, as they came. Only searches need them. Needs: they call these instances.
  void list_callers() { lists_callers_ = true; }
  void note_caller(Id callee, Id caller, Id box);
  // The exits of a component at which a formula holds if a box lists no return node for them.
  void set_unlisted(Id component, Id formula, std::span<const Word> exits);

  // For runs: of the unknown places of E U, these hold, or all but these fail. True if that changed any.
  bool make_sure(Id instance, Id formula, const Word* places);
  bool leave_unknown(Id instance, Id formula, const Word* places);
  // What has changed since the last run for E U, besides values that it looks at anyway. A set.
  static constexpr std::uint8_t kSure = 1; // the formula, or its left operand, may hold at more places
  static constexpr std::uint8_t kMay = 2;  // a place may have lost what the formula could hold by
  std::uint8_t stale(Id instance, Id formula) const { return stale_[row(instance, formula)]; }
  void refresh(Id instance, Id formula) { stale_[row(instance, formula)] = 0; }

  // Needs: a box of the caller's component, by its number there.
  Id callee(Id caller, Id slot) const { return callees(caller)[static_cast<std::size_t>(slot)]; }
  std::span<const Caller> callers(Id instance) const { return callers_[instance]; }

  // Sets of places. Those of all instances lie side by side: `set_at` is where one begins, among `set_words` in all.
  std::size_t set_words() const { return sure_.size(); }
  std::size_t set_at(Id instance, Id formula) const {
    assert(has(instance) && formula >= 0 && formula < formulas_.size());
    return instances_[instance].first_word + words(instance) * static_cast<std::size_t>(formula);
  }
  const Word* sure(Id instance, Id formula) const { return sure_.data() + set_at(instance, formula); }
  const Word* may(Id instance, Id formula) const { return may_.data() + set_at(instance, formula); }
  const Word* unknown(Id instance, Id formula) const { return unknown_.data() + set_at(instance, formula); }
  // The context of the instance: exits where the formula holds, and where it does not fail.
  const Word* given_sure(Id instance, Id formula) const { return given_sure_.data() + given_at(instance, formula); }
  const Word* given_may(Id instance, Id formula) const { return given_may_.data() + given_at(instance, formula); }

  const Places& places() const { return places_; }
  // The place of the return node of an exit in the component of the caller. kNone: the box lists none.
  Id return_place(const Caller& caller, Id exit) const;
  // Whether a formula holds at an exit that the box lists no return node for.
  bool holds_unlisted(Id box, Id formula, Id exit) const;

 private:
  struct Instance {
    Id component = kNone; // kNone: there is none
    Id words = 0;         // of a set
    std::size_t first_word = 0;
    std::size_t first_callee = 0;
    std::size_t first_given = 0;
    bool dropped = false;
  };

  std::size_t row(Id instance, Id formula) const {
    return static_cast<std::size_t>(instance) * static_cast<std::size_t>(formulas_.size()) +
           static_cast<std::size_t>(formula);
  }
  void note_change(Id instance, Id formula, bool sure_changed, bool may_changed);
  std::size_t given_at(Id instance, Id formula) const {
    assert(has(instance) && formula >= 0 && formula < formulas_.size());
    return instances_[instance].first_given +
           model_.exit_words(component(instance)) * static_cast<std::size_t>(formula);
  }
  std::span<const Id> callees(Id caller) const {
    return {callees_.data() + instances_[caller].first_callee,
            static_cast<std::size_t>(model_.box_count(component(caller)))};
  }
  void know_nothing(Id instance, Id formula);
  void forget_caller(Id callee, Id caller, Id box);

  const Places& places_;
  const Model& model_;
  const Subformulas formulas_;
  const std::vector<std::uint8_t> boxes_;
  std::vector<std::uint8_t> can_be_unknown_; // by formula: an EX, EU or EG is in it
  std::vector<std::vector<Id>> untils_;      // by formula: the E U that it is an operand of
  // Searches walk through all of it, so it is dense: a set for each instance and formula.
  std::vector<Instance> instances_;
  bool lists_callers_ = false;
  std::vector<std::vector<Caller>> callers_; // by instance
  std::vector<Id> callees_;                  // instance after instance: by box of the component
  std::vector<Word> unknown_, sure_, may_;   // unknown: in `may` only
  std::vector<Word> given_sure_, given_may_;
  std::vector<std::uint8_t> stale_;         // by `row`
  std::vector<std::vector<Word>> unlisted_; // by component, if it has any: formula after formula
};

} // namespace pigro::core
