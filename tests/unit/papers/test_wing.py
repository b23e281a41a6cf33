"""The folder `papers` can be taken away, and other packages can add engines as it does."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HIDDEN = """
import sys

sys.modules["pigro.papers"] = None
from pigro.__main__ import main

main()
"""


def without_papers(*arguments):
    return subprocess.run(
        [sys.executable, "-c", HIDDEN, *arguments], capture_output=True, text=True, cwd=EXAMPLES
    )


@pytest.mark.parametrize(
    "command, code",
    [
        ("check dataflow.rsm -f dataflow.ctl --witness", 1),
        ("check dataflow.rsm EF(def_i) --engine exhaustive --format json", 0),
        ("check dataflow.rsm F(use_i) --engine onthefly --depth 9", 0),
        ("check mutex.smv -f mutex.ctl", 1),
        ("compose handshake.parts", 1),
        ("convert choices.rsm - --to json", 0),
        ("label dataflow.rsm EF(use_i)", 0),
        ("explain dataflow.rsm EF(use_i)", 0),
        ("check --help", 0),
    ],
)
def test_everything_else_works_without_the_papers(command, code):
    done = without_papers(*command.split())
    assert done.returncode == code, done.stderr
    assert "papers" not in done.stdout + done.stderr


def test_an_engine_of_the_papers_is_unknown_without_them():
    done = without_papers("check", "dataflow.rsm", "EF def_i", "--engine", "lazy")
    assert done.returncode == 2
    assert "error[P403]: there is no engine 'lazy'" in done.stderr
    assert "engines: auto, demand, onthefly, game, exhaustive\n" in done.stderr


def installed(folder, code):
    """The environment of a process in which a package has engines."""
    (folder / "slow_engines.py").write_text(textwrap.dedent(code))
    info = folder / "slow_engines-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-engines\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pigro.engines]\nslow = slow_engines\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


def check(environment, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "pigro", "check", EXAMPLES / "dataflow.rsm", "EF use_i", *arguments],
        capture_output=True,
        text=True,
        env=environment,
    )


def test_an_engine_of_another_package(tmp_path):
    environment = installed(
        tmp_path,
        """
        from dataclasses import dataclass
        from pigro.engines import Capabilities, choose_engine
        from pigro.engines.python_engine import EngineAnswer, PythonEngine

        ENGINES = (Capabilities("slow", "slow_engines", options=("seed",)),)

        @dataclass(frozen=True)
        class Slow(PythonEngine):
            name: str = "slow"
            seed: int = 0

            def decider(self, model):
                return lambda formula, budget: EngineAnswer([self.seed == 7 for _ in model.initial])

        SLOW = Slow()
        """,
    )
    assert check(environment, "--engine", "slow").returncode == 1
    done = check(environment, "--engine", "slow", "--seed", "7")
    assert done.returncode == 0
    assert done.stdout.startswith("holds    EF use_i")
    done = check(environment, "--engine", "slow", "--trace")
    assert "engine slow has no --trace" in done.stderr
    assert check(environment, "--engine", "demand").stdout.startswith("holds    EF use_i")
    done = check(environment, "--engine", "slower")
    assert done.returncode == 2
    assert "slower" in done.stderr


@pytest.mark.parametrize("code", ["1 / 0", "ENGINES = ['slow']", "engines = ()"])
def test_a_package_that_fails_is_named(tmp_path, code):
    environment = installed(tmp_path, code)
    done = check(environment, "--engine", "slow")
    assert done.returncode == 2
    assert "error[P019]: the plug-in slow_engines of engines: loading it fails with" in done.stderr
    for engine in ("demand", "lazy"):
        assert check(environment, "--engine", engine).returncode == 0
