// The graph of instances of [Dubslaff2024], as its search for reasons walks it: a copy that Python keeps up to date
// (src/pigro/engines/dubslaff2024/mirror.py).
//
// For each formula an instance has two sets of places, `sure` and `may` (interpretation.py).
// Where `sure` and `may` contradict each other, `sure` counts. Invariant:
//   IG1  (c, b) is in callers(i) exactly if callee(c, b) is i, c was not dropped and b counts as a caller. Callers are
//        in the order in which they came.
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

  // Needs: `reached` has a value for each box, whether it counts as a caller.
  InstanceGraph(const Places& places, Subformulas formulas, std::vector<std::uint8_t> reached);

  const Model& model() const { return model_; }
  const Subformulas& formulas() const { return formulas_; }
  Id size() const { return static_cast<Id>(instances_.size()); }
  bool has(Id instance) const { return instance >= 0 && instance < size() && instances_[instance].component != kNone; }
  bool was_dropped(Id instance) const { return instances_[instance].dropped; }
  Id component(Id instance) const { return instances_[instance].component; }
  std::size_t words(Id instance) const { return instances_[instance].words; }

  // Changes. Needs: the instances that are named are there, and `added` is not. No caller was dropped.
  void add(Id added, Id component);
  void copy(Id added, Id like); // with its values, and calls the same instances
  void bind(Id caller, Id box, Id callee);
  void drop(Id instance); // it calls nothing any more. A search that has been there can still walk through it
  void set(Id instance, Id formula, std::span<const Word> sure, std::span<const Word> may);
  // The exits of a component at which a formula holds if a box lists no return node for them.
  void set_unlisted(Id component, Id formula, std::span<const Word> exits);

  Id callee(Id caller, Id box) const { return instances_[caller].callee[slot(box)]; }
  std::span<const Caller> callers(Id instance) const { return instances_[instance].callers; }

  const Word* sure(Id instance, Id formula) const { return values(instance, formula); }
  const Word* may(Id instance, Id formula) const { return values(instance, formula) + words(instance); }
  bool is_unknown(Id instance, Id formula, Id place) const {
    const Word* sure = values(instance, formula);
    const std::size_t at = static_cast<std::size_t>(place) / kWordBits;
    return ((sure[words(instance) + at] & ~sure[at]) >> (static_cast<std::size_t>(place) % kWordBits) & 1U) != 0;
  }

  const Word* plain(Id instance) const { return places_.plain(component(instance)); }
  Id place(Id node) const { return places_.place(node); }
  Id node(Id instance, Id place) const { return places_.node(component(instance), place); }
  // The place of the return node of an exit in the component of the caller. kNone: the box lists none.
  Id return_place(const Caller& caller, Id exit) const;
  // Whether a formula holds at an exit that the box lists no return node for.
  bool holds_unlisted(Id box, Id formula, Id exit) const;

 private:
  struct Instance {
    Id component = kNone; // kNone: there is none
    bool dropped = false;
    std::size_t words = 0; // of a set
    std::vector<Id> callee;
    std::vector<Caller> callers;
    std::vector<Word> values;
  };

  std::size_t slot(Id box) const { return static_cast<std::size_t>(box - model_.first_box(model_.box_component(box))); }
  const Word* values(Id instance, Id formula) const {
    assert(has(instance) && formula >= 0 && formula < formulas_.size());
    return instances_[instance].values.data() + 2 * words(instance) * static_cast<std::size_t>(formula);
  }
  Instance& place_for(Id added);
  void note_caller(Id callee, Id caller, Id box);
  void forget_caller(Id callee, Id caller, Id box);

  const Places& places_;
  const Model& model_;
  const Subformulas formulas_;
  const std::vector<std::uint8_t> reached_;
  std::vector<Instance> instances_;
  std::vector<std::vector<Word>> unlisted_; // by component, if it has any: formula after formula
};

} // namespace pigro::core
