// The Python face of games on composed systems.
#include "core/games/product_game.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/shared.hpp"
#include "core/games/claim_strategy.hpp"

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
  const std::vector<Id> priorities = copy(priority);
  auto made = std::make_shared<ModalFormula>();
  for (const std::uint8_t op : copy(ops)) {
    need(op <= static_cast<std::uint8_t>(ModalOp::variable));
    made->ops.push_back(static_cast<ModalOp>(op));
  }
  made->left = copy(left);
  made->right = copy(right);
  made->priority.assign(priorities.begin(), priorities.end());
  made->root = root;
  const std::size_t size = made->ops.size();
  need(size > 0 && made->left.size() == size && made->right.size() == size && priorities.size() == size && root >= 0 &&
       root < static_cast<Id>(size) && all_in(priorities, 0, 1 << 16));
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

// Of each position: a colour but `maybe`, or kOpen and bits. Roots are not left out.
void check_known(const PartView& part, const ModalFormula& formula, const std::vector<Id>& roots) {
  if (part.known.empty()) return;
  const auto formulas = static_cast<std::size_t>(formula.size());
  need(part.known.size() == static_cast<std::size_t>(part.states) * formulas);
  for (const std::uint8_t each : part.known) {
    need(each < 2 * kOpen && each != static_cast<std::uint8_t>(Colour::maybe));
  }
  for (const Id root : roots) {
    const std::size_t at = static_cast<std::size_t>(root) * formulas + static_cast<std::size_t>(formula.root);
    need(part.known[at] != static_cast<std::uint8_t>(Colour::none));
  }
}

// The transitions of a hyper-step have its state and the same action. There are two at least.
void check_hypers(const PartView& part) {
  if (part.hyper_offsets.empty()) return;
  const auto states = static_cast<std::size_t>(part.states);
  const std::size_t hypers = part.hyper_first.size() - (part.hyper_first.empty() ? 0 : 1);
  need(part.hyper_offsets.size() == states + 1 && !part.hyper_first.empty() && part.hyper_offsets[0] == 0 &&
       std::ranges::is_sorted(part.hyper_offsets) && part.hyper_offsets[states] == static_cast<Id>(hypers) &&
       part.hyper_first[0] == 0 && part.hyper_first[hypers] == static_cast<Id>(part.hyper_steps.size()));
  for (Id state = 0; state < part.states; ++state) {
    for (Id hyper = part.hyper_offsets[state]; hyper < part.hyper_offsets[state + 1]; ++hyper) {
      const Id first = part.hyper_first[hyper];
      need(part.hyper_first[hyper + 1] > first + 1 &&
           part.hyper_first[hyper + 1] <= static_cast<Id>(part.hyper_steps.size()));
      for (Id at = first; at < part.hyper_first[hyper + 1]; ++at) {
        const Id step = part.hyper_steps[at];
        need(step >= part.offsets[state] && step < part.offsets[state + 1] &&
             part.by[step] == part.by[part.hyper_steps[first]] && (at == first || part.hyper_steps[at - 1] < step));
      }
    }
  }
}

void check_part(const PartView& part, const ModalFormula& formula, const std::vector<Id>& roots) {
  const auto states = static_cast<std::size_t>(part.states);
  const std::size_t actions = part.alphabet.size();
  need(part.by.size() == part.targets.size() && part.must.size() == part.targets.size() &&
       all_in(part.targets, 0, states) && all_in(part.by, 0, actions) && part.values.size() % states == 0 &&
       part.elsewhere.size() == actions);
  need(part.offsets[0] == 0 && std::ranges::is_sorted(part.offsets) &&
       part.offsets[states] == static_cast<Id>(part.targets.size()) && all_in(roots, 0, states));
  need(std::ranges::all_of(part.values, [](auto value) { return value <= kUnknown; }));
  need(part.unsettled.size() % states == 0 &&
       std::ranges::all_of(part.unsettled, [](auto value) { return value <= kUnseen; }));
  for (const auto each : part.signatures) need(each.size() == states);
  check_hypers(part);
  check_known(part, formula, roots);
  check_atoms(formula, part.values.size() / states);
  check_actions(formula, actions, part.modalities.size());
}

