#include "core/games/game.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>

namespace pigro::core {

namespace {
constexpr std::size_t kMostNodes = std::numeric_limits<Id>::max(); // the same bound holds for edges

bool contradict(Colour a, Colour b) { return is_definite(a) && is_definite(b) && a != b; }

// Of a position that two games know. What one has decided holds for both.
Colour combined(Colour a, Colour b) {
  if (contradict(a, b)) throw std::logic_error("two parts of a system contradict each other");
  return is_definite(a) ? a : b;
}

// Whether edges differ in their actions: there are several, or some are made by others.
bool are_told(const std::vector<std::uint8_t>& alphabet) {
  return alphabet.size() > 1 || std::find(alphabet.begin(), alphabet.end(), 0) != alphabet.end();
}

} // namespace

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
  if (labelled_) ticker.push(actions_, edge.action);
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
  labelled_ = are_told(alphabet_);
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

// Of each node: whether it is undecided, or something undecided leads to it. Or, of everything, whether it is reached.
static std::vector<std::uint8_t> inside_of(const Game& game, bool everything, Ticker& ticker) {
  ticker.before_allocating(static_cast<std::size_t>(game.size()));
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(game.size()));
  std::vector<Id> queue;
  const auto look_at = [&](Id node) {
    if (inside[node] != 0) return;
    inside[node] = 1;
    ticker.push(queue, node);
  };
  for (const Id root : game.roots()) {
    if (everything || !is_definite(game.colour(root))) look_at(root);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    ticker.poll();
    const Id node = queue[at];
    if (!game.is_open(node)) continue;
    for (Id edge = game.first_edge(node); edge < game.end_edge(node); ++edge) {
      const Id child = game.edge(edge).target;
      if (everything || game.can_matter(node, child)) look_at(child);
    }
  }
  return inside;
}

std::pair<Id, std::size_t> OpenPart::size(const Game& game, Ticker& ticker) {
  const std::vector<std::uint8_t> inside = inside_of(game, false, ticker);
  Id nodes = 0;
  std::size_t edges = 0;
  for (Id node = 0; node < game.size(); ++node) {
    nodes += inside[node];
    if (inside[node] == 0 || !game.is_open(node)) continue;
    for (Id edge = game.first_edge(node); edge < game.end_edge(node); ++edge) {
      if (game.can_matter(node, game.edge(edge).target)) ++edges;
    }
  }
  return {nodes, edges};
}

OpenPart::OpenPart(const Game& game, Keep keep, std::span<const Id> shown, Ticker& ticker) {
  const std::vector<std::uint8_t> inside = inside_of(game, keep == Keep::everything, ticker);
  first_.push_back(0);
  if (game.hypers() > 0) goals_of_.push_back(0);
  for (Id node = 0; node < game.size(); ++node) {
    ticker.poll();
    if (inside[node] != 0 && game.is_open(node)) {
      for (Id edge = game.first_edge(node); edge < game.end_edge(node); ++edge) {
        const Game::Edge at = game.edge(edge);
        if (keep == Keep::that_matter && !game.can_matter(node, at.target)) continue;
        ticker.push(arcs_, {at.action, shown.empty() ? 0 : shown[at.target], at.target, at.model_must});
      }
      if (game.formula().is_modal(game.formula_at(node))) {
        std::ranges::sort(arcs_.begin() + first_.back(), arcs_.end(), {}, &Arc::key);
      }
      add_goals(game, node, keep, shown, ticker);
    }
    ticker.push(first_, static_cast<Id>(arcs_.size()));
    if (!goals_of_.empty()) ticker.push(goals_of_, static_cast<Id>(goals_.size()));
  }
}

void OpenPart::add_goals(const Game& game, Id node, Keep keep, std::span<const Id> shown, Ticker& ticker) {
  for (Id hyper = game.first_hyper(node); hyper < game.end_hyper(node); ++hyper) {
    const std::span<const Id> edges = game.hyper_edges(hyper);
    const auto target_of = [&](Id edge) { return game.edge(edge).target; };
    const auto is_lost = [&](Id edge) { return !game.can_matter(node, target_of(edge)); };
    if (keep == Keep::that_matter && std::ranges::any_of(edges, is_lost)) continue; // G4
    ticker.poll();
    Goals goals{.action = game.edge(edges.front()).action, .shown = 0, .targets = {}};
    for (const Id edge : edges) {
      const Id target = target_of(edge);
      const Id shows = shown.empty() ? 0 : shown[target];
      goals.shown = goals.targets.empty() || goals.shown == shows ? shows : kNone;
      goals.targets.push_back(target);
    }
    ticker.push(goals_, std::move(goals));
  }
}

