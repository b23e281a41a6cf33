// The Python face of games on composed systems.
#include "core/game.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using namespace core;

struct Formula {
  std::shared_ptr<const ModalFormula> formula;
};

void need(bool fine) {
  if (!fine) throw nb::value_error("arrays don't fit");
}

bool all_in(std::span<const Id> ids, Id low, std::size_t high) {
  return std::ranges::all_of(ids, [&](Id id) { return id >= low && id < static_cast<Id>(high); });
}

void make_formula(Formula* self, const Bytes& ops, const Ids& left, const Ids& right, const Ids& priority, Id root) {
  const std::size_t size = ops.size();
  need(size > 0 && left.size() == size && right.size() == size && priority.size() == size && root >= 0 &&
       root < static_cast<Id>(size) && all_in(view(priority), 0, 1 << 16));
  auto made = std::make_shared<ModalFormula>();
  for (const std::uint8_t op : view(ops)) {
    need(op <= static_cast<std::uint8_t>(ModalOp::variable));
    made->ops.push_back(static_cast<ModalOp>(op));
  }
  made->left.assign(left.data(), left.data() + size);
  made->right.assign(right.data(), right.data() + size);
  made->priority.assign(priority.data(), priority.data() + size);
  made->root = root;
  for (Id node = 0; node < made->size(); ++node) {
    if (made->is_literal(node)) continue;
    need(made->left[node] >= 0 && made->left[node] < made->size());
    if (!made->is_modal(node) && made->ops[node] < ModalOp::mu) {
      need(made->right[node] >= 0 && made->right[node] < made->size());
    }
  }
  new (self) Formula{std::move(made)};
}

// The sets of actions that the formula speaks of must be there.
void check_actions(const ModalFormula& formula, std::size_t actions, std::size_t modalities) {
  need(actions > 0 && modalities % actions == 0);
  for (Id node = 0; node < formula.size(); ++node) {
    if (!formula.is_modal(node)) continue;
    need(formula.right[node] >= kNone && formula.right[node] < static_cast<Id>(modalities / actions));
  }
}

// And so must the atoms.
void check_atoms(const ModalFormula& formula, std::size_t atoms) {
  for (Id node = 0; node < formula.size(); ++node) {
    const ModalOp op = formula.ops[node];
    if (op != ModalOp::atom && op != ModalOp::negated) continue;
    need(formula.left[node] >= 0 && formula.left[node] < static_cast<Id>(atoms));
  }
}

void make_part(PartGame* self, const Formula& formula, const Ids& offsets, const Ids& targets, const Ids& by,
               const Bytes& must, const Bytes& values, const Bytes& alphabet, const Bytes& elsewhere,
               const Bytes& modalities, const std::vector<Ids>& signatures, const Bytes& unsettled,
               const std::vector<Id>& roots, const Bytes& known, const Tick& tick) {
  need(offsets.size() > 1);
  const std::size_t states = offsets.size() - 1;
  const std::size_t actions = alphabet.size();
  const auto positions = states * static_cast<std::size_t>(formula.formula->size());
  need(by.size() == targets.size() && must.size() == targets.size() && all_in(view(targets), 0, states) &&
       all_in(view(by), 0, actions) && values.size() % states == 0 && unsettled.size() % states == 0 &&
       elsewhere.size() == actions && (known.size() == 0 || known.size() == positions));
  need(offsets.data()[0] == 0 && std::ranges::is_sorted(view(offsets)) &&
       offsets.data()[states] == static_cast<Id>(targets.size()) && all_in(roots, 0, states));
  need(std::ranges::all_of(view(values), [](auto value) { return value <= 2; }));
  need(std::ranges::all_of(view(unsettled), [](auto value) { return value <= kUnseen; }));
  need(std::ranges::all_of(view(known), [](auto each) { return each < 2 * kOpen; }));
  check_atoms(*formula.formula, values.size() / states);
  check_actions(*formula.formula, actions, modalities.size());
  PartView part{.states = static_cast<Id>(states),
                .offsets = view(offsets),
                .targets = view(targets),
                .by = view(by),
                .must = view(must),
                .values = view(values),
                .alphabet = view(alphabet),
                .elsewhere = view(elsewhere),
                .modalities = view(modalities),
                .signatures = {},
                .unsettled = view(unsettled),
                .known = view(known)};
  for (const Ids& each : signatures) {
    need(each.size() == states);
    part.signatures.push_back(view(each));
  }
  const nb::gil_scoped_release released;
  Ticker ticks(ticker(tick));
  new (self) PartGame(formula.formula, part, roots, ticks);
}

