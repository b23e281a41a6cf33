"""Rule temporary-file-left: files and folders that stay, each beside code that looks the same."""

import textwrap

import pytest

from pigro.rules import built_in
from pigro.scan.scanning import scan_paths

PAIRS = {
    "a folder that is removed when something raises": (
        """
        def f(p):
            d = tempfile.mkdtemp()
            shutil.copy(p, d)
            shutil.rmtree(d)
        """,
        """
        def f(p):
            d = tempfile.mkdtemp()
            try:
                shutil.copy(p, d)
            finally:
                shutil.rmtree(d, ignore_errors=True)
        """,
    ),
    "a file in a temporary folder of an object": (
        """
        def f(p, module):
            fd, d = tempfile.mkstemp(dir=module.template_dir)
            shutil.copy(p, d)
        """,
        """
        def f(p, module):
            fd, d = tempfile.mkstemp(dir=module.tmpdir)
            shutil.copy(p, d)
        """,
    ),
    "a folder in a temporary folder of a module": (
        """
        def f(p, tmp_dir):
            d = tempfile.mkdtemp(dir=tmp_dir)
            shutil.copy(p, d)
        """,
        """
        def f(p):
            d = tempfile.mkdtemp(dir=constants.LOCAL_TMP)
            shutil.copy(p, d)
        """,
    ),
    "a folder in a temporary folder of the same object": (
        """
        class A:
            def f(self, p):
                d = tempfile.mkdtemp(dir=self.tmp)
                shutil.copy(p, d)
        """,
        """
        class A:
            def f(self, p):
                d = tempfile.mkdtemp(dir=self.owner.tmp)
                shutil.copy(p, d)
        """,
    ),
    "a function that removes by its name": (
        """
        def look(path):
            os.listdir(path)
        def f(p):
            d = tempfile.mkdtemp()
            look(d)
        """,
        """
        def clean_rmtree(path):
            os.listdir(path)
        def f(p):
            d = tempfile.mkdtemp()
            clean_rmtree(d)
        """,
    ),
    "a method that removes by its name": (
        """
        def f(self):
            d = tempfile.mkdtemp()
            os.listdir(d)
        """,
        """
        def f(self):
            d = tempfile.mkdtemp()
            self.remove_tree(d)
        """,
    ),
    "a file under the name of a Path": (
        """
        def f(data):
            fd, name = tempfile.mkstemp()
            path = Path(name)
            os.write(fd, data)
            path.unlink()
        """,
        """
        def f(data):
            fd, name = tempfile.mkstemp()
            path = Path(name)
            try:
                os.write(fd, data)
            finally:
                path.unlink()
        """,
    ),
    "a Path without a name": (
        """
        def f():
            fd, name = tempfile.mkstemp()
            os.close(fd)
            Path(name).exists()
        """,
        """
        def f():
            fd, name = tempfile.mkstemp()
            os.close(fd)
            Path(name).replace("x")
        """,
    ),
    "a path in full": (
        """
        def f():
            d = tempfile.mkdtemp()
            d = os.path.realpath(d)
            os.listdir(d)
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            d = os.path.realpath(d)
            os.rmdir(d)
        """,
    ),
    "a Path that opens a file": (
        """
        def f(x):
            d = Path(tempfile.mkdtemp())
            t = tempfile.mkdtemp()
            path = Path(t)
            path.open()
            return d
        """,
        """
        def f(x):
            t = tempfile.mkdtemp()
            path = Path(t)
            path.rmdir()
        """,
    ),
    "a path in the folder that is returned": (
        """
        def f(p):
            d = tempfile.mkdtemp()
            path = os.path.join(d, "x")
            shutil.copy(p, path)
            return path
        """,
        """
        def f(p):
            d = tempfile.mkdtemp()
            path = os.path.join(d, "x")
            return path
        """,
    ),
    "a text with the path that is returned": (
        """
        def f():
            d = tempfile.mkdtemp()
            path = f"{d}/x"
            return len(path)
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            return f"{d}/x"
        """,
    ),
    "a sum with the path that is returned": (
        """
        def f():
            d = tempfile.mkdtemp()
            path = d + "/x"
            path = "y"
            return path
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            path = d + "/x"
            return [path]
        """,
    ),
    "a path in the folder that is kept in an attribute": (
        """
        def f(self):
            d = tempfile.mkdtemp()
            path = Path(d).joinpath("x")
            self.size = 1
        """,
        """
        def f(self):
            d = tempfile.mkdtemp()
            self.path = Path(d).joinpath("x")
        """,
    ),
    "a text of the path that is kept in an attribute": (
        """
        def f(self):
            d = tempfile.mkdtemp()
            self.d = len(str(d))
        """,
        """
        def f(self):
            d = tempfile.mkdtemp()
            self.d = str(d)
        """,
    ),
    "an object with the path that is returned": (
        """
        def f():
            d = tempfile.mkdtemp()
            x = other.Store(os.path.join(d, "x"))
            return 1
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            x = other.Store(os.path.join(d, "x"))
            return x
        """,
    ),
    "a result of unknown code that got the path is returned": (
        """
        def f():
            d = tempfile.mkdtemp()
            x = os.stat(os.path.join(d, "x"))
            return x
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            x = other.download(os.path.join(d, "x"))
            return x
        """,
    ),
    "making a Path does not fail": (
        """
        def f(data):
            path = None
            try:
                fd, name = tempfile.mkstemp()
                os.write(fd, data)
                path = Path(name)
            finally:
                if path:
                    path.unlink()
        """,
        """
        def f(data):
            path = None
            try:
                fd, name = tempfile.mkstemp()
                path = Path(name)
                os.write(fd, data)
            finally:
                if path:
                    path.unlink()
        """,
    ),
    "a path in the folder that unknown code gets": (
        """
        def f(found):
            d = tempfile.mkdtemp()
            found.append(1)
            print(os.path.join(d, "x"))
        """,
        """
        def f(found):
            d = tempfile.mkdtemp()
            found.append(os.path.join(d, "x"))
        """,
    ),
    "a path in the folder takes its name": (
        """
        def f():
            d = tempfile.mkdtemp()
            d = "x"
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            d = os.path.join(d, "x")
            os.mkdir(d)
        """,
    ),
    "a path in the folder is removed, and the folder": (
        """
        def f():
            d = tempfile.mkdtemp()
            os.remove(os.path.join(d, "x"))
        """,
        """
        def f():
            d = tempfile.mkdtemp()
            try:
                os.remove(os.path.join(d, "x"))
            finally:
                os.rmdir(d)
        """,
    ),
    "a helper that moves the file": (
        """
        def look(path, to):
            subprocess.call(["ls", path, to])
        def f(to):
            fd, name = tempfile.mkstemp()
            os.close(fd)
            look(name, to)
        """,
        """
        def safe_move(path, to):
            subprocess.call(["mv", path, to])
        def f(to):
            fd, name = tempfile.mkstemp()
            os.close(fd)
            safe_move(name, to)
        """,
    ),
    "a helper that moves a path that it makes": (
        """
        def put(path, to):
            path = os.path.abspath(path)
            os.stat(path)
        def f(to):
            fd, name = tempfile.mkstemp()
            os.close(fd)
            put(name, to)
        """,
        """
        def put(path, to):
            path = os.path.abspath(path)
            os.rename(path, to)
        def f(to):
            fd, name = tempfile.mkstemp()
            os.close(fd)
            put(name, to)
        """,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_fault_is_found_and_right_code_is_not(name, tmp_path):
    for at, text in enumerate(PAIRS[name]):
        file = tmp_path / f"m{at}.py"
        head = "import os, other, shutil, subprocess, tempfile\nfrom pathlib import Path\n"
        file.write_text(head + textwrap.dedent(text))
        report = scan_paths([str(file)], [built_in()["temporary-file-left"]])
        assert not report.errors
        assert len(report.findings) == 1 - at
