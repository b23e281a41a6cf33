"""What checkers say of certificates."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """A broken rule. Levels count from 1. A node is counted in its component, an exit by place."""

    rule: str
    level: int
    what: str
    number: int
    node: int | None = None
    in_lemmas: bool = False

    def __str__(self) -> str:
        where = "lemmas, level" if self.in_lemmas else "level"
        node = "" if self.node is None else f", node {self.node}"
        return f"{self.rule}: {where} {self.level}, {self.what} {self.number}{node}"


class CertificateResult(NamedTuple):
    """The claim of a certificate, and its fault. A certificate without a fault is accepted."""

    formula: str
    holds: bool
    initial: tuple[int, ...]
    problem: Problem | None


class RuleBroken(Exception):
    """Stops a check."""
