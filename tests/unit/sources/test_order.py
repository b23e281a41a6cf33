"""What a name means does not depend on what was asked before."""

import random

import pytest

from pigro.diagnostics import InputError
from pigro.sources.graph import CALL
from pigro.sources.link import LinkedProgram, deeply
from pigro.sources.python.reading import read_module

from oracle.random_projects import Writing

CIRCLES = {
    "a": "from b import x\ny = x\nclass A(B): pass\nclass B(A):\n    def m(self): self.m()\n",
    "b": "from a import y as x\nfrom a import *\n",
    "c": "from c import *\nfrom d import *\nf()\n",
    "d": "from c import *\nfrom e import *\ng()\n",
    "e": "def f(): g()\ndef g(): f()\n",
}
PATHS = {
    "f": """
class A:
    def __init__(self):
        self.a = self.b.make()
        self.b = B()
        self.c = self.c.next()
        self.d = self.e.x()
        self.e = self.d.x()
    def run(self):
        self.a.run()
        self.b.make()
        self.c.next()
        self.d.x()
class B:
    def make(self) -> A: return A()
"""
}


def program_of(texts):
    modules = [
        read_module(text.encode(), f"{name}.py", name, is_package=False)
        for name, text in texts.items()
    ]
    return LinkedProgram.of(modules)


def answers(texts, seed):
    """What all calls call, asked in an order of its own."""
    program = program_of(texts)
    calls = [
        (function, node)
        for function in program.functions.values()
        for node, op in enumerate(function.ops)
        if op is not None and op[0] == CALL
    ]
    if seed:
        random.Random(seed).shuffle(calls)
    found = {}
    with deeply():
        for function, node in calls:
            callee = program.callee(function, node)
            names = tuple(each.name for each in callee.functions)
            found[function.name, node] = (names, callee.external, callee.made)
        found["orders"] = {name: program.order(name) for name in program.classes}
    return found


@pytest.mark.parametrize("texts", [CIRCLES, PATHS])
def test_circles(texts):
    first = answers(texts, 0)
    assert all(answers(texts, seed) == first for seed in range(1, 30))


def test_attributes_are_known_one_by_one():
    found = answers(PATHS, 0)
    called = {names for names, *_ in list(found.values())[:-1] if names}
    assert {("f.A.run",), ("f.B.make",)} <= called


def test_stars_that_lead_in_a_circle_still_find_names():
    found = answers(CIRCLES, 0)
    assert [each[0] for key, each in found.items() if key[0] in {"c", "d"}] == [("e.f",), ("e.g",)]


def test_random_projects():
    writing = Writing(random.Random(1))
    for _ in range(40):
        texts = {}
        for name, pieces in writing.project().items():
            try:
                read_module("\n".join(pieces).encode(), name, "x", is_package=False)
            except InputError:
                continue
            texts[name.removesuffix(".py").replace("/", ".")] = "\n".join(pieces)
        first = answers(texts, 0)
        assert all(answers(texts, seed) == first for seed in (1, 2, 3))


def test_long_chains_of_names():
    count = 20_000
    text = "def f(): pass\nx0 = f\n" + "".join(f"x{n + 1} = x{n}\n" for n in range(count))
    found = answers({"a": text + f"x{count}()\n"}, 0)
    assert [each[0] for key, each in found.items() if key[0] == "a"] == [("a.f",)]
