// The claims of EX, EU and EG, from what their searches kept (core/proofs/certify.hpp).
#pragma once

#include "core/levels/globally.hpp"
#include "core/levels/next.hpp"
#include "core/levels/until.hpp"
#include "core/proofs/certify.hpp"

namespace pigro::core {

// EX has no claims: its value is read off the successors.
class NextProof final : public LevelProof {
 public:
  NextProof(ProofTask& task, NextLevel& level, std::vector<LevelProof*> children)
      : LevelProof(task, level, std::move(children)) {}

 private:
  void settle(Id instance, Id node) override;
  void start(Id instance, Id node, bool) override { settle(instance, node); }
};

// What EU and EG share: values of instances by masks, sure blocks and bound blocks.
class SearchProof : public LevelProof {
 protected:
  using LevelProof::LevelProof;

  // Adds a true node to the sure block of an instance, and what it rests on.
  virtual void grow_sure(Id instance, Id node) = 0;

 private:
  void settle(Id instance, Id node) final;
  // The same for a false node and the bound block.
  void grow_bound(Id instance, Id node);
};

class UntilProof final : public SearchProof {
 public:
  UntilProof(ProofTask& task, UntilLevel& level, std::vector<LevelProof*> children)
      : SearchProof(task, level, std::move(children)), until_(level) {}

 private:
  void start(Id instance, Id node, bool value) override;
  Id key(Id operands, Id entry) override { return until_.key(operands, entry); }
  Id entry_of(Id key) const override { return until_.keys_[key].entry; }
  Summary summary(Id key) override { return until_.summary(until_.keys_[key].operands, until_.keys_[key].entry); }
  void open(Block& block, Id key, Id exit) override;
  bool is_ordered(bool sure) const override { return sure; }

  void open_bound(Block& block, const UntilLevel::Key& key);
  void open_sure(Block& block, const UntilLevel::Key& key, Id exit);
  void grow_sure(Id instance, Id node) override;

  UntilLevel& until_;
};

class GloballyProof final : public SearchProof {
 public:
  GloballyProof(ProofTask& task, GloballyLevel& level, std::vector<LevelProof*> children)
      : SearchProof(task, level, std::move(children)), globally_(level) {}

 private:
  void start(Id instance, Id node, bool value) override;
  Id key(Id operands, Id entry) override { return globally_.key(operands, entry); }
  Id entry_of(Id key) const override { return globally_.keys_[key].entry; }
  Summary summary(Id key) override {
    return globally_.summary(globally_.keys_[key].operands, globally_.keys_[key].entry);
  }
  void open(Block& block, Id key, Id exit) override;
  bool is_ordered(bool sure) const override { return !sure; }
  void put_in_order(const Instance& instance, Growth& growth) override;

  void open_bound(Block& block, const GloballyLevel::Key& key);
  void open_lasso(Block& block, const GloballyLevel::Key& key);
  void open_exit(Block& block, const GloballyLevel::Key& key, Id exit);
  // Proves that a run may stay in the callee: for ever, or at an exit that the box has no return node for.
  bool stays_in_call(Id operands, Id call);
  void grow_sure(Id instance, Id node) override;

  GloballyLevel& globally_;
};

} // namespace pigro::core
