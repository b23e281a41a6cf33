"""Documents about models, judged by the definition: evidence of CTL, of runs, and whole results.

What is true is told by the oracles: for CTL by oracle/contexts.py, for LTL and CTL* by the tableau on all
states that a machine without recursion has. Trees are decoded by the readers of `pigro.evidence`, so that
the judge does not depend on how they are stored. What the readers do not take is judged as far as its
objects tell. Nothing of the replays is used.

Not judged, as docs/certificate-format.md says: whether a path is the shortest one, how many places a claim is proved
at, the bytes of certificates, and what only tells of the run that wrote the file.
"""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pigro.certificates import Malformed, Mismatch
from pigro.certificates.reading import FORMULA, HEADER, SectionReader, frames
from pigro.diagnostics import PigroError
from pigro.engines import ENGINES
from pigro.evidence import WrongEvidence
from pigro.evidence.data import NotEvidence
from pigro.logic import Op, existential_normal_form, parse
from pigro.logic.printer import text_of

from oracle.bounded import unfolded
from oracle.contexts import decide
from oracle.star_formula import closed, is_state_formula, no
from oracle.star_lasso import holds_on, lassos
from oracle.star_tableau import CONNECTIVES
from oracle.star_tableau import decide as decide_star
from support.agreement.ctl import as_model, to_oracle
from support.evidence.documents import head_of, read, read_tree
from support.judges.evidence import EvidenceJudge, Wrong, need
from support.judges.star_decider import as_oracle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.states import Evidence
    from pigro.evidence.states import State as Told
    from pigro.model import RSM

    from oracle.machine import Machine, State
    from oracle.star_structures import Structure

FURTHER = 3
"""How many states more are tried where a run may go on in any way."""
MOST = 150
"""States of a machine that is small enough for CTL*."""
_RESULT = {"formula", "verdict", "reason", "engine", "contexts", "seconds"}
_MORE = {"initial", "visited", "passes", "states", "certificate", "evidence", "steps"}


