"""The examples of [Shoham2010], from what the text says of them. The figures' models are our own.

Nodes are told as `s0 |- f`, colours as T, F and ?. Every colour and every step that the text names
is here, and so is everything that follows from the models.
"""

import itertools

import pytest

from pigro.engines.game.layers import play, play_all
from pigro.engines.game.refinement import RefinementRounds
from pigro.engines.game.setting import GameSetup
from pigro.logic import modal, parse
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

COLOURS = "FT?"
SIGNS = {modal.AND: "&", modal.OR: "|"}


def short(form, node):
    """A subformula in few signs. Variables are all called Z."""
    op, left, right = form.ops[node], form.left[node], form.right[node]
    if op in (modal.ATOM, modal.NEGATED):
        return ("!" if op == modal.NEGATED else "") + form.atoms[left]
    if op in SIGNS:
        return f"({short(form, left)} {SIGNS[op]} {short(form, right)})"
    if op in (modal.DIAMOND, modal.BOX):
        return ("<>" if op == modal.DIAMOND else "[]") + short(form, left)
    if op == modal.VAR:
        return "Z"
    return f"{'mu' if op == modal.MU else 'nu'} Z. {short(form, form.left[left])}"


class Told:
    """A game by names: `colours` of nodes, and `edges` with whether nobody can prevent them."""

    def __init__(self, setting, game):
        self.setting, self.game = setting, game
        names = [self.name(node) for node in range(game.nodes)]
        self.names = names
        self.colours = {
            name: COLOURS[colour] for name, colour in zip(names, game.colours(), strict=True)
        }
        self.edges = {
            (names[node], names[target]): must
            for node in range(game.nodes)
            for target, _, _, must in game.children(node)
        }
        self.roots = [names[root] for root in game.roots]

    def name(self, node):
        parts = self.setting.parts
        places = self.game.states(node)
        layer = parts[: len(places)] if len(places) > 1 else [self.part(places)]
        states = [part.states[place] for part, place in zip(layer, places, strict=True)]
        told = states[0] if len(states) == 1 else f"({', '.join(states)})"
        return f"{told} |- {short(self.setting.form, self.game.formula(node))}"

    def part(self, places):
        return self.setting.parts[self.at] if hasattr(self, "at") else self.setting.parts[0]

    @property
    def open(self):
        """What is undecided, and what that leads to: the nodes and their colours."""
        seen = list(self.roots)
        for name in seen:
            if self.colours[name] == "?":
                seen += [child for child in self.witnesses(name) if child not in seen]
        return {name: self.colours[name] for name in seen}

    def witnesses(self, name):
        """The children that can matter for the colour of the node."""
        formula = name.partition("|- ")[2]
        useless = {"[": "T", "<": "F"}.get(formula[0])
        if formula[0] == "(":
            useless = "F" if self.is_or(formula) else "T"
        return [
            child
            for (source, child) in self.edges
            if source == name and self.colours[child] != useless
        ]

    @staticmethod
    def is_or(formula):
        depth = 0
        for sign in formula:
            depth += (sign == "(") - (sign == ")")
            if depth == 1 and sign in "&|":
                return sign == "|"
        raise ValueError(formula)


class ToldAlone(Told):
    """The same for one of several parts alone."""

    def __init__(self, setting, game, at):
        self.at = at
        super().__init__(setting, game)


def nodes(text):
    """`T: a, b; ?: c` as colours of nodes."""
    found = {}
    for line in text.strip().splitlines():
        colour, _, names = line.strip().partition(": ")
        found |= dict.fromkeys(names.split("; "), colour)
    return found


# Examples 2.5, 2.8 and 3.5

UNTIL = "mu Z. q | (p & [] Z)"
BODY = "(q | (p & []Z))"


@pytest.fixture
def until():
    """One label is unknown in s0, and its step to s1, where the formula is false, may be missing."""
    part = PartBuilder("m", labels=["p", "q"])
    part.state("s0", "p", unknown=["q"], initial=True).state("s1")
    part.step("s0", "s1", must=False).step("s1", "s1")
    form = modal.modal_form(parse(UNTIL))
    setting = GameSetup([part.build()], [(0,)], form)
    played = play(setting, None)
    return setting, played


