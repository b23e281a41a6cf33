"""What may stand in a `.pds` file, and what becomes of it."""

from __future__ import annotations

import pytest

from pigro import UsageError, check, load, save
from pigro.engines import UnknownLabelWarning
from pigro.formats import pds

PROGRAM = """\
(start <bottom>)

ATOMS run running
ATOMS lib library, busy

start <bottom> --> run <main bottom>
run <main> --> run <lib back>
run <lib> --> run < >
run <back> --> run <main>
run <back> --> run <done>
run <done> --> run <>
run <bottom> --> end <bottom>
"""
TRUE = (
    "!running & AX (running & AX library)",
    "AX AX (busy & AX (running & !busy))",
    "EF AG !running",
    "EG EF library",
)


def holds(data: bytes, formula: str, **options: str) -> bool | None:
    return check(pds.read(data, **options), formula).holds


@pytest.mark.parametrize("translation", ["auto", "split", "general", "single"])
@pytest.mark.parametrize("formula", TRUE)
def test_a_program(formula: str, translation: str):
    assert holds(PROGRAM.encode(), formula, translation=translation)


def test_its_components():
    model = pds.read(PROGRAM.encode())
    assert list(model.names.components) == ["initial configuration", "main", "lib", "bottom"]
    assert list(model.names.nodes) == [
        "start <bottom>", "main", "back", "done", "lib", "bottom", "end <bottom>"
    ]  # fmt: skip
    assert pds.read(PROGRAM.encode(), translation="general").core.components == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\r\n").rstrip(),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("< >", "<>").replace(" <", "<").replace(" --> ", "-->"),
        lambda text: text.replace(" ", "\t \t"),
        lambda text: text.replace("<", " < ").replace(">", " > ").replace("-- > ", "-->"),
        lambda text: text.replace("(start <bottom>)", "(start bottom)"),
        lambda text: text.replace("(start <bottom>)", " ( start < bottom > ) "),
        lambda text: text.replace(", ", ","),
        lambda text: text.replace(", ", " "),
        lambda text: text.replace("ATOMS lib library, busy", "ATOMS lib busy\n ATOMS lib library"),
        lambda text: text.replace("ATOMS lib ", "ATOMS run <lib> "),
        lambda text: "# a comment (p <g>)\n // another\n" + text.replace("\n\n", "\n/* p <\n\n */\n"),
        lambda text: text.replace("<lib back>", "<lib back> # calls").replace("(start", "// \n(start"),
        lambda text: "\n".join(reversed(text.split("\n"))),
        lambda text: text + "# run <main> --> run <>\n",
        lambda text: text + "run <main> --> run <lib back>\n",
        lambda text: text.replace("bottom", "#"),
        lambda text: text.replace("main", "main(int,int)"),
        lambda text: text.replace("lib ", "名 ").replace("<lib", "<名"),
    ],
)  # fmt: skip
def test_ways_of_writing_it(change):
    data = change(PROGRAM).encode()
    for translation in ("split", "general"):
        model = pds.read(data, translation=translation)
        assert [check(model, formula).holds for formula in TRUE] == [True] * len(TRUE)
        if translation == "split":
            assert repr(model) == repr(pds.read(PROGRAM.encode()))


@pytest.mark.parametrize("translation", ["split", "general", "single"])
@pytest.mark.parametrize(
    "text, formula, dead_ends",
    [
        ("(p <>)\nATOMS p a", "a & EG a", "stutter"),
        ("(p <>)\nATOMS p a", "a & !EX true", "stop"),
        ("(p <g>)\np <g> --> q <>\nATOMS q a", "!a & AX a & AF AG a", "stutter"),
        ("(p <g>)\np <g> --> q <>\nATOMS q a", "AX (a & !EX true)", "stop"),
        ("(p <g h i>)\np <g> --> p <>\np <h> --> p <>\nATOMS i a", "AX (!a & AX (a & !EX true))", "stop"),
        ("(p <g h>)\np <g> --> p <x y z>\np <x> --> p <>\np <y> --> p <>\np <z> --> p <>\nATOMS h a",
         "AX AX AX (!a & AX (a & AG a))", "stutter"),
        ("(p <g>)\nATOMS p <g> a\nATOMS q <g> b\np <g> --> q <g>\nq <g> --> p <g>",
         "AG (a xor b) & AG (a -> AX b)", "stutter"),
    ],
)  # fmt: skip
def test_ends(text: str, formula: str, dead_ends: str, translation: str):
    assert holds(text.encode(), formula, dead_ends=dead_ends, translation=translation)


def test_a_head_that_pops_and_goes_on():
    text = b"(p <g>)\np <g> --> p <g g>\np <g> --> p <>\nATOMS g a"
    model = pds.read(text)
    assert model.statistics.recursive
    assert check(model, "EX (a & EX (a & EX a)) & AG (a -> EX a & EF !a)").holds


def test_labels_of_what_does_not_occur_are_unknown():
    model = pds.read(b"(p <g>)\nATOMS zzz a")
    assert "a" not in model.label_ids
    with pytest.warns(UnknownLabelWarning):
        assert not check(model, "EF a").holds


def test_one_component():
    """It calls itself, and has the states and steps of the system."""
    model = pds.read(PROGRAM.encode(), translation="single")
    core = model.core
    assert core.components == 1
    assert model.statistics.recursive_components == 1
    assert {core.callee(box) for box in range(core.boxes)} == {0}


def test_a_translation_is_named_with_the_format(tmp_path):
    path = tmp_path / "program.pds"
    path.write_text(PROGRAM)
    counts = {
        way: load(path, format=way).core.components
        for way in ("pds", "pds:auto", "pds:split", "pds:general", "pds:single")
    }
    assert counts == {"pds": 4, "pds:auto": 4, "pds:split": 4, "pds:general": 3, "pds:single": 1}


def test_many_procedures_that_come_back_in_control_states_of_their_own():
    """7,000 ways to come back and 7,000 words below: each call has one of them only."""
    count = 7_000
    lines = ["(run <m0>)", f"ATOMS m{count} end"]
    for i in range(count):
        lines += [
            f"run <m{i}> --> run <n{i} b{i}>",
            f"run <n{i}> --> x{i} <>",
            f"x{i} <b{i}> --> run <m{i + 1}>",
        ]
    model = pds.read("\n".join(lines).encode(), translation="split")
    assert model.statistics.returns == count + 1  # one call is also the first step
    assert check(model, "AF end & !AF AG !end").holds


@pytest.mark.parametrize("name", ["pds:both", "pds:", "rsm:single", "pdx:single"])
def test_other_translations_are_refused(tmp_path, name):
    path = tmp_path / "program.pds"
    path.write_text(PROGRAM)
    with pytest.raises(UsageError) as caught:
        load(path, format=name)
    assert caught.value.code == "P006"


def test_a_translation_is_not_written(tmp_path):
    with pytest.raises(UsageError):
        save(pds.read(PROGRAM.encode()), tmp_path / "out", format="pds:single")
