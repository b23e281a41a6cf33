"""What to send with a bug report when a proof is rejected: all of it in one file."""

from __future__ import annotations

import base64
import json
import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pigro import __version__
from pigro.diagnostics import PigroError

if TYPE_CHECKING:
    from pigro.engines.proving import RejectedCertificate
    from pigro.model import RSM

_LARGEST_MODEL = 1_000_000
"""Larger models are named by their digest alone."""


def report_rejection(error: BaseException) -> Path | None:
    """Writes the file, if that is the error. Returns where it is."""
    from pigro.engines.proving import RejectedCertificate

    if not isinstance(error, RejectedCertificate):
        return None
    text = json.dumps(_report(error), indent=2) + "\n"
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            path = _free_name(folder)
            path.write_text(text, encoding="utf-8")
        except OSError:
            continue
        return path
    return None


def _free_name(folder: Path) -> Path:
    names = (folder / f"pigro-bug-report-{number}.json" for number in range(1, 10_000))
    return next(each for each in names if not each.exists())


def _report(error: RejectedCertificate) -> dict[str, object]:
    verdict = error.verdict
    model = verdict.subject.listed()
    assert verdict.certificate is not None, "else there is nothing to reject"
    return {
        "schema": "pigro.bug-report/1",
        "pigro": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "problem": error.problem,
        "formula": str(verdict.formula),
        "verdict": verdict.outcome,
        "engine": verdict.engine,
        "semantics": str(model.semantics),
        "dead_ends": str(model.dead_ends),
        "initial": [model.node_name(node) for node in model.initial],
        "model": {"file": model.source, "digest": model.digest.hex(), "content": _content(model)},
        "certificate": base64.b64encode(verdict.certificate.to_bytes()).decode(),
    }


def _content(model: RSM) -> str | None:
    """The model as JSON, if it can be written and is not too large to send."""
    from pigro.formats.model_json import write

    if model.core.nodes + model.core.edges > _LARGEST_MODEL // 50:
        return None
    try:
        text = write(model).decode()
    except PigroError:
        return None
    return text if len(text) <= _LARGEST_MODEL else None
