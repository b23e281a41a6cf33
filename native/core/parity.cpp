#include "core/parity.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace pigro::core {

namespace {

constexpr std::uint8_t kNobody = 2;

std::uint8_t other(std::uint8_t player) { return player ^ 1U; }

class Solver {
 public:
  Solver(const FlatGame& game, Ticker& ticker) : game_(game), ticker_(ticker), nodes_(game.owner.size()) {
    ticker_.before_allocating(nodes_ * 40 + game_.targets.size() * sizeof(std::uint32_t));
    reverse();
    winner_.resize(nodes_);
    move_.resize(nodes_);
    count_.resize(nodes_);
    level_.resize(nodes_);
    index_.resize(nodes_);
    low_.resize(nodes_);
  }

  Solution solve() {
    Solution found;
    found.moves.assign(nodes_, kNone);
    found.colours.assign(nodes_, Colour::maybe);
    std::ranges::fill(winner_, kNobody);
    bar(Colour::yes, 1);
    play(0);
    const bool two_valued = game_.barred.empty() &&
                            std::ranges::all_of(game_.must, [](auto must) { return must != 0; }) &&
                            std::ranges::none_of(game_.owner, [](auto owner) { return owner == kTie; });
    take(found, 0, Colour::yes);
    if (two_valued) {
      take(found, 1, Colour::no);
      return found;
    }
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (winner_[node] != 0) winner_[node] = kNobody;
    }
    bar(Colour::no, 0);
    play(1);
    take(found, 1, Colour::no);
    return found;
  }

 private:
  // Edges by target: the source, and whether it is a must edge.
  void reverse() {
    into_.resize(nodes_ + 1);
    for (const Id target : game_.targets) ++into_[target + 1];
    for (std::size_t node = 0; node < nodes_; ++node) into_[node + 1] += into_[node];
    sources_.resize(game_.targets.size());
    std::vector<Id> next(into_.begin(), into_.end() - 1);
    for (std::size_t node = 0; node < nodes_; ++node) {
      for (Id edge = game_.offsets[node]; edge < game_.offsets[node + 1]; ++edge) {
        sources_[next[game_.targets[edge]]++] = static_cast<std::uint32_t>(node) << 1U | game_.must[edge];
      }
    }
  }

  // Gives nodes that can't get a colour to the other player.
  void bar(Colour colour, std::uint8_t player) {
    for (std::size_t node = 0; node < game_.barred.size(); ++node) {
      if ((game_.barred[node] & bit(colour)) != 0) winner_[node] = player;
    }
  }

