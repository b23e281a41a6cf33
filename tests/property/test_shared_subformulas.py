"""Evidence about formulas that share subformulas is accepted: both bounded and past operators make such.

The file of evidence has the text of a formula, and numbers for its subformulas. Random modules, each with formulas
of CTL and LTL. PIGRO_SHARED=2000 tries more.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from pigro.cli.main import cli

from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_SHARED", 100)
CHUNKS = 4
CTL = ("A [{} BU {} {}]", "E [{} BU {} {}]", "({0} & {2})", "({0} <-> {2})", "A [{0} U {2}]")
CTL_OF_ONE = (
    "EBF {} {}",
    "ABF {} {}",
    "EBG {} {}",
    "ABG {} {}",
    "AX {1}",
    "EX {1}",
    "AG {1}",
    "!{1}",
)
PAST = ("({} S {})", "({} T {})", "(Y {0})", "(Z {0})", "(O [0, 1] {0})", "(H {0})", "({} -> {})")
FUTURE = ("({} U {})", "({} V {})", "(X {0})", "(F [0, 2] {0})", "(G {0})", "({} | {})")


def bounds(rng):
    first = rng.randint(0, 2)
    return f"{first}..{first + rng.randint(0, 2)}"


def grown(rng, start, shapes, steps):
    """A formula over earlier ones, so that many are shared."""
    pool = list(start)
    for _ in range(steps):
        shape, first, second = rng.choice(shapes), rng.choice(pool), rng.choice(pool)
        if shape in CTL:
            pool.append(f"({shape.format(first, bounds(rng), second)})")
        elif shape in CTL_OF_ONE:
            pool.append(f"({shape.format(bounds(rng), first)})")
        else:
            pool.append(shape.format(first, second))
    return pool


def random_module(rng):
    lines = ["MODULE main", "VAR x : {a, b, c};", "  y : boolean;", "ASSIGN init(x) := {a, b};"]
    targets = [", ".join(rng.sample("abc", rng.randint(1, 3))) for _ in range(2)]
    lines.append(f"next(x) := case y : {{{targets[0]}}}; TRUE : {{{targets[1]}}}; esac;")
    if rng.random() < 0.5:
        lines.append(f"TRANS x != {rng.choice('abc')} | next(y)")
    if rng.random() < 0.3:
        lines.append("TRANS x != c | y")
    atoms = ["(x = a)", "y", "TRUE"]
    past = grown(rng, atoms, PAST, 2)
    lines.append(f"SPEC {grown(rng, atoms, CTL + CTL_OF_ONE, rng.randint(1, 3))[-1]}")
    lines.append(f"SPEC {grown(rng, atoms, CTL + CTL_OF_ONE, rng.randint(1, 3))[-1]}")
    lines.append(f"LTLSPEC {grown(rng, past, FUTURE, rng.randint(0, 2))[-1]}")
    return "\n".join(lines) + "\n"


def run(*arguments):
    return CliRunner().invoke(cli, arguments, prog_name="pigro")


def rejected(seed):
    """What `validate-witness` says against evidence about a random module."""
    Path("m.smv").write_text(random_module(Random(39_210_000 + seed)))
    told = run("check", "m.smv", "--witness", "--format", "json")
    Path("m.json").write_text(told.stdout)
    assert told.exit_code in (0, 1), told.stderr
    assert run("check", "m.smv", "--certificate", "m.pgc").exit_code in (0, 1)
    for name in ("m.json", "m.pgc"):
        judged = run("validate-witness", "m.smv", name)
        if judged.exit_code:
            yield seed, name, judged.stdout, judged.stderr


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_evidence_is_accepted(chunk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [each for seed in seeds(CASES, chunk, CHUNKS) for each in rejected(seed)] == []
