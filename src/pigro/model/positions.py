"""Source positions: which lines of a program the nodes, boxes and components of a model stand for.

A position is a row of five 32-bit numbers: file, line, column, end line, end column. Lines and
columns count from 1, columns count characters, and the end column is the one after the last
character. A column of 0 is unknown. Five zeros mean that there is no position.

Rows stand in flat bytes, without an object per node, and a model without positions has none of
this. The digest of a model and `==` ignore positions: no verdict depends on them.

Invariants of `Positions`, which `Positions.of` checks:
 PO1  each of the three rows of bytes is empty, or has a position for every node, box or component,
      or `nodes` has one row, which `shared` nodes share.
 PO2  a position that is there has a known file and a line. Its end is not before its beginning.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from operator import le
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pigro.diagnostics import ModelError, printable
from pigro.lazy_names import type_names
from pigro.model.arrays import as_ids
from pigro.records import Record

if TYPE_CHECKING:
    from pigro import _core
else:
    type_names(globals(), {"pigro": "_core"})

WIDTH = 5
"""Numbers of a row."""
LARGEST = 2**31 - 1
_ROW = Struct("=5i")
_NONE = (0,) * WIDTH
OWN = ""
"""The file name that stands for the file of the model itself (`RSM.source`)."""


class SourcePosition(NamedTuple):
    """A place in a program. Columns are 0 where they are not known.

    >>> print(SourcePosition("app.c", 12, 5, 12, 17))
    app.c:12:5
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        file = printable(self.file) if self.file else "line "
        place = f"{file}:{self.line}" if self.file else f"{file}{self.line}"
        return f"{place}:{self.column}" if self.column else place


class Positions(Record, frozen=True):
    """Where the nodes, boxes and components of a model stand in a program.

    Make positions with `Positions.of`, and give them to `RSM.from_arrays`.

    >>> import pigro
    >>> pigro.Positions.of(["app.c"], nodes=[0, 12, 5, 12, 17]).files
    ('app.c',)
    """

    files: tuple[str, ...]
    nodes: bytes = b""
    """A row for each declared node, or nothing."""
    boxes: bytes = b""
    components: bytes = b""
    shared: int = 0
    """If not 0: so many nodes share the only row of `nodes`."""

    @classmethod
    def of(
        cls,
        files: Iterable[str],
        *,
        nodes: object = (),
        boxes: object = (),
        components: object = (),
    ) -> Positions:
        """Positions from flat arrays: five numbers for each declared node, box and component.

        An array may be left out. `files` has the names that rows refer to by number. Raises
        `ModelError` P223.

        >>> Positions.of(["app.c"], nodes=[0, 12, 5, 12, 17, 0, 13, 0, 13, 0]).files
        ('app.c',)
        """
        names = _file_names(files)
        node_rows, box_rows, component_rows = (
            _checked(what, as_ids(given, f"positions of {what}"), len(names))
            for what, given in (("nodes", nodes), ("boxes", boxes), ("components", components))
        )
        return cls(names, node_rows, box_rows, component_rows)

    @classmethod
    def of_lines(
        cls, *, nodes: Sequence[int], boxes: Sequence[int], components: Sequence[int]
    ) -> Positions | None:
        """Positions in the model's own file, by lines alone. Line 0 means no position."""
        rows = [_lines(each) if any(each) else b"" for each in (nodes, boxes, components)]
        return cls((OWN,), rows[0], rows[1], rows[2]) if any(rows) else None

    def fit(self, core: _core.Model) -> None:
        """`ModelError` P223 unless there is a position for every thing of a model, or for none."""
        for what, rows, count in (
            ("nodes", self.nodes, core.declared_nodes),
            ("boxes", self.boxes, core.boxes),
            ("components", self.components, core.components),
        ):
            given = len(rows) // _ROW.size
            if what == "nodes":
                given = self.shared or given
            if rows and given != count:
                raise ModelError("P223", f"{given:,} positions for {count:,} {what}")

    def node(self, number: int) -> SourcePosition | None:
        """Of a declared node."""
        return self._row(self.nodes, 0 if self.shared else number)

    def box(self, number: int) -> SourcePosition | None:
        """Of a box."""
        return self._row(self.boxes, number)

    def component(self, number: int) -> SourcePosition | None:
        """Of a component."""
        return self._row(self.components, number)

    def _row(self, rows: bytes, number: int) -> SourcePosition | None:
        if not rows:
            return None
        file, *place = _ROW.unpack_from(rows, number * _ROW.size)
        return SourcePosition(self.files[file], *place) if place[0] else None

    def named(self, source: str | None) -> Positions | None:
        """Positions for another file than the model's own, which is called by its name there.

        None if it has no name.
        """
        if OWN not in self.files:
            return self
        if not source:
            return None
        return replace(self, files=tuple(source if each == OWN else each for each in self.files))

    def spread(self) -> Positions:
        """The same with a row of its own for each node."""
        return replace(self, nodes=self.nodes * self.shared, shared=0) if self.shared else self

    def counts(self) -> tuple[int, int, int]:
        """How many nodes, boxes and components have a position."""
        lines = [
            memoryview(rows).cast("i")[1::WIDTH].tolist() if rows else [] for rows in self._all
        ]
        nodes, boxes, components = (len(each) - each.count(0) for each in lines)
        return self.shared or nodes, boxes, components

    @property
    def _all(self) -> tuple[bytes, bytes, bytes]:
        return self.nodes, self.boxes, self.components


