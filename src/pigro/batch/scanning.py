"""Scans of source code as tasks: each finding is a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.batch.tasks import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.batch.tasks import Task


def scan_sources(task: Task) -> Iterator[Result]:
    """The findings of a scan, or one result that says that there are none."""
    raise NotImplementedError
