"""States of the model of a pushdown system are shown as configurations, and steps with their rules."""

from __future__ import annotations

import random

import pytest

import pigro
from pigro import ModelError
from pigro.evidence.states import EMPTY, State, Steps
from pigro.formats import pds
from pigro.formats.pds.system import NamedSystem

MOST = 40
"""States of a model that are looked at."""


def random_system(seed):
    """A few rules with right sides of up to six symbols. A symbol is called like a word of names."""
    rng = random.Random(seed)
    states, symbols = "pqr"[: rng.randint(1, 3)], ["a", "b", "c", "start"][: rng.randint(1, 4)]

    def word(size):
        return f"{rng.choice(states)} <{' '.join(rng.choice(symbols) for _ in range(size))}>"

    lines = [f"({word(rng.choice([1, 1, 3, 6]))})"]
    sizes = [rng.choice([0, 0, 1, 1, 2, 2, 3, 6]) for _ in range(rng.randint(1, 9))]
    lines += [f"{word(1)} --> {word(size)}" for size in sizes]
    lines += [f"ATOMS {each} l{each}" for each in symbols if rng.random() < 0.4]
    return "\n".join(lines) + "\n"


def parsed(text):
    control, _, symbols = text[1:-1].partition(", ")
    return control, symbols.split()


def is_whole(word):
    """Names leave out the rest of words of more than four symbols."""
    return "..." not in word


@pytest.mark.parametrize("translation", ["split", "general", "single"])
@pytest.mark.parametrize("seed", range(25))
def test_steps_of_states_are_those_of_configurations(seed, translation):
    text = random_system(seed)
    system = pds.parse(text.encode())
    try:
        model = pds.translate(system, translation=translation)
    except ModelError:
        return  # can't be split
    rules, told, rows = NamedSystem.of(system), model.configurations, text.split("\n")
    steps, pending, seen = Steps(model), [State(EMPTY, model.initial[0])], set()
    assert parsed(told.text(model, pending[0])) == (rules.initial[0], list(rules.initial[1]))
    while pending and len(seen) < MOST:
        state = pending.pop(0)
        control, word = parsed(told.text(model, state))
        if state in seen or not word or not is_whole(word):
            continue
        seen.add(state)
        after = rules.after.get((control, word[0]), [])
        expected = {(each, (*pushed, *word[1:])) for each, pushed in after}
        found = steps.next(state) if after else []
        shown = [parsed(told.text(model, each)) for each in found]
        if all(is_whole(each) for _, each in shown):
            assert {(each, tuple(stack)) for each, stack in shown} == expected
        for each, (target, stack) in zip(found, shown, strict=True):
            line = told.line(model, state, each)
            if line:
                left, right = rows[line - 1].split(" --> ")
                name, _, pushed = right.partition(" ")
                assert (left, name) == (f"{control} <{word[0]}>", target)
                if is_whole(stack):
                    assert [*pushed[1:-1].split(), *word[1:]] == stack
            else:
                assert not is_whole([*word, *stack])
        pending += found


def test_a_deep_stack_is_cut():
    model = pds.read(b"(p <a>)\np <a> --> p <a a>\n")
    deep = State([0] * 100, model.core.node_of_declared(1))
    assert model.configurations.text(model, deep).endswith("a a ...>")


def test_a_dead_end_with_the_empty_stack_has_no_rule(tmp_path):
    """Runs may stay there. No rule leads on, and nothing is below the empty stack."""
    file = tmp_path / "ends.pds"
    file.write_text("(p <g>)\n\np <g> --> p <>\n")
    verdict = pigro.check(str(file), "nu X. [] <> X", witness=True)
    assert verdict.holds
    assert str(verdict).count("<p>") >= 1