def test_example_2_5_the_graph(until):
    setting, played = until
    told = Told(setting, played.last)
    assert told.roots == [f"s0 |- mu Z. {BODY}"]
    assert told.edges == {
        (f"s0 |- mu Z. {BODY}", "s0 |- Z"): True,
        ("s0 |- Z", f"s0 |- {BODY}"): True,
        (f"s0 |- {BODY}", "s0 |- q"): True,
        (f"s0 |- {BODY}", "s0 |- (p & []Z)"): True,
        ("s0 |- (p & []Z)", "s0 |- p"): True,
        ("s0 |- (p & []Z)", "s0 |- []Z"): True,
        ("s0 |- []Z", "s1 |- Z"): False,
        ("s1 |- Z", f"s1 |- {BODY}"): True,
        (f"s1 |- {BODY}", "s1 |- q"): True,
        (f"s1 |- {BODY}", "s1 |- (p & []Z)"): True,
        ("s1 |- (p & []Z)", "s1 |- p"): True,
        ("s1 |- (p & []Z)", "s1 |- []Z"): True,
        ("s1 |- []Z", "s1 |- Z"): True,
    }
    assert len(told.names) == 13


def test_example_2_5_the_priorities(until):
    setting, _ = until
    form = setting.form
    odd = [short(form, node) for node in range(len(form.ops)) if form.priority[node] == 1]
    assert odd == ["Z"]
    assert sum(form.priority) == 1


def test_example_2_8_the_colours(until):
    setting, played = until
    told = Told(setting, played.last)
    assert told.colours == nodes(f"""
        T: s0 |- p
        ?: s0 |- mu Z. {BODY}; s0 |- Z; s0 |- {BODY}; s0 |- q; s0 |- (p & []Z); s0 |- []Z
        F: s1 |- Z; s1 |- {BODY}; s1 |- q; s1 |- (p & []Z); s1 |- p; s1 |- []Z
    """)
    assert played.value is None


def test_example_3_5_undecided_nodes(until):
    setting, played = until
    told = Told(setting, played.last)
    assert told.open == nodes(f"""
        ?: s0 |- mu Z. {BODY}; s0 |- Z; s0 |- {BODY}; s0 |- q; s0 |- (p & []Z); s0 |- []Z
        F: s1 |- Z
    """)
    assert played.last.open_size() == (7, 6)
    assert (played.reports[-1].open_nodes, played.reports[-1].open_edges) == (7, 6)


# Example 4.9

ANSWERED = "[] (!i | <> o)"
PHI, OR = "[](!i | <>o)", "(!i | <>o)"


@pytest.fixture
def system():
    """Both see r. The output o is local to the first part, the input i to the second."""
    first = PartBuilder("m1", labels=["r", "o"])
    first.state("s0", initial=True).state("s1", "r").state("s2", "r", "o")
    first.step("s0", "s0").step("s0", "s1").step("s1", "s2").step("s2", "s0")
    second = PartBuilder("m2", labels=["r", "i"])
    second.state("t0", initial=True).state("t1", "r", "i").state("t2", "r")
    second.step("t0", "t0").step("t0", "t1").step("t1", "t2").step("t2", "t0").step("t2", "t1")
    return Composition([first.build(), second.build()])


@pytest.fixture
def form():
    return modal.modal_form(parse(ANSWERED))


@pytest.fixture
def setting(system, form):
    return GameSetup(system.parts, system.initial, form)


FIRST = nodes(f"""
    ?: s0 |- {PHI}; s0 |- {OR}; s1 |- {OR}; s0 |- !i; s1 |- !i; s1 |- <>o
    F: s0 |- <>o; s0 |- o; s1 |- o
    T: s2 |- o
""")
FIRST_OPEN = nodes(f"""
    ?: s0 |- {PHI}; s0 |- {OR}; s1 |- {OR}; s0 |- !i; s1 |- !i; s1 |- <>o
    T: s2 |- o
""")


