"""Commands import what they need and no more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

FOREIGN = ("dd", "importlib.metadata", "rich", "pygraphviz", "numpy")
DRAWING = ("pigro.formats.dot", "pigro.formats.svg", "pigro.render.summary")
SELDOM = (
    *("pigro.certificates", "pigro.evidence", "pigro.render.json", "pigro.evidence.lines"),
    *("pigro.formats.use_def", "pigro.logic.modal", "pigro.model.builder", "pigro.model.part"),
    *("base64", "decimal", "json", "pathlib", "shutil"),
)
"""What a small check has no use for."""
MOST = 80
"""Modules of Pigro that a small check may load."""
BARE = """
import atexit, sys
atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))
import click, msgspec
"""
CODE = f"""
{BARE.partition("import click")[0]}
from pigro.cli.main import main
sys.argv[0] = "pigro"
main()
"""
MOST_DATACLASSES = 2
"""Those of Pigro that a small check may define: a record takes a tenth of the time."""
COUNTING = f"""
import atexit, dataclasses, sys
made, dataclass = [], dataclasses.dataclass
dataclasses.dataclass = lambda *args, **how: made.append(1) or dataclass(*args, **how)
atexit.register(lambda: print(len(made), file=sys.stderr))
{CODE.partition(BARE.partition("import click")[0])[2]}
"""


@pytest.fixture
def imported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    pigro.save(model, "m.rsm")

    package = str(Path(pigro.__file__).resolve().parents[1])

    def run(*args, code=CODE):
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            env=os.environ | {"PYTHONPATH": package},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return set(done.stderr.splitlines()[-1].split())

    return run


@pytest.mark.parametrize(
    ("args", "unneeded"),
    [
        (["--help"], ["pigro.formats", "pigro.model", "pigro.engines", "msgspec"]),
        (["check", "--help"], ["pigro.formats", "pigro.model", "pigro.engines", "msgspec"]),
        (["show", "--help"], ["pigro.formats", "pigro.model", "pigro.render"]),
        (["generate", "rsm", "--help"], ["pigro.generate", "pigro.model"]),
        (["check", "m.rsm", "p"], ["pigro.generate", "pigro.formats.model_json", *DRAWING]),
        (["convert", "m.rsm", "m.json"], ["pigro.engines", "pigro.generate", *DRAWING]),
        (["show", "m.rsm"], ["pigro.engines", "pigro.generate", "pigro.formats.svg"]),
        (["generate", "ctl"], ["pigro.engines", "pigro.render", "pigro.formats.rsm_json"]),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_nothing_unneeded(args, unneeded, imported):
    assert imported(*args) & {*unneeded, *FOREIGN} == set()


def test_a_small_check_loads_little(imported):
    """Each module costs time at the start of every run: a dataclass about half a millisecond."""
    loaded = imported("check", "m.rsm", "p") - imported(code=BARE)
    assert loaded & {*SELDOM} == set()
    own = {each for each in loaded if each.startswith("pigro")}
    assert len(own) <= MOST, sorted(own)


def test_a_small_check_defines_hardly_any_dataclass(imported):
    (made,) = imported("check", "m.rsm", "p", code=COUNTING)
    assert int(made) <= MOST_DATACLASSES
