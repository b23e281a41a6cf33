"""Tasks and results of batches. The digest of a task covers all that determines its answer."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

import msgspec

from pigro import __version__

FAILED = ("unknown", "error", "crashed")
"""Words of results without a verdict."""
WORDS = ("holds", "fails", *FAILED)
"""Words of all results."""


class Task(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question: a formula on a model, or rules on source code.

    >>> from pigro.batch import Task
    >>> Task(model="examples/dataflow.rsm", formula="AF use_i", timeout=60).subject
    'examples/dataflow.rsm'
    """

    model: str = ""
    """The file of the model. Empty if `scan` has sources."""
    formula: str | None = None
    """The formula. None means all properties that the file states."""
    engine: str = "auto"
    format: str | None = None
    semantics: str | None = None
    dead_ends: str | None = None
    starts: tuple[str, ...] = ()
    timeout: float | None = None
    """Seconds for this task."""
    memory: float | None = None
    """Bytes that the worker process may use."""
    witness: bool = False
    """Whether results keep evidence."""
    certify: bool = False
    """Whether results keep a certificate."""
    strict: bool = False
    """Whether labels that the model does not have are an error."""
    scan: tuple[str, ...] = ()
    """Source files and folders, in place of a model."""
    select: tuple[str, ...] = ()
    """Rules to check on sources. Empty means the rules that are on by default."""

    @property
    def subject(self) -> str:
        """The model or the sources, for people and for the store."""
        return self.model or os.pathsep.join(self.scan)


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a task. A task without a formula, or with rules, may have several."""

    task: Task
    formula: str
    """The formula as Pigro writes it, or the name of a rule."""
    verdict: str
    """`holds`, `fails`, `unknown`, `error` or `crashed`."""
    reason: str
    engine: str = ""
    seconds: float = 0.0
    warnings: str = ""
    """Warnings about the task, a line each."""
    evidence: bytes | None = None
    """JSON, if the task asks for evidence."""
    certificate: bytes | None = None


def digest_of(task: Task) -> bytes:
    """Equal for tasks with the same answer: same files, same question, same version of Pigro."""
    if task.scan:
        from pigro.batch.scanning import sources_of

        content = [(shown, module, _content(path)) for path, shown, module in sources_of(task)]
    else:
        content = [(task.model, "", _content(_file_of(task.model)))]
    return hashlib.sha256(msgspec.json.encode([__version__, content, task])).digest()[:16]


def _file_of(model: str) -> str:
    """The file of a model, or of the program that computes it. No code of a program is run."""
    from pigro.session.programs import file_of_program, program_of

    program = program_of(model) if ":" in model else None
    return model if program is None else file_of_program(program)


def _content(path: str) -> str:
    """The digest of a file. Empty for a missing file."""
    try:
        stat = os.stat(path)
        return _bytes_digest(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)
    except OSError:
        return ""


@lru_cache(maxsize=4096)
def _bytes_digest(path: str, *_stat: int) -> str:
    """The digest of a file's bytes, computed once as long as the file does not change."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def without_verdict(task: Task, word: str, reason: str) -> Result:
    """The one result of a task that could not be answered."""
    return Result(task=task, formula=task.formula or "", verdict=word, reason=reason)
