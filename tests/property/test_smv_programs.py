"""Random programs of SMV, with modules and constraints, against the oracle: states and verdicts."""

from __future__ import annotations

import os
import warnings
from random import Random

import pytest

import pigro
from pigro import PigroError
from pigro.formats import smv
from pigro.formats.smv import computed

from oracle.smv_flat import (
    SYMBOLS,
    Drawing,
    NoValue,
    Program,
    fitted,
    graph,
    kind_of,
    one,
    text_of,
    type_text,
    wrap,
)

COUNT = int(os.environ.get("PIGRO_SMV_PROGRAMS", "300"))
FORMULAS = (
    "AG EF p",
    "EF (p & EX !p)",
    "AF p",
    "EG !p",
    "E [p U q]",
    "A [!q U p]",
    "AG (p -> AX q)",
)
PATHS = ("G F p", "F G q", "G (p -> F q)", "p U q", "X !p")


def domain(rng: Random) -> list[object]:
    kind = rng.choice(("bool", "bool", "int", "sym", "word"))
    if kind == "bool":
        return [False, True]
    if kind == "int":
        low = rng.choice((0, 0, -1, 1))
        return list(range(low, low + rng.randint(2, 3)))
    if kind == "sym":
        return list(SYMBOLS[: rng.randint(2, 3)])
    width = rng.choice((2, -2))
    return sorted((wrap(i, width) for i in range(4)), key=lambda word: word[1])


def drawn(rng: Random) -> tuple[Program, str]:  # noqa: PLR0912 - a line a section
    """A program, and the file that says the same."""
    program = Program()
    main, child = [], []
    for i in range(rng.randint(1, 2)):
        program.domains[f"v{i}"] = domain(rng)
    inner = rng.random() < 0.5
    if inner:
        program.domains["sub.u"] = domain(rng)
    if rng.random() < 0.3:
        program.inputs["i"] = domain(rng)
    if rng.random() < 0.2:
        program.frozen.add("v0")
    kinds = {name: kind_of(each) for name, each in program.domains.items()}
    seen = {**kinds, **{name: kind_of(each) for name, each in program.inputs.items()}}
    state, step = Drawing(rng, kinds), Drawing(rng, seen)
    done: set[str] = set()
    for name, each in program.domains.items():
        before = Drawing(rng, {other: kinds[other] for other in done})
        done.add(name)
        if rng.random() < 0.7:
            program.init[name] = _right(rng, before, each)
        if name not in program.frozen and rng.random() < 0.7:
            program.next[name] = _right(rng, step, each)
    for _ in range(rng.choice((0, 0, 1))):
        program.inits.append(state.expr("bool", 2))
    for _ in range(rng.choice((0, 1, 1, 2))):
        a, b = step.expr("bool", 2), ("next", state.expr("bool", 2))
        program.trans.append((rng.choice(("|", "->", "&", "<->")), a, b))
    if rng.random() < 0.2:
        program.invars.append(state.expr("bool", 1))
    if rng.random() < 0.3:
        program.fair.append(state.expr("bool", 1))
    for name, each in program.domains.items():
        section = "FROZENVAR" if name in program.frozen else "VAR"
        where = child if name == "sub.u" else main
        where.append(f"{section} {name.removeprefix('sub.')} : {type_text(each)};")
    main += [f"IVAR {name} : {type_text(each)};" for name, each in program.inputs.items()]
    for which, rights in (("init", program.init), ("next", program.next)):
        for name, e in rights.items():
            main.append(f"ASSIGN {which}({name}) := {text_of(e)};")
    for section, listed in (
        ("INIT", program.inits),
        ("TRANS", program.trans),
        ("INVAR", program.invars),
        ("FAIRNESS", program.fair),
    ):
        main += [f"{section} {text_of(e)}" for e in listed]
    text = ""
    if inner:
        main.insert(0, "VAR sub : child(v0);")
        child.append("DEFINE copy := given;")
        text = "MODULE child(given)\n" + "\n".join(child) + "\n"
    main.insert(0, "CONSTANTS a, b, c;")
    return program, text + "MODULE main\n" + "\n".join(main) + "\n"


def _right(rng: Random, drawing: Drawing, each: list[object]) -> tuple[object, ...]:
    kind = kind_of(each)
    right = fitted(rng, drawing.expr(kind, 2), each)
    if rng.random() < 0.4:
        return ("set", right, fitted(rng, drawing.expr(kind, 1), each))
    return right