void make_product(ProductGame* self, const Game& left, const PartGame& right, Id right_part, const Bytes& elsewhere,
                  const Bytes& modalities, bool everything, bool watch, const std::vector<std::pair<Id, Id>>& roots,
                  const Tick& tick) {
  need(elsewhere.size() == left.alphabet().size() && elsewhere.size() == right.alphabet().size() &&
       left.shared_formula() == right.shared_formula() && right_part >= 0 && right_part < left.known_parts() &&
       left.parts() <= right.known_parts() && left.unsettled() == right.unsettled());
  check_actions(*left.shared_formula(), elsewhere.size(), modalities.size());
  for (const auto& [a, b] : roots) {
    need(a >= 0 && a < static_cast<Id>(left.roots().size()) && b >= 0 && b < static_cast<Id>(right.roots().size()));
  }
  const nb::gil_scoped_release released;
  Ticker ticks(ticker(tick));
  const ProductGame::Layer layer{
      .elsewhere = view(elsewhere), .modalities = view(modalities), .everything = everything, .watch = watch};
  need(!watch || left.parts() == 1);
  new (self) ProductGame(left, right, right_part, layer, roots, ticks);
}

void check_node(const Game& game, Id node) {
  if (node < 0 || node >= game.size()) throw nb::index_error("no such position");
}

void solve_game(Game& game, const Tick& tick) {
  const nb::gil_scoped_release released;
  Ticker ticks(ticker(tick));
  game.solve(ticks);
}

std::pair<Id, std::size_t> open_size(const Game& game, const Tick& tick) {
  const nb::gil_scoped_release released;
  Ticker ticks(ticker(tick));
  return OpenPart::size(game, ticks);
}

nb::bytes colours(const Game& game) {
  std::vector<std::uint8_t> found;
  for (Id node = 0; node < game.size(); ++node) found.push_back(static_cast<std::uint8_t>(game.colour(node)));
  return nb::bytes(found.data(), found.size());
}

using Son = std::tuple<Id, Id, bool, bool>;

std::vector<Son> sons(const Game& game, Id node) {
  check_node(game, node);
  std::vector<Son> found;
  for (Id edge = game.first_edge(node); edge < game.end_edge(node); ++edge) {
    const Game::Edge at = game.edge(edge);
    found.emplace_back(at.target, at.action, at.model_must, at.must);
  }
  return found;
}

std::vector<Id> states(const Game& game, Id node) {
  check_node(game, node);
  std::vector<Id> found;
  game.states(node, found);
  return found;
}

// The edge as a number among the node's.
Id move(const Game& game, Id node) {
  check_node(game, node);
  const Id edge = game.move(node);
  return edge == kNone ? kNone : edge - game.first_edge(node);
}

std::vector<std::tuple<Id, Id, Id>> causes(const Game& game, std::size_t limit) {
  std::vector<std::tuple<Id, Id, Id>> found;
  for (const auto& [node, edge] : game.causes(limit)) {
    if (edge == kNone) {
      found.emplace_back(node, kNone, 0);
    } else {
      found.emplace_back(node, game.edge(edge).target, game.edge(edge).action);
    }
  }
  return found;
}

// What is said of nodes, by state and subformula.
template <typename Value>
nb::bytes table(const PartGame& game, std::uint8_t nothing, Value value) {
  const auto formulas = static_cast<std::size_t>(game.formula().size());
  std::vector<std::uint8_t> found(formulas * static_cast<std::size_t>(game.states_of_part()), nothing);
  for (Id node = 0; node < game.size(); ++node) {
    found[static_cast<std::size_t>(game.state(node)) * formulas + static_cast<std::size_t>(game.formula_at(node))] =
        value(node);
  }
  return nb::bytes(found.data(), found.size());
}

nb::bytes colour_table(const PartGame& game) {
  return table(game, static_cast<std::uint8_t>(Colour::none),
               [&](Id node) { return static_cast<std::uint8_t>(game.colour(node)); });
}

nb::bytes appearances(const ProductGame& game, int side) {
  need(game.is_watched() && (side == 0 || side == 1));
  const std::vector<std::uint8_t> seen = game.appearances(side);
  const auto& part = side == 0 ? dynamic_cast<const PartGame&>(game.left()) : game.right();
  return table(part, 0, [&](Id node) { return seen[node]; });
}

std::pair<nb::bytes, std::vector<Id>> solve_parity(const Bytes& owner, const Ids& priority, const Ids& offsets,
                                                   const Ids& targets, const Bytes& must, const Tick& tick) {
  const std::size_t nodes = owner.size();
  need(priority.size() == nodes && offsets.size() == nodes + 1 && must.size() == targets.size() &&
       all_in(view(targets), 0, nodes) && all_in(view(priority), 0, 1 << 16) && offsets.data()[0] == 0 &&
       std::ranges::is_sorted(view(offsets)) && offsets.data()[nodes] == static_cast<Id>(targets.size()));
  for (std::size_t node = 0; node < nodes; ++node) {
    need(owner.data()[node] <= kTie && (owner.data()[node] < kTie || offsets.data()[node] == offsets.data()[node + 1]));
  }
  need(std::ranges::all_of(view(must), [](auto each) { return each <= 1; }));
  const std::vector<std::uint16_t> priorities(priority.data(), priority.data() + nodes);
  Solution found;
  {
    const nb::gil_scoped_release released;
    Ticker ticks(ticker(tick));
    found = solve({.owner = view(owner),
                   .priority = priorities,
                   .offsets = view(offsets),
                   .targets = view(targets),
                   .must = view(must)},
                  ticks);
  }
  return {nb::bytes(found.colours.data(), nodes), std::move(found.moves)};
}

} // namespace

