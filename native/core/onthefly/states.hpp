// States as numbers, each made when it is first reached.
//
// Those of a model are a stack of boxes and a node. In a model without boxes states are nodes, and nothing is stored.
#pragma once

#include "core/base/names.hpp"
#include "core/model/model.hpp"

namespace pigro::core {

class States {
 public:
  States() = default;
  virtual ~States() = default;
  States(const States&) = delete;
  States& operator=(const States&) = delete;

  virtual Id size() const = 0;
  // A number for the labels of a state: states that share it carry the same.
  virtual Id place(Id state) const = 0;
  virtual bool carries(Id atom, Id state) = 0;
  // Whether runs are cut off here.
  virtual bool is_cut(Id state) const = 0;
  // The states after a state: at least one more than `position`, if there are so many. Valid until the next call.
  // None: runs stop here. Needs: the state is not cut.
  virtual std::span<const Id> next(Id state, std::size_t position) = 0;
};

class ModelStates : public States {
 public:
  // Runs are cut off in states whose stack is higher than `depth`, or nowhere if it is kNone.
  // `before_allocating` is told how many bytes are about to be taken, if many, and may throw.
  // Needs: with kNone, no recursion (see `recursive_component`).
  ModelStates(const Model& model, std::span<const Id> atom_labels, DeadEnds dead_ends, Id depth,
              std::function<void(std::size_t)> before_allocating = {});

  // Needs: a stack and a node that fit together, and no call node.
  Id state(std::span<const Id> stack, Id node);
  Id size() const override { return flat_ ? model_.nodes() : pairs_.size(); }
  Id node(Id state) const { return flat_ ? state : pairs_.second(state); }
  // Stacks go by number: 0 is the empty one, each other is a box on top of one with a smaller number.
  Id stack(Id state) const { return flat_ ? kEmpty : pairs_.first(state); }
  Id stacks() const { return stacks_.size(); }
  Id below(Id stack) const { return stacks_.first(stack); }
  Id box(Id stack) const { return stacks_.second(stack); }

  Id place(Id state) const override { return node(state); }
  bool carries(Id atom, Id state) override {
    return test_bit(atoms_[atom].get(), static_cast<std::size_t>(node(state)));
  }
  bool is_cut(Id state) const override { return !flat_ && height_[pairs_.first(state)] > depth_; }
  std::span<const Id> next(Id state, std::size_t position) override;

 private:
  static constexpr Id kEmpty = 0; // the number of the empty stack

  Id numbered(PairTable& table, Id first, Id second);
  Id pushed(Id stack, Id box);
  template <typename T>
  void push(std::vector<T>& to, T value) const {
    if (to.size() == to.capacity()) ask(2 * to.size() * sizeof(T));
    to.push_back(value);
  }
  void ask(std::size_t bytes) const {
    if (bytes >= kLarge && before_allocating_) before_allocating_(bytes);
  }
  void compute(Id state);

  const Model& model_;
  const bool stutter_;
  const bool flat_;
  const Id depth_;
  const std::function<void(std::size_t)> before_allocating_;
  std::vector<Zeroed<Word>> atoms_; // of each atom: the nodes that carry it
  Id loop_ = 0;                     // where a state that loops stands alone
  PairTable stacks_;                // (stack below, box)
  PairTable pairs_;                 // (stack, node)
  std::vector<Id> height_;          // of each stack
  std::vector<Id> first_;           // of each state: where its next states begin, kNone if not computed
  std::vector<Id> count_;
  std::vector<Id> next_;
};

// A component that calls itself, perhaps through others, and that calls lead to from these nodes, or kNone.
Id recursive_component(const Model& model, std::span<const Id> starts);

} // namespace pigro::core