def pruned(steps: dict) -> dict:
    """The steps between states with an endless path."""
    steps = {state: set(after) for state, after in steps.items()}
    while dead := {state for state, after in steps.items() if not after}:
        steps = {s: after - dead for s, after in steps.items() if s not in dead}
    return steps


def compare(seed: int) -> str:
    rng = Random(seed)
    program, text = drawn(rng)
    try:
        initial, steps = graph(program)
    except NoValue:
        return "no value"
    try:
        document = smv.Document(text.encode())
        listed = document.model()
    except PigroError as error:
        assert error.code == "P126", (seed, text, error)
        assert not initial or "no initial state" not in error.message, (seed, text)
        return "no value"
    space = document.parts["main"].space
    assert space.size == len(steps), (seed, text)
    assert space.initial == len(set(initial)), (seed, text)
    assert len(space.sources) == sum(map(len, steps.values())), (seed, text)
    drawing = Drawing(rng, {name: kind_of(each) for name, each in program.domains.items()})
    p, q = drawing.expr("bool", 2), drawing.expr("bool", 2)
    expected = verdicts(program, initial, steps, p, q)
    texts = [_with(each, p, q) for each in (*FORMULAS, *PATHS)]
    try:
        formulas = [document.formula(each) for each in texts]
        found = [each.holds for each in pigro.check_all(listed, formulas)]
    except PigroError as error:
        assert error.code == "P126", (seed, text, error)
        return "no value"
    assert found == expected, (seed, text, list(zip(texts, found, expected, strict=True)))
    saved, computed.LARGE = computed.LARGE, 0
    try:
        document = smv.Document(text.encode())
        model = document.model()
        if model.on_demand is None:
            return "small"
        formulas = [document.formula(each) for each in texts]
        again = [each.holds for each in pigro.check_all(model, formulas)]
    finally:
        computed.LARGE = saved
    assert again == expected, (seed, text, list(zip(texts, again, expected, strict=True)))
    return "same"


def _with(formula: str, p: tuple, q: tuple) -> str:
    table = {"p": f"({text_of(p)})", "q": f"({text_of(q)})"}
    return "".join(table.get(each, each) for each in formula)


def verdicts(program: Program, initial: list, steps: dict, p: tuple, q: tuple) -> list[bool]:
    """By the definition of NuSMV: on endless fair paths."""
    names = list(program.domains)
    alive = pruned(steps)
    labels = {}
    for state in steps:
        now = dict(zip(names, state, strict=True))
        labels[state] = [
            label
            for label, e in (
                ("p", p),
                ("q", q),
                *((f"f{i}", e) for i, e in enumerate(program.fair)),
            )
            if one(e, now, {})
        ]
    numbers = {state: f"s{i}" for i, state in enumerate(alive)}
    starts = [numbers[state] for state in set(initial) if state in alive]
    if not starts:
        return [True] * (len(FORMULAS) + len(PATHS))
    model = pigro.kripke(
        {numbers[s]: sorted(numbers[t] for t in after) for s, after in alive.items()},
        labels={numbers[s]: labels[s] for s in alive},
        initial=starts,
    )
    fair = " & ".join(f"G F f{i}" for i in range(len(program.fair))) or "TRUE"
    return [
        pigro.check(model, _fair(text, fair), engine="onthefly").holds
        for text in (*FORMULAS, *PATHS)
    ]


def _fair(text: str, fair: str) -> str:
    """The formula with every quantifier about fair paths, written by hand for each."""
    e, a = f"({fair}) &", f"({fair}) ->"
    written = {
        "AG EF p": f"A [{a} G E [{e} F p]]",
        "EF (p & EX !p)": f"E [{e} F (p & E [{e} X !p])]",
        "AF p": f"A [{a} F p]",
        "EG !p": f"E [{e} G !p]",
        "E [p U q]": f"E [{e} (p U q)]",
        "A [!q U p]": f"A [{a} (!q U p)]",
        "AG (p -> AX q)": f"A [{a} G (p -> A [{a} X q])]",
    }.get(text, f"A [{a} ({text})]")
    return f"({written}) | !E [{fair}]"  # initial states without a fair path do not count


@pytest.mark.parametrize("start", range(0, COUNT, 100))
def test_random_programs(start):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = [compare(seed) for seed in range(start, start + 100)]
    assert outcomes.count("same") > 30
