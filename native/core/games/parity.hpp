// Parity games with three outcomes: Player 0 wins, Player 1 wins, or neither can force a win.
//
// An edge that is no must edge may turn out not to be there: a player who wants to win for sure can't take it, but
// must reckon that the other one does. Player 0 wins where player 0 wins an ordinary game that is strict about this
// player: player 0 takes must edges only, and loses ties. The same holds for player 1. These are two ordinary games,
// after [Grumberg2007].
//
// An ordinary game is solved one strongly connected component after the other, beginning with those that the others
// lead to. Decided nodes attract all nodes that they can. The rest of a component is solved by the recursion of
// [Zielonka1998], with a stack of its own.
// Where all cycles of a component are good for the same player, as in games of alternation-free formulas, this is
// linear.
#pragma once

#include <span>
#include <vector>

#include "core/base/ticker.hpp"

namespace pigro::core {

enum class Colour : std::uint8_t {
  no,    // Player 1 wins
  yes,   // Player 0 wins
  maybe, // neither does for sure
  none   // not known
};

inline bool is_definite(Colour colour) { return colour <= Colour::yes; }

inline constexpr std::uint8_t kTie = 2; // "owner" of a node where the play ends without a winner

struct FlatGame {
  std::span<const std::uint8_t> owner;
  std::span<const std::uint16_t> priority; // the largest that comes infinitely often decides: even for Player 0
  std::span<const Id> offsets;             // of the edges of each node. One more at the end
  std::span<const Id> targets;
  std::span<const std::uint8_t> must; // of each edge: 0 or 1
  // Of each node, colours that it can't get, as bits. Then it is maybe, at best. Empty: nothing is barred.
  std::span<const std::uint8_t> barred = {};
};

inline std::uint8_t bit(Colour colour) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(colour)); }

struct Solution {
  std::vector<Colour> colours;
  std::vector<Id> moves; // for each node that its owner wins: the edge to take. Otherwise kNone
};

// A node without edges is lost for its owner.
Solution solve(const FlatGame& game, Ticker& ticker);

} // namespace pigro::core
