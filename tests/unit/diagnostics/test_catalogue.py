"""The list of diagnostics: sorted, complete, all in use, and all can be met."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.generators.models import permutations
from pigro import (
    RSM,
    Composition,
    ModelBuilder,
    PartBuilder,
    PigroError,
    Positions,
    check,
    compose_check,
    kripke,
    load,
    parse,
    read_formulas,
    save,
)
from pigro.batch import cluster
from pigro.batch.plans import read_plan
from pigro.batch.store import Store
from pigro.diagnostics import CATALOGUE, InternalError
from pigro.diagnostics.catalogue import _ALL
from pigro.engines import with_options
from pigro.engines.game.symbolic.checking import symbolic_check
from pigro.engines.onthefly.system import ExploredSystem
from pigro.formats import binary, parts, pdmu, pds, rsm_json, smv, svg
from pigro.formats.plug_ins import PlugIn
from pigro.formats.registry import format_to_write
from pigro.logic.modal import modal_form
from pigro.model.kripke_part import part_of
from pigro.papers.dubslaff2024 import LAZY
from pigro.rules import read_rules
from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan.project.baseline import read_baseline
from pigro.scan.project.changes import changes_since
from pigro.scan.project.settings import project_of
from pigro.session.refining import simulates
from pigro.sources.files import source_files
from pigro.sources.python.reading import read_module

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCES = Path(__file__).resolve().parents[3] / "src" / "pigro"
MODEL = kripke({"a": ["b"], "b": []}, labels={"b": ["p"]}, initial="a")
COMMAND_LINE = {
    "P002",
    "P008",
    "P016",
    "P009",
    "P501",
    "P502",
    "P503",
    "P901",
    "P902",
    "P903",
    "P904",
    "P020",
}  # given by the command line only. Its tests meet them


def test_codes_are_unique_and_sorted():
    codes = [each.code for each in _ALL]
    assert codes == sorted(set(codes))
    assert list(CATALOGUE) == codes


@pytest.mark.parametrize("diagnostic", _ALL)
def test_each_is_well_written(diagnostic):
    assert re.fullmatch(r"P[0-59]\d\d", diagnostic.code)
    assert not diagnostic.title.endswith(".")
    assert diagnostic.meaning.endswith(".")
    assert diagnostic.meaning.isprintable()


def test_all_are_in_use_and_no_others():
    used = set()
    for file in SOURCES.rglob("*.py"):
        if file.name != "catalogue.py":
            used |= set(re.findall(r"\bP\d{3}\b", file.read_text(encoding="utf-8")))
    assert used == set(CATALOGUE)


def test_an_unknown_code_is_a_mistake_of_ours():
    with pytest.raises(KeyError):
        PigroError("P999", "what?")
    assert InternalError("P901", "oops").code == "P901"


def rsm(components: str, initial: str = '"a"') -> Callable[[], object]:
    text = f'{{"initial_component": "m", "initial_node": {initial}, "components": [{components}]}}'
    return lambda: rsm_json.read(text.encode())


def component(boxes: str = "", transitions: str = "", nodes: str = "") -> str:
    return (
        '{"name": "m", "nodes": [{"name": "a", "is_entry": true}, {"name": "x", "is_exit": true}'
        f'{nodes}], "boxes": [{boxes}], "transitions": [{transitions}]}}'
    )


def box(callee: str = "m", calls: str = "", returns: str = "") -> str:
    return (
        f'{{"name": "b", "component": "{callee}", "call_nodes": [{calls}], '
        f'"return_nodes": [{returns}]}}'
    )


def edge(source: str, target: str) -> str:
    return f'{{"source": {source}, "targets": [{target}]}}'


A, X = '{"type": "node", "name": "a"}', '{"type": "node", "name": "x"}'
BOX_A = '{"type": "box_node", "box_name": "b", "node_name": "a"}'


def two_starts() -> RSM:
    model = ModelBuilder()
    model.component("c").node("n")
    model.component("d").node("n")
    return model.build(initial="c:n")


def numbers(**changes: object) -> Callable[[], object]:
    arrays = {
        "component_offsets": [0, 1],
        "node_flags": [0],
        "edge_sources": [],
        "edge_targets": [],
        "labels": {},
        "initial": [0],
    }
    return lambda: RSM.from_arrays(**{**arrays, **changes})


def symbolic(formula: str) -> Callable[[], object]:
    whole = Composition([PartBuilder("p").state("s", initial=True).build()])
    return lambda: symbolic_check(whole, modal_form(parse(formula)))


def without_diagrams() -> object:
    with pytest.MonkeyPatch.context() as patch:
        for make in ("cudd", "autoref"):
            patch.setitem(sys.modules, f"dd.{make}", None)
        return symbolic("true")()


def part(name: str = "p", *labels: str) -> PartBuilder:
    return PartBuilder(name, labels=["x"]).state("s", *labels, initial=True)


def source(data: bytes) -> Callable[[], object]:
    return lambda: read_module(data, "app.py", "app", is_package=False)


def misspelled_key() -> object:
    with TemporaryDirectory() as folder:
        file = Path(folder, "a.rsm")
        nodes = b'[{"name": "a", "is_exit": true, "lables": ["p"]}]'
        start = b'{"initial_component": "m", "initial_node": "a", "components": [{"name": "m", '
        file.write_bytes(start + b'"nodes": ' + nodes + b"}]}")
        return check(str(file), "true", strict=True)


def broken_plug_in() -> None:
    broken = PlugIn(EntryPoint("broken", "no_such_module", "pigro.formats"))
    assert broken.trouble is not None
    raise broken.trouble


TRIGGERS: dict[str, Callable[[], object]] = {
    "P001": lambda: load("/no/such/file.rsm"),
    "P003": lambda: save(MODEL, "/no/such/folder/file.rsm"),
    "P004": lambda: MODEL.find("zzz"),
    "P005": lambda: two_starts().find("n"),
    "P006": lambda: kripke({"a": []}, labels={}, initial="a", dead_ends="no"),
    "P007": lambda: format_to_write("model.doc"),
    "P010": lambda: svg.draw(b"digraph {"),
    "P011": without_diagrams,
    "P012": lambda: Store(Path(__file__).parent),
    "P017": lambda: read_plan("no plan"),
    "P018": lambda: cluster._client("local:"),
    "P019": broken_plug_in,
    "P101": lambda: rsm_json.read(b"{"),
    "P102": lambda: rsm_json.read(b"\xff"),
    "P103": lambda: rsm_json.read(b"[]"),
    "P104": lambda: rsm_json.read(b'{"x":' + b"[" * 100_000),
    "P105": lambda: load(__file__),
    "P106": rsm(component(nodes=', {"name": "b", "name": "c"}')),
    "P107": misspelled_key,
    "P110": lambda: pds.read(b"(p <g>)\np <g> -> p <>"),
    "P111": lambda: pds.read(b"p <g> --> p <>"),
    "P112": lambda: pds.read(b"/* p"),
    "P113": lambda: pdmu.read(b"Propositions:"),
    "P120": lambda: smv.write(permutations(2)),
    "P121": lambda: smv.read(b"MODULE"),
    "P122": lambda: smv.requirements(b"MODULE m PSLSPEC TRUE"),
    "P123": lambda: smv.requirements(b"MODULE m SPEC p"),
    "P124": lambda: smv.read(b"MODULE m MODULE m"),
    "P125": lambda: smv.requirements(b"MODULE m SPEC 1"),
    "P126": lambda: smv.read(b"MODULE m VAR x : 0..1; ASSIGN init(x) := 2;"),
    "P127": lambda: smv.read(b"MODULE m VAR x : 0..1; CALL m := TRUE; ASSIGN init(x) := EXIT;"),
    "P128": lambda: smv.read(b"MODULE m VAR x : array 0..999999999 of boolean;"),
    "P129": lambda: smv.read(b"MODULE m VAR x : " + b"array 0..0 of " * 1000 + b"boolean;"),
    "P130": lambda: parts.parse(b"part p\nstat s"),
    "P131": lambda: parts.parse(b"state s"),
    "P132": lambda: parts.parse(b"part p\nstate s\nstate s"),
    "P133": lambda: parts.parse(b"part p\nstate s initial\ns -> t"),
    "P134": lambda: parts.parse(b"part p"),
    "P135": lambda: parts.parse(b"part p\nstate s initial\ns -a-> s"),
    "P136": lambda: smv.read(b"MODULE m VAR x : 0..1; CALL m := TRUE;", semantics="rmv"),
    "P137": lambda: smv.read(b"MODULE m CALL n := TRUE; MODULE n(x)"),
    "P138": lambda: smv.read(b"MODULE m VAR x : boolean; TRANS next(x) = EXIT"),
    "P140": lambda: binary.read(b"\x89pigro\r\n"),
    "P141": lambda: binary.read(b"\x89pigro\r\n\2\0" + bytes(22)),
    "P150": source(b"def f(:"),
    "P151": source(b"# coding: nonsense"),
    "P152": source(b"x = " + b"(" * 150 + b"-" * 20_000 + b"1" + b")" * 150),
    "P153": lambda: source_files([str(Path(__file__).parents[3] / "native" / "verify")]),
    "P154": lambda: source_files([str(Path(__file__).parents[3] / "CMakeLists.txt")]),
    "P160": lambda: read_rules("[rule", "own.toml"),
    "P161": lambda: read_rules("rule = 1", "own.toml"),
    "P162": lambda: chosen_rules(known_rules(), ["nothing"]),
    "P163": lambda: project_of(Path("pyproject.toml"), {"exclud": []}),
    "P164": lambda: read_baseline(os.devnull),
    "P165": lambda: changes_since("no such commit"),
    "P201": rsm(component(nodes=', {"name": "a"}')),
    "P202": rsm(component(boxes=box("n"))),
    "P203": rsm(component(), initial='"b"'),
    "P204": rsm(component(transitions=edge(A, BOX_A))),
    "P205": rsm(component(boxes=box(calls='"x"'))),
    "P206": rsm(component(boxes=box(returns='"a"'))),
    "P207": rsm(component(boxes=box(), transitions=edge(A, BOX_A))),
    "P208": rsm(component(boxes=box(calls='"a"'), transitions=edge(BOX_A, A))),
    "P209": rsm(component(transitions=edge(X, A))),
    "P210": rsm(component(), initial="[]"),
    "P211": lambda: kripke({"a": []}, labels={}, initial="a", dead_ends="error"),
    "P212": numbers(edge_sources=[0]),
    "P213": numbers(node_flags=np.zeros(2**31, np.uint8)),
    "P214": lambda: pds.read(b"(p <g>)\np <g> --> p <>\np <g> --> p <g>", translation="split"),
    "P215": lambda: pds.write(kripke({"a": []}, labels={"a": ["x y"]}, initial="a")),
    "P216": lambda: part().state("s"),
    "P217": lambda: part().step("s", "t").build(),
    "P218": lambda: PartBuilder("p").state("s").build(),
    "P219": lambda: part().step("s", "s", "a"),
    "P220": lambda: Composition([]),
    "P221": lambda: Composition([part("p", "x").build(), part("q").build()]),
    "P222": lambda: part_of(permutations(2)),
    "P223": lambda: Positions.of(["a.c"], nodes=[0, 2, 0, 1, 0]),
    "P224": lambda: kripke({0: 1}, labels={}, initial=0),
    "P301": lambda: parse("p &"),
    "P302": lambda: parse("(p"),
    "P303": lambda: parse("p & U"),
    "P304": lambda: parse("EX " * 1000 + "p"),
    "P305": lambda: parse(" "),
    "P306": lambda: parse("mu Z. !Z"),
    "P307": lambda: parse("mu Z. nu Z. Z"),
    "P308": lambda: check(MODEL, "{" + ";".join("p" * 257) + "}!"),
    "P309": lambda: parse("{F p}!"),
    "P310": lambda: parse("automaton x"),
    "P311": lambda: parse("automaton {}"),
    "P312": lambda: read_formulas("automaton x {start a; a -> a; accept a}\n" * 2),
    "P313": lambda: parse("automaton {start a; a -> a : F p; accept a}"),
    "P314": lambda: parse("automaton {start a; a -> a : p; accept b}"),
    "P401": lambda: check(MODEL, "A (F G p)", engine="eager"),
    "P402": lambda: check(MODEL, "zzz", strict=True),
    "P403": lambda: check(MODEL, "p", engine="zzz"),
    "P404": lambda: check(permutations(2), "p", engine="basic"),
    "P405": lambda: with_options(LAZY, heuristic="zzz"),
    "P407": lambda: ExploredSystem(object()),
    "P408": lambda: check(MODEL, "mu Z. p | <> Z", engine="lazy"),
    "P409": symbolic("<a> true"),
    "P410": lambda: compose_check(Composition([part().build()]), "<a> true"),
    "P411": lambda: check("json:JSONDecodeError", "p"),
    "P412": lambda: check("json:no_such", "p"),
    "P413": lambda: simulates(part().build(), PartBuilder("q").state("s", initial=True).build()),
}


def test_every_code_has_a_trigger():
    assert set(TRIGGERS) | COMMAND_LINE == set(CATALOGUE)


@pytest.mark.parametrize("code", TRIGGERS)
def test_trigger(code: str):
    with pytest.raises(PigroError) as caught:
        TRIGGERS[code]()
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")
