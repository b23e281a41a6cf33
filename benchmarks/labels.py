"""Labels of findings: true, false or doubtful ones, and faults that are missed.

A file of labels names packages with versions, and findings by package, file, line and rule.
Packages that rules were not developed on are held out. Several findings of a rule on one line count
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from pigro.diagnostics import InputError, Position, UsageError, printable

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable
    from pathlib import Path

    Place = tuple[str, int, str]
    """File, line and rule."""


class _Label(msgspec.Struct):
    package: str
    version: str
    file: str
    line: int
    rule: str
    label: str
    language: str = "python"


class _File(msgspec.Struct):
    findings: list[_Label]
    packages: dict[str, str] = {}
    held_out: dict[str, list[str]] = {}


@dataclass(frozen=True, slots=True)
class StudyLabels:
    """The labels of a study."""

    sample: dict[str, str]
    """Names and versions of packages that rules were developed on."""
    held_out: dict[str, str]
    """The same for the other packages."""
    labels: dict[str, dict[Place, str]]
    """By package."""

    @classmethod
    def read(cls, path: Path) -> StudyLabels:
        """The labels in a file. Errors P001 and P103."""
        try:
            read = msgspec.json.decode(path.read_bytes(), type=_File)
        except OSError as error:
            raise UsageError("P001", f"{printable(str(path))}: {error.strerror}") from None
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise InputError("P103", str(error), position=Position(str(path))) from None
        rows = [each for each in read.findings if each.language == "python"]
        labels: dict[str, dict[Place, str]] = {}
        for each in rows:
            labels.setdefault(each.package, {})[each.file, each.line, each.rule] = each.label
        packages = {each.package: each.version for each in rows} | read.packages
        others = {each for names in read.held_out.values() for each in names}
        sample = {name: each for name, each in packages.items() if name not in others}
        return cls(sample, {name: packages[name] for name in others & packages.keys()}, labels)

    def judged(
        self, package: str, found: Iterable[Place], rules: Collection[str]
    ) -> dict[Place, str]:
        """Each finding with its label or `none`, and each fault that is `missed`."""
        known = self.labels.get(package, {})
        places = set(found)
        judged = {each: known.get(each, "none") for each in sorted(places)}
        for place, label in sorted(known.items()):
            if label == "true" and place[2] in rules and place not in places:
                judged[place] = "missed"
        return judged


COLUMNS = (
    "rule",
    "sites",
    "findings",
    "true",
    "false",
    "doubtful",
    "no label",
    "missed",
    "precision",
)


def precision_row(
    name: str, rules: Iterable[str], sites: Counter[str], judged: Counter[tuple[str, str]]
) -> tuple[str, ...]:
    """Of some rules together: what `COLUMNS` says. `judged` counts by rule and label."""
    rules = list(rules)
    true, false, doubtful, none, missed = (
        sum(judged[rule, label] for rule in rules)
        for label in ("true", "false", "doubtful", "none", "missed")
    )
    asked = sum(sites[rule] for rule in rules)
    share = f"{100 * true / (true + false):.0f} %" if true + false else "none"
    numbers = (asked, true + false + doubtful + none, true, false, doubtful, none, missed)
    return (name, *(f"{each:,}" for each in numbers), share)
