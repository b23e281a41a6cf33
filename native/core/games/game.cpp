#include "core/games/game.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>

namespace pigro::core {

namespace {
constexpr std::size_t kMostNodes = std::numeric_limits<Id>::max(); // the same bound holds for edges
}

void Game::add_node(Id formula, Colour fixed, Ticker& ticker) {
  if (formula_of_.size() >= kMostNodes) throw std::bad_alloc();
  ticker.push(formula_of_, formula);
  ticker.push(fixed_, fixed);
  ticker.push(colours_, fixed == Colour::none ? Colour::maybe : fixed);
}

void Game::add_edge(const Edge& edge, Ticker& ticker) {
  assert(!is_fixed(static_cast<Id>(offsets_.size()) - 1)); // G1
  assert(edge.target < size() && (edge.model_must || !edge.must));
  if (targets_.size() >= kMostNodes) throw std::bad_alloc();
  ticker.push(targets_, edge.target);
  const int flags = (edge.model_must ? kModelMust : 0) | (edge.must ? kMust : 0);
  ticker.push(flags_, static_cast<std::uint8_t>(flags));
  if (actions_differ_) ticker.push(actions_, edge.action);
}

void Game::end_node(Ticker& ticker) {
  assert(offsets_.size() <= formula_of_.size());
  ticker.push(offsets_, static_cast<Id>(targets_.size()));
  if (!hyper_offsets_.empty()) ticker.push(hyper_offsets_, static_cast<Id>(hyper_must_.size()));
}

void Game::add_hyper(std::span<const Id> edges, bool must, Ticker& ticker) {
  assert(edges.size() > 1 && std::ranges::all_of(edges, [&](Id edge) { // G4
           return edge >= offsets_.back() && edge < static_cast<Id>(targets_.size());
         }));
  if (hyper_edges_.size() + edges.size() >= kMostNodes) throw std::bad_alloc();
  if (hyper_offsets_.empty()) {
    ticker.before_allocating(offsets_.size() * sizeof(Id));
    hyper_offsets_.assign(offsets_.size(), 0);
  }
  for (const Id edge : edges) ticker.push(hyper_edges_, edge);
  ticker.push(hyper_first_, static_cast<Id>(hyper_edges_.size()));
  ticker.push(hyper_must_, static_cast<std::uint8_t>(must ? 1 : 0));
}

std::span<const Id> Game::move(Id node) const {
  if (moves_.empty() || moves_[node] == kNone) return {};
  const auto edges = static_cast<Id>(targets_.size());
  if (moves_[node] < edges) return {&moves_[node], 1};
  return hyper_edges(moves_[node] - edges);
}

// The game as it is solved. Each hyper-step that no other part can prevent has a node of its own, after all others.
// There the other player chooses. The choice alone wins or loses nothing, so the node has the least priority.
struct Game::Flat {
  std::vector<std::uint8_t> owner;
  std::vector<std::uint16_t> priority;
  std::vector<std::uint8_t> barred;
  std::vector<Id> offsets;
  std::vector<Id> targets;
  std::vector<std::uint8_t> must;
  std::vector<Id> came_from; // of each edge of a node: the edge or hyper-step of the game, as in moves_

