"""One random case, asked of the oracle and of every engine."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from pigro import _core, kripke
from pigro.engines import ENGINES
from pigro.engines.native import NativeEngine
from pigro.formats import rsm_json
from pigro.logic import Op, parse

from oracle import contexts
from oracle.exhaustive import Size, all_machines
from oracle.formula import Formula, to_text
from oracle.generate import random_case, random_formula
from oracle.machine import Machine, to_json_dict
from oracle.notation import machine_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pigro.engines import Engine
    from pigro.logic import Formula as Asked
    from pigro.model import RSM

    from oracle.star_structures import Structure


ALL_ENGINES = {
    "exhaustive": ENGINES["exhaustive"],
    "demand, forward": NativeEngine("demand", _core.Engine.DEMAND_FORWARD),
    "demand, backward": NativeEngine("demand", _core.Engine.DEMAND_BACKWARD),
    "demand, functions": NativeEngine("demand", _core.Engine.DEMAND_FUNCTIONS),
}
"""The native engines, fast enough for many cases. `demand` in all ways, whichever it would choose."""


def as_model(machine: Machine) -> RSM:
    """The oracle's machine through the door that users take: `.rsm` bytes."""
    data = json.dumps(to_json_dict(machine)).encode()
    return rsm_json.read(data, semantics=machine.semantics, dead_ends=machine.dead_ends)


def agree_on_all(
    sized: tuple[Size, int],
    shard: int,
    shards: int,
    decide: Callable[[Machine], Sequence[bool]],
    asked: Sequence[Asked],
    engines: Mapping[str, Engine],
) -> None:
    """Asks engines and the oracle about one shard of all machines of a size.

    `sized` also has their number, so that the enumeration can't shrink unseen.
    """
    size, count = sized
    checked = 0
    for machine in islice(all_machines(size), shard, None, shards):
        truths, model = decide(machine), as_model(machine)
        for engine in engines.values():
            assert [each.holds for each in engine.check_all(model, asked)] == truths, machine
        checked += 1
    assert checked == len(range(shard, count, shards))


def as_kripke(structure: Structure) -> RSM:
    """The oracle's structure as users build one by hand."""
    names = structure.names
    return kripke(
        {
            name: [names[t] for t in row]
            for name, row in zip(names, structure.successors, strict=True)
        },
        labels=dict(zip(names, structure.labels, strict=True)),
        initial=names[0],
        dead_ends=structure.dead_ends,
    )


def verdicts(machine: Machine, formula: Formula) -> dict[str, bool | None]:
    """What each engine says."""
    model = as_model(machine)
    asked = parse(to_text(formula))
    return {name: engine(model, asked).holds for name, engine in ALL_ENGINES.items()}


FORMULAS = 4
"""Random formulas for each random machine."""


def disagreements(seed: int, profile: str | None = None, **reading: Any) -> list[str]:
    """Case `seed`, a machine with some formulas: a line for each on which not all say the same.

    `reading` replaces fields of the machine, such as its semantics.
    """
    case = random_case(seed, profile)
    case = replace(case, machine=replace(case.machine, **reading))
    rng = Random(seed)
    formulas = [case.formula, *(random_formula(rng) for _ in range(FORMULAS - 1))]
    truths = contexts.decide_many(case.machine, formulas)
    model = as_model(case.machine)
    asked = [parse(to_text(formula)) for formula in formulas]
    found = {
        name: [verdict.holds for verdict in engine.check_all(model, asked)]
        for name, engine in ALL_ENGINES.items()
    }
    return [
        f"machine {seed} ({case.profile}): oracle {truth}, "
        f"{ {name: told[i] for name, told in found.items()} }, {asked[i]}"
        for i, truth in enumerate(truths)
        if any(told[i] is not truth for told in found.values())
    ]


def expect(text: str, cases: dict[str, bool], *, oracle: bool = True, **reading: Any) -> None:
    """Every engine, and the oracle, give these verdicts on the machine in oracle.notation."""
    machine = machine_from(text, **reading)
    for formula, truth in cases.items():
        asked = to_oracle(formula)
        assert not oracle or contexts.decide(machine, asked) is truth, f"the oracle on {formula}"
        assert verdicts(machine, asked) == dict.fromkeys(ALL_ENGINES, truth), formula


def to_oracle(text: str) -> Formula:
    """A formula in the oracle's own form, from text (without what the oracle does not know)."""
    formula = parse(text)
    done: list[Any] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        name = Op(op).name
        if name == "ATOM":
            done.append(("atom", formula.atoms[left]))
        elif name == "TRUE":
            done.append(("true",))
        elif name in "AE":
            done.append((name + done[left][0], *done[left][1:]))
        else:
            parts = [done[at] for at in (left, right) if at >= 0]
            done.append((name if name in "XFGUWR" else name.lower(), *parts))
    return done[-1]