def test_example_4_9_the_parts_alone(setting):
    played = play(setting, None)
    first, second = (ToldAlone(setting, game, at) for at, game in enumerate(played.alone))
    assert first.colours == FIRST
    assert first.open == FIRST_OPEN
    assert second.colours == nodes(f"""
        ?: t0 |- {PHI}; t1 |- {OR}; t0 |- <>o; t1 |- <>o; t0 |- o; t1 |- o; t2 |- o
        T: t0 |- {OR}; t0 |- !i
        F: t1 |- !i
    """)
    assert second.open == nodes(f"?: t0 |- {PHI}; t1 |- {OR}; t1 |- <>o; t2 |- o")
    assert [game.open_size()[0] for game in played.alone] == [7, 4]
    assert [report.value for report in played.reports[:2]] == [None, None]


def test_example_4_9_steps_of_a_part_alone_are_never_sure(setting):
    played = play(setting, None)
    for at, game in enumerate(played.alone):
        told = ToldAlone(setting, game, at)
        assert {
            source.partition("|- ")[2] for (source, _), must in told.edges.items() if not must
        } == {
            PHI,
            "<>o",
        }
        assert {source.partition("|- ")[2] for (source, _), must in told.edges.items() if must} == {
            OR
        }


def test_example_4_9_the_product(setting):
    played = play(setting, None)
    (product,) = played.products
    told = Told(setting, product)
    assert told.colours == nodes(
        f"T: (s0, t0) |- {PHI}; (s1, t1) |- {OR}; (s1, t1) |- <>o; (s2, t2) |- o"
    )
    assert told.edges == {
        (f"(s0, t0) |- {PHI}", f"(s1, t1) |- {OR}"): True,
        (f"(s1, t1) |- {OR}", "(s1, t1) |- <>o"): True,
        ("(s1, t1) |- <>o", "(s2, t2) |- o"): True,
    }
    assert played.value is True


def test_example_4_9_a_small_part_of_the_whole(system, setting):
    assert system.states == 5
    whole = play_all(setting, None)
    assert whole.value is True
    assert whole.last.nodes == 10
    assert play(setting, None).last.nodes == 4


# Section 5.1 and Example 5.11: the second part from afar, here t0 alone and t1 with t2


@pytest.fixture
def refinement(system, form):
    return RefinementRounds(system, form, concrete=[0])


EVERY = {f"{state} |- {formula}" for state in ("t0", "t1+1") for formula in (OR, "!i", "<>o", "o")}
SECOND_ALONE = dict.fromkeys([f"t0 |- {PHI}", *EVERY], "?")
PRODUCT = nodes(f"""
    ?: (s0, t0) |- {PHI}; (s0, t0) |- {OR}; (s1, t1+1) |- {OR}; (s0, t0) |- !i; (s1, t1+1) |- !i; (s1, t1+1) |- <>o
    T: (s2, t1+1) |- o
""")


def test_figure_6_the_coarsest_abstraction(refinement):
    _, seen = refinement.setting.parts
    assert list(seen.states) == ["t0", "t1+1"]
    assert [seen.labels_of(state) for state in (0, 1)] == [[], ["r"]]
    assert [seen.labels_of(state, 2) for state in (0, 1)] == [["i"], ["i"]]
    assert seen.initial == (0,)
    assert [list(seen.steps_of(state)) for state in (0, 1)] == [[(0, 0, 0), (0, 1, 0)]] * 2


def isomorphic(name):
    """The node of the product that a node of the first part becomes, in the first round."""
    state, _, formula = name.partition(" |- ")
    return f"({state}, {'t0' if state == 's0' else 't1+1'}) |- {formula}"


def test_example_5_11_the_first_round(refinement):
    setting = refinement.setting
    played = play(setting, None)
    second = ToldAlone(setting, played.alone[1], 1)
    assert second.colours == second.open == SECOND_ALONE
    told = Told(setting, played.last)
    assert told.colours == PRODUCT
    first = ToldAlone(setting, played.alone[0], 0)
    assert told.colours == {isomorphic(name): colour for name, colour in first.open.items()}
    kept = {
        (isomorphic(a), isomorphic(b)): must
        for (a, b), must in first.edges.items()
        if a in first.open and b in first.open and first.colours[a] == "?"
    }
    assert told.edges == kept
    assert told.edges["(s1, t1+1) |- <>o", "(s2, t1+1) |- o"] is False
    assert played.value is None


