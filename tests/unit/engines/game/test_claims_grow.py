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


def work(length: int, asked: str) -> tuple[bool, int]:
    """The verdict, and all that was done for it."""
    model, form = ring(length), modal_form(parse(asked), dead_ends="stop")
    labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
    settled = _core.settle(
        core_formula(form), model.core, _core.DeadEnds.STUTTER, labels, list(model.initial)
    )
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
