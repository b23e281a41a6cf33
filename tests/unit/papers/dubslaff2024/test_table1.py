"""#ctx of [Dubslaff2024], Table 1: the first use-def requirement of each Java program."""

import pytest

from pigro.formats import rsm_json
from pigro.logic import read_formulas
from pigro.papers.dubslaff2024 import EAGER, LAZY, TERNARY

from support.samples.shared_files import java

PUBLISHED = {
    "dataflow": 6,
    "avroraELF": 614,
    "avroraMedTest": 264,
    "avroraReg": 477,
    "dom2pdf": 2002,
    "fop2pdf": 2029,
}
EAGER_BUILT = {  # as published, but for the order in which boxes are looked at
    "dataflow": 6,
    "avroraELF": 617,
    "avroraMedTest": 266,
    "avroraReg": 479,
    "dom2pdf": 2008,
    "fop2pdf": 2019,
}
TERNARY_BUILT = {
    "dataflow": 1,
    "avroraELF": 1,
    "avroraMedTest": 3,
    "avroraReg": 3,
    "dom2pdf": 17,
    "fop2pdf": 1,
}


def contexts(engine, program):
    model = rsm_json.read(java(program, ".rsm"), semantics="rsmcheck")
    _, formula = read_formulas(java(program, "_single_usedef.ctl"))[0]
    verdict = engine(model, formula)
    assert verdict.holds is (program != "dataflow")
    return verdict.stats.contexts


@pytest.mark.long
@pytest.mark.parametrize("program", PUBLISHED)
def test_eager_builds_as_many_contexts_as_published(program):
    built = contexts(EAGER, program)
    assert built == EAGER_BUILT[program]
    assert abs(built - PUBLISHED[program]) <= 0.02 * PUBLISHED[program]


@pytest.mark.parametrize("program", PUBLISHED)
def test_lazy_builds_the_root_alone(program):
    assert contexts(LAZY, program) == 1


@pytest.mark.parametrize("program", PUBLISHED)
def test_ternary_builds_few(program):
    assert contexts(TERNARY, program) == TERNARY_BUILT[program]