def doubt(causes, states, *, atom=None, target=None):
    """The cause that the text supposes to be found."""
    (found,) = [
        cause
        for cause in causes
        if cause.states == states and cause.atom == atom and cause.target == target
    ]
    return [found]


@pytest.fixture
def rounds(refinement):
    """What was seen in each round, when the causes are those that the text supposes."""
    seen = []

    def look():
        played = play(refinement.setting, None, refinement.known)
        alone = [ToldAlone(refinement.setting, g, at) for at, g in enumerate(played.alone)]
        products = [Told(refinement.setting, product) for product in played.products]
        seen.append((alone, products, refinement.setting.parts[1]))

    def choose(causes):
        look()
        if len(seen) == 1:
            assert doubt(causes, (0, 0), atom="i")
            return doubt(causes, (1, 1), target=(2, 1))
        assert len(seen) == 2
        return doubt(causes, (0, 0), atom="i")

    refinement.played = refinement.run(None, choose)
    look()
    return seen


def test_example_5_11_the_second_round(rounds):
    _, (product,), part = rounds[1]
    assert list(part.states) == ["t0", "t1+1"]
    assert (0, 1, 1) in list(part.steps_of(1))  # the loop must be there
    assert product.colours == PRODUCT | nodes(f"T: (s1, t1+1) |- {OR}; (s1, t1+1) |- <>o")
    assert product.edges["(s1, t1+1) |- <>o", "(s2, t1+1) |- o"] is True


def test_example_5_11_the_last_round(refinement, rounds):
    alone, _, part = rounds[2]
    assert len(rounds) == 3
    assert list(part.states) == ["t0", "t1+1"]
    assert part.labels_of(0, 0) == ["r", "i"]  # i is known now, and false
    assert refinement.played.value is True
    assert [each.splits for each in refinement.rounds] == [0, 0, 0]
    assert [each.blocks for each in refinement.rounds] == [(3, 2)] * 3
    second = alone[1]
    assert second.colours["t0 |- !i"] == second.colours[f"t0 |- {OR}"] == "T"


def test_example_5_11_optimized(rounds):
    """What the products show of the second part is kept, so that it decides alone in the end."""
    alone, _, _ = rounds[1]
    left = alone[1].open
    assert left == nodes(f"""
        ?: t0 |- {PHI}; t0 |- {OR}; t0 |- !i; t1+1 |- {OR}; t1+1 |- !i; t1+1 |- <>o
        T: t1+1 |- o
    """)
    alone, products, _ = rounds[2]
    assert alone[1].colours[f"t0 |- {PHI}"] == "T"
    assert alone[1].colours.items() >= nodes(f"T: t0 |- {PHI}; t0 |- {OR}; t0 |- !i").items()
    assert products == []


def test_section_5_2_pruning_as_published_would_be_wrong():
    """Positions of t that appear with p false only, and others that do not appear, mislead there.

    Where s0 and s1 are one block, it decides `[] p | p` alone. So t meets p only in s2. Taken for
    all of t, p would be false, and with it the formula.
    """
    first = PartBuilder("m1", labels=["p"])
    first.state("s0", "p", initial=True).state("s1", "p").state("s2")
    first.step("s0", "s1").step("s0", "s2").step("s1", "s2").step("s2", "s2")
    second = PartBuilder("m2").state("t", initial=True).step("t", "t")
    system = Composition([first.build(), second.build()])
    form = modal.modal_form(parse("<> ([] p | p)"))
    for at in itertools.product(range(3), repeat=4):
        picks = iter(at)
        played = RefinementRounds(system, form).run(
            None, lambda causes, picks=picks: [causes[next(picks, 0) % len(causes)]]
        )
        assert played.value is True
