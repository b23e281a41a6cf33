"""What a measurement depends on besides the case: the machine, and the build of Pigro."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from pathlib import Path

import pigro

_BESIDE_THE_POINT = {
    "benchmarks/against.py",
    "benchmarks/composed_tables.py",
    "benchmarks/curves.py",
    "benchmarks/findings.py",
    "benchmarks/judging.py",
    "benchmarks/proving.py",
    "benchmarks/report.py",
    "benchmarks/store.py",
    "benchmarks/suites/peers/tables.py",
    "benchmarks/tables.py",
    "benchmarks/__main__.py",
    "benchmarks/certificates.py",
    "benchmarks/evidence.py",
    "benchmarks/measuring.py",
    "benchmarks/printing.py",
    "benchmarks/request.py",
}
"""What tells results but makes none."""


def machine() -> dict[str, str | int]:
    """The facts that times depend on."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def build() -> str:
    """A digest of all that is measured, and that measures: another one begins a new session."""
    digest = hashlib.sha256(sys.version.encode())
    for package in (Path(pigro.__file__).parent, Path(__file__).parent):
        for path in sorted(package.rglob("*")):
            inside = path.relative_to(package.parent).as_posix()
            if path.suffix in {".py", ".so"} and inside not in _BESIDE_THE_POINT:
                digest.update(f"{inside}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
