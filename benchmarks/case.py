"""Cases that are measured, and their outcomes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeAlias

Coordinate: TypeAlias = str | int
At: TypeAlias = tuple[tuple[str, Coordinate], ...]
Place: TypeAlias = tuple[str, At]
VERDICTS = ("holds", "fails")
"""Words of outcomes that are verdicts on one formula. `done` stands for a whole batch of work."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to measure: who does it, and where in the space of its suite.

    Cases of a suite that differ in `runner` alone are asked the same and must answer the same.
    """

    suite: str
    runner: str
    """An engine, a method, or another tool."""
    at: At
    """Coordinates, such as program and file, in the order of the suite."""
    edition: str = ""
    """Tells apart what has the same name, such as versions of another tool."""

    @classmethod
    def of(cls, suite: str, runner: str, **at: Coordinate) -> Case:
        """A case by names of coordinates."""
        return cls(suite, runner, tuple(at.items()))

    def __getitem__(self, name: str) -> Coordinate:
        """A coordinate."""
        return dict(self.at)[name]

    def text(self, name: str) -> str:
        """A coordinate that is a text."""
        return str(self[name])

    def number(self, name: str) -> int:
        """A coordinate that is a number."""
        return int(self[name])

    @property
    def place(self) -> Place:
        """What cases that are compared have in common."""
        return self.suite, self.at

    @property
    def at_runner(self) -> tuple[Place, str]:
        """Who does what: the same for all editions."""
        return self.place, self.runner

    @property
    def key(self) -> str:
        """The same for the same case in every run of the program."""
        return json.dumps([self.suite, self.edition, self.runner, self.at], ensure_ascii=False)

    def __str__(self) -> str:
        """For people: `grid: lazy, model 7, formula 12`."""
        where = ", ".join(f"{name} {value}" for name, value in self.at)
        return f"{self.suite}: {self.runner}, {where}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run of a case gave."""

    word: str
    """`holds`, `fails`, or `done` for a batch. Otherwise `timeout`, `memout`, `error`, or `wrong`:
    Pigro said something, and that is known to be wrong."""
    seconds: float | None = None
    """For checking alone. None if that is not known."""
    load_seconds: float | None = None
    """For reading or making the model, if this run did."""
    whole_seconds: float | None = None
    """On the clock, for everything."""
    peak_memory: int | None = None
    """Bytes of the whole process."""
    contexts: int | None = None
    visited: int | None = None
    details: dict[str, str | int | float] = field(default_factory=dict)
    """Other counts, by name."""
    problem: str | None = None
    """What went wrong, for people."""

    @property
    def decided(self) -> bool:
        """Whether something came out."""
        return self.word in {*VERDICTS, "done"}
