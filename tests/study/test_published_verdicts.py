"""The use-def requirements of the Java programs in [Dubslaff2024], Table 1."""

import pytest

from pigro.engines import ENGINES, misfit_reason
from pigro.formats import rsm_json
from pigro.logic import parse, read_formulas

from support.samples.shared_files import java

PROGRAMS = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")
STANDARD = {program: program == "avroraMedTest" for program in PROGRAMS}
PUBLISHED = {program: program != "dataflow" for program in PROGRAMS}
FORMULAS = {
    "dataflow": 3,
    "avroraReg": 412,
    "avroraMedTest": 654,
    "avroraELF": 741,
    "fop2pdf": 1546,
    "dom2pdf": 1595,
}
HOLD = {  # of all use-def formulas: in our semantics, and in the published reading
    "dataflow": (2, 2),
    "avroraReg": (321, 403),
    "avroraMedTest": (547, 644),
    "avroraELF": (505, 739),
    "fop2pdf": (1152, 1544),
    "dom2pdf": (1207, 1577),
}


def skip_misfit(engine, model):
    if misfit_reason(ENGINES[engine], model) is not None:
        pytest.skip(f"{engine} does not fit such models")


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("semantics, verdicts", [("standard", STANDARD), ("rsmcheck", PUBLISHED)])
def test_single_formulas(program, semantics, verdicts, engine):
    model = rsm_json.read(java(program, ".rsm"), semantics=semantics)
    skip_misfit(engine, model)
    _, formula = read_formulas(java(program, "_single_usedef.ctl"))[0]
    assert ENGINES[engine](model, formula).holds is verdicts[program]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
def test_all_use_def_formulas(program, semantics):
    """`demand` and `exhaustive` agree on each, and as many hold as is known."""
    formulas = [formula for _, formula in read_formulas(java(program, "_usedef.ctl"))]
    assert len(formulas) == FORMULAS[program]
    model = rsm_json.read(java(program, ".rsm"), semantics=semantics)
    lazy, full = (
        [verdict.holds for verdict in ENGINES[engine].check_all(model, formulas)]
        for engine in ("demand", "exhaustive")
    )
    assert lazy == full
    assert lazy.count(True) == HOLD[program][semantics == "rsmcheck"]


def test_the_path_that_decides_avrora_elf():
    """docs/slips.md tells the path. This checks its turning point and its end, in model and pushdown system."""
    rules = java("avroraELF", ".pds").decode().splitlines()
    one_liner = "cpL_java_io_ObjectStreamField___init__Ljava_lang_String_Ljava_lang_Class_V_41"
    assert rules[10431 - 1].split() == [
        "csq",
        "<cpDEFAULT_1215>",
        "-->",
        "csq",
        f"<{one_liner}",
        "cpDEFAULT_1216>",
    ]
    assert rules[9059 - 1].split() == ["csq", f"<{one_liner}>", "-->", "csq", "<", ">"]
    verdict = {}
    for semantics in ("standard", "rsmcheck"):
        model = rsm_json.read(java("avroraELF", ".rsm"), semantics=semantics)
        use = "use__cck_elf_ELFSectionHeaderTable__cck_elf_ELFSectionHeaderTable_Entry32AA_entries_"
        formulas = ["EF cpDEFAULT_1216", "EF cpDEFAULT_4855", f"AG (cpDEFAULT_4855 -> !EF {use})"]
        verdict[semantics] = [ENGINES["demand"](model, parse(text)).holds for text in formulas]
    assert verdict == {"standard": [True, True, True], "rsmcheck": [False, False, True]}
