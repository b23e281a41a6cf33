"""Documents of strategies, judged by the definition of the game on the whole composition.

A document is false if anything in it is: the verdict, a claim in some composed state, a block, a name or a
text, or if it proves nothing: the winner, who has no moves but those that the document gives him in the
positions that it claims, does not win. Nothing of `pigro.evidence` is used. Claims that are about no
composed state say nothing.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import PigroError
from pigro.logic import parse
from pigro.logic.modal import AND, BOX, DIAMOND, NEGATED, OR, modal_form
from pigro.logic.modal_text import modal_texts

from oracle.mu_formula import TAU
from oracle.mu_graphs import solved
from oracle.mu_structures import STEP, composed, lifted
from oracle.parity import Game
from support.judges.strategies import _rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.mu_structures import Structure


_RESULT = {
    "formula", "verdict", "reason", "method", "decided_by", "seconds", "full_nodes", "layers", "rounds",
    "symbolic",
}  # fmt: skip


METHODS = ("concrete", "full", "refine", "refine-one", "symbolic")


class Wrong(Exception):
    """What is wrong."""


def need(fine: object, what: str) -> None:
    if not fine:
        raise Wrong(what)


class StrategyJudge:
    """For one composition, with parts m0, m1, ... of states s0, s1, ..."""

    def __init__(self, parts: Sequence[Structure]) -> None:
        self.parts = parts
        made = composed(parts)
        self.whole, self.tuples = made.whole, made.tuples
        self._truths: dict[tuple[str, str], Any] = {}

    def wrong(self, document: Any) -> str | None:
        """Its fault. None if there is none."""
        try:
            if document["schema"] == "pigro.composition/1":
                self._results(document)
            else:
                self._document(document)
        except Wrong as what:
            return str(what)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            return f"malformed: {type(error).__name__}"
        return None

    def verdict(self, text: str, dead_ends: str) -> bool | None:
        """Whether a formula holds, by the game on the whole composition."""
        if (text, dead_ends) not in self._truths:
            self._truths[text, dead_ends] = _value_of(self.whole, text, dead_ends)
        return self._truths[text, dead_ends]

    def _results(self, document: Any) -> None:
        """Results of `pigro compose`. Sizes and the rounds of refinement are not judged."""
        fields = {"schema", "parts", "composed_states", "dead_ends", "results", "warnings"}
        need(fields <= set(document) <= fields | {"load_seconds"}, "other fields")
        told = [
            {
                "name": f"m{at}",
                "states": len(part.labels),
                "steps": len(part.steps),
                "labels": list(part.atoms),
                "actions": None if part.actions is None else list(part.actions),
            }
            for at, part in enumerate(self.parts)
        ]
        order = self._order(document["parts"])
        need(document["parts"] == [told[at] for at in order], "other parts")
        need(document["dead_ends"] in ("stutter", "stop"), "no way to read dead ends")
        for row in document["results"]:
            need(_RESULT <= set(row) <= _RESULT | {"evidence"}, "other fields")
            need(row["verdict"] in ("holds", "fails", "unknown"), "no verdict")
            self._askable(row["formula"], document["dead_ends"])
            need(row["method"] in METHODS, "no method")
            if row["verdict"] == "unknown":
                need(row["decided_by"] == [], "no part decided it")
                need("evidence" not in row, "evidence of nothing")
            else:
                self._result(row, document["dead_ends"], [f"m{at}" for at in order])

    def _result(self, row: Any, dead_ends: str, names: list[str]) -> None:
        truth = self.verdict(row["formula"], dead_ends)
        need(truth is (row["verdict"] == "holds"), "the verdict is false")
        by = row["decided_by"]
        need(by and by == [name for name in names if name in by], "parts that are none")
        if len(by) == 1 and len(names) > 1:
            need(
                self._alone(int(by[0][1:]), row["formula"], dead_ends) is truth,
                "it does not decide",
            )
        for layer in row["layers"]:
            own = layer["parts"]
            need(own and own == [name for name in names if name in own], "parts that are none")
            need(layer["value"] in ("holds", "fails", "unknown"), "no value")
            need(
                layer["value"] in ("unknown", row["verdict"]), "a game that was lost by the winner"
            )
            if layer["value"] != "unknown" and len(own) == 1 < len(names) and not row["rounds"]:
                alone = self._alone(int(own[0][1:]), row["formula"], dead_ends)
                need(alone is truth, "it does not decide")
        if "evidence" in row:
            need(row["symbolic"] is None, "diagrams of nothing")
            inside = row["evidence"]
            same = (inside["formula"], inside["verdict"], inside["dead_ends"])
            need(same == (row["formula"], row["verdict"], dead_ends), "evidence of something else")
            self._document(inside)

    def _alone(self, at: int, text: str, dead_ends: str) -> bool | None:
        """What one part says of a formula, whatever the others do."""
        key = (f"{at} {text}", dead_ends)
        if key not in self._truths:
            self._truths[key] = _value_of(lifted(self.parts, at), text, dead_ends)
        return self._truths[key]

    def _order(self, told: Any) -> list[int]:
        """The parts in the order of a document, which may be any."""
        names = [f"m{at}" for at in range(len(self.parts))]
        need(sorted(each["name"] for each in told) == names, "other parts")
        return [names.index(each["name"]) for each in told]

    def _askable(self, text: str, dead_ends: str) -> None:
        """A formula that can be asked: of the mu-calculus, about actions that there are."""
        try:
            form = modal_form(parse(text), dead_ends=dead_ends)
        except PigroError:
            raise Wrong("no formula") from None
        known = {name for part in self.parts for name in part.actions or ()}
        known |= set() if self.parts[0].actions is None else {TAU}
        need(
            {name for names in form.actions for name in names} <= known, "actions that no part has"
        )

    def _document(self, document: Any) -> None:
        fields = {"schema", "formula", "verdict", "dead_ends", "parts", "subformulas", "layers"}
        need(set(document) == fields, "other fields")
        need(document["schema"] == "pigro.strategy/1", "another schema")
        need(document["verdict"] in ("holds", "fails"), "no verdict")
        need(document["dead_ends"] in ("stutter", "stop"), "no way to read dead ends")
        self._askable(document["formula"], document["dead_ends"])
        formula = parse(document["formula"])
        form = modal_form(formula, dead_ends=document["dead_ends"])
        holds = document["verdict"] == "holds"
        need(
            self.verdict(document["formula"], document["dead_ends"]) is holds,
            "the verdict is false",
        )
        order = self._order(document["parts"])
        told = dict(zip(order, document["parts"], strict=True))
        blocks = [self._blocks(at, told[at]) for at in range(len(self.parts))]
        texts = modal_texts(formula, dead_ends=document["dead_ends"])
        numbers = set()
        for each in document["subformulas"]:
            need(
                set(each) == {"number", "text"} and type(each["number"]) is int,
                "a subformula is none",
            )
            need(0 <= each["number"] < len(texts), "no such subformula")
            need(texts[each["number"]] == each["text"], "another text")
            numbers.add(each["number"])
        claims = [
            claim
            for layer in document["layers"]
            for claim in self._claims(layer, blocks, len(texts))
        ]
        used = {claim[2] for claim in claims} | {claim[3][1] for claim in claims if claim[3]}
        need(used == numbers, "subformulas that are not told, or not used")
        need(claims, "no claims")
        self._play(form, blocks, claims, holds=holds)

    def _blocks(self, at: int, told: Any) -> list[str]:
        """For each state of a part the name that positions have for it."""
        part = self.parts[at]
        need(set(told) == {"name", "blocks"}, "other fields")
        if told["blocks"] is None:
            return [f"s{state}" for state in part.states]
        home: dict[int, dict[str, Any]] = {}
        names = [block["name"] for block in told["blocks"]]
        need(len(set(names)) == len(names), "two blocks of one name")
        for block in told["blocks"]:
            need(set(block) == {"name", "states", "labels", "unknown", "steps"}, "other fields")
            need(block["states"] and type(block["name"]) is str, "an empty block")
            for name in block["states"]:
                state = self._state(at, name)
                need(state not in home, "a state in two blocks")
                home[state] = block
        need(set(home) == set(part.states), "a state in no block")
        for state, block in home.items():
            self._block(at, state, block, home)
        return [home[state]["name"] for state in part.states]

    def _state(self, at: int, name: Any) -> int:
        states = {f"s{state}": state for state in self.parts[at].states}
        need(type(name) is str and name in states, "no such state")
        return states[name]

    def _block(self, at: int, state: int, block: Any, home: dict[int, Any]) -> None:
        part = self.parts[at]
        need(set(block["labels"]) | set(block["unknown"]) <= set(part.atoms), "a label of no part")
        for label in part.atoms:
            if label not in block["unknown"]:
                need(
                    part.labels[state][label] is (label in block["labels"]),
                    "a block has other labels",
                )
        told = {
            (step["to"], STEP if step["action"] is None else step["action"])
            for step in block["steps"]
        }
        alphabet = {STEP} if part.actions is None else {*part.actions, TAU}
        need({action for _, action in told} <= alphabet, "an action of no part")
        need(
            {to for to, _ in told} <= {each["name"] for each in home.values()}, "a step to no block"
        )
        steps = [
            (action, target, must)
            for (source, action, target), must in part.steps.items()
            if source == state
        ]
        for action, target, _ in steps:
            need((home[target]["name"], action) in told, "a block lacks a step")
        sure = {(home[target]["name"], action) for action, target, must in steps if must}
        for step in block["steps"]:
            need(
                set(step) == {"to", "action", "must"} and type(step["must"]) is bool, "other fields"
            )
            action = STEP if step["action"] is None else step["action"]
            need(not step["must"] or (step["to"], action) in sure, "a block has a step too many")

    def _claims(self, layer: Any, blocks: list[list[str]], count: int) -> list[Any]:
        """Of a layer: parts, states, subformula, and the move as states, subformula and action."""
        need(set(layer) == {"parts", "claims"}, "other fields")
        names = [f"m{at}" for at in range(len(self.parts))]
        need(layer["parts"] and all(name in names for name in layer["parts"]), "no such part")
        own = [names.index(name) for name in layer["parts"]]
        need(len(set(own)) == len(own), "a part twice")

        def position(told: Any) -> tuple[tuple[str, ...], int]:
            states, node = told["states"], told["formula"]
            need(type(node) is int and 0 <= node < count, "no such subformula")
            need(len(states) == len(own), "not a state of each part")
            need(
                all(name in blocks[part] for part, name in zip(own, states, strict=True)),
                "no such state",
            )
            return tuple(states), node

        found = []
        for claim in layer["claims"]:
            need(set(claim) == {"states", "formula", "move"}, "other fields")
            move = claim["move"]
            if move is not None:
                need(set(move) == {"states", "formula", "action"}, "other fields")
                need(move["action"] is None or type(move["action"]) is str, "no action")
            found.append(
                (own, *position(claim), None if move is None else (*position(move), move["action"]))
            )
        return found

    def _play(self, form: Any, blocks: list[list[str]], claims: list[Any], *, holds: bool) -> None:
        """The winner keeps to the moves that are told, and loses where nothing is claimed."""
        whole, width, winner = self.whole, len(form.ops), 0 if holds else 1
        seen = [
            tuple(blocks[part][state] for part, state in enumerate(states))
            for states in self.tuples
        ]
        where: dict[tuple[int, int], list[Any]] = {}
        for claim in claims:
            own, states, node, _ = claim
            for number, names in enumerate(seen):
                if tuple(names[part] for part in own) == states:
                    where.setdefault((number, node), []).append(claim)
        owner, priority, edges, moved = [], [], [], []
        for number, node in product(whole.states, range(width)):
            who, after = _rule(whole, number, form, node)
            here = where.get((number, node))
            row = [(to * width + child, True) for to, child in after]
            if here is None:
                who, row = winner, []
            elif form.ops[node] in ((OR, DIAMOND) if holds else (AND, BOX)):
                row = []
                for own, _, _, move in here:
                    need(move is not None, "no move is told")
                    found = [
                        (to * width + child, True)
                        for to, child in self._moves(form, number, node, own, move, seen)
                    ]
                    need(found, "a move is none")
                    moved.append(found)
                    row += found
            else:
                need(all(move is None for *_, move in here), "a move where there is no choice")
            if form.ops[node] > NEGATED and who not in (0, 1):
                who = 1 - winner
            owner.append(who)
            priority.append(form.priority[node])
            edges.append(tuple(row))
        colours = solved(Game(tuple(owner), tuple(priority), tuple(edges)))
        for number, node in where:
            need(colours[number * width + node] is holds, "a claim is false, or not shown")
        for found in moved:
            need(any(colours[target] is holds for target, _ in found), "a move loses")
        starts = [(state, form.root) in where for state in whole.initial]
        need(all(starts) if holds else any(starts), "the initial states are not claimed")

    def _moves(
        self, form: Any, number: int, node: int, own: list[int], move: Any, seen: Any
    ) -> list[Any]:
        """The positions that a move means, in one composed state."""
        states, child, action = move
        if form.ops[node] in (AND, OR):
            same = tuple(seen[number][part] for part in own) == states and action is None
            return (
                [(number, child)] if same and child in (form.left[node], form.right[node]) else []
            )
        names = None if form.right[node] < 0 else form.actions[form.right[node]]
        by = STEP if action is None else action
        if child != form.left[node] or (names is not None and by not in names):
            return []
        return [
            (to, child)
            for to in self.whole.after(number, (by,), must=True)
            if tuple(seen[to][part] for part in own) == states
        ]


def _value_of(whole: Structure, text: str, dead_ends: str) -> bool | None:
    """The value of a formula in the initial states, by the game."""
    form = modal_form(parse(text), dead_ends=dead_ends)
    width = len(form.ops)
    rows = [
        (node, *_rule(whole, state, form, node))
        for state, node in product(whole.states, range(width))
    ]
    game = Game(
        tuple(owner for _, owner, _ in rows),
        tuple(form.priority[node] for node, _, _ in rows),
        tuple(
            tuple((to * width + child, must) for (to, child), must in after.items())
            for *_, after in rows
        ),
    )
    colours = solved(game)
    found = {colours[state * width + form.root] for state in whole.initial}
    return False if False in found else None if None in found else True
