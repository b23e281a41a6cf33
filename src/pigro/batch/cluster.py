"""Workers of a Dask cluster. Models travel once to each worker, as bytes that are known by digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.batch.pool import Answer, Entry


def on_cluster(address: str, entries: Iterator[Entry]) -> Iterator[Answer | None]:
    """The answers of a cluster, as they come."""
    raise NotImplementedError
