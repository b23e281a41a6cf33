"""What the tests of the documentation share: a `pigro` command, and text without times."""

import os
import re
import sys
from pathlib import Path

import pytest

import pigro

ROOT = Path(__file__).resolve().parents[2]
_TIME = re.compile(r"\d+(\.\d+)?(e-\d+)? (ms|s|µs)\b")
_SECONDS = re.compile(r'("(?:load_)?seconds": )[-+.e\d]+')


@pytest.fixture(scope="session")
def root():
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Variables under which `pigro` is the package under test."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "pigro"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pigro "$@"\n')
    command.chmod(0o755)
    package = Path(pigro.__file__).resolve().parents[1]
    return os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "PYTHONPATH": str(package),
        "PYTHONIOENCODING": "utf-8",
    }


@pytest.fixture(scope="session")
def timeless():
    """A function that replaces what differs from run to run."""

    def replace(text):
        lines = []
        for line in _SECONDS.sub(r"\1TIME", text).strip("\n").split("\n"):
            changed = _TIME.sub("TIME", line)
            lines.append(re.sub(" +", " ", changed) if changed != line else line.rstrip())
        return "\n".join(lines)

    return replace