PairsOfNodes::PairsOfNodes(const Game& left, const Game& right) {
  std::vector<std::size_t> count(static_cast<std::size_t>(left.formula().size()));
  for (Id node = 0; node < right.size(); ++node) {
    column_.push_back(static_cast<Id>(count[right.formula_at(node)]++));
  }
  for (Id node = 0; node < left.size(); ++node) {
    row_.push_back(places_);
    places_ += count[left.formula_at(node)];
  }
}

Id PairsOfNodes::number(Id left, Id right, Ticker& ticker) {
  assert(place(left, right) < places_);
  const auto fresh = static_cast<Id>(pairs_.size());
  if (table_) {
    Id& at = table_[place(left, right)];
    if (at != 0) return at - 1;
    at = fresh + 1;
  } else {
    if (const std::size_t bytes = slots_.bytes_to_grow(); bytes >= kLarge) ticker.before_allocating(bytes);
    const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
    const auto same = [&](Id pair) { return pairs_[pair] == std::pair(left, right); };
    if (const Id found = slots_.find_or_add(mixed(key), fresh, same); found != fresh) return found;
  }
  ticker.push(pairs_, std::pair(left, right));
  if (!table_ && places_ <= kMostPlaces && pairs_.size() * kPlaces >= places_) make_table(ticker);
  return fresh;
}

void PairsOfNodes::make_table(Ticker& ticker) {
  ticker.before_allocating(places_ * sizeof(Id));
  assert(pairs_.size() <= places_); // G2
  table_ = make_zeroed<Id>(places_);
  for (Id pair = 0; pair < static_cast<Id>(pairs_.size()); ++pair) table_[place(first(pair), second(pair))] = pair + 1;
  slots_ = Slots();
}

// Which edges of two open positions go together.
class ProductGame::Matching {
 public:
  Matching(ProductGame& product, Id right_part, const Layer& layer, Ticker& ticker)
      : product_(product), left_(product.left_), right_(product.right_), layer_(layer), ticker_(ticker) {
    PairTable table;
    std::vector<Id> shown;
    for (Id node = 0; node < left_.size(); ++node) ticker.push(shown, left_.signature(node, right_part, table));
    open_left_.emplace(left_, keep(layer), shown, ticker);
    shown.clear();
    for (Id node = 0; node < right_.size(); ++node) {
      Id at = 0;
      for (Id part = 0; part < left_.parts(); ++part) at = table.number(at, right_.signature_to(node, part));
      ticker.push(shown, at);
    }
    open_right_.emplace(right_, keep(layer), shown, ticker);
    if (left_.unsettled() == 0) return;
    number_rows(left_, rows_left_);
    number_rows(right_, rows_right_);
  }

  void same_state(Id left, Id right) {
    for (const Arc& a : open_left_->arcs(left)) {
      for (const Arc& b : open_right_->arcs(right)) {
        if (left_.formula_at(a.target) != right_.formula_at(b.target)) continue;
        if (is_left_out(left, a.target, right, b.target)) continue;
        product_.add_edge({product_.position(a.target, b.target, ticker_), 0, true, true}, ticker_);
      }
    }
  }

  void step(Id left, Id right) {
    at_left_ = left;
    at_right_ = right;
    const std::span<const Arc> from_left = open_left_->arcs(left);
    const std::span<const Arc> from_right = open_right_->arcs(right);
    assert(std::ranges::is_sorted(from_left, {}, &Arc::key) && std::ranges::is_sorted(from_right, {}, &Arc::key));
    const Arc* const idle_left = idle(from_left);
    const Arc* const idle_right = idle(from_right);
    std::size_t group = 0; // the first arc of the right one that may fit
    for (const Arc& a : from_left) {
      if (a.action == kIdle) continue;
      if (right_.alphabet()[a.action] == 0) {
        if (idle_right != nullptr) join(a, *idle_right, a.action);
        continue;
      }
      while (group < from_right.size() && from_right[group].key() < a.key()) ++group;
      for (std::size_t at = group; at < from_right.size() && from_right[at].key() == a.key(); ++at) {
        ticker_.poll();
        join(a, from_right[at], a.action);
      }
    }
    if (idle_left != nullptr) {
      for (const Arc& b : from_right) {
        if (b.action != kIdle && left_.alphabet()[b.action] == 0) join(*idle_left, b, b.action);
      }
      if (idle_right != nullptr && others_may(left_.formula_at(left))) join(*idle_left, *idle_right, kIdle);
    }
    const auto wide_left = open_left_->hypers(left);
    const auto wide_right = open_right_->hypers(right);
    if (wide_left.empty() && wide_right.empty()) return;
    number_edges();
    for (const Goals& a : wide_left) {
      for (const Goals& b : wide_right) {
        if (a.action == b.action && a.shown == b.shown && a.shown != kNone) join_all(a.targets, b.targets, a.action);
      }
      with_must(a, right_, from_right, [&](Id b) { join_all(a.targets, {&b, 1}, a.action); });
    }
    for (const Goals& b : wide_right) {
      with_must(b, left_, from_left, [&](Id a) { join_all({&a, 1}, b.targets, b.action); });
    }
  }