class ModelJudge:
    """For one machine, however a document says that it is read."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.reading = cache(self._reading)
        self.graph = cache(self._graph)
        self.truth = cache(self._truth)
        self.stars = cache(self._stars)
        self._trees: dict[Any, EvidenceJudge] = {}

    def _reading(self, semantics: str, dead_ends: str) -> tuple[Machine, RSM]:
        """The machine read so, and as a model. `Wrong` if it can't be."""
        need(semantics in ("standard", "rsmcheck", "rmv"), "no such semantics")
        need(dead_ends in ("stutter", "stop", "error"), "no such dead ends")
        meant = replace(
            self.machine,
            semantics=semantics,
            dead_ends="stutter" if dead_ends == "error" else dead_ends,
        )
        try:
            return meant, as_model(replace(meant, dead_ends=dead_ends))
        except PigroError:
            raise Wrong("it can't be read so") from None

    # --- what is true

    def _truth(self, text: str, semantics: str, dead_ends: str, node: int) -> bool:
        """Whether a formula holds at a declared node with the empty stack."""
        machine, model = self.reading(semantics, dead_ends)
        component = model.component_name(node)
        name = model.names.nodes[model.core.declared_of_node(node)]
        started = replace(machine, initial_component=component, initial_nodes=(name,))
        try:
            formula = parse(text)
        except PigroError:
            raise Wrong("no formula") from None
        if formula.is_ctl:
            return decide(started, to_oracle(text))
        need(formula.fragment.name != "MU", "no formula of this kind")
        numbers, _ = self.graph(semantics, dead_ends, component)
        return numbers[(), name] in self.stars(
            text, semantics, dead_ends, component, len(formula) - 1
        )

    def _graph(
        self, semantics: str, dead_ends: str, component: str
    ) -> tuple[dict[State, int], Structure]:
        """All states with this component at the bottom that its nodes lead to."""
        machine, _ = self.reading(semantics, dead_ends)
        machine = replace(machine, initial_component=component)
        starts = [((), node.name) for node in machine.component[component].nodes]
        return unfolded(machine, starts, MOST)

    def _stars(
        self, text: str, semantics: str, dead_ends: str, component: str, node: int
    ) -> set[int]:
        """The states where a part of a formula holds; a path formula means A of it."""
        _, structure = self.graph(semantics, dead_ends, component)
        return decide_star(structure, closed(as_oracle(parse(text))[node]))

    def verdict(self, text: str, reading: tuple[str, str], nodes: Sequence[int]) -> list[bool]:
        """The truth at each of some nodes."""
        _, model = self.reading(*reading)
        for node in nodes:
            there = 0 <= node < model.core.nodes and model.core.box(node) < 0
            need(there, "no such initial node")
        need(nodes and len(set(nodes)) == len(nodes), "no initial nodes, or one twice")
        return [self.truth(text, *reading, node) for node in nodes]

    # --- documents

    def wrong(self, document: Any) -> str | None:
        """The fault of a document of any kind. None if there is none. Unreadable ones have one."""
        try:
            self._document(document)
        except Wrong as what:
            return str(what)
        except PigroError as error:
            return f"no formula: {error.code}"
        except (
            KeyError,
            TypeError,
            IndexError,
            ValueError,
            AttributeError,
            RecursionError,
        ) as error:
            return f"malformed: {type(error).__name__}"
        return None

    def _document(self, document: Any) -> None:
        schema = document["schema"]
        if schema == "pigro.result/2":
            self._results(document)
        elif schema == "pigro.run/2":
            self._run(document)
        else:
            need(schema == "pigro.evidence/2", "no such schema")
            self._tree(document)

    def _names(self, document: Any, model: RSM) -> None:
        """Names and labels of whatever looks like a node, and names of what looks like a box."""
        pending = [document]
        while pending:
            at = pending.pop()
            if isinstance(at, list):
                pending += at
            if not isinstance(at, dict):
                continue
            pending += at.values()
            if {"number", "name", "labels"} <= set(at):
                core, node = model.core, at["number"]
                need(0 <= node < core.nodes, "no such node")
                need(model.node_name(node) == at["name"], "another name")
                subject = core.subject(node)
                carried = {
                    name
                    for name, label in model.label_ids.items()
                    if subject in core.labelled(label)
                }
                need(sorted(carried) == sorted(at["labels"]), "other labels")
            elif {"number", "name"} <= set(at):
                core, box = model.core, at["number"]
                need(0 <= box < core.boxes, "no such box")
                component = model.names.components[core.box_component(box)]
                need(f"{component}:{model.names.boxes[box]}" == at["name"], "another name")

    def _texts(self, document: Any, text: Any) -> None:
        """The text of each subformula is that of its number."""
        pending = [document]
        while pending:
            at = pending.pop()
            if isinstance(at, list):
                pending += at
            elif isinstance(at, dict):
                pending += at.values()
                if {"part", "formula"} <= set(at):
                    need(
                        type(at["part"]) is int and text(at["part"]) == at["formula"],
                        "another text",
                    )

    def _tree(self, document: Any) -> tuple[tuple[str, str], tuple[int, ...]]:
        """Checks evidence of CTL. Returns how the model is read, and where it starts."""
        need(
            set(document) >= {"formula", "verdict", "certificate", "evidence"}, "fields are missing"
        )
        need(document["verdict"] in ("holds", "fails"), "no verdict")
        data = base64.b64decode(document["certificate"], validate=True)
        try:
            [body] = [body for kind, body in frames(data) if kind == FORMULA]
            _, _, initial = SectionReader(body).statement()
        except (Malformed, ValueError):
            raise Wrong("no certificate") from None
        need(data[20] < 3, "no such semantics")
        reading = (("standard", "rsmcheck", "rmv")[data[20]], "stop" if data[21] else "stutter")
        truths = self.verdict(document["formula"], reading, initial)
        holds = document["verdict"] == "holds"
        need(all(truths) is holds, "the verdict is false")
        formula = parse(document["formula"])
        need(formula.is_ctl, "not of CTL")
        form = existential_normal_form(formula)
        machine, model = self.reading(*reading)
        model = model.with_initial(initial)
        self._names(document, model)
        self._texts(
            document["evidence"],
            lambda part: str(form.readable(part)) if 0 <= part < len(form) else None,
        )
        try:
            evidence = read_tree(model, json.dumps(document).encode())
        except (NotEvidence, WrongEvidence, Mismatch):
            raise Wrong("unreadable") from None
        self._judge_tree(evidence, document["formula"], reading, machine, model, holds)
        return reading, initial

    def _judge_tree(self, evidence, text, reading, machine, model, holds) -> None:
        need(
            0 <= evidence.state.node < model.core.nodes and not evidence.state.stack,
            "it starts elsewhere",
        )
        bottom = model.component_name(evidence.state.node)
        key = (text, reading, bottom)
        if key not in self._trees:
            started = replace(
                machine,
                initial_component=bottom,
                initial_nodes=(machine.component[bottom].nodes[0].name,),
            )
            self._trees[key] = EvidenceJudge(started, model, existential_normal_form(parse(text)))
        judge = self._trees[key]
        judge.model, judge.holds = model, holds
        found = judge.wrong(evidence)
        need(found is None, found or "")

    def _run(self, document: Any) -> tuple[tuple[str, str], tuple[int, ...]]:
        """Checks evidence of LTL and CTL*. Returns how the model is read, and where it starts."""
        try:
            head = head_of(json.dumps(document).encode(), "run")
        except NotEvidence:
            raise Wrong("unreadable") from None
        reading = (head.semantics, head.dead_ends)
        machine, model = self.reading(*reading)
        need(head.digest == model.digest.hex(), "another model")
        truths = self.verdict(head.formula, reading, head.initial)
        holds = head.verdict == "holds"
        need(all(truths) is holds, "the verdict is false")
        self._names(document, model)
        formula = parse(head.formula)
        self._texts(
            document, lambda part: text_of(formula, part) if 0 <= part < len(formula) else None
        )
        try:
            shown = read(model, json.dumps(document).encode())
            model, formula, evidence = shown.subject, shown.formula, shown.evidence
        except (NotEvidence, WrongEvidence, Mismatch):
            raise Wrong("unreadable") from None
        need(
            not evidence.state.stack and evidence.state.node in model.initial, "it starts elsewhere"
        )
        need(
            evidence.part == len(formula) - 1 and evidence.truth is holds,
            "it is about something else",
        )
        bottom = model.component_name(evidence.state.node)
        judge = _Runs(
            self, head.formula, reading, bottom, replace(machine, initial_component=bottom), model
        )
        judge.root(evidence)
        return reading, tuple(head.initial)

    def _results(self, document: Any) -> None:
        fields = {"schema", "model", "results", "warnings", "certificates", "tables"}
        need(set(document) == fields, "other fields")
        said = document["model"]
        need({"file", "semantics", "dead_ends", "initial"} <= set(said), "fields are missing")
        need(
            set(said)
            <= {"file", "semantics", "dead_ends", "initial", "statistics", "load_seconds"},
            "other fields",
        )
        reading = (said["semantics"], said["dead_ends"])
        _, model = self.reading(*reading)
        initial = _nodes(model, said["initial"])
        for row in document["results"]:
            need(set(row) >= _RESULT and set(row) <= _RESULT | _MORE, "other fields")
            need(type(row["reason"]) is str and row["engine"] in ENGINES, "no such engine")
            need(row["verdict"] in ("holds", "fails", "unknown"), "no verdict")
            nodes = _nodes(model, row["initial"]) if "initial" in row else initial
            if row["verdict"] != "unknown":
                self._result(document, row, reading, nodes, model)
            elif "evidence" in row:
                raise Wrong("evidence of nothing")
            else:
                parse(row["formula"])

    def _result(
        self, whole: Any, row: Any, reading: tuple[str, str], nodes: list[int], model: RSM
    ) -> None:
        truths = self.verdict(row["formula"], reading, nodes)
        need(all(truths) is (row["verdict"] == "holds"), "the verdict is false")
        if "evidence" not in row:
            return
        inside = row["evidence"]
        need(
            (inside["formula"], inside["verdict"]) == (row["formula"], row["verdict"]),
            "evidence of another verdict",
        )
        need(inside["schema"] in ("pigro.evidence/2", "pigro.run/2"), "no such schema")
        need("tables" not in inside, "tables inside a result")
        judge = self._run if inside["schema"] == "pigro.run/2" else self._tree
        found, starts = judge(alone(whole, inside))
        same = (found[0], found[1] == "stop") == (reading[0], reading[1] == "stop")
        need(same, "the evidence reads the model otherwise")
        need(list(starts) == nodes, "the evidence starts elsewhere")


