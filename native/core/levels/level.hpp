// One temporal operator of the formula with its instances: the machinery all engines share.
//
// Question: which value has this operator at each node of a component, for a given context?
// Idea: with its operands decided, one operator is *disjunctive* in the exit context,
//   value(n) = base(n) or some exit in reach(n) has a true context bit,
// so base and reach of a called entry (its summary) are found by one linear search, whatever the
// context. Contexts are needed only as the identity of what the next operator up sees.
//
// Words (docs/algorithm.md): an *operand context* is a component together with an instance of every level
// that the operator's operands read. An *instance* is an operand context together with the context mask
// (bit e: the operator is true when the component has returned through exit e). A *key* is an
// operand context with a called entry, and carries that entry's summary. For path formulas, masks and summaries
// are of pairs of an exit and a state of an automaton (core/paths/path.hpp).
//
// Everything is computed when first asked for and kept. An engine is a policy of what to ask
// (Policy in core/formula/query.hpp): `exhaustive` asks for every instance of every level, `demand` for the
// verdict alone, and looks only where labels say that it can matter (core/levels/relevance.hpp).
//
// Invariants:
//   L1  an instance's mask has no bits beyond the component's exits.
//   L2  values(i) agrees with the mask of i at the component's exits.
//   L3  for link callee(i, b) = c: bit e of mask(c) is values(i) at the return node (b, e). Where the
//       box lists none, the value of a path that stays at e forever (or ends there, under `stop`).
//   L4  the operand context of callee(i, b) is callee_operands(operand context of i, b).
//   L5  a finished key has complete exits, or is hit (then its exits do not matter).
//   L6  an operand context has an instance of child i if and only if its component needs child i (N2).
// Cost: a pass is linear in its component's edges. A key's search is linear in the component.
#pragma once

#include <memory>
#include <optional>

#include "core/base/stable.hpp"
#include "core/formula/query.hpp"
#include "core/levels/relevance.hpp"
#include "core/levels/summary.hpp"

namespace pigro::core {

class Level : private RefinementSource {
 public:
  Level(Query& query, const LevelSpec& spec, std::vector<Level*> children)
      : query_(query),
        model_(query.model),
        spec_(spec),
        children_(std::move(children)),
        operand_contexts_(query.arena),
        instances_(query.arena),
        operand_context_ids_(query.allocation_guard(), static_cast<std::size_t>(query.model.components())),
        instance_ids_(query.allocation_guard()) {
    for (std::size_t i = 0; i < children_.size(); ++i) children_[i]->parents_.push_back({this, i});
  }
  ~Level() override = default;
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  // Of an operator of CTL, or the top. Those of CTL* are in core/paths.
  static std::unique_ptr<Level> make(Query& query, const LevelSpec& spec, std::vector<Level*> children);

  // The operand context and the instance of a component with the empty stack below it.
  Id root_operands(Id component);
  Id root(Id component);
  // The operator's value at a declared node with the empty stack.
  bool holds_at(Id node);

  Id instances() const { return static_cast<Id>(instances_.size()); }
  Id component_of(Id instance) const { return operand_contexts_[instances_[instance].operands].component; }

  // The instance that a box of this instance's component calls. May run the pass of `instance`.
  virtual Id callee(Id instance, Id box);
  // The operator's value at every node of the component (bit = node - first node). Runs the pass once.
  const Word* values(Id instance);

 protected:
  struct OperandContext {
    Id component;
    const Id* lower;             // an instance of each child level, or kNone (L6)
    Id* callees = nullptr;       // per box of the component: operand context of the callee, or kNone
    const Word* first = nullptr; // program results, once computed
    const Word* second = nullptr;
    const Word* loop = nullptr; // per exit: the operator's value on the path that stays there
    Id own_lower[2] = {};       // `lower`, if there are no more
    Word own_first = 0;         // the results, if they fit
    Word own_second = 0;
  };
  struct Instance {
    Id operands;
    const Word* mask;
    const Word* values = nullptr;
    Id* callees = nullptr;       // per box of the component
    Id* trail = nullptr;         // when certifying: how the pass came by the values, as the operator tells it
    const Word* pairs = nullptr; // of a path formula: its value at every pair (core/paths/path.hpp)
    Word own_mask = 0;           // `mask` and `values`, if they fit
    Word own_values = 0;
  };
  // The operator's values with as few exits true as there can be, and with as many.
  struct Bounds {
    const Word* least;
    const Word* most;
  };
  // A level whose programs read this one.
  struct Parent {
    Level* level;
    std::size_t child; // this one, among the parent's children
  };