 private:
  using Arc = OpenPart::Arc;
  using Goals = OpenPart::Goals;

  static const Arc* idle(std::span<const Arc> arcs) {
    return !arcs.empty() && arcs.front().action == kIdle ? &arcs.front() : nullptr;
  }

  enum class Agreement : std::uint8_t { none, possible, sure };

  // What each node shows of the unsettled labels, as the number of a row.
  void number_rows(const Game& game, std::vector<Id>& numbers) {
    std::string row;
    for (Id node = 0; node < game.size(); ++node) {
      row.assign(static_cast<std::size_t>(game.unsettled()), kUnseen);
      game.show(node, row);
      ticker_.push(numbers, rows_.number(row));
    }
  }

  // Whether the states of two nodes agree on the unsettled labels that both sides see.
  Agreement agreement(Id left, Id right) const {
    if (left_.unsettled() == 0) return Agreement::sure;
    const std::string_view a = rows_[rows_left_[left]];
    const std::string_view b = rows_[rows_right_[right]];
    Agreement found = Agreement::sure;
    for (std::size_t label = 0; label < a.size(); ++label) {
      if (a[label] == kUnseen || b[label] == kUnseen) continue;
      if (a[label] == kUnknown || b[label] == kUnknown) {
        found = Agreement::possible;
      } else if (a[label] != b[label]) {
        return Agreement::none;
      }
    }
    return found;
  }

  void join(const Arc& a, const Arc& b, Id action) {
    const Agreement agree = agreement(a.target, b.target);
    if (agree == Agreement::none || is_left_out(at_left_, a.target, at_right_, b.target)) return;
    const bool can = a.must && b.must && agree == Agreement::sure;
    const bool must = can && action != kIdle && layer_.elsewhere[action] == 0;
    product_.add_edge({product_.position(a.target, b.target, ticker_), action, can, must}, ticker_);
  }

  // The targets of single must steps that go with a hyper-step of the other side, or where this side stays.
  template <typename Do>
  static void with_must(const Goals& goals, const Game& side, std::span<const Arc> arcs, Do action) {
    const bool stays = side.alphabet()[goals.action] == 0;
    const std::pair<Id, Id> key{stays ? kIdle : goals.action, goals.shown};
    const auto first = stays ? arcs.begin() : std::ranges::lower_bound(arcs, key, {}, &Arc::key);
    for (auto at = first; at != arcs.end() && (stays ? at->action == kIdle : at->key() == key); ++at) {
      if (at->must) action(at->target);
    }
  }

  // The edges of the product's node at hand: by the nodes that they lead to, and the action.
  void number_edges() {
    fresh_.clear();
    for (Id edge = product_.offsets_.back(); edge < static_cast<Id>(product_.targets_.size()); ++edge) {
      const Id target = product_.targets_[edge];
      ticker_.push(fresh_,
                   {{product_.left_node(target), product_.right_node(target), product_.edge(edge).action}, edge});
    }
    std::ranges::sort(fresh_);
  }

  // A hyper-step of both sides, if all of its edges are there and all pairs of its targets agree for sure.
  void join_all(std::span<const Id> left, std::span<const Id> right, Id action) {
    joined_.clear();
    for (const Id a : left) {
      for (const Id b : right) {
        ticker_.poll();
        const std::array<Id, 3> wanted{a, b, action};
        const auto found = std::ranges::lower_bound(fresh_, wanted, {}, &Fresh::first);
        if (found == fresh_.end() || found->first != wanted || agreement(a, b) != Agreement::sure) return;
        joined_.push_back(found->second);
      }
    }
    product_.add_hyper(joined_, layer_.elsewhere[action] == 0, ticker_);
  }

  static OpenPart::Keep keep(const Layer& layer) {
    if (layer.everything) return OpenPart::Keep::everything;
    return layer.watch || layer.decided ? OpenPart::Keep::children : OpenPart::Keep::that_matter;
  }

  // Whether a pair of children does not matter. Then its colour is kept.
  bool is_left_out(Id left, Id to_left, Id right, Id to_right) {
    if (layer_.decided) return contradict(left_.colour(to_left), right_.colour(to_right)); // they never meet
    if (!layer_.watch || (left_.can_matter(left, to_left) && right_.can_matter(right, to_right))) return false;
    const Colour colour = combined(left_.colour(to_left), right_.colour(to_right));
    product_.left_out_[0][to_left] |= bit(colour);
    product_.left_out_[1][to_right] |= bit(colour);
    return true;
  }

