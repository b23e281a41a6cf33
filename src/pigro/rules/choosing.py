"""Which rules a scan checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, did_you_mean, printable
from pigro.rules.reading import built_in, read_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.rules.rule import Rule

ALL = "all"
"""Every rule, in letters of any case. A rule of a file that has this id goes first."""


def known_rules(files: Iterable[str] = ()) -> dict[str, Rule]:
    """The rules of the package and of files, by id. Those of a file are on by default."""
    known = dict(built_in())
    for file in files:
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, UnicodeError) as error:
            raise UsageError("P001", f'"{printable(file)}" can\'t be read: {error}') from None
        known.update(read_rules(text, file, default=True))
    return known


def chosen_rules(
    known: Mapping[str, Rule], select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> list[Rule]:
    """The rules to check: those selected or on by default, without those ignored."""
    wanted = wanted_rules(known, select)
    left = set(named_rules(known, ignore))
    return [known[each] for each in wanted if each not in left]


def wanted_rules(known: Mapping[str, Rule], select: Iterable[str]) -> list[str]:
    """The ids of rules that are selected, or on by default if none is."""
    selected = named_rules(known, select)
    return list(dict.fromkeys(selected)) or [each.id for each in known.values() if each.default]


def named_rules(known: Mapping[str, Rule], given: Iterable[str]) -> list[str]:
    """The ids of rules that `--select` or `--ignore` names."""
    found: list[str] = []
    for each in given:
        for name in filter(None, (part.strip() for part in each.split(","))):
            if name in known:
                found.append(name)
            elif name.lower() == ALL:
                found += known
            else:
                raise unknown_rule(known, name)
    return found


def unknown_rule(known: Mapping[str, Rule], name: str) -> UsageError:
    """The error for a rule that there is not."""
    hint = did_you_mean(name, known) or "pigro scan --list lists them"
    return UsageError("P162", f'there is no rule "{printable(name)}"', hint=hint)


def listed(known: Mapping[str, Rule]) -> str:
    """A line for each rule."""
    width = max(len(each) for each in known)
    rows = []
    for each in known.values():
        on = "on " if each.default else "off"
        rows.append(f"{each.id:<{width}}  {on}  {each.severity:<7}  {each.template}\n")
    return "".join(rows)
