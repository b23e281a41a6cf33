"""Right code whose values are known, and code for an effect, each beside a fault that looks the same."""

import textwrap

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths

RIGHT = {
    "a constant of the module is false": (
        "resource-leak",
        """
        DEBUG = False
        def f(p):
            if DEBUG:
                x = open(p)
                x.read()
        """,
    ),
    "a callee gives its own name another value": (
        "resource-leak",
        """
        def look(x):
            x = x.read()
            return len(x)
        def f(p):
            x = open(p)
            print(look(x))
            x.close()
        """,
    ),
    "a new object is true": (
        "resource-leak",
        """
        import subprocess
        def f(p, g):
            child = None
            if g:
                child = subprocess.Popen(p)
                x = open(p)
            if child:
                g()
            if not child:
                return
            x.close()
        """,
    ),
    "the other element of mkstemp is true": (
        "fd-leak",
        """
        import os, tempfile
        def f(g):
            name = None
            try:
                fd, name = tempfile.mkstemp()
            except OSError:
                g()
            if name:
                os.close(fd)
        """,
    ),
    "a name that was opened is not empty": (
        "resource-leak",
        """
        def f(names, g):
            name = None
            while names and not name:
                try:
                    name = names.pop()
                    x = open(name)
                except OSError:
                    name = None
            if not name:
                return
            g(x)
        """,
    ),
    "a standard stream stays open": (
        "fd-leak",
        """
        import os
        def f(p):
            fd = os.open(p, os.O_RDWR)
            for each in range(3):
                os.dup2(fd, each)
            if fd not in range(3):
                os.close(fd)
        """,
    ),
    "a descriptor above the standard streams": (
        "fd-leak",
        """
        import os
        def f(p):
            fd = os.open(p, os.O_RDWR)
            os.dup2(fd, 0)
            if fd > 2:
                os.close(fd)
        """,
    ),
    "a method of an unknown object that never returns in the program": (
        "resource-leak",
        """
        import sys
        class Module:
            def fail(self, text):
                print(text)
                sys.exit(1)
        def f(p, module):
            x = open(p)
            try:
                x.read()
                x.close()
            except OSError:
                module.fail("no")
        """,
    ),
    "a file inside another file, which is closed": (
        "resource-leak",
        """
        import zipfile
        def f(p):
            x = open(p, "rb")
            try:
                z = zipfile.ZipFile(x)
                return z.namelist()
            finally:
                x.close()
        """,
    ),
    "the member of an archive keeps the archive": (
        "resource-leak",
        """
        import zipfile
        def f(p, name):
            z = zipfile.ZipFile(p)
            return z.open(name)
        """,
    ),
    "the same question twice": (
        "resource-leak",
        """
        def f(p, is_file, data):
            if is_file(p):
                x = p
            else:
                x = open(p)
            try:
                x.write(data)
            finally:
                if not is_file(p):
                    x.close()
        """,
    ),
    "a selector without a descriptor": (
        "resource-leak",
        """
        import selectors
        def f(g):
            s = selectors.SelectSelector()
            g(s.select())
        """,
    ),
    "an empty dict with a default": (
        "dead-store",
        """
        from collections import defaultdict
        def f(g):
            x = defaultdict(set)
            x = g()
            return x
        """,
    ),
    "a decorator by hand": (
        "dead-store",
        """
        def f(register, new):
            def show(x):
                return x
            if new:
                show = register(int)(show)
            return 1
        """,
    ),
    "an import for its effect": (
        "dead-store",
        """
        import sys
        from importlib import import_module
        def f(name):
            if name not in sys.modules:
                m = import_module(name)
            m = sys.modules[name]
            return m
        """,
    ),
    "text that is skipped": (
        "dead-store",
        """
        def f(reader):
            while True:
                x = reader.consume(3).strip()
                x = reader.find(1)
                if x:
                    return x
        """,
    ),
    "an answer that must be read": (
        "dead-store",
        """
        async def f(self, ask):
            x = await ask()
            print(x)
            x = await self.read_response()
            return ask
        """,
    ),
    "a part that must be parsed": (
        "dead-store",
        """
        def f(self, g):
            x = g()
            print(x)
            x = self._parse_list()
            return self._parse_name()
        """,
    ),
    "a check": (
        "dead-store",
        """
        def f(names, checkName, g):
            x = g()
            print(x)
            for each in names:
                x = checkName(each)
        """,
    ),
    "a function that replaces itself": (
        "endless-recursion",
        """
        def wait(*args):
            global wait
            wait = print
            return wait(*args)
        """,
    ),
    "an argument that is changed and returned": (
        "dead-store",
        """
        def grown(x, value):
            x.append(value)
            return x
        def fill(x, value):
            return grown(x, value)
        def f(x):
            x = fill(x, 1)
        """,
    ),
    "a default of a function inside": (
        "dead-store",
        """
        def f(g):
            x = 1
            print(x)
            x = g(x)
            def inner(y=x):
                return y
            return inner
        """,
    ),
    "an object that gets another class": (
        "endless-recursion",
        """
        class Null:
            def morph(self):
                self.__class__ = Real
            def add(self, x):
                self.morph()
                self.add(x)
        class Real:
            def add(self, x):
                print(x)
        """,
    ),
    "an attribute of a class": (
        "resource-leak",
        """
        from concurrent.futures import ThreadPoolExecutor
        class A:
            pool = ThreadPoolExecutor()
            def f(self, g):
                return self.pool.submit(g)
        """,
    ),
    "waiting for an effect": (
        "dead-store",
        """
        def f(self, g):
            x = g()
            print(x)
            x = self._wait_for_all(g)
            return g()
        """,
    ),
}
WRONG = {
    "a constant of the module is true": (
        "resource-leak",
        """
        DEBUG = True
        def f(p):
            if DEBUG:
                x = open(p)  # here
                x.read()
        """,
    ),
    "the only name gets another value": (
        "resource-leak",
        """
        def f(p):
            x = open(p)  # here
            x = x.read()
            return x
        """,
    ),
    "an object with a length may be false": (
        "resource-leak",
        """
        class Bag:
            def __len__(self):
                return 0
        def f(p, g):
            bag = None
            if g:
                bag = Bag()
                x = open(p)  # here
            if bag:
                g()
            if not bag:
                return
            x.close()
        """,
    ),
    "a descriptor that is compared with something else": (
        "fd-leak",
        """
        import os
        def f(p):
            fd = os.open(p, os.O_RDWR)  # here
            if fd > 5:
                os.close(fd)
        """,
    ),
    "a method of an unknown object that returns in some class": (
        "resource-leak",
        """
        import sys
        class Module:
            def fail(self, text):
                sys.exit(1)
        class Other:
            def fail(self, text):
                print(text)
        def f(p, module):
            x = open(p)  # here
            try:
                x.read()
                x.close()
            except OSError:
                module.fail("no")
        """,
    ),
    "an archive that is written to an open file": (
        "resource-leak",
        """
        import zipfile
        def f(p):
            x = open(p, "wb")
            try:
                z = zipfile.ZipFile(x, "w")  # here
                z.writestr("a", "b")
            finally:
                x.close()
        """,
    ),
    "a question about something else": (
        "resource-leak",
        """
        def f(p, q, is_file, data):
            if is_file(p):
                x = p
            else:
                x = open(p)  # here
            try:
                x.write(data)
            finally:
                if not is_file(q):
                    x.close()
        """,
    ),
    "a full dict": (
        "dead-store",
        """
        from collections import OrderedDict
        def f(g):
            x = OrderedDict(g)  # here
            x = g()
            return x
        """,
    ),
}


def found(tmp_path, rule, text):
    path = tmp_path / "app.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return scan_paths([str(path)], [built_in()[rule]]).findings


@pytest.mark.parametrize("name", RIGHT)
def test_right_code_is_left_alone(name, tmp_path):
    assert found(tmp_path, *RIGHT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_the_fault_beside_it_is_found(name, tmp_path):
    [finding] = found(tmp_path, *WRONG[name])
    assert textwrap.dedent(WRONG[name][1]).split("\n")[finding.line - 1].endswith("# here")
