"""Random compositions with a formula: asked of the product, compared, made smaller, told as code.

`compare` asks many cases. Where an answer is wrong it fails with the smallest case it finds, as code
to paste into a test.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from pigro.logic import parse
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from oracle.mu_formula import (
    FALSE,
    TRUE,
    Formula,
    everything_in,
    is_well_formed,
    operands,
    text,
    with_operands,
)
from oracle.mu_structures import STEP, Structure, are_composable, names_in, restricted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.model.part import Part

    from oracle.mu_structures import Value


@dataclass(frozen=True)
class Case:
    """Parts, and a formula about their composition."""

    parts: tuple[Structure, ...]
    formula: Formula


def to_pigro(structure: Structure, name: str = "part") -> Part:
    """The oracle's structure as users build one by hand."""
    builder = PartBuilder(name, labels=structure.atoms, actions=structure.actions)
    for state in structure.states:
        row = structure.labels[state]
        builder.state(
            f"s{state}",
            *(label for label, value in row.items() if value is True),
            unknown=[label for label, value in row.items() if value is None],
            initial=state in structure.initial,
        )
    for (source, action, target), must in structure.steps.items():
        builder.step(f"s{source}", f"s{target}", None if action == STEP else action, must=must)
    for source, action, targets in structure.sets:
        names = [f"s{target}" for target in targets]
        builder.hyper_step(f"s{source}", names, None if action == STEP else action)
    return builder.build()


def composition_of(parts: Iterable[Structure]) -> Composition:
    return Composition(tuple(to_pigro(part, f"m{index}") for index, part in enumerate(parts)))


def ask(case: Case, method: str):
    """What the product says: its verdict."""
    from pigro import compose_check

    return compose_check(composition_of(case.parts), parse(text(case.formula)), method=method)


def compare(
    cases: Iterable[tuple[Case, object]],
    told: Callable[[Case], object],
    truth: Callable[[Case], object],
) -> set[object]:
    """All answers that were found right. Fails with the smallest wrong case near the first.

    The true answers come with the cases. `truth` is asked again only for smaller ones.
    """
    found = set()
    for case, expected in cases:
        if _outcome(told, case) != expected:
            pytest.fail(_report(case, told, truth), pytrace=False)
        found.add(expected)
    return found


def _report(case: Case, told: Callable[[Case], object], truth: Callable[[Case], object]) -> str:
    first = _outcome(told, case)
    small = shrunk(case, lambda each: _still_wrong(each, told, truth, first))
    answers = f"told: {_outcome(told, small)!r}, true: {truth(small)!r}"
    return f"{code(small)}\n# {answers}\n# made smaller from\n{code(case)}"


def _outcome(told: Callable[[Case], object], case: Case) -> object:
    """The answer, or the error as text: that is never right."""
    try:
        return told(case)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is made smaller and told
        return f"{type(error).__name__}: {error}"


def _still_wrong(
    case: Case, told: Callable[[Case], object], truth: Callable[[Case], object], first: object
) -> bool:
    """Is the case wrong in the same way, by an error or by an answer?"""
    answer = _outcome(told, case)
    if isinstance(answer, str) and isinstance(first, str):
        return answer.partition(":")[0] == first.partition(":")[0]
    return isinstance(answer, str) is isinstance(first, str) and answer != truth(case)


def shrunk(case: Case, is_wrong: Callable[[Case], bool]) -> Case:
    """The case with things left out as long as it stays wrong."""
    going = True
    while going:
        going = False
        for smaller in _smaller(case):
            if is_wrong(smaller):
                case, going = smaller, True
                break
    return case


def code(case: Case) -> str:
    """The case as Python code."""
    lines = ["case = Case(", "    ("]
    for part in case.parts:
        told = [repr(part.labels), repr(part.initial), repr(part.steps)]
        told += [repr(part.actions)] if part.actions is not None else []
        told += [f"sets={part.sets!r}"] if part.sets else []
        lines.append(f"        Structure({', '.join(told)}),")
    return "\n".join([*lines, "    ),", f"    {case.formula!r},  # {text(case.formula)}", ")"])