void make_part(PartGame* self, const Formula& formula, const Ids& offsets, const Ids& targets, const Ids& by,
               const Bytes& must, const std::vector<Ids>& hypers, const Bytes& values, const Bytes& alphabet,
               const Bytes& elsewhere, const Bytes& modalities, const std::vector<Ids>& signatures,
               const Bytes& unsettled, const std::vector<Id>& roots, const Bytes& known, const Tick& tick) {
  need(offsets.size() > 1 && (hypers.empty() || hypers.size() == 3));
  const std::vector<Id> ids[] = {copy(offsets), copy(targets), copy(by)};
  std::vector<Id> wide[3];
  for (std::size_t at = 0; at < hypers.size(); ++at) wide[at] = copy(hypers[at]);
  const std::vector<std::uint8_t> bytes[] = {copy(must),       copy(values),    copy(alphabet), copy(elsewhere),
                                             copy(modalities), copy(unsettled), copy(known)};
  std::vector<std::vector<Id>> shown;
  for (const Ids& each : signatures) shown.push_back(copy(each));
  const PartView part{.states = static_cast<Id>(ids[0].size() - 1),
                      .offsets = ids[0],
                      .targets = ids[1],
                      .by = ids[2],
                      .must = bytes[0],
                      .hyper_offsets = wide[0],
                      .hyper_first = wide[1],
                      .hyper_steps = wide[2],
                      .values = bytes[1],
                      .alphabet = bytes[2],
                      .elsewhere = bytes[3],
                      .modalities = bytes[4],
                      .signatures = {shown.begin(), shown.end()},
                      .unsettled = bytes[5],
                      .known = bytes[6]};
  check_part(part, *formula.formula, roots);
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  new (self) PartGame(formula.formula, part, roots, ticks);
}

void make_product(ProductGame* self, const Game& left, const PartGame& right, Id right_part, const Bytes& elsewhere,
                  const Bytes& modalities, bool everything, bool decided, bool watch,
                  const std::vector<std::pair<Id, Id>>& roots, const Tick& tick) {
  const Exclusive::Use use_of_left(left.exclusive);
  std::optional<Exclusive::Use> use_of_right;
  if (&left != &right) use_of_right.emplace(right.exclusive);
  const std::vector<std::uint8_t> others = copy(elsewhere);
  const std::vector<std::uint8_t> sets = copy(modalities);
  need(others.size() == left.alphabet().size() && others.size() == right.alphabet().size() &&
       left.shared_formula() == right.shared_formula() && right_part >= 0 && right_part < left.known_parts() &&
       left.parts() <= right.known_parts() && left.unsettled() == right.unsettled());
  check_actions(*left.shared_formula(), others.size(), sets.size());
  for (const auto& [a, b] : roots) {
    need(a >= 0 && a < static_cast<Id>(left.roots().size()) && b >= 0 && b < static_cast<Id>(right.roots().size()));
  }
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  const ProductGame::Layer layer{
      .elsewhere = others, .modalities = sets, .everything = everything, .decided = decided, .watch = watch};
  new (self) ProductGame(left, right, right_part, layer, roots, ticks);
}

// A game that no other thread is solving.
const Game& idle(const Game& game) {
  if (game.exclusive.in_use()) throw std::logic_error("the game is in use, by another thread or by the caller");
  return game;
}

void check_node(const Game& game, Id node) {
  idle(game);
  if (node < 0 || node >= game.size()) throw nb::index_error("no such position");
}

void solve_game(Game& game, const Tick& tick) {
  const Exclusive::Use use(game.exclusive);
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  game.solve(ticks);
}

std::pair<Id, std::size_t> open_size(const Game& game, const Tick& tick) {
  const Exclusive::Use use(game.exclusive);
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  return OpenPart::size(game, ticks);
}

