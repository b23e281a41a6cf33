"""Each thing that the linker reads in another file is in the surface of that file.

In each case only the file `m.py` changes, and what the calls of `n.py` call changes with it.
"""

import pytest

from pigro.limits import Budget
from pigro.scan.surveys import ProgramSurveys
from pigro.sources.link import LinkedProgram
from pigro.sources.python.reading import read_module
from pigro.sources.surface import surface_of

P = "class P:\n    def go(self): pass\nclass Q: pass\n"
BELOW = "from m import A\nclass B(A):\n    def run(self): self.x.go()\n"
SELF = "from m import A\nclass B(A):\n    def run(self): self.go()\n"
MAKE = "from m import make\nmake().go()\n"
CASES = {
    "attribute": ("class A:\n def __init__(self): self.x = {}()\n", "P", "Q", BELOW),
    "local": ("class A:\n def __init__(self):\n  p = {}()\n  self.x = p\n", "P", "Q", BELOW),
    "two attributes": ("class A:\n def __init__(self): self.x = P()\n def f(self): {}\n",
                       "pass", "self.x = 1", BELOW),
    "first parameter": ("class A:\n def __init__({}): self.x = P()\n", "self", "this", BELOW),
    "stub": ("class A:\n def go(self):\n  {}\n", "pass", "raise NotImplementedError", SELF),
    "abstract": ("class A:\n @{}\n def go(self): pass\n", "final", "abstractmethod", SELF),
    "property": ("@{}\ndef make(): pass\n", "cache", "property", "from m import make\nmake()\n"),
    "import": ("from os import {} as make\n", "open", "close", "from m import make\nmake()\n"),
    "import in a function": ("class A:\n def f(self):\n  from m import {} as C\n  self.x = C()\n",
                             "P", "Q", BELOW),
    "base": ("class A({}): pass\n", "P", "Q", SELF),
    "method": ("class A:\n def {}(self): pass\n", "go", "stop", SELF),
    "class attribute": ("class A:\n {} = 1\n def go(self): pass\n", "x", "go", SELF),
    "class annotation": ("class A:\n x: {}\n", "P", "Q", "from m import A\na = A()\na.x.go()\n"),
    "annotation of a result": ("def make() -> {}: pass\n", "P", "Q", MAKE),
    "coroutine": ("{} make() -> P: pass\n", "def", "async def", MAKE),
    "variable": ("x = {}()\n", "P", "Q", "from m import x\nx.go()\n"),
    "variable twice": ("x = P()\n{}\n", "y = Q()", "x = Q()", "from m import x\nx.go()\n"),
    "annotated variable": ("x: {} = None\n", "P", "Q", "from m import x\nx.go()\n"),
    "replaced function": ("def make(): pass\ndef f():\n global make\n {} = 1\n", "x", "make",
                          "from m import make\nmake()\n"),
    "replaced class": ("class A:\n def go(self): pass\n def f(self): self.{} = P\n", "x",
                       "__class__", "from m import A\na = A()\na.go()\n"),
    "function": ("def {}(): pass\n", "make", "other", "from m import make\nmake()\n"),
}  # fmt: skip


def read(text, name="m"):
    return read_module(text.encode(), f"{name}.py", name, is_package=False)


def calls_of_n(text, other):
    modules = [read(text), read(other, "n")]
    surveys = ProgramSurveys(LinkedProgram.of(modules), modules, Budget())
    made = surveys.calls()[1]
    return made.unknown, made.external, made.inside, made.bases


@pytest.mark.parametrize("name", CASES)
def test_what_others_see_is_in_the_surface(name):
    text, before, after, other = CASES[name]
    old, new = (P + text.format(each) for each in (before, after))
    assert calls_of_n(old, other) != calls_of_n(new, other)
    assert surface_of(read(old)) != surface_of(read(new))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return x", "print()\n    return x"),
        ("return x", "y = g(x)\n    return y"),
        ("return x", "return g(x, 3)"),
        ("return x", "\n\n    # later\n    return x"),
        ("return x", "with open(x) as f:\n        return f.read()"),
        ("return x", "raise ValueError"),
    ],
)
def test_a_change_inside_of_a_function_is_not(before, after):
    text = "def f(x):\n    y = 1\n    return x\nclass A:\n    def m(self):\n        self.x = f(1)\n"
    assert surface_of(read(text)) == surface_of(read(text.replace(before, after)))


def test_packages_differ_from_modules():
    text = b"from .a import b\n"
    one, other = (read_module(text, "m", "m", is_package=each) for each in (True, False))
    assert surface_of(one) != surface_of(other)


def test_lines_are_not_in_the_names_of_functions_that_are_defined_again():
    text = (
        "class A:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, to): pass\n"
    )
    moved = read("\n\n" + text)
    assert surface_of(read(text)) == surface_of(moved)
    assert moved.function_names == ["m", "m.A", "m.A.x", "m.A.x@2"]
