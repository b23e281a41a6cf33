"""Strategies for compositions: what the replay takes and refuses, and their documents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro import compose_check
from pigro.certificates import Mismatch
from pigro.evidence import WrongEvidence, replay_strategy
from pigro.evidence.data import NotEvidence
from pigro.evidence.strategy.strategy import AbstractPart, ClaimLayer, Strategy, StrategyMove
from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from support.agreement.compositions import talking
from support.evidence.documents import read_strategy, strategy_document

SCHEMA = json.loads(
    (Path(pigro.__file__).parent / "schemas" / "strategy.schema.json").read_text("utf-8")
)
METHODS = ["concrete", "full", "refine", "refine-one"]


def switch(name="switch"):
    """Two states, forth and back; in the second p is true."""
    part = PartBuilder(name, labels=["p"]).state("off", initial=True).state("on", "p")
    return part.step("off", "on").step("on", "off").build()


def acting(*, concrete=False):
    left = PartBuilder("left", labels=["p"], actions=["a", "b"])
    left.state("x", initial=True).state("y", "p")
    left.step("x", "y", "a").step("x", "x", "tau").step("y", "x", "b", must=concrete)
    right = PartBuilder("right", labels=["q"], actions=["b", "c"])
    right.state("u", initial=True).state("v", unknown=[] if concrete else ["q"])
    right.step("u", "v", "c").step("v", "u", "b")
    return Composition([left.build(), right.build()])


def made(system, formula, holds, *layers, parts=None):
    """A strategy by hand: each layer is its parts and its claims."""
    told = tuple(ClaimLayer(each, claims) for each, claims in layers)
    own = (None,) * len(system.parts)
    return Strategy(parse(formula), "stutter", holds, parts or own, told)


def refused(system, strategy, why):
    with pytest.raises(WrongEvidence) as error:
        replay_strategy(system, strategy)
    assert why in str(error.value)


# mu Z. p | <> Z: node 0 is Z, 1 is p, 2 is <> Z, 3 is p | <> Z, 4 the whole
REACH = {
    ((0,), 4): None,
    ((0,), 0): None,
    ((0,), 3): StrategyMove((0,), 2),
    ((0,), 2): StrategyMove((1,), 0),
    ((1,), 0): None,
    ((1,), 3): StrategyMove((1,), 1),
    ((1,), 1): None,
}


def test_by_hand():
    system = Composition([switch()])
    replay_strategy(system, made(system, "mu Z. p | <> Z", True, ((0,), REACH)))


@pytest.mark.parametrize(
    "position, move, why",
    [
        (((0,), 3), None, "the winner's move is missing"),
        (((0,), 3), StrategyMove((0,), 1), "rests on one that is not there"),
        (((0,), 3), StrategyMove((1,), 2), "the winner's move is not a legal move"),
        (((0,), 3), StrategyMove((0,), 3), "the winner's move is not a legal move"),
        (((0,), 3), StrategyMove((0,), 2, "a"), "the winner's move is not a legal move"),
        (((0,), 2), StrategyMove((0,), 0), "the winner's move is not a legal move"),
        (((0,), 2), StrategyMove((7,), 0), "a state is not there"),
        (((0,), 2), StrategyMove((1, 1), 0), "exactly one state for each part"),
        (((0,), 2), StrategyMove((1,), 3), "the winner's move is not a legal move"),
        (((0,), 2), StrategyMove((1,), 99), "a subformula is not there"),
        (((0,), 2), StrategyMove((1,), 0, "tau"), "the winner's move is not a legal move"),
        (((1,), 1), StrategyMove((1,), 1), "moves where the other player chooses"),
        (((0,), 1), None, "a label is wrong"),
        (((0,), 5), None, "a subformula is not there"),
        (((0,), -1), None, "a subformula is not there"),
        (((2,), 0), None, "a state is not there"),
        (((-1,), 0), None, "a state is not there"),
        (((0, 0), 0), None, "exactly one state for each part"),
    ],
)
def test_wrong_claims(position, move, why):
    system = Composition([switch()])
    claims = {**REACH, position: move}
    refused(system, made(system, "mu Z. p | <> Z", True, ((0,), claims)), why)


@pytest.mark.parametrize("gone", REACH)
def test_missing_claims(gone):
    system = Composition([switch()])
    claims = {position: move for position, move in REACH.items() if position != gone}
    strategy = made(system, "mu Z. p | <> Z", True, ((0,), claims))
    with pytest.raises(WrongEvidence):
        replay_strategy(system, strategy)


def test_round_and_round():
    """Going round forever wins a greatest fixpoint, and loses a least one."""
    system = Composition([switch()])
    claims = {((s,), 0): None for s in (0, 1)} | {
        ((s,), 1): StrategyMove((1 - s,), 0) for s in (0, 1)
    }
    claims[(0,), 2] = None
    replay_strategy(system, made(system, "nu Z. <> Z", True, ((0,), claims)))
    refused(system, made(system, "mu Z. <> Z", True, ((0,), claims)), "by going round")
    claims = dict.fromkeys(claims)
    replay_strategy(system, made(system, "mu Z. <> Z", False, ((0,), claims)))
    refused(system, made(system, "nu Z. <> Z", False, ((0,), claims)), "by going round")


@pytest.mark.parametrize(
    "parts, why",
    [
        ((), "other parts"),
        ((1,), "other parts"),
        ((-1,), "other parts"),
        ((0, 0), "other parts"),
    ],
)
def test_wrong_layers(parts, why):
    system = Composition([switch()])
    refused(system, made(system, "mu Z. p | <> Z", True, (parts, REACH)), why)


def test_two_layers_of_the_same_parts():
    system = Composition([switch()])
    strategy = made(system, "mu Z. p | <> Z", True, ((0,), REACH), ((0,), {}))
    refused(system, strategy, "two layers")


def test_nothing_shows_nothing():
    system = Composition([switch()])
    refused(system, made(system, "true", True), "an initial state is not claimed")
    refused(system, made(system, "true", False), "no initial state is claimed")
    replay_strategy(system, made(system, "true", True, ((0,), {((0,), 0): None})))


def test_another_number_of_parts():
    strategy = made(Composition([switch()]), "true", True, ((0,), {((0,), 0): None}))
    refused(Composition([switch("a"), switch("b")]), strategy, "another number of parts")


def test_all_initial_states_or_one():
    part = PartBuilder("one", labels=["p"]).state("a", "p", initial=True).state("b", initial=True)
    system = Composition([part.build()])
    refused(system, made(system, "p", True, ((0,), {((0,), 0): None})), "initial state")
    replay_strategy(system, made(system, "p", False, ((0,), {((1,), 0): None})))
    refused(system, made(system, "p", False, ((0,), {((0,), 0): None})), "label is wrong")


def test_one_part_can_not_promise_a_step_of_all():
    """With two parts, a step needs both. That the other is there for sure is not known."""
    system = Composition([switch("one"), switch("two")])
    alone = {((0,), 1): StrategyMove((1,), 0), ((1,), 0): None}
    refused(
        system, made(system, "<> p", True, ((0,), alone)), "the winner's move is not a legal move"
    )
    both = {((0, 0), 1): StrategyMove((1, 1), 0)}
    strategy = made(system, "<> p", True, ((0,), {((1,), 0): None}), ((0, 1), both))
    replay_strategy(system, strategy)


def test_targets_agree_on_joint_labels():
    one = PartBuilder("one", labels=["p", "q"]).state("a", initial=True).state("b", "p", "q")
    one.step("a", "b")
    two = PartBuilder("two", labels=["p"]).state("c", initial=True).step("c", "c")
    system = Composition([one.build(), two.build()])
    claims = {((0, 0), 1): StrategyMove((1, 0), 0), ((1, 0), 0): None}
    refused(
        system,
        made(system, "<> q", True, ((0, 1), claims)),
        "the winner's move is not a legal move",
    )
    claims = {((0, 0), 1): None}
    replay_strategy(system, made(system, "<> q", False, ((0, 1), claims)))


def test_steps_that_only_may_be_there():
    part = PartBuilder("one", labels=["p"]).state("a", initial=True).state("b", "p")
    system = Composition([part.step("a", "b", must=False).build()])
    claims = {((0,), 1): StrategyMove((1,), 0), ((1,), 0): None}
    refused(
        system, made(system, "<> p", True, ((0,), claims)), "the winner's move is not a legal move"
    )
    refused(system, made(system, "<> p", False, ((0,), {((0,), 1): None})), "leads to no claim")


def test_labels_that_are_unknown_or_not_seen():
    part = PartBuilder("one", labels=["p"]).state("a", unknown=["p"], initial=True)
    system = Composition([part.build()])
    for text in ("p", "!p"):
        for holds in (True, False):
            strategy = made(system, text, holds, ((0,), {((0,), 0): None}))
            refused(system, strategy, "a label is wrong, or not known")
    replay_strategy(system, made(system, "nobody", False, ((0,), {((0,), 0): None})))
    refused(system, made(system, "nobody", True, ((0,), {((0,), 0): None})), "label is wrong")
    replay_strategy(system, made(system, "!nobody", True, ((0,), {((0,), 0): None})))


@pytest.mark.parametrize(
    "formula, position, move, after",
    [
        ("<a> p", ((0,), 1), StrategyMove((1,), 0, "a"), ((1,), 0)),
        ("<> p", ((0,), 1), StrategyMove((1,), 0, "a"), ((1,), 0)),
        ("<tau> !p", ((0,), 1), StrategyMove((0,), 0, "tau"), ((0,), 0)),
    ],
)
def test_actions_of_one_part_alone(formula, position, move, after):
    system = acting()
    claims = {position: move, after: None}
    replay_strategy(system, made(system, formula, True, ((0,), claims)))
    for action in (None, "b", "c", "no such"):
        wrong = {**claims, position: replace(move, action=action)}
        refused(
            system,
            made(system, formula, True, ((0,), wrong)),
            "the winner's move is not a legal move",
        )


def test_others_act_while_a_layer_stays():
    """[] !p at x: by a to y, by tau or by c of the other to x; by c alone there is x only."""
    system = acting()
    stays = {((0,), 1): None, ((0,), 0): None}
    replay_strategy(system, made(system, "[c] !p", True, ((0,), stays)))
    replay_strategy(system, made(system, "[tau, c] !p", True, ((0,), stays)))
    refused(system, made(system, "[] !p", True, ((0,), stays)), "leads to no claim")
    gone = {((0,), 1): None}
    refused(system, made(system, "[c] !p", True, ((0,), gone)), "leads to no claim")


@pytest.mark.parametrize("formula, claims", [("![a] nothing", {((0,), 1): None}),
                                             ("[a] nothing", {((0,), 1): None}),
                                             ("<tau> p", {((0,), 1): None})])  # fmt: skip
def test_actions_that_no_part_has(formula, claims):
    """A box of such an action has no steps: the claim would stand without a reason."""
    holds = formula.startswith("[")
    system = Composition([switch()])
    refused(system, made(system, formula, holds, ((0,), claims)), "which no part has")
    named = "b" if "tau" in formula else "no such"
    formula = formula.replace("a]", f'"{named}"]').replace("tau", f'"{named}"')
    system = Composition([acting().parts[0]])
    if named == "b":
        replay_strategy(system, made(system, formula, holds, ((0,), claims)))
    else:
        refused(system, made(system, formula, holds, ((0,), claims)), "which no part has")


FORMULAS = {
    "joint labels": ["AG (req -> EF ack)", "AG AF ack", "nu X. mu Y. (ack & <> X) | <> Y", "EX on"],
    "actions": ["EF p", "[a] p", "nu Z. <tau> Z", "AG !p", "mu Z. <> Z"],
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind, formula", [(k, f) for k, row in FORMULAS.items() for f in row])
def test_there_and_back(kind, formula, method):
    system = talking() if kind == "joint labels" else acting(concrete="refine" in method)
    strategy = compose_check(system, formula, method=method, witness=True).evidence
    assert strategy is not None
    data = strategy_document(system, strategy)
    jsonschema.validate(json.loads(data), SCHEMA)
    again = read_strategy(system, data)
    replay_strategy(system, again)
    assert again.layers == strategy.layers
    assert (again.holds, again.dead_ends) == (strategy.holds, strategy.dead_ends)
    assert strategy_document(system, again) == data


def test_dead_ends_are_kept():
    part = PartBuilder("one", labels=["p"]).state("a", "p", initial=True)
    system = Composition([part.build()])
    for dead_ends, holds in (("stutter", True), ("stop", False)):
        verdict = compose_check(system, "EX p", dead_ends=dead_ends, witness=True)
        assert verdict.holds is holds
        data = strategy_document(system, verdict.evidence)
        again = read_strategy(system, data)
        replay_strategy(system, again)
        other = json.loads(data) | {"dead_ends": "stop" if holds else "stutter"}
        with pytest.raises(WrongEvidence):
            replay_strategy(system, read_strategy(system, json.dumps(other).encode()))


def data_of(method="refine"):
    system = talking()
    strategy = compose_check(system, "AG AF ack", method=method, witness=True).evidence
    return system, json.loads(strategy_document(system, strategy))


def test_names_and_texts_for_people():
    _, data = data_of("concrete")
    assert data["verdict"] == "fails"
    assert data["parts"] == [{"name": each, "blocks": None} for each in ("sender", "receiver")]
    assert [layer["parts"] for layer in data["layers"]] == [["sender"], ["sender", "receiver"]]
    texts = {each["number"]: each["text"] for each in data["subformulas"]}
    assert "[] AF ack" in texts.values()
    move = next(claim for claim in data["layers"][1]["claims"] if claim["move"])
    assert set(move["states"]) <= {"idle", "sent", "off"}


def changed(data, path, value):
    *first, last = path
    for key in first:
        data = data[key]
    if value is None:
        del data[last]
    else:
        data[last] = value


@pytest.mark.parametrize(
    "path, value, error, why",
    [
        (["schema"], "pigro.run/1", NotEvidence, "schema"),
        (["schema"], None, NotEvidence, "schema"),
        (["verdict"], "perhaps", NotEvidence, "verdict"),
        (["dead_ends"], "error", NotEvidence, "dead_ends"),
        (["formula"], "AG (", NotEvidence, "can't be read"),
        (["formula"], "A [G F ack]", NotEvidence, "can't be read"),
        (["formula"], "EX on", WrongEvidence, "subformula"),
        (["more"], 1, NotEvidence, "more"),
        (["parts", 0, "name"], "other", Mismatch, "other parts"),
        (["parts", 0], None, Mismatch, "other parts"),
        (["parts", 0, "blocks", 0, "states", 0], "no such", WrongEvidence, "no state"),
        (["parts", 0, "blocks", 0, "name"], "done", WrongEvidence, "block"),
        (["parts", 0, "blocks", 0, "labels"], ["no such"], WrongEvidence, "no label"),
        (["parts", 0, "blocks", 0, "labels"], ["ack", "ack"], WrongEvidence, "listed twice"),
        (["parts", 0, "blocks", 0, "steps", 0, "to"], "no such", WrongEvidence, "no block"),
        (["parts", 0, "blocks", 0, "steps", 0, "action"], "a", WrongEvidence, "no action"),
        (["parts", 0, "blocks", 0, "steps", 0, "must"], 1, NotEvidence, "must"),
        (["parts", 0, "blocks"], [], WrongEvidence, "blocks are wrong"),
        (["subformulas", 0, "text"], "nonsense", WrongEvidence, "the text of a subformula"),
        (["subformulas", 0], None, WrongEvidence, "other subformulas"),
        (["layers", 1, "parts", 0], "no such", WrongEvidence, "no part"),
        (["layers", 1, "parts", 0], None, WrongEvidence, "one state for each part"),
        (["layers", 1, "claims", 0, "formula"], -1, NotEvidence, ">= 0"),
        (["layers", 1, "claims", 0, "formula"], 2**40, NotEvidence, "<="),
        (["layers", 1, "claims", 0, "formula"], True, NotEvidence, "int"),
        (["layers", 1, "claims", 0, "states", 0], "no such", WrongEvidence, "no state"),
        (["layers", 1, "claims", 0, "states"], [], WrongEvidence, "one state for each part"),
        (["layers"], {}, NotEvidence, "layers"),
    ],
)
def test_documents_that_are_refused(path, value, error, why):
    system, data = data_of()
    changed(data, path, value)
    with pytest.raises(error) as found:
        replay_strategy(system, read_strategy(system, json.dumps(data).encode()))
    assert why in str(found.value)


def test_claims_are_made_once():
    system, data = data_of()
    data["layers"][0]["claims"] *= 2
    with pytest.raises(WrongEvidence, match="twice"):
        read_strategy(system, json.dumps(data).encode())


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[]", b"1", b"[" * 100_000])
def test_values_that_are_no_document(data):
    with pytest.raises(NotEvidence):
        read_strategy(talking(), data)


def two_blocks():
    """A part of three states by two blocks, and `<> q`, which holds there."""
    part = PartBuilder("one", labels=["p", "q"]).state("a", "p", initial=True).state("b", "p")
    part.state("c", "q").step("a", "c").step("b", "c").step("c", "c")
    part = part.build()
    far = PartBuilder("one", labels=["p", "q"]).state("ab", "p", unknown=["q"], initial=True)
    far = far.state("c", "q").step("ab", "c").step("c", "c").build()
    system = Composition([part])
    claims = {((0,), 1): StrategyMove((1,), 0), ((1,), 0): None}
    blocks = AbstractPart(far, ((0, 1), (2,)))
    return system, made(system, "<> q", True, ((0,), claims), parts=(blocks,)), blocks


def test_blocks():
    system, strategy, _ = two_blocks()
    replay_strategy(system, strategy)


@pytest.mark.parametrize(
    "members, why",
    [
        (((0, 1), ()), "empty"),
        (((0,), (2,)), "not a partition"),
        (((0, 1, 1), (2,)), "not a partition"),
        (((0, 1), (3,)), "not a partition"),
        (((0, 1), (-1,)), "not a partition"),
        (((0, 1, 2),), "more or fewer blocks"),
        (((0,), (1, 2)), "a label that not all of its states have"),
    ],
)
def test_blocks_that_are_no_partition(members, why):
    system, strategy, blocks = two_blocks()
    refused(system, replace(strategy, parts=(replace(blocks, members=members),)), why)


def test_blocks_that_say_too_much():
    system, strategy, blocks = two_blocks()
    far = PartBuilder("one", labels=["p", "q"]).state("ab", "p", initial=True).state("c", "q")
    parts = {
        "a step is missing": far.step("ab", "c").build(),
        "a step that not all": far.step("c", "c").step("c", "ab").build(),
    }
    for why, part in parts.items():
        refused(system, replace(strategy, parts=(replace(blocks, part=part),)), why)
    other = PartBuilder("one", labels=["p"]).state("ab", "p", initial=True).state("c").build()
    wrong = replace(strategy, parts=(replace(blocks, part=other),))
    refused(system, wrong, "other labels or actions")


def test_blocks_know_what_other_parts_see():
    """Else states could be taken for ones that go together."""
    system, strategy, blocks = two_blocks()
    peer = PartBuilder("two", labels=["q"]).state("d", initial=True).state("e", "q")
    peer = peer.step("d", "e").step("e", "e").build()
    both = Composition([system.parts[0], peer])
    claims = {((0, 0), 1): StrategyMove((1, 1), 0), ((1, 1), 0): None}
    layers = (ClaimLayer((0, 1), claims),)
    refused(both, replace(strategy, parts=(blocks, None), layers=layers), "not all of its states")
    known = replace(blocks, part=replace(blocks.part, values=bytes([1, 0, 0, 1])))
    replay_strategy(both, replace(strategy, parts=(known, None), layers=layers))


def test_nothing_recurses():
    """A walk through 5,000 states, and a formula that is nested 1,400 deep."""
    count = 5_000
    part = PartBuilder("long", labels=["p"])
    for state in range(count):
        part.state(f"s{state}", *(["p"] if state == count - 1 else []), initial=state == 0)
        if state:
            part.step(f"s{state - 1}", f"s{state}")
    system = Composition([part.build()])
    for text in ("EF p", "p | (!p & (" * 700 + "!p" + "))" * 700):
        strategy = compose_check(system, text, witness=True).evidence
        assert strategy.positions >= 1_400
        again = read_strategy(system, strategy_document(system, strategy))
        replay_strategy(system, again)


@pytest.mark.parametrize("name", ["\ud800", "\x00", '"', "\\", "\u2028", "ü", "+1", ""])
def test_any_name(name):
    part = PartBuilder(name, labels=[name], actions=[f"a{name}"]).state(name, name, initial=True)
    part = part.state(f"{name}+1").step(name, name, f"a{name}").step(f"{name}+1", name, "tau")
    system = Composition([part.build()])
    for method in METHODS:
        strategy = compose_check(system, "nu Z. <> Z", method=method, witness=True).evidence
        replay_strategy(system, read_strategy(system, strategy_document(system, strategy)))


def in_doubt():
    """Whether the parts start together depends on a label, and so does their only step."""
    one = PartBuilder("one", labels=["p", "q"]).state("a", unknown=["p"], initial=True)
    one = one.state("b", "q", unknown=["p"]).step("a", "b").step("b", "b").build()
    two = PartBuilder("two", labels=["p"]).state("s", "p", initial=True).step("s", "s")
    return Composition([one, two.build()])


def test_nothing_fails_where_parts_start_only_perhaps():
    system = in_doubt()
    shown = made(system, "q", False, ((0,), {((0,), 0): None}))
    refused(system, shown, "no initial state is claimed")
    replay_strategy(system, made(system, "!q", True, ((0,), {((0,), 0): None})))


def test_the_winner_makes_no_step_to_states_that_agree_only_perhaps():
    system = in_doubt()
    form = modal_form(parse("<> q"))
    label, step = form.left[form.root], form.root
    claims = {((0, 0), step): StrategyMove((1, 0), label), ((1, 0), label): None}
    refused(
        system,
        made(system, "<> q", True, ((0, 1), claims)),
        "the winner's move is not a legal move",
    )


def test_the_loser_may_make_such_a_step():
    system = in_doubt()
    form = modal_form(parse("[] p"))
    label, step = form.left[form.root], form.root
    alone = ((0, 1), {((0, 0), step): None})
    refused(system, made(system, "[] p", True, alone), "a step of the loser leads to no claim")
    both = ((0, 1), {((0, 0), step): None, ((1, 0), label): None})
    replay_strategy(system, made(system, "[] p", True, both))
