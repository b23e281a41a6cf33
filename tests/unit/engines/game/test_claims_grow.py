"""Claims, evaluations and searches of the solver grow with the model, counted."""

from __future__ import annotations

import pytest

import pigro
from pigro import _core
from pigro.engines.game.solver import core_formula
from pigro.logic import parse
from pigro.logic.modal import modal_form


def ring(length: int) -> pigro.RSM:
    """Nodes in a circle, with calls of a component that calls itself; at the end `q` holds."""
    made = pigro.ModelBuilder()
    deep = made.component("deep")
    deep.entry("e", labels=["p"])
    deep.exit("o")
    again = deep.box("again", calls="deep")
    deep.edge("e", again.call("e"), "o")
    deep.edge(again.returned("o"), "o")
    main = made.component("main")
    for at in range(length):
        main.node(f"n{at}", labels=["q"] if at + 1 == length else [])
        box = main.box(f"b{at}", calls="deep")
        after = f"n{(at + 1) % length}"
        main.edge(f"n{at}", after, box.call("e"))
        main.edge(box.returned("o"), after)
    return made.build(initial=["main:n0"])


def chain(length: int) -> pigro.RSM:
    """Procedures without recursion. Each may call the next one. Every seventh has `p`."""
    made = pigro.ModelBuilder()
    for at in range(length):
        each = made.component(f"f{at}")
        each.entry("in")
        each.node("w", labels=["p"] if at % 7 == 0 else [])
        each.exit("out")
        each.edge("in", "w")
        each.edge("w", "out")
        if at + 1 < length:
            box = each.box("box", calls=f"f{at + 1}")
            each.edge("in", box.call("in"))
            each.edge(box.returned("out"), "w")
    return made.build(initial="f0:in")


def settle(model: pigro.RSM, asked: str) -> _core.Settled:
    form = modal_form(parse(asked), dead_ends="stop")
    labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
    return _core.settle(
        core_formula(form), model.core, _core.DeadEnds.STUTTER, labels, list(model.initial)
    )


def work(length: int, asked: str) -> tuple[bool, int]:
    """The verdict, and all that was done for it."""
    settled = settle(ring(length), asked)
    return settled.holds[0], settled.claims + settled.evaluations + settled.searched


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("mu X. q | <> X", True),
        ("mu X. q | [] X", False),
        ("nu X. (p -> mu Y. q | <> Y) & [] X", True),
        ("nu X. (p -> mu Y. p & q | <> Y) & [] X", False),
        ("nu X. mu Y. <> (p & X | Y)", True),
        ("nu X. mu Y. <> (q & X | Y)", True),
        ("nu X. mu Y. [] (q & X | Y)", False),
        ("nu X. mu Y. [] (p & X | q & X | Y)", True),
        ("mu X. nu Y. [] (p & X | !q & Y)", False),
    ],
)
def test_linear(asked, holds):
    """Sixteen times the nodes take at most about as many times the work."""
    small, large = work(100, asked), work(1600, asked)
    assert (small[0], large[0]) == (holds, holds)
    assert large[1] < 20 * small[1] + 100


@pytest.mark.parametrize(
    ("asked", "power"),
    [
        ("mu X. p | <> X", 1),
        ("nu X. (p -> mu Y. !p | <> Y) & [] X", 1),
        ("nu X. mu Y. [] (p & X | Y)", 1),
        ("nu X. mu Y. <> (p & X | Y)", 2),
    ],
)
def test_a_chain_of_procedures(asked, power):
    """Four times the nodes: claims grow with them, evaluations at most so, or as their square."""
    small, large = settle(chain(50), asked), settle(chain(200), asked)
    assert large.claims < 4.5 * small.claims
    assert large.evaluations < 4.5**power * small.evaluations
