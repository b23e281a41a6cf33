// Does a section obey the rules? R1 to R9 of docs/certificate-rules.md, each under its number. Those of path
// formulas are in verify/paths/path_rules.hpp.
//
// Levels are checked children first, and in each level R1, R9, R2 to R6 block by block, and R7. Then
// the top. The first fault in this order is the one that is told: the checker in Python tells the same.
#pragma once

#include <string>
#include <vector>

#include "verify/facts.hpp"
#include "verify/paths/path_rules.hpp"

namespace pigro::verify {

class Rules {
 public:
  Rules(const Surroundings& around, DeadEnds dead_ends, Section& section, Values& values, const Known& lemmas)
      : around_(around),
        model_(around.model),
        dead_ends_(dead_ends),
        section_(section),
        values_(values),
        lemmas_(lemmas),
        paths_(around, dead_ends, section, values) {}

  // Checks the section that was read. Throws Rejection.
  void check(const Cut& cut, Kind kind);

 private:
  // The block that is checked, and the nodes that count as claimed: all of it, or the earlier ones.
  struct Current {
    Id operands;
    Id component;
    const Word* exits;
    const Word* claimed;
    enum class Missing : std::uint8_t { refused, fine } missing; // a return node that does not exist
  };
  // A chain of facts.
  struct Chain {
    const Facts* facts;
    Id first;
  };

  [[noreturn]] void reject(int rule, const char* what, Id index, Id node = kNone) const {
    assert(rule >= 1 && rule <= 9 && index >= 0);
    throw Rejection{rule, level_, what, index, node};
  }

  void check_links();
  void check_link(const Link& link, Id index);
  void check_instance_link(const Link& link, Id index);
  bool lower_of(Id operands, bool roots_only) const;

  void check_irrelevant();
  void check_irrelevant_calls();
  void check_irrelevant_component(Id component);
  Word irrelevant_faults(Truth first, Truth last, std::size_t word) const;

  void check_blocks();
  void check_block(const Block& block, Id index);
  void check_until_sure(const Block& block, Id index);
  void check_until_bound(const Block& block, Id index);
  void check_always_sure(const Block& block, Id index);
  void check_always_bound(const Block& block, Id index);
  void know(const Block& block);
  bool goes_on_surely(const Current& block, Id node) const;
  bool goes_on_only(const Current& block, Id node) const;
  bool calls_some(Id node) const;
  Chain blocks_about(const Facts Known::* side, const Current& block, Id call) const;
  Chain lemmas_about(const Facts Known::* side, Id call) const;
  bool returns_claimed(const Current& block, Id box, const Word* exits) const;
  bool exit_in(const Word* exits, Id node) const;

  void check_masks();
  void check_root(Id instance, Id index);
  void check_returns(const Link& link, Id index);
  bool return_has(const Link& link, Id exit, Word const* Truth::* side);

  void check_top();
  bool top_has(Id node, Word const* Truth::* side);

  const Surroundings& around_;
  const Model& model_;
  DeadEnds dead_ends_;
  Section& section_;
  Values& values_;
  const Known& lemmas_;
  PathRules paths_;

  const Cut* cut_ = nullptr;
  Id level_ = 0;
  Op op_ = Op::truth;
  Known known_; // by operand context and entry
  std::vector<Word> earlier_;
};

} // namespace pigro::verify