void bind_game(nb::module_& m) {
  nb::class_<Formula>(m, "ModalFormula", "A formula of the mu-calculus in positive normal form, for games.")
      .def("__init__", &make_formula, "ops"_a, "left"_a, "right"_a, "priority"_a, "root"_a,
           nb::sig("def __init__(self, ops: memoryview, left: memoryview, right: memoryview, priority: memoryview, "
                   "root: int) -> None"));
  nb::class_<Game>(m, "Game", "A game of a formula on some of the parts of a system. Colours: 0 no, 1 yes, 2 maybe.")
      .def("solve", &solve_game, "tick"_a = nb::none(),
           nb::sig("def solve(self, tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("open_size", &open_size, "tick"_a = nb::none(),
           "How many nodes and edges there are in what is undecided, and what it leads to.",
           nb::sig("def open_size(self, tick: collections.abc.Callable[[int], None] | None = None) -> tuple[int, int]"))
      .def_prop_ro("nodes", &Game::size)
      .def_prop_ro("edges", &Game::edges)
      .def_prop_ro("roots", [](const Game& game) { return game.roots(); })
      .def("colours", &colours, "Of each node.")
      .def(
          "formula",
          [](const Game& game, Id node) {
            check_node(game, node);
            return game.formula_at(node);
          },
          "node"_a)
      .def(
          "is_fixed",
          [](const Game& game, Id node) {
            check_node(game, node);
            return game.is_fixed(node);
          },
          "node"_a, "Whether the colour was there before the game was solved.")
      .def("states", &states, "node"_a, "Of each part in the layer.")
      .def("sons", &sons, "node"_a,
           "The edges: target, action (-1: of others), whether the parts can make the step, whether nobody can prevent "
           "it.")
      .def("move", &move, "node"_a, "Which edge its owner takes to win; -1 if he does not.")
      .def("causes", &causes, "limit"_a,
           "Why a root is undecided, nearest first: a node, and where an edge of it that is no must edge leads and by "
           "which "
           "action; -1 for an undecided label.");
  nb::class_<PartGame, Game>(m, "PartGame", "The game on one part alone.")
      .def(
          "__init__", &make_part, "formula"_a, "offsets"_a, "targets"_a, "by"_a, "must"_a, "values"_a, "alphabet"_a,
          "elsewhere"_a, "modalities"_a, "signatures"_a, "unsettled"_a, "roots"_a, "known"_a, "tick"_a = nb::none(),
          nb::sig("def __init__(self, formula: ModalFormula, offsets: memoryview, targets: memoryview, by: memoryview, "
                  "must: memoryview, values: memoryview, alphabet: memoryview, elsewhere: memoryview, "
                  "modalities: memoryview, signatures: collections.abc.Sequence[memoryview], "
                  "unsettled: memoryview, roots: collections.abc.Sequence[int], known: memoryview, "
                  "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("table", &colour_table, "For each state, each subformula: the colour, 3 if it is no position.");
  nb::class_<ProductGame, Game>(m, "ProductGame", "The game on a layer and one more part.")
      .def("__init__", &make_product, "left"_a, "right"_a, "right_part"_a, "elsewhere"_a, "modalities"_a,
           "everything"_a, "watch"_a, "roots"_a, "tick"_a = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::sig("def __init__(self, left: Game, right: PartGame, right_part: int, elsewhere: memoryview, "
                   "modalities: memoryview, everything: bool, watch: bool, "
                   "roots: collections.abc.Sequence[tuple[int, int]], "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def(
          "pair",
          [](const ProductGame& game, Id node) {
            check_node(game, node);
            return std::pair(game.left_node(node), game.right_node(node));
          },
          "node"_a, "The nodes of the two games that it is made of.")
      .def("appearances", &appearances, "side"_a,
           "For each state of one of two parts, each subformula: the colours it has where it meets the other, as bits. "
           "For games that were watched.");
  m.def("solve_parity", &solve_parity, "owner"_a, "priority"_a, "offsets"_a, "targets"_a, "must"_a,
        "tick"_a = nb::none(),
        "The colour of each node of a parity game (0: Player 1 wins, 1: Player 0, 2: neither for sure), and the edge "
        "that its owner takes to win, or -1.",
        nb::sig(
            "def solve_parity(owner: memoryview, priority: memoryview, offsets: memoryview, targets: memoryview, "
            "must: memoryview, tick: collections.abc.Callable[[int], None] | None = None) -> tuple[bytes, list[int]]"));
}

} // namespace pigro::bind
