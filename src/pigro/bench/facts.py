"""What a measurement depends on besides the case: the machine, and the build of Pigro."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from pathlib import Path

import pigro

_BESIDE_THE_POINT = {
    "bench/against.py",
    "bench/composed_tables.py",
    "bench/curves.py",
    "bench/findings.py",
    "bench/judging.py",
    "bench/proving.py",
    "bench/report.py",
    "bench/store.py",
    "bench/suites/peers/tables.py",
    "bench/tables.py",
    "cli/bench.py",
    "cli/study/measuring.py",
    "cli/study/request.py",
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
    package = Path(pigro.__file__).parent
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(package.rglob("*")):
        inside = path.relative_to(package).as_posix()
        if path.suffix in {".py", ".so"} and inside not in _BESIDE_THE_POINT:
            digest.update(f"{inside}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
