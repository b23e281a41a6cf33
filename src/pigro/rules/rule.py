"""A rule: a template with events.

Events are patterns of calls by qualified names:

| pattern | matches |
|---|---|
| `os.open` | a call of this function. Its result is the object |
| `os.pipe[0]`, `os.pipe[*]` | an element of the result, or each one |
| `os.close(@)` | a call with the object as first argument |
| `.close` | a call of this method of the object |
| `.wait(timeout)` | the same with a time limit, which is the last of these parameters |
| `os.*` | all functions of a module |

A message is a sentence with names in braces, such as `{name}`. It is no format of Python. `{{` is a
brace.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

SEVERITIES = ("error", "warning", "note")
HARMS = {"stays": "warning", "until collected": "note"}
"""Kinds of harm, and the severity of rules about them that say none."""
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}|[{}]")
"""What a message may have, and braces that it may not have."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as its TOML says it."""

    id: str
    template: str
    severity: str = "warning"
    message: str = ""
    """One sentence. `{name}` is the variable, `{call}` the call as written."""
    help: str = ""
    """How to mend it, and what the rule can't see."""
    harm: str = ""
    """`stays`, or `until collected`: the interpreter mends it when the last name goes."""
    default: bool = False
    """Whether it is on without being selected."""
    on: tuple[str, ...] = ("return",)
    events: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns by kind, such as `acquire` and `release`."""
    settings: dict[str, Any] = field(default_factory=dict)

    def patterns(self, kind: str) -> tuple[str, ...]:
        """The patterns of a kind of event."""
        return self.events.get(kind, ())

    def said(self, **values: str) -> str:
        """The message about one place."""
        return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0][:1]), self.message)
