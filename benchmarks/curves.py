"""What plots of times by size have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

Point = tuple[float, float | None]


def curve(
    axes: Axes, points: Iterable[Point], label: str, line: str = "-", colour: int = 0
) -> None:
    """A line through the points that are known, in a colour of the cycle. None without points."""
    known = [(x, y) for x, y in points if y is not None]
    if known:
        across, up = zip(*known, strict=True)
        axes.plot(across, up, marker="o", linestyle=line, color=f"C{colour}", label=label)


def by_exits(axes: Axes, exits: Sequence[int], up: str) -> None:
    """The number of exits across, doubling. The measured values upwards."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(exits, [str(each) for each in exits])
    finish(axes, "exits of each component", up)


def finish(axes: Axes, across: str, up: str) -> None:
    """Names of both axes, and a legend if there is something."""
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.3)
    if axes.has_data():
        axes.legend()
