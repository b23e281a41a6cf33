// A strategy that is read off the claims of a game, in the format that native/verify/game_strategy.hpp defines.
//
// Claims of the game rely on each other, so a claim with a formula and a frame is a position of the strategy, and so
// are the boolean operands inside of it. Where the winner chooses, the move leads to the claim that this one relies on.
// Instances of the game are frames of the strategy. In a frame, `seen` is counted over all priorities, where the game
// counts those of a block only. Promises are the outcomes that positions ask for, exit by exit.
//
// Cost: the claims that the starts lead to, times the priorities.
#pragma once

#include <array>
#include <deque>
#include <map>

#include "core/games/claims.hpp"

namespace pigro::core {

// Rows as in StrategyView of native/verify/game_strategy.hpp.
struct ClaimStrategy {
  bool holds = false;
  std::vector<Id> starts, components;
  std::vector<std::uint8_t> below;
  std::vector<Id> promise_offsets{0};
  std::vector<Id> promises;
  std::vector<Id> offsets{0};
  std::vector<Id> claims;
};

class StrategyMaker {
 public:
  // Needs: a game without shortcuts, that outlives this.
  explicit StrategyMaker(ClaimGame& game);

  // Needs: starts that are settled, all of them as `holds` says.
  ClaimStrategy made(std::span<const Id> starts, bool holds);

 private:
  struct Position {
    Id frame, node;
    Id claim; // of the game, or kNone for a literal
    Id formula, seen;

    bool operator==(const Position&) const = default;
  };
  using Promise = std::array<Id, 3>; // exit, modality, seen
  struct Frame {
    Id component;
    bool is_bottom;
    std::map<Promise, Id> promises; // with an outcome of the game
    std::vector<Id> callers;        // positions
  };

  Id bottom_of(Id component);
  Id frame_of_call(Id entry);
  Id frame_of(std::vector<Id>& frames, Id of, Id component, bool is_bottom);
  Id number(const Position& position);
  void process(Id position);
  void call(Id position);
  void step(const Position& here);
  void promise(const Position& here);
  void rest_on(const Position& here, Id operand, Id seen);
  Id after_call(Id position, const Promise& promise, Id outcome);
  ClaimStrategy written(std::span<const Id> starts);

  void load(Id claim);
  bool is_won(Id expression);
  bool is_leaf_won(Id leaf);
  bool is_won_after(Id successor, Id operand);
  bool chooses(Id f) const { return (game_.closure_.formula().owner(f) == 0) == holds_; }
  Id claim_at(Id node, Id formula) { return game_.claim(key_.instance, node, formula, key_.formula, seen_); }
  Id outcome(Id modality);
  Id seen_in(Id frame, Id seen) const { return frames_[frame].is_bottom ? 0 : seen; }
  bool relies_on(Id claim) const { return static_cast<std::size_t>(claim) < mark_.size() && mark_[claim] == round_; }

  ClaimGame& game_;
  bool holds_ = false;
  std::deque<Frame> frames_; // references to them stay
  std::vector<Id> bottoms_;  // of each component
  std::vector<Id> frame_of_; // of each claim at an entry that is called
  std::vector<Position> positions_;
  Interner ids_;
  std::vector<Id> near_, pending_;     // positions. Those of the claim that is loaded come first
  std::vector<std::pair<Id, Id>> own_; // of each position, what it rests on, in `rests_`. Of a call the entry alone
  std::vector<Id> rests_;

  // The claim that is loaded:
  Id loaded_ = kNone;
  ClaimKey key_{};
  Id seen_ = 0; // where its body is evaluated
  std::vector<std::int64_t> mark_, stamp_;
  std::vector<std::uint8_t> truth_;
  std::int64_t round_ = 0;
};

} // namespace pigro::core
