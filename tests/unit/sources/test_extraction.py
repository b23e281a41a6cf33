"""Extraction against CPython: every observed run of a function is a run of its component.

`PIGRO_PROGRAMS=400 pytest tests/unit/sources/test_extraction.py` tries 2,000 functions.
"""

import sysconfig
from pathlib import Path

import pytest

import pigro
from pigro.limits import Budget
from pigro.scan.extracting import extract
from pigro.scan.scanning import read_sources
from pigro.sources.files import source_files
from pigro.sources.link import LinkedProgram
from pigro.sources.python.reading import read_module

from oracle.programs import program, runs
from oracle.runs_of_models import Simulation, wrong_runs
from support.selection.cases import number_of_cases

PROGRAMS = number_of_cases("PIGRO_PROGRAMS", 10)
LIBRARY = Path(sysconfig.get_path("stdlib"))


def extracted(text):
    module = read_module(text.encode(), "program.py", "m", is_package=False)
    return extract(LinkedProgram.of([module]))


@pytest.mark.random
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_what_cpython_does_is_a_run_of_the_model(seed):
    text, names = program(seed)
    components = extracted(text).machine.components
    for name in names:
        for root in runs(text, name, "program.py", most=30):
            wrong = [(each.name, each.items) for each in wrong_runs(root, components)]
            assert wrong == [], text


def test_the_oracle_sees_a_missing_edge():
    text = "def f(c):\n    x = c()\n    y = c()\n    return y\n"
    made = extracted(text)
    [root] = runs(text, "f", "program.py", most=1)
    assert wrong_runs(root, made.machine.components) == []
    component = made.machine.components["m.f"]
    component.edges = [edge for edge in component.edges if edge[0] != 0]
    assert not Simulation(component, made.machine.components).accepts(root, {})


@pytest.mark.parametrize(
    "name", ["contextlib", "asyncio", "tempfile", "socketserver", "json", "dataclasses"]
)
def test_the_standard_library_is_extracted(name):
    path = LIBRARY / name
    given = str(path if path.is_dir() else path.with_suffix(".py"))
    modules, errors, _ = read_sources(source_files([given]), Budget())
    assert errors == []
    made = extract(LinkedProgram.of(modules))
    functions = sum(len(each.functions) for each in modules)
    assert made.model.core.components == functions + 1


def test_a_generator_runs_where_it_is_asked_for_elements():
    text = "def g():\n    yield 1\ndef f():\n    a = g()\n    for x in g():\n        print(x)\n"
    made = extracted(text)
    component = made.machine.components["m.f"]
    assert sorted(box.origin for box in component.boxes) == sorted(
        node for node, op in enumerate(component.function.ops) if op and op[0] == 3 for _ in (1, 2)
    )


@pytest.mark.parametrize("around", ["", "def f():\n"])
def test_the_body_of_a_class_runs_where_the_class_is_defined(around):
    indent = "    " if around else ""
    lines = [
        "import time",
        "@print",
        "class A:",
        "    class B:",
        "        time.sleep(1)",
        "x = A()",
    ]
    made = extracted(around + "".join(f"{indent}{each}\n" for each in lines))
    home = "m.f" if around else "m"
    boxes = [
        (each.name, box.callee) for each in made.machine.components.values() for box in each.boxes
    ]
    assert (home, f"{home}.A") in boxes
    assert (f"{home}.A", f"{home}.A.B") in boxes
    assert pigro.check(made.model, 'EF "call_time.sleep"').holds
    assert pigro.check(made.model, f'A [!def_{home}.x W "call_time.sleep"]').holds
    assert not pigro.check(made.model, f"AG !def_{home}.x").holds
