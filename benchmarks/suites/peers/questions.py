"""What Pigro and other tools are asked side by side: models and formulas as files that all read.

Java programs with their published requirement, and a sample of the random grid, for RSMCheck.
Random Kripke structures with formulas of CTL and LTL for pyModelChecking.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.case import Case
from benchmarks.drivers.peers import PYMODELCHECKING, RSMCHECK
from benchmarks.suites.grid import grid_formula, grid_model
from benchmarks.suites.java import PROGRAMS, has_file, program_file, read_member
from pigro.formats import rsm_json
from pigro.logic.operators import Op
from pigro.model import ModelBuilder, kripke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import At
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM

ONE_LINE_METHOD = "one-line-method"
"""A program on which readings differ, small enough to check by hand."""
MODELS = range(5, 21, 5)
QUICK_MODELS = (5, 10, 15)
FORMULAS = range(9, 46, 9)
CTL = ((10, 3), (100, 2), (1000, 1), (10_000, 1))
LTL = ((10, 5), (30, 2), (100, 1))
SMALL = ((3, 2), (5, 1))
"""Numbers of states, and how many structures of each. The last are for what takes others long."""
_QUICK_STATES = 100
_QUICK_PROGRAMS = 3


class PeerFormula(NamedTuple):
    """A formula about Kripke structures, and where it is asked."""

    sizes: tuple[tuple[int, int], ...]
    mu: str | None = None
    """The same, on total structures, in the mu-calculus: for formulas beyond CTL, which have no
    certificates, but in which verdicts are proved by strategies."""


ASKED = {
    "A(G(not p))": PeerFormula(CTL),
    "A(F(p))": PeerFormula(CTL),
    "E(G(p))": PeerFormula(CTL),
    "E((p U q))": PeerFormula(CTL),
    "A(G((not p or E(F(q)))))": PeerFormula(CTL),
    "A(G(F(p)))": PeerFormula(LTL, "nu X. (mu Y. p | [] Y) & [] X"),
    "A(F(G(p)))": PeerFormula(LTL, "mu X. nu Y. (p | [] X) & [] Y"),
    "E(G(F(p)))": PeerFormula(LTL, "nu X. mu Y. p & <> X | <> Y"),
    "E(G((p U q)))": PeerFormula(LTL, "nu X. mu Y. q & <> X | p & <> Y"),
    "A(G((not p or F(q))))": PeerFormula(LTL, "nu X. (!p | (mu Y. q | [] Y)) & [] X"),
    "E(F(E(G(F(p)))))": PeerFormula(LTL, "nu X. mu Y. p & <> X | <> Y"),
    "A((not F(G(p)) or G(F(q))))": PeerFormula(SMALL, "nu X. (mu Y. !p | q | [] Y) & [] X"),
}
"""By their text in the words of pyModelChecking, which Pigro reads too."""


def places(scope: StudyScope) -> Iterator[At]:
    """Where tools meet: those that take part in this scope."""
    if scope.peer(RSMCHECK) is not None:
        yield from (Case.of("", "", kind="java", program=each).at for each in programs(scope))
        for model in QUICK_MODELS if scope.quick else MODELS:
            for formula in FORMULAS:
                yield Case.of("", "", kind="grid", model=model, formula=formula).at
    if scope.peer(PYMODELCHECKING) is not None:
        for text, asked in ASKED.items():
            for states, count in asked.sizes:
                if scope.quick and states > _QUICK_STATES:
                    continue
                for seed in range(1 if scope.quick else count):
                    yield Case.of(
                        "", "", kind="kripke", formula=text, states=states, structure=seed
                    ).at


def programs(scope: StudyScope) -> list[str]:
    """The Java programs that are there as `.rsm`, after one that always is."""
    wanted = PROGRAMS[:_QUICK_PROGRAMS] if scope.quick else PROGRAMS
    files = scope.files
    there = [] if files is None else [each for each in wanted if has_file(files, each, "rsm")]
    return [ONE_LINE_METHOD, *there]


def question(at: At, scope: StudyScope) -> tuple[bytes, bytes]:
    """The model and the formula of a place, as contents of files."""
    case = Case("", "", at)
    if case["kind"] == "java" and case["program"] == ONE_LINE_METHOD:
        return rsm_json.write(one_line_method()), b"A G (def --> E F use)\n"
    if case["kind"] == "java":
        assert scope.files is not None
        program = case.text("program")
        formulas = read_member(scope.files, program, f"{program}_single_usedef.ctl").splitlines()
        first = next(line for line in formulas if line.strip() and not line.startswith(b"#"))
        return program_file(scope.files, program, "rsm"), first + b"\n"
    if case["kind"] == "grid":
        text = in_their_words(grid_formula(case.number("formula")))
        return rsm_json.write(grid_model(case.number("model"))), f"{text}\n".encode()
    model = structure(case.number("states"), case.number("structure"))
    return rsm_json.write(model), f"{case.text('formula')}\n".encode()


def one_line_method() -> RSM:
    """A variable is used, a method of one line is called, the variable is defined: the end."""
    model = ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["use"])
    main.node("define", labels=["def"])
    main.exit("end")
    box = main.box("call", calls="method")
    main.edge("start", box.call("line"))
    main.edge(box.returned("line"), "define")
    main.edge("define", "end")
    model.component("method").node("line", entry=True, exit=True)
    return model.build(initial="main:start")


def structure(states: int, seed: int) -> RSM:
    """A random Kripke structure: total, up to three edges a state."""
    rng = random.Random(1000 * states + seed)
    labels = [[x for x in "pq" if rng.random() < 0.5] for _ in range(states)]
    after = [sorted({(i + 1) % states, *rng.choices(range(states), k=2)}) for i in range(states)]
    return kripke(
        {f"s{i}": [f"s{j}" for j in each] for i, each in enumerate(after)},
        labels={f"s{i}": each for i, each in enumerate(labels)},
        initial="s0",
    )


def in_their_words(formula: Formula) -> str:
    """A formula of CTL as RSMCheck reads it, and Pigro: booleans in words, and in parentheses.

    >>> from pigro.logic import parse
    >>> in_their_words(parse("!EX a & E [b U (a | c)]"))
    '(not E X a and E (b U (a or c)))'
    """
    words = {Op.AND: "and", Op.OR: "or", Op.IMPLIES: "-->", Op.U: "U", Op.R: "R"}
    texts: list[str] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        kind = Op(op)
        if kind is Op.ATOM:
            texts.append(formula.atoms[left])
        elif kind in words:
            texts.append(f"({texts[left]} {words[kind]} {texts[right]})")
        elif kind in {Op.TRUE, Op.FALSE}:
            texts.append(kind.name.lower())
        else:
            assert kind in {Op.NOT, Op.A, Op.E, Op.X, Op.F, Op.G}, kind
            word = "not" if kind is Op.NOT else kind.name
            texts.append(f"{word} {texts[left]}")
    return texts[-1]


class Files:
    """A question in a folder of its own, which goes when it does."""

    def __init__(self, at: At, scope: StudyScope) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pigro-bench-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.model, self.formula = self.folder / "model.rsm", self.folder / "formula.ctl"
        for path, content in zip((self.model, self.formula), question(at, scope), strict=True):
            path.write_bytes(content)
