"""Patterns of events, sorted so that a call finds those that match it by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_NAME = r"[^\W\d]\w*"
_PATH = rf"{_NAME}(\.{_NAME})*"
FORMS = {
    "function": re.compile(_PATH),
    "element": re.compile(rf"{_PATH}\[(\d+|\*)\]"),
    "given": re.compile(rf"{_PATH}\(@\)"),
    "method": re.compile(rf"\.{_NAME}"),
    "module": re.compile(rf"{_PATH}\.\*"),
    "ending": re.compile(rf"\*\.{_NAME}"),
    "arguments": re.compile(rf"{_PATH}\([^()@]+\)"),
    "limited": re.compile(rf"\.{_NAME}\({_NAME}(, *{_NAME})*\)"),
}
"""How patterns are written."""
EXAMPLES = {
    "function": "os.open",
    "element": "os.pipe[0]",
    "given": "os.close(@)",
    "method": ".close",
    "module": "os.*",
    "ending": "*.open",
    "arguments": "os.waitpid(*, os.WNOHANG)",
    "limited": ".wait(timeout)",
}


def has_form(pattern: str, forms: Iterable[str]) -> bool:
    """Whether a pattern is written in one of these forms."""
    return any(FORMS[each].fullmatch(pattern) for each in forms)


@dataclass(slots=True)
class EventPatterns:
    """Patterns of one kind of event."""

    calls: dict[str, list[str]] = field(default_factory=dict)
    """Functions, each with the elements of their results: empty for the result itself."""
    given: set[str] = field(default_factory=set)
    """Functions whose first argument is the object."""
    methods: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    with_arguments: list[tuple[str, tuple[str, ...], dict[str, str]]] = field(default_factory=list)
    """Functions with the texts of arguments: `os.waitpid(*, os.WNOHANG)`, `get(block=False)`."""
    limited: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Methods with their parameters. The last one is a time limit: `.wait(timeout)`."""

    @classmethod
    def of(cls, patterns: Iterable[str]) -> EventPatterns:
        """The patterns as texts."""
        made = cls()
        for each in patterns:
            if each.startswith(".") and each.endswith(")"):
                name, _, parameters = each[1:-1].partition("(")
                made.limited[name] = tuple(part.strip() for part in parameters.split(","))
            elif each.startswith("."):
                made.methods.add(each[1:])
            elif each.endswith("(@)"):
                made.given.add(each[:-3])
            elif each.endswith(".*"):
                made.modules.add(each[:-2])
            elif each.endswith(")"):
                name, _, arguments = each[:-1].partition("(")
                parts = [part.partition("=") for part in arguments.split(",")]
                texts = tuple(text.strip() for text, equals, _ in parts if not equals)
                named = {key.strip(): text.strip() for key, equals, text in parts if equals}
                made.with_arguments.append((name, texts, named))
            else:
                name, _, element = each.partition("[")
                made.calls.setdefault(name, []).append(element.removesuffix("]"))
        return made

    def matches(
        self,
        name: str | None,
        arguments: Sequence[Collection[str]],
        keywords: Mapping[str, Collection[str]],
    ) -> bool:
        """Whether a call has the arguments of a pattern. `*` is any, and there may be more.

        Each argument comes with the texts that it may be written as.
        """
        return any(
            name == each
            and len(arguments) >= len(texts)
            and all(map(_is_written, texts, arguments))
            and all(key in keywords and _is_written(named[key], keywords[key]) for key in named)
            for each, texts, named in self.with_arguments
        )

    def has(self, name: str | None) -> bool:
        """Whether a function is among them."""
        if name is None:
            return False
        if name in self.calls or name in self.given:
            return True
        home, dot, last = name.rpartition(".")
        return bool(dot) and (home in self.modules or f"*.{last}" in self.calls)


def _is_written(text: str, given: Collection[str]) -> bool:
    return text == "*" or text in given
