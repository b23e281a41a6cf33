"""Finds other tools that run beside Pigro. None of them comes with it.

`rsmcheck=FOLDER` is a checkout of RSMCheck, or the folder `src` in it. `rsmcheck=FOLDER@PYTHON`
also says who runs it, which is PyPy otherwise, if it is there. `pymodelchecking` is the package of
that name, for this Python or, as `pymodelchecking=PYTHON`, for another. `nusmv=PATH` is the program
NuSMV.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.drivers.nusmv import version_of
from pigro.diagnostics import UsageError, did_you_mean, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

RSMCHECK = "rsmcheck"
PYMODELCHECKING = "pymodelchecking"
NUSMV = "nusmv"
_SCRIPT = "rsmcheck.py"
_PACKAGE = "pyModelChecking"
_HINTS = {
    RSMCHECK: "give --peer rsmcheck=FOLDER or rsmcheck=FOLDER@PYTHON, for a checkout of RSMCheck",
    PYMODELCHECKING: "give --peer pymodelchecking, or pymodelchecking=PYTHON for another Python",
    NUSMV: "give --peer nusmv, or nusmv=PATH for a program that is not on the path",
}
_PROBE = f"""
import platform, sys
import {_PACKAGE}
try:
    from importlib.metadata import version
    number = version("{_PACKAGE}")
except Exception:
    number = "?"
print(platform.python_implementation(), ".".join(map(str, sys.version_info[:3])), number)
"""
_PATIENCE = 60.0


def find_peers(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The tools that take part, for `Scope.peers`. `UsageError` P006 for one that is not there."""
    found: dict[str, str] = {}
    for each in given:
        name, _, where = each.partition("=")
        if name not in _HINTS:
            known = list(_HINTS)
            hint = did_you_mean(name, known) or f"tools: {', '.join(known)}"
            raise UsageError("P006", f'no other tool is called "{printable(name)}"', hint=hint)
        if name in found:
            raise UsageError("P006", f"the tool {name} is given twice", hint=_HINTS[name])
        found[name] = _FIND[name](where)
    return tuple(found.items())


def rsmcheck_at(where: str) -> tuple[Path, str]:
    """The folder of the script, and the Python that runs it."""
    folder, python = _split(where)
    return Path(folder), python


def versions(peers: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Facts about the tools that were found, for the record of a session."""
    told = {}
    for name, where in peers:
        if name == RSMCHECK:
            folder, python = rsmcheck_at(where)
            sources = sorted(folder.rglob("*.py"))
            digest = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
            kind, number, _ = _probe(name, python)
            told[name] = f"sources {digest[:12]}, {kind} {number}"
        elif name == NUSMV:
            told[name] = version_of(where) or "?"
        else:
            kind, number, version = _probe(name, where)
            told[name] = f"{version}, {kind} {number}"
    return told


def _find_rsmcheck(where: str) -> str:
    folder, python = (where, "") if Path(where).is_dir() else _split(where)
    if not folder:
        raise _missing(RSMCHECK, "the tool rsmcheck needs a folder")
    for each in (Path(folder) / "src", Path(folder)):
        if (each / _SCRIPT).is_file():
            script = each.absolute()
            break
    else:
        what = f"there is no {_SCRIPT} in" if Path(folder).is_dir() else "there is no folder"
        raise _missing(RSMCHECK, f"{what} {printable(folder)}")
    python = _find_python(RSMCHECK, python or shutil.which("pypy3") or sys.executable)
    _probe(RSMCHECK, python)
    return f"{script}@{python}"


def _find_package(where: str) -> str:
    python = _find_python(PYMODELCHECKING, where or sys.executable)
    _probe(PYMODELCHECKING, python)
    return python


def _find_nusmv(where: str) -> str:
    found = shutil.which(where or "NuSMV")
    if found is None:
        raise _missing(NUSMV, f"there is no program {printable(where or 'NuSMV')}")
    if version_of(found) is None:
        raise _missing(NUSMV, f"{printable(found)} can't be run")
    return str(Path(found).absolute())


_FIND = {RSMCHECK: _find_rsmcheck, PYMODELCHECKING: _find_package, NUSMV: _find_nusmv}


def _split(where: str) -> tuple[str, str]:
    """Folder and Python. Either may have an @ in its name: the folder is one that there is."""
    places = [place for place, sign in enumerate(where) if sign == "@"]
    there = next((place for place in places if Path(where[:place]).is_dir()), None)
    if there is None:
        folder, _, python = where.partition("@")
        return folder, python
    return where[:there], where[there + 1 :]


def _find_python(name: str, python: str) -> str:
    """As a path that works in any folder. Links are kept: in an environment they mean something."""
    found = shutil.which(python)
    if found is None:
        raise _missing(name, f"there is no Python {printable(python)}")
    return str(Path(found).absolute())


def _probe(name: str, python: str) -> tuple[str, str, str]:
    """The kind and version of a Python and its version of pyModelChecking, which RSMCheck needs."""
    command = [python, "-c", _PROBE]
    try:
        ran = subprocess.run(  # noqa: S603 - the Python that the user names
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
        kind, number, version = ran.stdout.split()
    except (OSError, subprocess.SubprocessError):
        raise _missing(name, f"{printable(python)} can't be run as a Python") from None
    except ValueError:
        needed = _PACKAGE if name == PYMODELCHECKING else f"{_PACKAGE}, which RSMCheck needs"
        hint = f"run: {python} -m pip install {_PACKAGE}; or {_HINTS[name]}"
        message = f"{printable(python)} can't import {needed}"
        raise UsageError("P006", message, hint=hint) from None
    return kind, number, version


def _missing(name: str, message: str) -> UsageError:
    return UsageError("P006", message, hint=_HINTS[name])
