#include "core/games/product_game.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>

namespace pigro::core {

namespace {

bool contradict(Colour a, Colour b) { return is_definite(a) && is_definite(b) && a != b; }

// The colour of a position that two games know. A decision of one of them holds for both.
Colour combined(Colour a, Colour b) {
  if (contradict(a, b)) throw std::logic_error("two parts of a system contradict each other");
  return is_definite(a) ? a : b;
}

// Of each node: whether it is undecided, or something undecided leads to it. Or, of everything, whether it is reached.
std::vector<std::uint8_t> inside_of(const Game& game, bool everything, Ticker& ticker) {
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

} // namespace

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
  actions_differ_ = actions_differ(alphabet_);
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
