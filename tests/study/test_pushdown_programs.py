"""The Java programs as pushdown systems: the same verdicts as from their recursive state machines."""

from __future__ import annotations

import zipfile
from functools import cache

import pytest

from pigro.engines import ENGINES
from pigro.formats import pdmu, pds, rsm_json
from pigro.formats.use_def import use_def
from pigro.logic import Fragment, read_formulas

from support.samples.shared_files import benchmark, java

PROGRAMS = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")
COUNTS = {"dataflow": 3, "avroraReg": 412, "avroraMedTest": 654, "avroraELF": 741, "fop2pdf": 1546, "dom2pdf": 1595}  # fmt: skip


def original(program: str) -> bytes:
    """The program's file in the archive of all pushdown systems."""
    with zipfile.ZipFile(benchmark("java/all-pds.zip")) as archive:
        return archive.read(f"{program}.pds")


@cache
def use_def_formulas(program: str):
    return tuple(formula for _, formula in read_formulas(java(program, "_usedef.ctl")))


def verdicts(model, formulas) -> list[bool | None]:
    return [verdict.holds for verdict in ENGINES["demand"].check_all(model, list(formulas))]


@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_all_use_def_formulas_agree(program, semantics):
    """4,951 formulas. `rsmcheck` is about calls of one-line procedures, which are there in all formats."""
    formulas = use_def_formulas(program)
    assert len(formulas) == COUNTS[program]
    expected = verdicts(rsm_json.read(java(program, ".rsm"), semantics=semantics), formulas)
    for read, data in (
        (pds.read, java(program, ".pds")),
        (pds.read, original(program)),
        (pdmu.read, java(program, ".pdmu")),
    ):
        assert verdicts(read(data, semantics=semantics), formulas) == expected


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_general_translation_gives_the_same(program):
    formulas = use_def_formulas(program)[:100]
    expected = verdicts(pds.read(java(program, ".pds")), formulas)
    model = pds.read(java(program, ".pds"), translation="general")
    assert verdicts(model, formulas) == expected


@pytest.mark.parametrize("program", PROGRAMS)
def test_written_and_read_again(program):
    formulas = use_def_formulas(program)
    model = rsm_json.read(java(program, ".rsm"))
    copy = pds.read(pds.write(model))
    assert verdicts(copy, formulas) == verdicts(model, formulas)


@pytest.mark.parametrize(
    "program, variables", [("avroraDisassemble", 9_960), ("avroraCFG", 15_457)]
)
def test_the_programs_that_come_as_pushdown_systems_only(program, variables):
    model = pds.read(original(program))
    found = use_def(model)
    assert len(found) == variables
    some = [each.formula for each in found[:: len(found) // 200]]
    told = verdicts(model, some)
    assert {True, False} == set(told)


@pytest.mark.parametrize("program", PROGRAMS)
def test_use_def_formulas_of_the_published_file(program):
    """It has those variables whose names begin with an underscore."""
    found = use_def(pdmu.read(java(program, ".pdmu")))
    ours = {each.formula for each in found if each.variable.startswith("_")}
    assert ours == set(use_def_formulas(program))
    (single, *template) = [f for _, f in read_formulas(java(program, "_single_usedef.ctl"))]
    (stated, required) = pdmu.requirements(java(program, ".pdmu"))
    assert stated.formula.fragment is Fragment.MU, "the property of the file itself"
    assert required.formula == single
    assert len(template) == (program == "dom2pdf")
