#include "core/games/parity.hpp"

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
    assert(nodes_ < std::size_t{1} << 31U);
    ticker_.before_allocating(nodes_ * 40 + game_.targets.size() * sizeof(std::uint32_t));
    reverse();
    at_.resize(nodes_);
    for (std::size_t node = 0; node < nodes_; ++node) at_[node].owner = game_.owner[node];
  }

  Solution solve() {
    Solution found;
    found.moves.assign(nodes_, kNone);
    found.colours.assign(nodes_, Colour::maybe);
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
      if (at_[node].winner != 0) at_[node].winner = kNobody;
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
    assert(static_cast<std::size_t>(into_.back()) == game_.targets.size());
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
      if ((game_.barred[node] & bit(colour)) != 0) at_[node].winner = player;
    }
  }

  void take(Solution& found, std::uint8_t player, Colour colour) const {
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (at_[node].winner != player) continue;
      assert(found.colours[node] == Colour::maybe); // no node is won for sure by both players
      found.colours[node] = colour;
      if (at_[node].owner == player && found.moves[node] == kNone) found.moves[node] = at_[node].move;
    }
  }

  bool usable(Id node, bool must) const { return must || at_[node].owner != strict_; }
  bool usable_edge(Id node, Id edge) const { return usable(node, game_.must[edge] != 0); }

  // The ordinary game in which a player is strict. What has a winner already keeps it.
  void play(std::uint8_t strict) {
    strict_ = strict;
    for (Node& node : at_) node.level = node.index = 0;
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (at_[node].winner == kNobody) visit(static_cast<Id>(node));
      assert(at_[node].winner != kNobody && path_.empty() && open_.empty());
    }
  }

  // Tarjan's search. Components come when all they lead to have come.
  void visit(Id root) {
    Id next_index = 0;
    const auto enter = [&](Id node) {
      at_[node].index = at_[node].low = ++next_index;
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
        if (!usable_edge(node, here) || at_[target].winner != kNobody) continue;
        if (at_[target].index == 0) {
          enter(target);
        } else {
          at_[node].low = std::min(at_[node].low, at_[target].index);
        }
        continue;
      }
      const Id done = node;
      path_.pop_back();
      if (!path_.empty()) at_[path_.back().node].low = std::min(at_[path_.back().node].low, at_[done].low);
      if (at_[done].low != at_[done].index) continue;
      const auto begin = std::ranges::find(open_.rbegin(), open_.rend(), done).base() - 1;
      settle({begin, open_.end()});
      open_.erase(begin, open_.end());
    }
  }

  // All that the component leads to has a winner. Then it has.
  void settle(std::span<const Id> component) {
    const Id level = ++last_level_;
    for (const Id node : component) at_[node].level = level;
    queue_.clear();
    for (const Id node : component) {
      if (at_[node].owner == kTie) {
        decide(node, other(strict_), kNone);
        continue;
      }
      Id inside = 0;
      for (Id edge = game_.offsets[node]; edge < game_.offsets[node + 1]; ++edge) {
        if (!usable_edge(node, edge)) continue;
        const Id target = game_.targets[edge];
        if (at_[target].level == level) {
          ++inside;
        } else if (at_[target].winner == at_[node].owner) {
          decide(node, at_[node].owner, edge);
          break;
        }
      }
      at_[node].count = inside;
      if (inside == 0 && at_[node].winner == kNobody) decide(node, other(at_[node].owner), kNone);
    }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      ticker_.poll();
      const Id node = queue_[at];
      const std::uint8_t winner = at_[node].winner;
      for (Id in = into_[node]; in < into_[node + 1]; ++in) {
        const auto source = static_cast<Id>(sources_[in] >> 1U);
        if (at_[source].level != level || at_[source].winner != kNobody || !usable(source, (sources_[in] & 1U) != 0)) {
          continue;
        }
        if (at_[source].owner == winner) {
          decide(source, winner, edge_to(source, node));
        } else if (--at_[source].count == 0) {
          decide(source, winner, kNone);
        }
      }
    }
    assert(queue_.size() <= component.size());
    if (queue_.size() == component.size()) return;
    std::vector<Id> rest;
    for (const Id node : component) {
      if (at_[node].winner == kNobody) rest.push_back(node);
    }
    recur(std::move(rest));
    assert(std::ranges::all_of(component, [&](Id node) { return at_[node].winner != kNobody; }));
  }

  void decide(Id node, std::uint8_t winner, Id edge) {
    assert(at_[node].winner == kNobody && (edge == kNone || usable_edge(node, edge)));
    at_[node].winner = winner;
    at_[node].move = edge;
    queue_.push_back(node);
  }

  Id edge_to(Id node, Id target) const {
    Id edge = game_.offsets[node];
    while (game_.targets[edge] != target || !usable_edge(node, edge)) ++edge;
    assert(edge < game_.offsets[node + 1]);
    return edge;
  }

  // A game inside of an SCC that no player can leave.
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
        if (at_[node].winner == opponent) lost.push_back(node);
      }
      if (lost.empty()) {
        frames.pop_back();
        continue;
      }
      enter(frame.nodes);
      attract(lost, opponent);
      std::erase_if(frame.nodes, [&](Id node) { return at_[node].level != last_level_; });
      frame.rest.clear();
      frame.player = kNobody; // once more, with the rest
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
      if (at_[node].owner != frame.player) continue;
      Id edge = game_.offsets[node];
      while (at_[game_.targets[edge]].level != last_level_ || !usable_edge(node, edge)) ++edge;
      assert(edge < game_.offsets[node + 1]);
      at_[node].move = edge;
    }
    attract(top, frame.player);
    frame.rest.clear();
    for (const Id node : frame.nodes) {
      if (at_[node].level == last_level_) frame.rest.push_back(node);
    }
  }

  // These nodes, and no others, are in the game at hand.
  void enter(std::span<const Id> nodes) {
    ++last_level_;
    for (const Id node : nodes) {
      at_[node].level = last_level_;
      at_[node].count = kNone;
    }
  }

  // Out of the game at hand: the nodes, and all from where the player can force the play into them. They are the
  // player's.
  void attract(std::span<const Id> to, std::uint8_t player) {
    queue_.assign(to.begin(), to.end());
    for (const Id node : queue_) {
      at_[node].level = -last_level_;
      at_[node].winner = player;
    }
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      ticker_.poll();
      const Id node = queue_[at];
      for (Id in = into_[node]; in < into_[node + 1]; ++in) {
        const auto source = static_cast<Id>(sources_[in] >> 1U);
        if (at_[source].level != last_level_ || !usable(source, (sources_[in] & 1U) != 0)) continue;
        if (at_[source].owner == player) {
          at_[source].move = edge_to(source, node);
        } else {
          if (at_[source].count == kNone) at_[source].count = inside(source);
          assert(at_[source].count > 0);
          if (--at_[source].count > 0) continue;
        }
        at_[source].level = -last_level_;
        at_[source].winner = player;
        queue_.push_back(source);
      }
    }
  }

  // For a node that is met for the first time: the number of its edges into the game at hand. Nodes that were attracted
  // count as inside.
  Id inside(Id node) const {
    Id found = 0;
    for (Id edge = game_.offsets[node]; edge < game_.offsets[node + 1]; ++edge) {
      if (usable_edge(node, edge) && std::abs(at_[game_.targets[edge]].level) == last_level_) ++found;
    }
    return found;
  }

  // Side by side, for most of it is needed at once.
  struct Node {
    Id index = 0; // as Tarjan counts
    Id low = 0;
    Id level = 0; // which game it is in. Negative if it was attracted out of it
    Id count = 0; // edges that do not lead to the winner yet, while one is sought
    Id move = kNone;
    std::uint8_t owner = kTie;
    std::uint8_t winner = kNobody;
  };

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
  std::vector<Node> at_;
  Id last_level_ = 0;
  std::vector<Step> path_;
  std::vector<Id> open_;
  std::vector<Id> queue_;
};

} // namespace

Solution solve(const FlatGame& game, Ticker& ticker) { return Solver(game, ticker).solve(); }

} // namespace pigro::core
