"""What sentences about runs mean, read from their words alone.

`is_true` compares a sentence with a small structure, run by run. It knows English and the words of
Pigro, but no temporal operator: whoever changes a sentence must say here what its words mean. What
is said of a run is about its states in order, up to where the run comes round again.

Path formulas stand in sentences as they are written. `star_lasso` reads these.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.logic import parse

from oracle.star_lasso import holds_on, lassos
from support.judges.star_decider import as_oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oracle.star_structures import Structure

Trace = list[bool]
QUANTIFIERS: dict[str, Callable[[Iterable[bool]], bool]] = {
    "every": all,
    "some": any,
    "no": lambda each: not any(each),
}
QUANTIFIER = "(every|some|no)"
STATES = {  # about single states: the states meant, and whether they have it
    f"{QUANTIFIER} next state (satisfies|violates) (.+)": "next",
    f"{QUANTIFIER} reachable state (satisfies|violates) (.+)": "reachable",
}


def lasts_until(one: Trace, other: Trace) -> bool:
    return any(there and all(one[:at]) for at, there in enumerate(other))


def lasts_up_to_and_including(one: Trace, other: Trace) -> bool:
    return any(there and all(one[: at + 1]) for at, there in enumerate(other))


def fails_with_none_so_far(one: Trace, other: Trace) -> bool:
    return any(not here and not any(other[: at + 1]) for at, here in enumerate(one))


def fails_with_none_before(one: Trace, other: Trace) -> bool:
    return any(not here and not any(other[:at]) for at, here in enumerate(one))


RUNS: dict[str, Callable[[Trace, Trace], bool]] = {  # of runs. The longest that fits comes first
    "on Q run (.+) lasts until (.+) or for the whole run": lambda f, g: lasts_until(f, g) or all(f),
    "on Q run (.+) lasts until (.+)": lasts_until,
    "on Q run (.+) does not last until (.+)": lambda f, g: not lasts_until(f, g),
    "on Q run (.+) lasts up to and including a state with (.+) or for the whole run": (
        lambda f, g: lasts_up_to_and_including(f, g) or all(f)
    ),
    "on Q run (.+) fails with no (.+) so far": fails_with_none_so_far,
    "on Q run (.+) fails with no (.+) before": fails_with_none_before,
    "Q run(?: from here)? satisfies (.+) in all its states": lambda f, _: all(f),
    "Q run violates (.+) in some state": lambda f, _: not all(f),
    "Q run reaches a state with (.+)": lambda f, _: any(f),
    "Q run never reaches (.+)": lambda f, _: not any(f),
    "Q run from here reaches (.+) with (.+) in all states before": lambda f, g: lasts_until(g, f),
    "Q run from here reaches (.+)": lambda f, _: any(f),
}


def is_true(sentence: str, structure: Structure, state: int = 0) -> bool:
    """Whether what a sentence says is so in a state of a structure."""
    reachable = re.fullmatch("a state with (.+) is reachable", sentence)
    if reachable:
        sentence = f"some reachable state satisfies {reachable[1]}"
    for pattern, which in STATES.items():
        found = re.fullmatch(pattern, sentence)
        if found:
            there = structure.after(state) if which == "next" else _reachable(structure, state)
            wanted = found[2] == "satisfies"
            return QUANTIFIERS[found[1]](
                _has(found[3], structure, each) is wanted for each in there
            )
    for pattern, says in RUNS.items():
        found = re.fullmatch(pattern.replace("Q", QUANTIFIER, 1), sentence)
        if found:
            texts = [found[2], found[3] if len(found.groups()) > 2 else "true"]
            return QUANTIFIERS[found[1]](
                says(*([_has(text, structure, each) for each in run] for text in texts))
                for run, _ in lassos(structure, state, len(structure.labels) + 1)
            )
    return _of_path_formula(sentence, structure, state)


def _of_path_formula(sentence: str, structure: Structure, state: int) -> bool:
    found = re.fullmatch(f"{QUANTIFIER} run(?: from here)? (satisfies|violates) (.+)", sentence)
    if found is None:
        raise ValueError(f"nobody has said what this means: {sentence}")
    body = as_oracle(parse(found[3]))[-1]
    if found[2] == "violates":
        body = ("not", body)
    longest = 2 * len(structure.labels) + 1
    return QUANTIFIERS[found[1]](
        holds_on(body, [set(structure.labels[each]) for each in run], loop)
        for run, loop in lassos(structure, state, longest)
    )


def _reachable(structure: Structure, state: int) -> set[int]:
    return {each for run, _ in lassos(structure, state, len(structure.labels) + 1) for each in run}


def _has(text: str, structure: Structure, state: int) -> bool:
    """Whether a boolean formula over labels is true in a state."""
    python = re.sub(r"\b(?!true)\w+\b", lambda name: f"({name[0]!r} in labels)", text)
    for sign, word in (
        ("true", "True"),
        ("->", "<="),
        ("!", " not "),
        ("&", " and "),
        ("|", " or "),
    ):
        python = python.replace(sign, word)
    return bool(eval(python, {"labels": structure.labels[state]}))