def _smaller(case: Case) -> Iterator[Case]:
    for candidate in _candidates(case):
        if _asked(candidate.formula) <= set(sum(names_in(candidate.parts), ())) and are_composable(
            candidate.parts
        ):
            yield candidate


def _asked(formula: Formula) -> set[str]:
    """The labels and actions that a formula speaks of."""
    inside = list(everything_in(formula))
    labels = {f[1] for f in inside if f[0] == "atom"}
    return labels.union(*(f[1] or () for f in inside if f[0] in ("dia", "box")))


def _candidates(case: Case) -> Iterator[Case]:
    for index in range(len(case.parts)) if len(case.parts) > 1 else ():
        yield replace(case, parts=case.parts[:index] + case.parts[index + 1 :])
    for formula in _smaller_formulas(case.formula):
        if is_well_formed(formula):
            yield replace(case, formula=formula)
    for index, part in enumerate(case.parts):
        for smaller in _smaller_parts(part):
            yield replace(case, parts=(*case.parts[:index], smaller, *case.parts[index + 1 :]))


def _smaller_formulas(f: Formula) -> Iterator[Formula]:
    """One subformula replaced by a constant or by one of its operands."""
    inside = operands(f)
    if f not in (TRUE, FALSE):
        yield TRUE
        yield FALSE
    yield from inside
    if f[0] in ("dia", "box") and f[1] is not None:
        yield (f[0], None, f[2])
        if len(f[1]) > 1:
            yield from ((f[0], tuple(a for a in f[1] if a != gone), f[2]) for gone in f[1])
    for index, operand in enumerate(inside):
        for smaller in _smaller_formulas(operand):
            yield with_operands(f, (*inside[:index], smaller, *inside[index + 1 :]))


def _smaller_parts(part: Structure) -> Iterator[Structure]:
    for gone in part.states:
        kept = [state for state in part.states if state != gone]
        if set(kept) & set(part.initial):
            yield restricted(part, kept)
    for gone in part.initial if len(part.initial) > 1 else ():
        yield replace(part, initial=tuple(state for state in part.initial if state != gone))
    for gone in part.sets:
        yield replace(part, sets=part.sets - {gone})
    for gone in part.steps if not part.sets else ():
        yield replace(part, steps={step: m for step, m in part.steps.items() if step != gone})
    for gone in part.actions or ():
        yield replace(
            part,
            actions=tuple(action for action in part.actions or () if action != gone),
            steps={step: must for step, must in part.steps.items() if step[1] != gone},
            sets=frozenset(each for each in part.sets if each[1] != gone),
        )
    for gone in part.atoms if len(part.atoms) > 1 else ():
        atoms = tuple(name for name in part.atoms if name != gone)
        rows = tuple({name: row[name] for name in atoms} for row in part.labels)
        yield replace(part, labels=rows, atoms=atoms)
    for step, must in part.steps.items():
        if not must:
            yield replace(part, steps=part.steps | {step: True})
    yield from _known(part)


def _known(part: Structure) -> Iterator[Structure]:
    """One label known or false instead of unknown or true."""
    for state, row in enumerate(part.labels):
        for name, value in row.items():
            values: tuple[Value, ...] = {None: (False, True), True: (False,), False: ()}[value]
            for other in values:
                rows = (*part.labels[:state], row | {name: other}, *part.labels[state + 1 :])
                yield replace(part, labels=rows)


def talking() -> Composition:
    """A sender that asks until it is answered, and a receiver."""
    sender = PartBuilder("sender", labels=["req", "ack"])
    sender.state("idle", initial=True).state("sent", "req").state("done", "ack")
    for step in ("idle sent", "idle idle", "sent sent", "sent done", "done idle"):
        sender.step(*step.split())
    receiver = PartBuilder("receiver", labels=["ack", "on"])
    receiver.state("off", initial=True).state("got", "ack", "on")
    for step in ("off off", "off got", "got off"):
        receiver.step(*step.split())
    return Composition([sender.build(), receiver.build()])