  void take(Solution& found, std::uint8_t player, Colour colour) const {
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (winner_[node] != player) continue;
      found.colours[node] = colour;
      if (game_.owner[node] == player && found.moves[node] == kNone) found.moves[node] = move_[node];
    }
  }

  bool usable(Id node, bool must) const { return must || game_.owner[node] != strict_; }
  bool usable_edge(Id node, Id edge) const { return usable(node, game_.must[edge] != 0); }

  // The ordinary game in which a player is strict. What has a winner already keeps it.
  void play(std::uint8_t strict) {
    strict_ = strict;
    std::ranges::fill(level_, kOutside);
    std::ranges::fill(index_, 0);
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (winner_[node] == kNobody) visit(static_cast<Id>(node));
    }
  }

  // Tarjan's search; components come when all they lead to have come.
  void visit(Id root) {
    if (index_[root] != 0) return;
    Id next_index = 0;
    const auto enter = [&](Id node) {
      index_[node] = low_[node] = ++next_index;
      path_.push_back({node, game_.offsets[node]});
      open_.push_back(node);
    };
    enter(root);
    while (!path_.empty()) {
      ticker_.poll();
      auto& [node, edge] = path_.back();
      if (edge < game_.offsets[node + 1]) {
        const Id here = edge++;
        const Id target = game_.targets[here];
        if (!usable_edge(node, here) || winner_[target] != kNobody) continue;
        if (index_[target] == 0) {
          enter(target);
        } else {
          low_[node] = std::min(low_[node], index_[target]);
        }
        continue;
      }
      const Id done = node;
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[done]);
      if (low_[done] != index_[done]) continue;
      const auto begin = std::ranges::find(open_.rbegin(), open_.rend(), done).base() - 1;
      settle({begin, open_.end()});
      open_.erase(begin, open_.end());
    }
  }

  // All that the component leads to has a winner; then it has.
  void settle(std::span<const Id> component) {
    const Id level = ++last_level_;
    for (const Id node : component) level_[node] = level;
    queue_.clear();
    for (const Id node : component) {
      if (game_.owner[node] == kTie) {
        decide(node, other(strict_), kNone);
        continue;
      }
      Id inside = 0;
      for (Id edge = game_.offsets[node]; edge < game_.offsets[node + 1]; ++edge) {
        if (!usable_edge(node, edge)) continue;
        const Id target = game_.targets[edge];
        if (level_[target] == level) {
          ++inside;
        } else if (winner_[target] == game_.owner[node]) {
          decide(node, game_.owner[node], edge);
          break;
        }
      }
      count_[node] = inside;
      if (inside == 0 && winner_[node] == kNobody) decide(node, other(game_.owner[node]), kNone);
    }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      ticker_.poll();
      const Id node = queue_[at];
      const std::uint8_t winner = winner_[node];
      for (Id in = into_[node]; in < into_[node + 1]; ++in) {
        const auto source = static_cast<Id>(sources_[in] >> 1U);
        if (level_[source] != level || winner_[source] != kNobody || !usable(source, (sources_[in] & 1U) != 0)) {
          continue;
        }
        if (game_.owner[source] == winner) {
          decide(source, winner, edge_to(source, node));
        } else if (--count_[source] == 0) {
          decide(source, winner, kNone);
        }
      }
    }
    if (queue_.size() == component.size()) return;
    std::vector<Id> rest;
    for (const Id node : component) {
      if (winner_[node] == kNobody) rest.push_back(node);
    }
    recur(std::move(rest));
  }

  void decide(Id node, std::uint8_t winner, Id edge) {
    winner_[node] = winner;
    move_[node] = edge;
    queue_.push_back(node);
  }

  Id edge_to(Id node, Id target) const {
    Id edge = game_.offsets[node];
    while (game_.targets[edge] != target || !usable_edge(node, edge)) ++edge;
    return edge;
  }

  // A game inside of a component that nobody can leave.
  struct Frame {
    std::vector<Id> nodes;
    std::vector<Id> rest; // beyond what the player of the largest priority attracts to it
    std::uint8_t player = kNobody;
  };

  void recur(std::vector<Id> nodes) {
    std::vector<Frame> frames;
    frames.push_back({.nodes = std::move(nodes), .rest = {}});
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.player == kNobody) {
        if (frame.nodes.empty()) {
          frames.pop_back();
          continue;
        }
        begin(frame);
        if (frame.rest.empty()) {
          frames.pop_back();
          continue;
        }
        std::vector<Id> rest = frame.rest;
        frames.push_back({.nodes = std::move(rest), .rest = {}});
        continue;
      }
      // The rest is solved.
      const std::uint8_t opponent = other(frame.player);
      std::vector<Id> lost;
      for (const Id node : frame.rest) {
        if (winner_[node] == opponent) lost.push_back(node);
      }
      if (lost.empty()) {
        frames.pop_back();
        continue;
      }
      enter(frame.nodes);
      attract(lost, opponent);
      std::erase_if(frame.nodes, [&](Id node) { return level_[node] != last_level_; });
      frame.rest.clear();
      frame.player = kNobody; // once more, with what is left
    }
  }

  void begin(Frame& frame) {
    std::uint16_t largest = 0;
    for (const Id node : frame.nodes) largest = std::max(largest, game_.priority[node]);
    frame.player = largest & 1U;
    enter(frame.nodes);
    std::vector<Id> top;
    for (const Id node : frame.nodes) {
      if (game_.priority[node] == largest) top.push_back(node);
    }
    for (const Id node : top) {
      if (game_.owner[node] != frame.player) continue;
      Id edge = game_.offsets[node];
      while (level_[game_.targets[edge]] != last_level_ || !usable_edge(node, edge)) ++edge;
      assert(edge < game_.offsets[node + 1]);
      move_[node] = edge;
    }
    attract(top, frame.player);
    frame.rest.clear();
    for (const Id node : frame.nodes) {
      if (level_[node] == last_level_) frame.rest.push_back(node);
    }
  }

  // These nodes, and no others, are in the game at hand.
  void enter(std::span<const Id> nodes) {
    ++last_level_;
    for (const Id node : nodes) {
      level_[node] = last_level_;
      count_[node] = kNone;
    }
  }

  // Out of the game at hand: the nodes, and all from where the player can force the play into them. They are the
  // player's.
  void attract(std::span<const Id> to, std::uint8_t player) {
    queue_.assign(to.begin(), to.end());
    for (const Id node : queue_) {
      level_[node] = -last_level_;
      winner_[node] = player;
    }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      ticker_.poll();
      const Id node = queue_[at];
      for (Id in = into_[node]; in < into_[node + 1]; ++in) {
        const auto source = static_cast<Id>(sources_[in] >> 1U);
        if (level_[source] != last_level_ || !usable(source, (sources_[in] & 1U) != 0)) continue;
        if (game_.owner[source] == player) {
          move_[source] = edge_to(source, node);
        } else {
          if (count_[source] == kNone) count_[source] = inside(source);
          if (--count_[source] > 0) continue;
        }
        level_[source] = -last_level_;
        winner_[source] = player;
        queue_.push_back(source);
      }
    }
  }

  // Of a node that is met for the first time: its edges into the game at hand, with what is out since it is attracted.
  Id inside(Id node) const {
    Id found = 0;
    for (Id edge = game_.offsets[node]; edge < game_.offsets[node + 1]; ++edge) {
      if (usable_edge(node, edge) && std::abs(level_[game_.targets[edge]]) == last_level_) ++found;
    }
    return found;
  }

  static constexpr Id kOutside = 0;

  struct Step {
    Id node;
    Id edge;
  };

  const FlatGame& game_;
  Ticker& ticker_;
  const std::size_t nodes_;
  std::uint8_t strict_ = 0;
  std::vector<Id> into_;
  std::vector<std::uint32_t> sources_;
  std::vector<std::uint8_t> winner_;
  std::vector<Id> move_;
  std::vector<Id> count_; // edges of the loser's that are not lost yet
  std::vector<Id> level_; // which game a node is in; negative if it was attracted out of it
  Id last_level_ = 0;
  std::vector<Id> index_;
  std::vector<Id> low_;
  std::vector<Step> path_;
  std::vector<Id> open_;
  std::vector<Id> queue_;
};

} // namespace

Solution solve(const FlatGame& game, Ticker& ticker) { return Solver(game, ticker).solve(); }

} // namespace pigro::core
