"""Pages and drawings about compositions: runs of composed states, games, and what is not known."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from random import Random

import pytest

import pigro
from pigro import Composition, PartBuilder, compose_check
from pigro.evidence.strategy import page as strategy_page
from pigro.evidence.strategy.page import strategy_data
from pigro.logic import parse
from pigro.model.product import Product
from pigro.render.drawing import RunDrawing
from pigro.render.html import render_html
from pigro.session.asking import EvidenceRoom

from oracle.mu_formula import Shape, random_mu, text
from oracle.mu_structures import KMTS, KRIPKE, THREE, names_in, random_lts, random_parts
from support.agreement.compositions import composition_of
from support.judges.game_plays import NODE, played

HOSTILE = '</script><img src=x onerror="alert(1)">\x1b[31m\u202e'


def data_of(page):
    found = re.search(rb'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def two(*, unknown=(), dead=False, name="one"):
    """Part one goes from a to b and back, and p is true in b. Part two has one state."""
    one = PartBuilder(name, labels=["p"]).state("a", unknown=list(unknown), initial=True)
    one.state("b", "p").step("a", "b")
    if not dead:
        one.step("b", "a")
    other = PartBuilder("two", labels=["q"]).state("c", "q", initial=True).step("c", "c")
    return Composition([one.build(), other.build()])


def page_of(system, *formulas, **options):
    return data_of(render_html(system, pigro.check_all(system, formulas, witness=True, **options)))


def states_of(data, verdict):
    [item] = verdict["evidence"]
    return [data["nodes"][str(node)][1] for node in item["path"]["nodes"]]


def truth_of(data, verdict, at, formula):
    """The letter of a subformula in a state of the run."""
    row = [each[1] for each in verdict["tree"]].index(formula)
    [item] = verdict["evidence"]
    return verdict["truths"][item["path"]["truths"][at]][row]


def test_each_verdict_has_its_own_run():
    data = page_of(two(), "AG !p", "E [G F p]", "AG !p")
    first, loop, again = data["verdicts"]
    assert states_of(data, first) == ["one=a, two=c", "one=b, two=c"]
    assert states_of(data, again) == states_of(data, first)
    assert loop["evidence"][0]["path"]["ends"] == "loop"
    assert not {*first["evidence"][0]["path"]["nodes"]} & {*again["evidence"][0]["path"]["nodes"]}
    nodes = loop["evidence"][0]["path"]["nodes"]
    edges = {tuple(each[:2]) for each in data["components"]["1"]["edges"]}
    assert edges == {*pairwise([*nodes, nodes[loop["evidence"][0]["path"]["start"]]])}
    assert data["source"] == "a composition"
    assert data["facts"] == "one, two"


def test_values_are_the_states_of_parts():
    data = page_of(two(), "AG !p")
    [verdict] = data["verdicts"]
    at = verdict["evidence"][0]["path"]["nodes"][-1]
    assert data["values"][str(at)] == {"one": "b", "two": "c"}
    assert [data["labels"][each] for each in data["nodes"][str(at)][3]] == ["p"]


def test_a_label_that_is_not_known_is_no_false_label():
    data = page_of(two(unknown=["p"]), "EX p")
    [verdict] = data["verdicts"]
    assert [truth_of(data, verdict, at, "p") for at in (0, 1)] == ["?", "t"]


@pytest.mark.parametrize(("dead_ends", "letter"), [("stutter", "t"), ("stop", "?")])
def test_dead_ends_are_read_as_they_were(dead_ends, letter):
    """Where runs stop, A and E differ about the next state of a dead end: X alone has no truth."""
    data = page_of(two(dead=True), "E [X G p]", dead_ends=dead_ends)
    [verdict] = data["verdicts"]
    assert verdict["evidence"][0]["path"]["ends"] == "stays"
    assert truth_of(data, verdict, 1, "G p") == "t"
    assert truth_of(data, verdict, 1, "X G p") == letter


def test_names_stay_names():
    system = two(name=HOSTILE)
    verdicts = pigro.check_all(system, ["AG !p", "AG (p -> AF !p)"], witness=True)
    page = render_html(system, verdicts).decode()
    assert page.count("</script>") == 2, "the data and the script end once each"
    assert not {"\x1b", "\u202e"} & {*page}
    assert "<img" not in page


def test_without_evidence_there_is_no_run():
    system = two()
    [verdict] = data_of(render_html(system, pigro.check_all(system, ["AG !p"])))["verdicts"]
    assert (verdict["evidence"], verdict["game"], verdict["text"]) == ([], None, None)


def test_a_long_name_is_drawn_by_its_parts():
    parts = []
    for number in range(6):
        part = PartBuilder(f"number{number}", labels=[f"p{number}"]).state("idle", initial=True)
        parts.append(part.state("working", f"p{number}").step("idle", "working").build())
    verdict = compose_check(Composition(parts), "AG !p0", witness=True)
    drawing = RunDrawing("x.dot", EvidenceRoom())
    drawing.take(0, verdict)
    drawn = drawing.content.decode()
    assert r"number0=idle\nnumber1=idle\n" in drawn
    assert r"number5=working\np0" in drawn


def random_cases(seed):
    """Strategies for compositions of random parts, some of which leave labels and steps open."""
    rng = Random(seed)
    shape = (KRIPKE, KMTS, THREE)[seed % 3]
    parts = (random_lts if seed % 2 else random_parts)(rng, shape)
    system = composition_of(parts)
    if system.states > 40:
        return
    atoms, actions = names_in(parts)
    for method in ("concrete", "full", "refine")[: 3 if system.is_concrete else 2]:
        formula = random_mu(
            rng, atoms, rng.randint(2, 9), actions=actions, shape=Shape(ctl=rng.choice((0, 0.3)))
        )
        verdict = compose_check(system, parse(text(formula)), method=method, witness=True)
        if verdict.evidence is not None:
            yield system, verdict


@pytest.mark.skipif(NODE is None, reason="no node on PATH")
def test_every_play_is_lost():
    asked = [
        strategy_data(system, verdict.evidence)
        for seed in range(60)
        for system, verdict in random_cases(seed)
    ]
    assert len(asked) > 80
    ends, rounds = played([each for each in asked if each["claims"]])
    assert ends > 100
    assert rounds > 100


def test_positions_lead_to_positions():
    """The same without the script: numbers are there, and labels end a play."""
    count = 0
    for seed in range(80):
        for system, verdict in random_cases(seed):
            data = strategy_data(system, verdict.evidence)
            for _, formula, _, kind, number, *after in data["claims"]:
                count += 1
                assert all(0 <= each < len(data["claims"]) for each in after)
                assert 0 <= formula < len(data["texts"])
                assert kind != "label" or not after
                assert kind not in {"answer", "variable"} or len(after) == 1
                assert number == 0 or kind == "variable"
    assert count > 300


def test_a_game_that_is_too_large_is_left_out(monkeypatch):
    system = two()
    strategy = compose_check(system, "AG (p -> AF !p)", witness=True).evidence
    monkeypatch.setattr(strategy_page, "MOST", 3)
    told = {"holds": True, "size": strategy.positions, "claims": []}
    assert strategy_data(system, strategy) == told


def test_runs_of_random_compositions():
    """States of the page are those of the trace, and labels that are told as true are true."""
    runs = 0
    for seed in range(120):
        for system, verdict in random_cases(seed):
            trace = verdict.trace()
            data = data_of(render_html(system, [verdict]))
            [told] = data["verdicts"]
            if trace is None:
                assert not told["evidence"]
                continue
            runs += 1
            assert states_of(data, told) == [state.name for state in trace]
            product = Product(system)
            for node, state in zip(told["evidence"][0]["path"]["nodes"], trace, strict=True):
                labels = {data["labels"][each] for each in data["nodes"][str(node)][3]}
                assert labels == {
                    atom for atom in verdict.formula.atoms if product.value(state.state, atom) == 1
                }
    assert runs > 30