  // Whether there can be a step of this kind by parts outside of the layer alone.
  bool others_may(Id formula) const {
    const std::size_t actions = product_.alphabet_.size();
    const Id set = left_.formula().right[formula];
    for (std::size_t action = 0; action < actions; ++action) {
      const bool asked = set < 0 || layer_.modalities[actions * static_cast<std::size_t>(set) + action] != 0;
      if (asked && product_.alphabet_[action] == 0) return true;
    }
    return false;
  }

  ProductGame& product_;
  const Game& left_;
  const PartGame& right_;
  const Layer& layer_;
  Ticker& ticker_;
  std::optional<OpenPart> open_left_;
  std::optional<OpenPart> open_right_;
  NameTable rows_;            // of values of the unsettled labels
  std::vector<Id> rows_left_; // of each node: the number of its row. Empty if there are no unsettled labels
  std::vector<Id> rows_right_;
  using Fresh = std::pair<std::array<Id, 3>, Id>;
  std::vector<Fresh> fresh_; // see number_edges
  std::vector<Id> joined_;
  Id at_left_ = kNone;
  Id at_right_ = kNone;
};

ProductGame::ProductGame(const Game& left, const PartGame& right, Id right_part, const Layer& layer,
                         std::span<const std::pair<Id, Id>> roots, Ticker& ticker)
    : Game(left.shared_formula()),
      left_(left),
      right_(right),
      nodes_(left, right),
      alphabet_(left.alphabet()),
      learns_(layer.decided) {
  for (std::size_t action = 0; action < alphabet_.size(); ++action) alphabet_[action] |= right.alphabet()[action];
  if (layer.watch) {
    left_out_[0].resize(static_cast<std::size_t>(left.size()));
    left_out_[1].resize(static_cast<std::size_t>(right.size()));
  }
  labelled_ = are_told(alphabet_);
  unsettled_ = left.unsettled();
  Matching matching(*this, right_part, layer, ticker);
  for (const auto& [a, b] : roots) roots_.push_back(position(left.roots()[a], right.roots()[b], ticker));
  for (Id node = 0; node < size(); ++node) {
    ticker.poll();
    if (!is_fixed(node)) {
      const auto [from_left, from_right] = std::pair(left_node(node), right_node(node));
      if (formula_->is_modal(formula_of_[node])) {
        matching.step(from_left, from_right);
      } else {
        matching.same_state(from_left, from_right);
      }
    }
    end_node(ticker);
  }
}

Id ProductGame::position(Id left, Id right, Ticker& ticker) {
  const Id fresh = size();
  const Id number = nodes_.number(left, right, ticker);
  assert(left_.formula_at(left) == right_.formula_at(right));
  if (number != fresh) return number;
  const Colour colour = combined(left_.colour(left), right_.colour(right));
  const Id formula = left_.formula_at(left);
  add_node(formula, is_definite(colour) || formula_->is_literal(formula) ? colour : Colour::none, ticker);
  if (learns_) ticker.push(barred_, static_cast<std::uint8_t>(left_.barred(left) & right_.barred(right)));
  return number;
}

const PartGame& ProductGame::part_game(Id part) const {
  assert(part >= 0 && part < parts());
  const Game* game = this;
  while (const auto* product = dynamic_cast<const ProductGame*>(game)) {
    if (part == product->parts() - 1) return product->right_;
    game = &product->left_;
  }
  return dynamic_cast<const PartGame&>(*game);
}

void ProductGame::forget() {
  assert(learns_);
  for (Id node = 0; node < size(); ++node) {
    if (!is_fixed(node)) colours_[node] = Colour::maybe;
  }
}

std::vector<std::uint8_t> ProductGame::appearances(Id part) const {
  assert(is_watched() && part >= 0 && part < parts());
  std::vector<std::uint8_t> bits; // of each node of the product
  for (Id node = 0; node < size(); ++node) bits.push_back(bit(colours_[node]));
  for (const ProductGame* product = this;;) {
    const bool right = part == product->parts() - 1;
    const Game& side = right ? product->right_ : product->left_;
    std::vector<std::uint8_t> found = product->left_out_[right ? 1 : 0];
    found.resize(static_cast<std::size_t>(side.size()));
    for (Id node = 0; node < product->size(); ++node) {
      found[right ? product->right_node(node) : product->left_node(node)] |= bits[node];
    }
    const auto* const smaller = dynamic_cast<const ProductGame*>(&side);
    if (smaller == nullptr) return found;
    for (Id node = 0; node < smaller->size(); ++node) {
      if (is_definite(smaller->colour(node))) found[node] = bit(smaller->colour(node));
    }
    bits = std::move(found);
    product = smaller;
  }
}

} // namespace pigro::core