  // The value at a node with the empty stack by the shortest way, without an instance.
  virtual bool decide(Id node) = 0;
  // Fills `values` (zeroed) for all nodes of the component. L2 holds after it.
  virtual void pass(Instance& instance, Word* values) = 0;
  // How many bits the masks of a component have, in words.
  virtual std::size_t mask_words(Id component) { return model_.exit_words(component); }
  // The mask with the empty stack below: the values at the exits, where the path stays.
  virtual const Word* loop_mask(Id operands);
  // Needs: is_context_free(component).
  virtual Bounds bounds(Id component);
  // L2: values agree with the mask at the exit.
  virtual bool agrees(const Instance& instance, const Word* values, Id exit);

  // The values of the operator's operands at every node of the component.
  const Word* first(Id operands) {
    OperandContext& at = operand_contexts_[operands];
    return at.first != nullptr ? at.first : evaluate(operands, spec_.first, at.first, &at.own_first);
  }
  const Word* second(Id operands) {
    OperandContext& at = operand_contexts_[operands];
    return at.second != nullptr ? at.second : evaluate(operands, spec_.second, at.second, &at.own_second);
  }
  const OperandContext& operand_context(Id id) const { return operand_contexts_[id]; }
  Id callee_operands(Id operands, Id box);
  // The component a box calls can't matter to this operator: its summaries are the static ones (N3).
  bool is_irrelevant(Id component) { return !relevance().relevant(component); }
  bool calls_irrelevant(Id box) { return !relevance().relevant(model_.callee(box)); }

  const Relevance& relevance() {
    if (!relevance_) relevance_.emplace(query_, spec_, static_cast<RefinementSource&>(*this));
    return *relevance_;
  }
  const Relevance& relevance_of(Level& other) const { return other.relevance(); }
  Op op_of(const Level& other) const { return other.spec_.op; }
  // Per child of that level: where labels let it depend on the child.
  static std::vector<Cover> covers_in(const Level& parent) {
    return covers_of_children(parent.spec_, parent.query_.weights());
  }
  std::size_t operand_context_count() const { return operand_contexts_.size(); }
  Id context_free_operands(Id component) {
    return intern_operands(component, std::vector<Id>(children_.size(), kNone));
  }
  Id intern_instance(Id operands, const Word* mask);
  Instance& instance(Id id) { return instances_[id]; }
  // `own`: where a result of one word goes, or null.
  const Word* evaluate(Id operands, const Program& program, const Word*& kept, Word* own = nullptr);
  // Zeroed words, which are `own` if one is enough: most components are small, and what belongs together is then in
  // one place.
  Word* words_or(Word* own, std::size_t count) {
    assert(own == nullptr || *own == 0);
    return own != nullptr && count <= 1 ? own : query_.arena.make<Word>(count);
  }
  // The values of a program that reads labels only, at 64 nodes.
  Word words_by_labels(const Program& program, std::size_t first_node);

  Query& query_;
  const Model& model_;
  const LevelSpec& spec_;
  std::vector<Level*> children_;
  std::vector<Parent> parents_;

 private:
  friend class Backward;   // searches on behalf of a level
  friend class LevelProof; // proves what a level found

  std::pair<Id, Id> bounding_instances(Id component);
  bool is_context_free(Id component);

  bool context_free(std::size_t child, Id component) override { return children_[child]->is_context_free(component); }
  bool depends_on_context(std::size_t child, Id component, const Word* nodes) override;
  bool takes(const Program& program, bool value, Id component, const std::vector<bool>& asked) override;

  Id intern_operands(Id component, const std::vector<Id>& lower);
  void evaluate(const Program& program, Id component, Word* result); // reads child_values_
  void check_irrelevant(const Program& program, const OperandContext& operands, const Word* result);
  Word evaluate_word(const Program& program, std::size_t node, std::size_t word);
  bool is_new_root(Id component);

  std::optional<Relevance> relevance_;      // made when first asked for
  Stable<OperandContext> operand_contexts_; // references stay valid while new ones are made
  Stable<Instance> instances_;
  OwnedIds operand_context_ids_;          // by component
  OwnedIds instance_ids_;                 // by operand context
  std::vector<Id> roots_;                 // components whose root context was counted
  std::vector<Id> lower_;                 // scratch of callee_operands
  std::vector<Word> mask_;                // scratch of callee
  std::vector<Word> slots_;               // scratch of evaluate_word
  std::vector<const Word*> child_values_; // scratch of evaluate: of each child, or null where not asked
};

} // namespace pigro::core