class PositionRows:
    """Rows that grow while a model is read. Files are numbered as they come."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self.nodes, self.boxes, self.components = array("i"), array("i"), array("i")

    def add(self, rows: array[int], number: int, file: str | None, at: Sequence[int]) -> None:
        """The position of the thing with this number. Those before it that have none get zeros.

        `at` is a line, a column, an end line and an end column. All but the line may be left out.
        Raises `ModelError` P223.
        """
        line, column, end_line, end_column = (*at, 0, 0, 0, 0)[:4]
        row = (self._number(file), line, column, end_line or line, end_column)
        if not 1 <= len(at) <= 4 or not _is_right(*row):
            raise wrong_position(f"{list(at)!r}")
        missing = number - len(rows) // WIDTH
        if missing:
            rows.extend(_zeros(missing))
        rows.extend(row)

    def _number(self, file: str | None) -> int:
        found = None if file is None else self._files.get(file)
        if found is not None:
            return found
        if file is None:
            hint = 'give the model, the component, or the node or box itself a "file"'
            raise ModelError("P223", "a source position without a file", hint=hint)
        _file_names((file,))
        return self._files.setdefault(file, len(self._files))

    def finish(self, nodes: int, boxes: int, components: int) -> Positions | None:
        """The positions of so many things. None if nothing has one."""
        if not self._files:
            return None
        every = (self.nodes, nodes), (self.boxes, boxes), (self.components, components)
        for rows, count in every:
            if rows:
                rows.extend(_zeros(count - len(rows) // WIDTH))
        made = [rows.tobytes() for rows, _ in every]
        return Positions(tuple(self._files), made[0], made[1], made[2])


def _zeros(rows: int) -> bytes:
    """As many zeros as rows have numbers. An array takes in bytes number by number."""
    return bytes(WIDTH * rows)


def wrong_position(given: str) -> ModelError:
    """The error for a position that can't be."""
    return ModelError(
        "P223",
        f"not a source position: {printable(given)}",
        hint="a position is LINE, COLUMN, END LINE, END COLUMN; the line counts from 1, and the "
        "end is not before the beginning",
    )


def _is_right(file: int, line: int, column: int, end_line: int, end_column: int) -> bool:
    """Whether a row obeys PO2, apart from there being such a file."""
    if not (file >= 0 and 0 < line <= end_line <= LARGEST):
        return False
    if not (0 <= column <= LARGEST and 0 <= end_column <= LARGEST):
        return False
    return line < end_line or not end_column or column <= end_column


def _checked(what: str, rows: memoryview, files: int) -> bytes:
    """The bytes of rows that obey PO2."""
    if len(rows) % WIDTH:
        raise ModelError("P223", f"positions of {what} must be five numbers each")
    if not rows:
        return b""
    columns = [rows[at::WIDTH].tolist() for at in range(WIDTH)]
    bad_file = max(columns[0]) >= max(files, 1) or (not files and max(columns[1]))
    certain = (
        min(columns[1]) > 0
        and min(map(min, columns)) >= 0
        and all(all(map(le, columns[at], columns[at + 2])) for at in (1, 2))
    )
    if bad_file or not certain:  # the quick look was not enough
        for number, row in enumerate(zip(*columns, strict=True)):
            if row != _NONE and not (_is_right(*row) and row[0] < files):
                raise wrong_position(f"{list(row)!r}, row {number:,} of {what}")
    return rows.tobytes()


def _file_names(files: Iterable[str]) -> tuple[str, ...]:
    names = tuple(files)
    for name in names:
        if not isinstance(name, str) or "\0" in name:
            raise ModelError("P223", f"not the name of a file: {printable(repr(name))}")
    return names


def _lines(lines: Sequence[int]) -> bytes:
    rows = array("i", bytes(4 * WIDTH * len(lines)))
    rows[1::WIDTH] = rows[3::WIDTH] = array("i", lines)
    return rows.tobytes()
