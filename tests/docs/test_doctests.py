"""The examples in the docstrings of all modules."""

import doctest
import importlib
import pkgutil

import pytest

import pigro

MODULES = ["pigro", *sorted(each.name for each in pkgutil.walk_packages(pigro.__path__, "pigro."))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "pigro._core"])
def test_docstrings(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_there_are_docstrings_to_test():
    finder = doctest.DocTestFinder()
    modules = map(importlib.import_module, ("pigro", "pigro.model.builder", "pigro.session.api"))
    assert all(any(test.examples for test in finder.find(module)) for module in modules)
