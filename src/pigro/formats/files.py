"""Reading and writing files of any format: models, and compositions of parts."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from errno import EACCES
from io import FileIO
from typing import IO, TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.formats.registry import Requirement, format_named, format_of_suffix
from pigro.lazy_names import type_names
from pigro.limits import Poll, no_poll
from pigro.limits.system import is_open_file
from pigro.logic import Fragment
from pigro.model.kinds import SubjectKind
from pigro.model.space import Model

if TYPE_CHECKING:
    from io import RawIOBase
    from pathlib import Path

    from pigro.formats.registry import Format
    from pigro.model.composition import Composition, ListedSubject
    from pigro.model.part import Part
else:
    type_names(
        globals(),
        {
            "pathlib": "Path",
            "pigro.model.composition": "Composition ListedSubject",
            "pigro.model.part": "Part",
        },
    )

STDIN = "-"
_ANYONE_WRITES = 0o222
_PIECE = 1 << 24
"""Bytes that are read at once."""
_WRITTEN = {SubjectKind.MODEL: "rsm", SubjectKind.COMPOSITION: "parts"}
"""The formats of files whose names say none."""


def save(
    subject: Model | Part | Composition | Iterable[Part],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - see above
) -> None:
    """Writes a model, a part or a composition to a file. The file is written whole or not at all.

    `format` names the format. By default the suffix of `path` decides. If that names none, models
    are written as `.rsm`, and parts as `.parts`. Raises `ModelError` P215 or P222 if the format
    can't hold the subject.

    >>> import pigro
    >>> from tempfile import TemporaryDirectory
    >>> model = pigro.kripke({"on": ["off"], "off": ["on"]}, labels={"on": ["light"]}, initial="on")
    >>> with TemporaryDirectory() as folder:
    ...     pigro.save(model, f"{folder}/lamp.rsm")
    ...     pigro.load(f"{folder}/lamp.rsm") == model
    True
    """
    given: ListedSubject
    if isinstance(subject, Model):
        given = subject.listed()
    else:
        from pigro.model.composition import as_composition

        given = as_composition(subject)
    kind = None if format is not None else format_of_suffix(os.fspath(path))
    kind = kind or format_named(format or _WRITTEN[given.kind])
    write_atomically(path, write_subject(kind, given))


def write_subject(
    kind: Format,
    subject: ListedSubject,
    formulas: Sequence[Requirement] = (),
    *,
    poll: Poll = no_poll,
) -> bytes:
    """The bytes of a file. `UsageError` P007 if the format can't be written.

    A model without calls is written as a part where the format holds parts only. A composition of
    one part is written as a model where the format holds models only. `formulas` are some that the
    file can state. `poll` is called often, and may raise to stop.
    """
    write = kind.need("write", "written")
    held = _as_held(kind, subject)
    given = (held, formulas) if formulas else (held,)
    data: bytes = write(*given, poll=poll)
    return data


def statable(
    kind: Format, subject: ListedSubject, formulas: Iterable[Requirement]
) -> tuple[list[Requirement], int]:
    """The formulas that a file of the format can state about the subject. How many it can't."""
    given = list(formulas)
    choose = kind.offer("statable")
    if choose is None or not given:
        return [], len(given)
    own = frozenset(subject.initial if subject.kind is SubjectKind.MODEL else ())
    said = [
        Requirement(each.text, each.formula, None if is_own else each.initial, each.line)
        for each in given
        if (is_own := each.initial is None or own == {*each.initial}) or _is_held(kind, subject)
    ]
    if loses_ends(kind, subject):
        said = [each for each in said if each.formula.fragment is not Fragment.MU]
    kept: list[Requirement] = choose(_as_held(kind, subject), said)
    return kept, len(given) - len(kept)


def loses_ends(kind: Format, subject: ListedSubject) -> bool:
    """Whether the mu-calculus reads dead ends of the subject in another way in a file.

    It is about steps of parts. In models a run stays in a dead end, and that is a step.
    """
    if subject.kind is SubjectKind.MODEL or _is_held(kind, subject):
        return False
    from pigro.model.kripke_part import dead_ends_of

    return any(True for _ in dead_ends_of(subject.listed_parts[0]))


