"""`help`, `inspect.signature` and `typing.get_type_hints` work for all that is public."""

import inspect
import pydoc
import subprocess
import sys
import typing
from functools import cached_property

import pytest

import pigro
import pigro.batch
from pigro.evidence.completion.ways import ComposedRun
from pigro.lazy_names import type_names
from pigro.session.api import Options
from pigro.verdict.verdict import CheckStats, Step


def function(member):
    """The function of a method or property. None for other values."""
    if isinstance(member, (classmethod, staticmethod)):
        return member.__func__
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return member if inspect.isfunction(member) else None


def public():
    """The public names, the classes that verdicts are made of, and their public methods."""
    named = {name: getattr(pigro, name) for name in pigro.__all__ if name != "__version__"}
    named |= {f"batch.{name}": getattr(pigro.batch, name) for name in pigro.batch.__all__}
    named |= {each.__name__: each for each in (Options, CheckStats, ComposedRun, Step)}
    for name, found in named.items():
        yield pytest.param(found, id=name)
        for each, member in vars(found).items() if isinstance(found, type) else ():
            if not each.startswith("_") and function(member) is not None:
                yield pytest.param(function(member), id=f"{name}.{each}")


@pytest.mark.parametrize("found", [*public()])
def test_annotations_can_be_evaluated(found):
    hints = typing.get_type_hints(found)
    assert not [each for each in hints.values() if isinstance(each, str)]
    if found is not Options:  # a dictionary, which has none
        assert inspect.signature(found) is not None
    assert found.__name__ in pydoc.render_doc(found)


def test_the_package_has_help():
    assert "class Verdict" in pydoc.plain(pydoc.render_doc(pigro))


def test_evaluated_annotations_are_the_classes_themselves():
    hints = typing.get_type_hints(pigro.Verdict)
    assert hints["formula"] is pigro.Formula
    assert hints["certificate"] == pigro.Certificate | None
    assert typing.get_type_hints(pigro.simulates)["abstract"]
    assert inspect.signature(pigro.Verdict).parameters["formula"].annotation is pigro.Formula


def test_names_for_annotations_import_nothing_until_they_are_evaluated():
    names = {}
    type_names(names, {"fractions": "Fraction", "pigro": "_core"})
    assert repr(names["Fraction"]) == "Fraction"
    code = (
        "import sys, pigro; pigro.Verdict, pigro.load, pigro.RSM;"
        "print(*{'pigro.evidence', 'pigro.certificates', 'pigro.model.composition', 'pathlib'}"
        " & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
