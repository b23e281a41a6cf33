"""A converted file gives the verdicts of its source: `.smv` files with dead ends and with calls.

Each module is written in every format that can hold it, and read again as the file says. Then its own
formulas of CTL and LTL and random ones of the mu-calculus have the same verdicts. PIGRO_CONVERSIONS=2000 tries
more.
"""

from __future__ import annotations

import warnings
from collections import Counter
from random import Random

import pytest

import pigro
from pigro.engines.likely_mistakes import UnknownLabelWarning
from pigro.formats import statable, write_subject
from pigro.formats.registry import format_named
from pigro.formats.source import OpenedFile
from pigro.logic import parse

from support.selection.cases import covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_CONVERSIONS", 120)
CHUNKS = 4
FORMATS = ("rsm", "json", "pigro", "pds", "smv", "parts")
REFUSED = {"P120", "P215", "P222"}
LABELS = ("p0", "p1")


def state_formula(rng, size):
    if size <= 0:
        return rng.choice(LABELS)
    if rng.random() < 0.3:
        first, second = (state_formula(rng, size // 2) for _ in "ab")
        return rng.choice(("({} & {})", "({} | !{})", "A [{} U {}]", "E [{} U {}]")).format(
            first, second
        )
    return f"({rng.choice(('AX', 'EX', 'AF', 'EF', 'AG', 'EG'))} {state_formula(rng, size - 1)})"


def path_formula(rng, size):
    if size <= 0:
        return rng.choice(LABELS)
    if rng.random() < 0.3:
        first, second = (path_formula(rng, size // 2) for _ in "ab")
        return rng.choice(("({} & {})", "({} | !{})", "({} U {})")).format(first, second)
    return f"({rng.choice('XFG')} {path_formula(rng, size - 1)})"


def modal_formula(rng, size, bound=()):
    if size <= 0:
        return rng.choice((*LABELS, *bound))
    if rng.random() < 0.3:
        first, second = (modal_formula(rng, size // 2, bound) for _ in "ab")
        return f"({first} {rng.choice('&|')} {second})"
    if rng.random() < 0.6:
        return f"({rng.choice(('<>', '[]'))} {modal_formula(rng, size - 1, bound)})"
    name = f"Z{len(bound)}"
    return f"({rng.choice(('mu', 'nu'))} {name}. {modal_formula(rng, size - 1, (*bound, name))})"


def module(rng, name, callable_):
    """A module with one variable, perhaps with calls, exits and dead ends."""
    states = [f"s{number}" for number in range(rng.randint(3, 5))]
    callers = [each for each in states[1:] if callable_ and rng.random() < 0.35]
    free = [each for each in states if each not in callers]
    lines = [f"MODULE {name}", f"VAR x : {{{', '.join(states)}}};"]
    if callers:
        lines.append(f"CALL {rng.choice(callable_)} := x in {{{', '.join(callers)}}};")
    lines.append(f"ASSIGN init(x) := {{{', '.join(states[: rng.choice((1, 1, 2))])}}};")
    lines.append("next(x) := case")
    for at, state in enumerate(states):
        after = rng.sample(states, rng.randint(1, 2))
        if callable_ and at and rng.random() < 0.35:
            after[0] = "EXIT"
        lines.append(f"  x = {state} : {{{', '.join(after)}}};")
    lines.append("esac;")
    for label in LABELS:
        some = rng.sample(free, rng.randint(1, len(free)))
        lines.append(f"DEFINE {label} := x in {{{', '.join(some)}}};")
    if rng.random() < 0.5:
        lines.append(f"TRANS x != {rng.choice(states)} | next(x) = {rng.choice(states)}")
    lines += [f"SPEC {state_formula(rng, rng.randint(1, 4))}" for _ in range(2)]
    lines += [f"LTLSPEC {path_formula(rng, rng.randint(1, 3))}" for _ in range(2)]
    return "\n".join(lines)


def random_file(rng):
    called = [f"m{number}" for number in range(rng.choice((0, 1, 2)))]
    return "\n".join(module(rng, name, called) for name in ("main", *called)).encode()


def opened(data, name):
    return OpenedFile(data, format_named(name), f"x.{name}").fresh()


def verdict(subject, formula, initial=None):
    if isinstance(subject, pigro.Composition):
        return pigro.compose_check(subject, formula).holds
    return pigro.check(subject if initial is None else subject.with_initial(initial), formula).holds


def verdicts(subject, stated, typed):
    """Of the formulas of a file and of others. A file in SMV has its formulas in another order."""
    own = Counter(verdict(subject, each.formula, each.initial) for each in stated)
    return own, [verdict(subject, each) for each in typed]


def changes(seed, seen):
    """The formats that change verdicts of a random file."""
    rng = Random(39_000 + seed)
    source = opened(random_file(rng), "smv")
    semantics, dead_ends = rng.choice((None, None, "rmv", "rsmcheck")), rng.choice((None, "stop"))
    try:
        model = source.subject(semantics=semantics, dead_ends=dead_ends)
    except pigro.InputError as error:
        assert error.code == "P136"
        return
    stated, typed = (
        source.requirements(model),
        [parse(f"<> {modal_formula(rng, 4)}") for _ in range(2)],
    )
    for name in FORMATS:
        kind = format_named(name)
        try:
            kept, _ = statable(kind, model, stated)
            copy = opened(write_subject(kind, model, kept), name)
        except pigro.ModelError as error:
            assert error.code in REFUSED
            continue
        seen[name] += 1
        ends = "stop" if name == "pds" and semantics == "rsmcheck" else None  # as a warning says
        found = copy.subject(dead_ends=ends)
        if verdicts(model, kept, typed) != verdicts(found, copy.requirements(found), typed):
            yield seed, name, semantics, dead_ends


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_converted_file_gives_the_verdicts_of_its_source(chunk):
    seen = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        found = [each for seed in seeds(CASES, chunk, CHUNKS) for each in changes(seed, seen)]
    assert found == []
    assert covers(seen, set(FORMATS))