def _as_held(kind: Format, subject: ListedSubject) -> ListedSubject:
    """The subject as the format can hold it. `ModelError` P215 or P222 if it can't."""
    if _is_held(kind, subject):
        return subject
    from pigro.model.kripke_part import other_kind

    return other_kind(subject)


def _is_held(kind: Format, subject: ListedSubject) -> bool:
    return subject.kind in kind.holds


def read_content(path: str, poll: Poll = no_poll) -> tuple[bytes, str]:
    """The bytes of a file or, for `-`, of standard input, and the name to call it by."""
    if path != STDIN:
        return read_bytes(path, poll), path
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return read_all(sys.stdin.buffer, poll), "<stdin>"


def read_bytes(path: str | os.PathLike[str], poll: Poll = no_poll) -> bytes:
    """The content of a file. `UsageError` P001 if it can't be read."""
    try:
        with FileIO(os.fspath(path)) as file:
            return read_all(file, poll)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = (
            "only `pigro check`, `bench`, `batch` and `validate-witness` take programs"
            if ".py:" in str(path)
            else None
        )
        raise UsageError(
            "P001", f"can't read {printable(str(path))}: {reason}", hint=hint
        ) from None


def read_all(file: IO[bytes] | RawIOBase, poll: Poll = no_poll) -> bytes:
    """All that is left of a file, read in pieces so that `poll` can stop it."""
    pieces = []
    while piece := file.read(_PIECE):
        poll()
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def write_atomically(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Replaces the file in one step. A failure or an interruption leaves the old one.

    Permissions and, where possible, owner and group stay those of the old file. One that is
    read-only is not replaced. A link stays a link. Devices and pipes are written to.
    """
    from pathlib import Path

    parts = (data,) if isinstance(data, bytes) else data
    if is_special(Path(path)):
        _write_special(path, parts)
        return
    from pigro.formats.temporary import open_temporary

    temporary: Path | None = None
    try:
        target = Path(os.path.realpath(path))
        _refuse_read_only(target)
        handle, temporary = open_temporary(target)
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            _make_like(temporary, target)
            temporary.replace(target)  # while it is locked: see temporary.py
            temporary = None
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def is_special(target: Path) -> bool:
    """A device, pipe or open file such as /dev/null: written to, never replaced by a file."""
    opened = is_open_file(os.path.abspath(target))
    with suppress(ValueError):  # a name that can't be one
        return opened or (target.exists() and not target.is_file() and not target.is_dir())
    return False


def is_read_only(target: Path) -> bool:
    """A file that is there and not to be written, by its permissions. Root could write any."""
    if not target.exists():
        return False
    return not target.stat().st_mode & _ANYONE_WRITES or not os.access(target, os.W_OK)


def _refuse_read_only(target: Path) -> None:
    if is_read_only(target):
        raise OSError(EACCES, "it is read-only")


def write_all(file: IO[bytes], data: bytes) -> None:
    """An unbuffered file may take a part only, and say so by a number."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    file.flush()


def _make_like(made: Path, old: Path) -> None:
    """Gives a new file the permissions of the old one, or else those that files get by default."""
    try:
        status = old.stat()
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        made.chmod(0o666 & ~umask)
        return
    with suppress(OSError):  # only root may give files away
        os.chown(made, status.st_uid, -1)
    with suppress(OSError):  # a group that one is not in
        os.chown(made, -1, status.st_gid)
    made.chmod(stat.S_IMODE(status.st_mode))


def _write_special(path: str | os.PathLike[str], parts: Iterable[bytes]) -> None:
    try:
        with FileIO(os.fspath(path), "ab") as file:
            for part in parts:
                write_all(file, part)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: str | os.PathLike[str], error: OSError | ValueError) -> UsageError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UsageError("P003", f"can't write {printable(str(path))}: {reason}")