  void add(Id target, bool is_must, Id origin) {
    targets.push_back(target);
    must.push_back(is_must ? 1 : 0);
    came_from.push_back(origin);
  }
};

void Game::add_hyper_nodes(Flat& flat, Ticker& ticker) const {
  const auto edges = static_cast<Id>(targets_.size());
  const std::size_t most = targets_.size() + hyper_edges_.size() + hyper_must_.size() + offsets_.size();
  if (most > std::numeric_limits<Id>::max()) throw std::bad_alloc();
  ticker.before_allocating((targets_.size() + hyper_edges_.size() + hyper_must_.size()) * 10 + offsets_.size() * 4);
  flat.offsets.push_back(0);
  std::vector<Id> hypers;
  for (Id node = 0; node < size(); ++node) {
    for (Id edge = first_edge(node); edge < end_edge(node); ++edge) {
      flat.add(targets_[edge], (flags_[edge] & kMust) != 0, edge);
    }
    for (Id hyper = first_hyper(node); hyper < end_hyper(node); ++hyper) {
      if (!hyper_must(hyper)) continue;
      flat.add(size() + static_cast<Id>(hypers.size()), true, edges + hyper);
      hypers.push_back(hyper);
      flat.owner.push_back(flat.owner[node] ^ 1U);
      flat.priority.push_back(0);
      if (!flat.barred.empty()) flat.barred.push_back(0);
    }
    flat.offsets.push_back(static_cast<Id>(flat.targets.size()));
  }
  for (const Id hyper : hypers) {
    for (const Id edge : hyper_edges(hyper)) flat.add(targets_[edge], true, edge);
    flat.offsets.push_back(static_cast<Id>(flat.targets.size()));
  }
}

void Game::solve(Ticker& ticker) {
  const auto nodes = static_cast<std::size_t>(size());
  assert(offsets_.size() == nodes + 1 && flags_.size() == targets_.size());
  assert(barred_.empty() || barred_.size() == nodes);
  assert(hyper_offsets_.empty() || hyper_offsets_.size() == nodes + 1);
  ticker.before_allocating(nodes * 3 + targets_.size());
  Flat flat;
  std::vector<std::uint8_t>& owner = flat.owner;
  std::vector<std::uint16_t>& priority = flat.priority;
  owner.resize(nodes);
  priority.resize(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const Id formula = formula_of_[node];
    priority[node] = formula_->priority[formula];
    switch (fixed_[node]) {
      case Colour::no:
        owner[node] = 0;
        break;
      case Colour::yes:
        owner[node] = 1;
        break;
      case Colour::maybe:
        owner[node] = kTie;
        break;
      case Colour::none:
        owner[node] = formula_->owner(formula);
        break;
    }
  }
  const bool is_wide = std::ranges::find(hyper_must_, 1) != hyper_must_.end();
  if (is_wide) {
    flat.barred = barred_;
    add_hyper_nodes(flat, ticker);
  } else {
    flat.must.resize(targets_.size());
    for (std::size_t edge = 0; edge < flat.must.size(); ++edge) flat.must[edge] = (flags_[edge] & kMust) != 0 ? 1 : 0;
  }
  Solution found = core::solve({.owner = owner,
                                .priority = priority,
                                .offsets = is_wide ? flat.offsets : offsets_,
                                .targets = is_wide ? flat.targets : targets_,
                                .must = flat.must,
                                .barred = is_wide ? flat.barred : barred_},
                               ticker);
  colours_ = std::move(found.colours);
  moves_ = std::move(found.moves);
  colours_.resize(nodes);
  moves_.resize(nodes);
  for (Id node = 0; node < size(); ++node) {
    if (is_wide && moves_[node] != kNone) moves_[node] = flat.came_from[moves_[node]];
    assert(!is_fixed(node) || (colours_[node] == fixed_[node] && first_edge(node) == end_edge(node))); // G1, G3
    assert(std::ranges::all_of(move(node), [&](Id edge) { return edge >= first_edge(node) && edge < end_edge(node); }));
  }
}

// Of the edges of a node: which are covered. Nothing if it has no hyper-steps.
void Game::mark_covered(Id node, std::vector<std::uint8_t>& covered) const {
  covered.clear();
  if (first_hyper(node) == end_hyper(node)) return;
  covered.resize(static_cast<std::size_t>(end_edge(node) - first_edge(node)));
  for (Id hyper = first_hyper(node); hyper < end_hyper(node); ++hyper) {
    const std::span<const Id> edges = hyper_edges(hyper);
    const auto can_win = [&](Id each) { return can_matter(node, targets_[each]); };
    if (!hyper_must(hyper) || !std::ranges::all_of(edges, can_win)) continue;
    for (const Id edge : edges) covered[edge - first_edge(node)] = 1;
  }
}

std::vector<Game::Cause> Game::causes(std::size_t limit) const {
  std::vector<Cause> found;
  std::vector<Cause> later;
  std::vector<std::uint8_t> covered;
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(size()));
  std::vector<Id> queue;
  const auto look_at = [&](Id node) {
    if (colours_[node] != Colour::maybe || seen[node] != 0) return;
    seen[node] = 1;
    queue.push_back(node);
  };
  for (const Id root : roots_) look_at(root);
  for (std::size_t at = 0; at < queue.size() && found.size() < limit; ++at) {
    const Id node = queue[at];
    if (is_fixed(node)) found.push_back({node, kNone, false});
    mark_covered(node, covered);
    for (Id edge = offsets_[node]; edge < offsets_[node + 1]; ++edge) {
      if (!can_matter(node, targets_[edge])) continue;
      if ((flags_[edge] & kMust) == 0) {
        const bool is_covered = !covered.empty() && covered[edge - offsets_[node]] != 0;
        if (!is_covered) found.push_back({node, edge, false});
        if (is_covered && later.size() < limit) later.push_back({node, edge, true});
      }
      look_at(targets_[edge]);
    }
  }
  found.insert(found.end(), later.begin(), later.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

PartGame::PartGame(std::shared_ptr<const ModalFormula> formula, const PartView& part, std::span<const Id> roots,
                   Ticker& ticker)
    : Game(std::move(formula)), states_(part.states), alphabet_(part.alphabet.begin(), part.alphabet.end()) {
  const ModalFormula& of = *formula_;
  const auto formulas = static_cast<std::size_t>(of.size());
  const auto states = static_cast<std::size_t>(part.states);
  const std::size_t atoms = states == 0 ? 0 : part.values.size() / states;
  const std::size_t actions = part.alphabet.size();
  actions_differ_ = actions_differ(alphabet_);
  for (const auto each : part.signatures) signatures_.emplace_back(each.begin(), each.end());
  unsettled_values_.assign(part.unsettled.begin(), part.unsettled.end());
  unsettled_ = states == 0 ? 0 : static_cast<Id>(part.unsettled.size() / states);

  // kNone if the position is left out.
  const auto position = [&](Id state, Id node) -> Id {
    const std::size_t at = static_cast<std::size_t>(state) * formulas + static_cast<std::size_t>(node);
    const std::uint8_t known = part.known.empty() ? kOpen : part.known[at];
    if (known == static_cast<std::uint8_t>(Colour::none)) return kNone;
    if (const std::size_t bytes = nodes_.bytes_to_grow(); bytes >= kLarge) ticker.before_allocating(bytes);
    const Id fresh = size();
    const Id number = nodes_.number(state, node);
    if (number != fresh) return number;
    Colour fixed = known <= static_cast<std::uint8_t>(Colour::yes) ? static_cast<Colour>(known) : Colour::none;
    if (fixed == Colour::none && of.is_literal(node)) {
      const ModalOp op = of.ops[node];
      std::uint8_t value = op == ModalOp::yes ? 1 : 0;
      if (op >= ModalOp::atom) value = part.values[static_cast<std::size_t>(state) * atoms + of.left[node]];
      if (op == ModalOp::negated && value < 2) value ^= 1U;
      fixed = static_cast<Colour>(value);
    }
    add_node(node, fixed, ticker);
    if (!part.known.empty()) ticker.push(barred_, static_cast<std::uint8_t>(known & ~kOpen));
    return number;
  };
  const auto go = [&](Id state, Id node) {
    const Id target = position(state, node);
    if (target != kNone) add_edge({target, 0, true, true}, ticker);
  };

  const auto first_of = [&](Id state) { return part.hyper_offsets.empty() ? 0 : part.hyper_offsets[state]; };
  std::vector<Id> edge_of; // of each step of a state
  std::vector<Id> edges;   // of a hyper-step

  for (const Id root : roots) roots_.push_back(position(root, of.root));
  for (Id node = 0; node < size(); ++node) {
    ticker.poll();
    const Id at = formula_of_[node];
    const Id state = nodes_.first(node);
    if (is_fixed(node)) {
      end_node(ticker);
      continue;
    }
    switch (of.ops[at]) {
      case ModalOp::conjunction:
      case ModalOp::disjunction:
        go(state, of.left[at]);
        go(state, of.right[at]);
        break;
      case ModalOp::diamond:
      case ModalOp::box: {
        const auto set = part.modalities.subspan(
            of.right[at] < 0 ? 0 : actions * static_cast<std::size_t>(of.right[at]), of.right[at] < 0 ? 0 : actions);
        bool idle = false;
        for (std::size_t action = 0; action < actions; ++action) {
          idle = idle || (part.alphabet[action] == 0 && (set.empty() || set[action] != 0));
        }
        if (idle) {
          const Id target = position(state, of.left[at]);
          if (target != kNone) add_edge({target, kIdle, true, false}, ticker);
        }
        edge_of.assign(static_cast<std::size_t>(part.offsets[state + 1] - part.offsets[state]), kNone);
        for (Id step = part.offsets[state]; step < part.offsets[state + 1]; ++step) {
          const Id action = part.by[step];
          if (!set.empty() && set[action] == 0) continue;
          const Id target = position(part.targets[step], of.left[at]);
          if (target == kNone) continue;
          const bool must = part.must[step] != 0;
          edge_of[step - part.offsets[state]] = static_cast<Id>(targets_.size());
          add_edge({target, action, must, must && part.elsewhere[action] == 0}, ticker);
        }
        for (Id hyper = first_of(state); hyper < first_of(state + 1); ++hyper) {
          edges.clear();
          for (Id place = part.hyper_first[hyper]; place < part.hyper_first[hyper + 1]; ++place) {
            edges.push_back(edge_of[part.hyper_steps[place] - part.offsets[state]]);
          }
          if (std::ranges::find(edges, kNone) != edges.end()) continue; // G4
          const Id action = part.by[part.hyper_steps[part.hyper_first[hyper]]];
          add_hyper(edges, part.elsewhere[action] == 0, ticker);
        }
        break;
      }
      default: // fixpoints and variables
        go(state, of.left[at]);
    }
    end_node(ticker);
  }
  assert(nodes_.size() == size()); // G2
}

void PartGame::show(Id node, std::string& row) const {
  const auto labels = static_cast<std::size_t>(unsettled_);
  for (std::size_t label = 0; label < labels; ++label) {
    const auto value = static_cast<char>(unsettled_values_[static_cast<std::size_t>(state(node)) * labels + label]);
    row[label] = std::min(row[label], value); // known comes before unknown, and unknown before unseen
  }
}

} // namespace pigro::core