def alone(whole: Any, piece: Any) -> Any:
    """The evidence of a result as a document of its own."""
    made = {**piece, "tables": whole["tables"]}
    if "certificate" in piece:
        need(type(piece["certificate"]) is int and piece["certificate"] >= 0, "no certificate")
        data = base64.b64decode(whole["certificates"], validate=True)
        try:
            bodies = [body for kind, body in frames(data) if kind == FORMULA]
        except Malformed:
            raise Wrong("no certificate") from None
        body = bodies[piece["certificate"]]
        file = data[:HEADER] + FORMULA + _number(len(body)) + body
        made["certificate"] = base64.b64encode(file).decode()
    return made


def _number(value: int) -> bytes:
    """In LEB128."""
    made = bytearray()
    while value >= 128:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def _nodes(model: RSM, names: Any) -> list[int]:
    known = {}
    for number in range(model.core.declared_nodes):
        node = model.core.node_of_declared(number)
        known[model.node_name(node)] = node
    need(
        names and all(type(each) is str and each in known for each in names),
        "no such initial nodes",
    )
    need(len(set(names)) == len(names), "an initial node twice")
    return [known[name] for name in names]


class _Runs:
    """Judges evidence of runs, of one formula, on the states of one component."""

    def __init__(
        self, judge: ModelJudge, text: str, reading: Any, bottom: str, machine: Machine, model: RSM
    ) -> None:
        self.formula = parse(text)
        self.meant = as_oracle(self.formula)
        self.numbers, self.structure = judge.graph(*reading, bottom)
        self.where = lambda part: judge.stars(text, *reading, bottom, part)
        self.states = EvidenceJudge.__new__(EvidenceJudge)
        self.states.machine, self.states.model = machine, model

    def number(self, told: Told) -> int:
        state = self.states.state(told)
        need(state in self.numbers, "a state that no run reaches")
        return self.numbers[state]

    def root(self, evidence: Evidence) -> None:
        here = self.number(evidence.state)
        for at in (evidence, *evidence.parts):
            need(0 <= at.part < len(self.formula), "no such subformula")
            need((self.number(at.state) in self.where(at.part)) is at.truth, "it is not so")
            self._item(at, here)
            need(at is evidence or not at.parts, "a tree that is too deep")

    def _item(self, at: Evidence, here: int) -> None:
        meant = self.meant[at.part]
        if at.kind == "run":
            self._run(at)
        elif at.kind == "boolean":
            need(is_state_formula(meant) and meant[0] in (*CONNECTIVES, "not"), "no boolean")
            need(all(self.number(part.state) == here for part in at.parts), "parts are elsewhere")
            self._decided(meant, {self.meant[part.part]: part.truth for part in at.parts}, at)
        elif at.kind == "label":
            need(meant[0] in ("atom", "true", "false"), "no label")
        else:
            need(at.kind == "claim" and meant[0] not in ("atom", "true", "false"), "no claim")

    def _decided(self, meant: Any, told: dict[Any, bool], at: Evidence) -> None:
        leaves = sorted(set(_leaves(meant)), key=str)
        values = [[]]
        for leaf in leaves:
            constant = (leaf[0] == "true",) if leaf[0] in ("true", "false") else (False, True)
            choices = (told[leaf],) if leaf in told else constant
            values = [[*row, value] for row in values for value in choices]
        for row in values:
            found = _value(meant, dict(zip(leaves, row, strict=True)))
            need(found is at.truth, "its parts do not decide a boolean")

    def _run(self, at: Evidence) -> None:
        need(at.path is not None and at.path.states, "no run")
        states = [self.number(each) for each in at.path.states]
        need(states[0] == self.number(at.state), "a run starts elsewhere")
        for before, after in pairwise(states):
            need(after in self.structure.after(before), "no step")
        for node, truths in at.facts:
            need(
                0 <= node < len(self.formula) and len(truths) == len(states), "a fact about nothing"
            )
            for state, told in zip(states, truths, strict=True):
                need(told is None or (state in self.where(node)) is told, "a fact is wrong")
        op = self.formula.ops[at.part]
        need(at.truth is (op == Op.E), "a run can't show that")
        body = self.meant[self.formula.left[at.part]] if op in (Op.A, Op.E) else self.meant[at.part]
        wanted = body if op == Op.E else no(body)
        for whole, loop in self._ways(states, at.path):
            word = [self._letter(state) for state in whole]
            need(holds_on(wanted, word, loop), "a run does not show it")

    def _ways(self, states: list[int], path: Any) -> Iterator[tuple[list[int], int | None]]:
        last = states[-1]
        if path.ends == "loop":
            need(path.start is not None and 0 <= path.start < len(states), "no such start")
            need(states[path.start] in self.structure.after(last), "a loop is not closed")
            yield states, path.start
            return
        if path.ends == "stays":
            after = self.structure.after(last)
            need(set(after) <= {last}, "it does not stay")
            yield states, len(states) - 1 if after else None
            return
        need(path.ends == "here", "no such end")
        for more, loop in lassos(self.structure, last, FURTHER):
            yield [*states[:-1], *more], None if loop is None else len(states) - 1 + loop

    def _letter(self, state: int) -> set[Any]:
        inner = (node for node, op in enumerate(self.formula.ops) if op in (Op.A, Op.E))
        return {
            *self.structure.labels[state],
            *(self.meant[n] for n in inner if state in self.where(n)),
        }


def _leaves(meant: Any) -> list[Any]:
    if meant[0] not in (*CONNECTIVES, "not"):
        return [meant]
    return [leaf for operand in meant[1:] for leaf in _leaves(operand)]


def _value(meant: Any, known: dict[Any, bool]) -> bool:
    if meant in known:
        return known[meant]
    sides = [_value(each, known) for each in meant[1:]]
    return not sides[0] if meant[0] == "not" else CONNECTIVES[meant[0]](*sides)