nb::bytes colours(const Game& game) {
  idle(game);
  std::vector<std::uint8_t> found;
  for (Id node = 0; node < game.size(); ++node) found.push_back(static_cast<std::uint8_t>(game.colour(node)));
  return nb::bytes(found.data(), found.size());
}

using Child = std::tuple<Id, Id, bool, bool>;

std::vector<Child> children(const Game& game, Id node) {
  check_node(game, node);
  std::vector<Child> found;
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

// The edges as numbers among the node's.
std::vector<Id> move(const Game& game, Id node) {
  check_node(game, node);
  std::vector<Id> found;
  for (const Id edge : game.move(node)) found.push_back(edge - game.first_edge(node));
  return found;
}

using FoundCause = std::tuple<Id, Id, Id, bool>;

std::vector<FoundCause> causes(const Game& game, std::size_t limit) {
  std::vector<FoundCause> found;
  for (const auto& [node, edge, is_covered] : idle(game).causes(limit)) {
    if (edge == kNone) {
      found.emplace_back(node, kNone, 0, false);
    } else {
      found.emplace_back(node, game.edge(edge).target, game.edge(edge).action, is_covered);
    }
  }
  return found;
}

// Facts about nodes, by state and subformula.
template <typename Value>
nb::bytes table(const PartGame& game, std::uint8_t nothing, Value value) {
  const auto formulas = static_cast<std::size_t>(idle(game).formula().size());
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

nb::bytes appearances(const ProductGame& game, Id part) {
  idle(game);
  need(game.is_watched() && part >= 0 && part < game.parts());
  const std::vector<std::uint8_t> seen = game.appearances(part);
  return table(game.part_game(part), 0, [&](Id node) { return seen[node]; });
}

std::pair<nb::bytes, std::vector<Id>> solve_parity(const Bytes& owner, const Ids& priority, const Ids& offsets,
                                                   const Ids& targets, const Bytes& must, const Tick& tick) {
  const std::vector<std::uint8_t> owners = copy(owner);
  const std::vector<Id> given = copy(priority);
  const std::vector<Id> begins = copy(offsets);
  const std::vector<Id> ends = copy(targets);
  const std::vector<std::uint8_t> musts = copy(must);
  const std::size_t nodes = owners.size();
  need(given.size() == nodes && begins.size() == nodes + 1 && musts.size() == ends.size() && all_in(ends, 0, nodes) &&
       all_in(given, 0, 1 << 16) && begins[0] == 0 && std::ranges::is_sorted(begins) &&
       begins[nodes] == static_cast<Id>(ends.size()));
  for (std::size_t node = 0; node < nodes; ++node) {
    need(owners[node] <= kTie && (owners[node] < kTie || begins[node] == begins[node + 1]));
  }
  need(std::ranges::all_of(musts, [](auto each) { return each <= 1; }));
  const std::vector<std::uint16_t> priorities(given.begin(), given.end());
  Solution found;
  {
    const WithoutLock unlocked;
    Ticker ticks(ticker(unlocked, tick));
    found = solve({.owner = owners, .priority = priorities, .offsets = begins, .targets = ends, .must = musts}, ticks);
  }
  return {nb::bytes(found.colours.data(), nodes), std::move(found.moves)};
}

struct Settled {
  std::vector<bool> holds;
  Id claims = 0;
  Id instances = 0;
  std::int64_t evaluations = 0;
  std::int64_t searched = 0;
};

void check_labels_and_starts(const Formula& formula, const SharedModel& model, const std::vector<Id>& labels,
                             const std::vector<Id>& starts) {
  check_atoms(*formula.formula, labels.size());
  need(all_in(labels, kNone, static_cast<std::size_t>(model.labels())) &&
       all_in(starts, 0, static_cast<std::size_t>(model.nodes())));
}

Settled settle(const Formula& formula, SharedModel& model, DeadEnds dead_ends, const std::vector<Id>& labels,
               const std::vector<Id>& starts, const Tick& tick) {
  check_labels_and_starts(formula, model, labels, starts);
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  std::unique_ptr<WaysOut> ways = model.ways.take(model, dead_ends);
  ClaimGame game(*ways, model.statics, dead_ends, formula.formula, labels, Shortcuts::taken, ticks);
  Settled found;
  for (const Id start : starts) found.holds.push_back(game.settle(start));
  found.claims = game.claims();
  found.instances = game.instances();
  found.evaluations = game.evaluations();
  found.searched = game.searched();
  model.ways.give_back(std::move(ways), dead_ends);
  return found;
}

// A strategy for the starts if the formula holds there, else for the first where it fails.
ClaimStrategy win(const Formula& formula, SharedModel& model, DeadEnds dead_ends, const std::vector<Id>& labels,
                  const std::vector<Id>& starts, const Tick& tick) {
  check_labels_and_starts(formula, model, labels, starts);
  const WithoutLock unlocked;
  Ticker ticks(ticker(unlocked, tick));
  std::unique_ptr<WaysOut> ways = model.ways.take(model, dead_ends);
  ClaimStrategy made;
  {
    ClaimGame game(*ways, model.statics, dead_ends, formula.formula, labels, Shortcuts::none, ticks);
    const auto fails = std::ranges::find_if(starts, [&](Id start) { return !game.settle(start); });
    const bool holds = fails == starts.end();
    StrategyMaker maker(game);
    made = maker.made(holds ? std::span<const Id>(starts) : std::span<const Id>(&*fails, 1), holds);
  }
  model.ways.give_back(std::move(ways), dead_ends);
  return made;
}

template <std::vector<Id> ClaimStrategy::* kField>
nb::bytes ids_of(const ClaimStrategy& strategy) {
  return nb::bytes((strategy.*kField).data(), (strategy.*kField).size() * sizeof(Id));
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
      .def("children", &children, "node"_a,
           "The edges: target, action (-1: of others), whether the parts can make the step, whether nobody can prevent "
           "it.")
      .def("move", &move, "node"_a,
           "Which edge its owner takes to win, or which edges, if the other player chooses among them. Empty if the "
           "owner does not win.")
      .def_prop_ro("hypers", &Game::hypers, "How many hyper-steps there are.")
      .def("causes", &causes, "limit"_a,
           "Why a root is undecided, nearest first: a node, and where an edge of it that is no must edge leads and by "
           "which action, or -1 for an undecided label. Last, whether a hyper-step that can be won has the edge.");
  nb::class_<PartGame, Game>(m, "PartGame", "The game on one part alone.")
      .def(
          "__init__", &make_part, "formula"_a, "offsets"_a, "targets"_a, "by"_a, "must"_a, "hypers"_a, "values"_a,
          "alphabet"_a, "elsewhere"_a, "modalities"_a, "signatures"_a, "unsettled"_a, "roots"_a, "known"_a,
          "tick"_a = nb::none(),
          nb::sig("def __init__(self, formula: ModalFormula, offsets: memoryview, targets: memoryview, by: memoryview, "
                  "must: memoryview, hypers: collections.abc.Sequence[memoryview], values: memoryview, "
                  "alphabet: memoryview, elsewhere: memoryview, "
                  "modalities: memoryview, signatures: collections.abc.Sequence[memoryview], "
                  "unsettled: memoryview, roots: collections.abc.Sequence[int], known: memoryview, "
                  "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def("table", &colour_table, "For each state, each subformula: the colour, 3 if it is no position.");
  nb::class_<ProductGame, Game>(m, "ProductGame", "The game on a layer and one more part.")
      .def("__init__", &make_product, "left"_a, "right"_a, "right_part"_a, "elsewhere"_a, "modalities"_a,
           "everything"_a, "decided"_a, "watch"_a, "roots"_a, "tick"_a = nb::none(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(),
           nb::sig("def __init__(self, left: Game, right: PartGame, right_part: int, elsewhere: memoryview, "
                   "modalities: memoryview, everything: bool, decided: bool, watch: bool, "
                   "roots: collections.abc.Sequence[tuple[int, int]], "
                   "tick: collections.abc.Callable[[int], None] | None = None) -> None"))
      .def(
          "pair",
          [](const ProductGame& game, Id node) {
            check_node(game, node);
            return std::pair(game.left_node(node), game.right_node(node));
          },
          "node"_a, "The nodes of the two games that it is made of.")
      .def(
          "forget",
          [](ProductGame& game) {
            idle(game);
            need(game.can_forget());
            game.forget();
          },
          "Forgets what the parts of the layer found out together, so that a larger layer meets all of it. For games "
          "that kept decided positions.")
      .def("appearances", &appearances, "part"_a,
           "For each state of a part of the layer, each subformula: the colours it has where it meets the others, as "
           "bits. For games that were watched.");
  nb::class_<Settled>(m, "Settled", "What a game on a recursive state machine came to.")
      .def_ro("holds", &Settled::holds, "Of each start.")
      .def_ro("claims", &Settled::claims)
      .def_ro("instances", &Settled::instances)
      .def_ro("evaluations", &Settled::evaluations)
      .def_ro("searched", &Settled::searched);
  m.def(
      "settle", &settle, "formula"_a, "model"_a, "dead_ends"_a, "labels"_a, "starts"_a, "tick"_a = nb::none(),
      "Whether a formula of the mu-calculus holds at each start, with the empty stack. Labels: those of the model for "
      "each atom of the formula, or -1.",
      nb::sig("def settle(formula: ModalFormula, model: Model, dead_ends: DeadEnds, "
              "labels: collections.abc.Sequence[int], starts: collections.abc.Sequence[int], "
              "tick: collections.abc.Callable[[int], None] | None = None) -> Settled"));
  nb::class_<ClaimStrategy>(m, "ClaimStrategy", "How to win a game on a recursive state machine. Bytes hold int32.")
      .def_ro("holds", &ClaimStrategy::holds)
      .def_ro("starts", &ClaimStrategy::starts, "Claims.")
      .def_ro("components", &ClaimStrategy::components, "Of the frames.")
      .def_prop_ro(
          "below",
          [](const ClaimStrategy& strategy) { return nb::bytes(strategy.below.data(), strategy.below.size()); },
          "Of each frame: 1 if it is at the bottom.")
      .def_prop_ro("promise_offsets", &ids_of<&ClaimStrategy::promise_offsets>)
      .def_prop_ro("promises", &ids_of<&ClaimStrategy::promises>, "Rows of exit, modality, seen.")
      .def_prop_ro("offsets", &ids_of<&ClaimStrategy::offsets>)
      .def_prop_ro("claims", &ids_of<&ClaimStrategy::claims>,
                   "Rows of frame, node, formula, seen, and the claims that it rests on.");
  m.def("win", &win, "formula"_a, "model"_a, "dead_ends"_a, "labels"_a, "starts"_a, "tick"_a = nb::none(),
        "A strategy for all starts if the formula holds there, else for the first where it fails. As `settle`.",
        nb::sig("def win(formula: ModalFormula, model: Model, dead_ends: DeadEnds, "
                "labels: collections.abc.Sequence[int], starts: collections.abc.Sequence[int], "
                "tick: collections.abc.Callable[[int], None] | None = None) -> ClaimStrategy"));
  m.def("solve_parity", &solve_parity, "owner"_a, "priority"_a, "offsets"_a, "targets"_a, "must"_a,
        "tick"_a = nb::none(),
        "The colour of each node of a parity game (0: Player 1 wins, 1: Player 0, 2: neither for sure), and the edge "
        "that its owner takes to win, or -1.",
        nb::sig(
            "def solve_parity(owner: memoryview, priority: memoryview, offsets: memoryview, targets: memoryview, "
            "must: memoryview, tick: collections.abc.Callable[[int], None] | None = None) -> tuple[bytes, list[int]]"));
}

} // namespace pigro::bind
