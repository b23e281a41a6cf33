#include "core/games/game.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
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
}

void Game::solve(Ticker& ticker) {
  const auto nodes = static_cast<std::size_t>(size());
  assert(offsets_.size() == nodes + 1 && flags_.size() == targets_.size());
  assert(barred_.empty() || barred_.size() == nodes);
  ticker.before_allocating(nodes * 3 + targets_.size());
  std::vector<std::uint8_t> owner(nodes);
  std::vector<std::uint16_t> priority(nodes);
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
  std::vector<std::uint8_t> must(targets_.size());
  for (std::size_t edge = 0; edge < must.size(); ++edge) must[edge] = (flags_[edge] & kMust) != 0 ? 1 : 0;
  Solution found = core::solve(
      {.owner = owner, .priority = priority, .offsets = offsets_, .targets = targets_, .must = must, .barred = barred_},
      ticker);
  colours_ = std::move(found.colours);
  moves_ = std::move(found.moves);
  for (Id node = 0; node < size(); ++node) {
    assert(!is_fixed(node) || (colours_[node] == fixed_[node] && first_edge(node) == end_edge(node))); // G1, G3
    assert(moves_[node] == kNone || (moves_[node] >= first_edge(node) && moves_[node] < end_edge(node)));
  }
}

std::vector<std::pair<Id, Id>> Game::causes(std::size_t limit) const {
  std::vector<std::pair<Id, Id>> found;
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
    if (is_fixed(node)) found.emplace_back(node, kNone);
    for (Id edge = offsets_[node]; edge < offsets_[node + 1]; ++edge) {
      if (!can_matter(node, targets_[edge])) continue;
      if ((flags_[edge] & kMust) == 0) found.emplace_back(node, edge);
      look_at(targets_[edge]);
    }
  }
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
        for (Id step = part.offsets[state]; step < part.offsets[state + 1]; ++step) {
          const Id action = part.by[step];
          if (!set.empty() && set[action] == 0) continue;
          const Id target = position(part.targets[step], of.left[at]);
          if (target == kNone) continue;
          const bool must = part.must[step] != 0;
          add_edge({target, action, must, must && part.elsewhere[action] == 0}, ticker);
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
    }
    ticker.push(first_, static_cast<Id>(arcs_.size()));
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
    if (idle_left == nullptr) return;
    for (const Arc& b : from_right) {
      if (b.action != kIdle && left_.alphabet()[b.action] == 0) join(*idle_left, b, b.action);
    }
    if (idle_right != nullptr && others_may(left_.formula_at(left))) join(*idle_left, *idle_right, kIdle);
  }

 private:
  using Arc = OpenPart::Arc;

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
