"""Numbers that both languages write down are the same, and every one is in the table of native/bind/enums.hpp."""

import re
from pathlib import Path

import pytest

from pigro import _core
from pigro.certificates import path_reading
from pigro.engines.game import setting, solver
from pigro.evidence.tree import following
from pigro.formats.smv import operators
from pigro.logic import modal, normal, path_normal, positive
from pigro.model import DeadEnds, Semantics, assembly, part

NATIVE = Path(__file__).resolve().parents[3] / "native"
NORMAL = [
    normal.TRUE,
    normal.ATOM,
    normal.NOT,
    normal.AND,
    normal.OR,
    normal.EX,
    normal.EU,
    normal.EG,
    path_normal.EXISTS,
    path_normal.PX,
    path_normal.PU,
    path_normal.PR,
    path_normal.PWX,
    path_normal.PTICK,
    path_normal.PCALM,
    path_normal.PTHREAD,
]
PATHS = "exists path_next path_until path_release path_weak_next path_tick path_calm path_thread"
PYTHON = {
    "Op": dict(
        zip(
            f"truth atom negation conjunction disjunction next until globally {PATHS}".split(),
            NORMAL,
            strict=True,
        )
    ),
    "verify::Op": dict(
        zip(
            f"truth atom negation both either next until always {PATHS}".split(),
            NORMAL,
            strict=True,
        )
    ),
    "SureKind": {
        "value": path_reading.VALUE,
        "way": path_reading.WAY,
        "live": path_reading.LIVE,
        "loop": path_reading.LOOP,
    },
    "PathOp": {
        "truth": positive.TRUE,
        "atom": positive.ATOM,
        "negation": positive.NOT,
        "conjunction": positive.AND,
        "disjunction": positive.OR,
        "all": positive.ALL,
        "next": positive.NEXT,
        "until": positive.UNTIL,
        "release": positive.RELEASE,
        "strong_next": positive.STRONG_NEXT,
        "tick": positive.TICK,
        "calm": positive.CALM,
        "thread": positive.THREAD,
    },
    "ModalOp": {
        "yes": modal.TRUE,
        "no": modal.FALSE,
        "atom": modal.ATOM,
        "negated": modal.NEGATED,
        "conjunction": modal.AND,
        "disjunction": modal.OR,
        "diamond": modal.DIAMOND,
        "box": modal.BOX,
        "mu": modal.MU,
        "nu": modal.NU,
        "variable": modal.VAR,
    },
    "Colour": {
        "no": solver.NO,
        "yes": solver.YES,
        "maybe": solver.MAYBE,
        "none": solver.ABSENT,
    },
    "Value": {
        "unknown": following._VALUES.index(None),
        "yes": following._VALUES.index(True),
        "no": following._VALUES.index(False),
    },
    "Fold": {
        "never": operators._NEVER,
        "first": operators._FIRST,
        "any_false": operators._ANY_FALSE,
    },
    "constants": {
        "kNone": -1,
        "kEntryFlag": assembly.ENTRY,
        "kExitFlag": assembly.EXIT,
        "kOpen": solver.OPEN,
        "kTie": solver.TIE,
        "kUnknown": part.UNKNOWN,
        "kUnseen": setting._UNSEEN,
        "kIdle": part.LOCAL,
    },
}
DECLARED = {
    "Op": "core/formula/formula.hpp",
    "verify::Op": "verify/cut.hpp",
    "PathOp": "core/formula/formula.hpp",
    "ModalOp": "core/games/game.hpp",
    "Colour": "core/games/parity.hpp",
    "Value": "evidence/opened.hpp",
    "SureKind": "verify/section.hpp",
    "Fold": "bind/machine.hpp",
}


def enumerators(header, name):
    """The names that an enum of C++ declares, without comments."""
    text = re.sub(r"//.*", "", (NATIVE / header).read_text(encoding="utf-8"))
    (body,) = re.findall(rf"enum class {name} : [\w:]+ \{{([^}}]*)\}}", text)
    return [each.strip() for each in body.split(",")]


def test_both_languages_have_the_same_numbers():
    assert _core.ENUMS == PYTHON


@pytest.mark.parametrize("kind", sorted(DECLARED))
def test_every_value_is_in_the_table(kind):
    declared = enumerators(DECLARED[kind], kind.removeprefix("verify::"))
    assert list(_core.ENUMS[kind].items()) == [(name, at) for at, name in enumerate(declared)]


def test_every_cast_from_a_number_is_to_an_enum_of_the_table():
    """An enum that arrays bring in must be compared. `SourceKind` and the like stay inside."""
    sources = [
        *NATIVE.glob("bind/*.?pp"),
        *NATIVE.glob("core/*/*.?pp"),
        *NATIVE.glob("verify/**/*.?pp"),
    ]
    enums = {
        name: path
        for path in sources
        for name in re.findall(r"enum class (\w+) :", path.read_text(encoding="utf-8"))
    }
    cast = {
        name
        for path in sources
        for name in re.findall(r"static_cast<(?:\w+::)*(\w+)>\(", path.read_text(encoding="utf-8"))
        if name in enums
    }
    assert cast <= set(DECLARED)
    assert {"Op", "PathOp", "ModalOp"} <= cast


@pytest.mark.parametrize(
    "choices, bound",
    [
        (Semantics, _core.Semantics),
        (DeadEnds, _core.DeadEnds),
    ],
)
def test_choices_of_a_model_have_the_names_of_the_core(choices, bound):
    settled = (DeadEnds.ERROR, Semantics.RMV)  # before a model reaches the core
    known = [each.name for each in choices if each not in settled]
    assert known == [each.name for each in bound]
    assert [each.value for each in bound] == list(range(len(known)))


def test_ends_of_runs_are_those_of_evidence():
    """`Follower.path` names them; evidence.states says which there are."""
    source = (NATIVE / "bind/evidence.cpp").read_text(encoding="utf-8")
    named = re.search(r"kEnds\[\] = \{([^}]*)\}", source)[1].replace('"', "").split(", ")
    assert named == enumerators("evidence/walk.hpp", "End")
