"""The mu-calculus on machines with calls: by hand, one trap each, and in all readings."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pigro
from benchmarks.generators.models import EITHER, permutations
from pigro.engines import ENGINES
from pigro.limits import Limits
from pigro.logic import parse

from oracle import mu_pushdown
from oracle.notation import machine_from
from support.agreement.ctl import as_model
from support.agreement.mu import to_mu


def written():
    """The machines of `machines.txt`, each with its questions."""
    lines: list[str] = []
    reading: dict[str, object] = {}
    asked: list[tuple[str, bool]] = []
    for line in (Path(__file__).parent / "machines.txt").read_text("utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if asked and kind not in ("?", "#", ""):
            yield "\n".join(lines), reading, asked
            lines, reading, asked = [], {}, []
        if kind == "?":
            truth, _, formula = rest.partition(" ")
            asked.append((formula, truth == "true"))
        elif kind == "!":
            reading |= {"dead_ends": "stop"} if rest == "stop" else {"initial": rest.split()[1:]}
        elif kind != "#" and line:
            lines.append(line)
    yield "\n".join(lines), reading, asked


MACHINES = list(written())


def test_there_are_so_many():
    assert len(MACHINES) == 25
    assert sum(len(asked) for *_, asked in MACHINES) == 49


@pytest.mark.parametrize("place", range(len(MACHINES)))
def test_by_hand(place):
    text, reading, asked = MACHINES[place]
    machine = machine_from(text, **reading)
    model = as_model(machine)
    for formula, truth in asked:
        assert mu_pushdown.decide(machine, to_mu(formula)) is truth, formula
        assert ENGINES["game"](model, parse(formula)).holds is truth, formula
        assert ENGINES["game"](model, parse(f"!({formula})")).holds is not truth, formula


DEAD_END = """
main  s
  box b = callee without o>
  s -> b.e
callee  >e  o>:p
  e -> o
"""
PLAIN = """
main  s  t:p
  s -> t
"""
EXIT = """
main  >s>:p
"""


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("text", [DEAD_END, PLAIN, EXIT])
def test_a_step_is_what_the_next_state_is(text, dead_ends):
    """`<> f` is `EX f` at every dead end, however it is read, and `[] f` is `AX f`."""
    model = as_model(machine_from(text, dead_ends=dead_ends))
    for inside in ("true", "false", "p", "!p", "(p & {} true)", "{} {} p", "{} {} false"):
        for next_, step in (("EX", "<>"), ("AX", "[]")):
            asked = f"{next_} {inside.format('EX', 'AX')}"
            same = f"{step} {inside.format('<>', '[]')}"
            assert pigro.check(model, asked).holds is pigro.check(model, same).holds, (asked, same)


def test_every_initial_node_has_its_own_answer():
    model = as_model(machine_from(MACHINES[0][0]))
    both = pigro.ModelBuilder()
    main = both.component("main")
    main.entry("a", labels=["p"])
    main.exit("b")
    box = main.box("again", calls="main")
    main.edge("a", box.call("a"), "b")
    main.edge(box.returned("b"), "b")
    two = both.build(initial=["main:a", "main:b"])
    verdict = pigro.check(two, "nu X. mu Y. <> (p & X | Y)")
    assert [holds for _, holds in verdict.starts] == [True, False]
    assert verdict.holds is False
    assert pigro.check(model, "nu X. <> X").engine == "game"


HARD = "nu Q. ((mu S. (nu T. p & <> T) | <> S) | (mu S. (nu T. !p & <> T) | <> S)) & [] Q"
"""On `permutations`: with exponentially many instances."""


@pytest.mark.parametrize("exits", range(2, 7))
def test_what_an_inner_instance_asked_is_asked_of_wider_ones(exits):
    """Also if the claim that first looks there has to wait for others."""
    assert ENGINES["game"](permutations(exits), parse(HARD)).holds is True
    assert ENGINES["demand"](permutations(exits), parse(EITHER)).holds is True


def test_limits_are_kept():
    [verdict] = ENGINES["game"].check_all(
        permutations(9), [parse(HARD)], budget=pigro.limits.Budget(Limits(seconds=0.2))
    )
    assert verdict.holds is None
    assert "time" in verdict.remarks.gave_up


def test_the_caller_can_stop_it():
    class Stop(Exception):
        pass

    def tick():
        raise Stop

    with pytest.raises(Stop):
        ENGINES["game"].check_all(
            permutations(9), [parse(HARD)], budget=pigro.limits.Budget(Limits(), tick)
        )


def straight(steps: int):
    """That many nodes in a row, each second one a call of a component without labels."""
    made = pigro.ModelBuilder()
    quiet = made.component("quiet")
    quiet.entry("e")
    for name in ("o", "u"):
        quiet.exit(name)
    quiet.edge("e", "o", "u")
    main = made.component("main")
    for at in range(0, steps, 2):
        main.node(f"n{at}", labels=["p"] if at + 2 >= steps else [])
        box = main.box(f"b{at}", calls="quiet")
        main.edge(f"n{at}", box.call("e"))
        for name in ("o", "u"):
            main.edge(box.returned(name), f"n{at + 2 if at + 2 < steps else 0}")
    return made.build(initial=["main:n0"])


@pytest.mark.parametrize(
    ("asked", "holds", "claims"),
    [
        ("mu X. p | <> X", True, 50),
        ("nu X. (p -> mu Y. p | <> Y) & [] X", True, 100),
        ("nu X. !p & [] X", False, 50),
        ("mu X. q | <> X", False, 400),
        ("nu X. !q & [] X", True, 400),
        ("nu X. [] X & (p -> mu Y. q | <> Y)", False, 450),
    ],
)
def test_straight_lines_without_labels_take_few_claims(asked, holds, claims):
    """At most one for each node where a circle has no labels at all."""
    verdict = ENGINES["game"](straight(400), parse(asked))
    assert verdict.holds is holds
    assert verdict.stats.visited <= claims


def test_threads_share_a_model():
    """The ways out of its components are kept, and one thread at a time has them."""
    model, asked = permutations(3), parse("nu X. mu Y. <> (p & X | Y)")
    alone = ENGINES["game"](permutations(3), asked)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ENGINES["game"](model, asked), range(200)))
    assert {(each.holds, each.stats.visited) for each in found} == {
        (alone.holds, alone.stats.visited)
    }
