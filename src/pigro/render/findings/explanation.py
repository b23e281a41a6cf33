"""All there is to say about a rule: what it forbids, how to mend it, which formula it becomes."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.rules.choosing import unknown_rule
from pigro.rules.raising import ANY, built_in_beliefs
from pigro.rules.templates import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.rules import Rule
    from pigro.rules.raising import Belief, Beliefs
    from pigro.rules.templates import Template

_LABELS = {
    "acq": "the object is acquired",
    "rel": "the object is released",
    "esc": "the object is given to code that may release it",
    "end": "the function that the question starts in ends",
    "lost": "the last name of the object gets another value",
    "soft": "code from outside raises",
    "odd": "a statement in a `try` raises",
    "do": "the change is made",
    "undo": "the change is undone",
    "thrown": "the body of the `with` raises",
    "bad": "the forbidden thing happens",
    "use": "the value or the object is used",
    "def": "the variable or the attribute gets a value",
    "wild": "code that is not known may assign it",
    "early": "the first of the two calls happens",
    "late": "the second of the two calls happens",
}
_HARMS = {
    "stays": "stays: nothing mends it while the process runs",
    "until collected": "until collected: the interpreter mends it when the last name goes",
}
_WIDTH = 88
RAISING = "raising"
"""Explains the table of calls that raise, not a rule."""


def explained(known: Mapping[str, Rule], name: str, beliefs: Beliefs | None = None) -> str:
    """What a rule means, and which formula it becomes. For `raising`: the table of calls."""
    if name == RAISING:
        return "\n".join(_table(beliefs or built_in_beliefs())) + "\n"
    rule = known.get(name)
    if rule is None:
        raise unknown_rule(known, name)
    return "\n".join(_lines(rule, TEMPLATES[rule.template])) + "\n"


def _table(beliefs: Beliefs) -> Iterator[str]:
    """Which calls are believed to raise."""
    yield from wrap("Rules about ways that an exception takes believe the calls in this table. "
                    "Other calls of code from outside only raise into handlers of the same "
                    "function.", _WIDTH)  # fmt: skip
    rows: dict[Belief, list[str]] = {}
    methods = {f".{name}": belief for name, belief in beliefs.methods.items()}
    for call, belief in (beliefs.functions | methods).items():
        rows.setdefault(belief, []).append(call)
    for belief, names in sorted(rows.items(), key=lambda row: not row[0].types):
        yield ""
        types = ", ".join("any error" if each == ANY else each for each in belief.types)
        yield printable(f"{types or 'never'}: {belief.why}", 400)
        text = printable(", ".join(names), 10_000)
        yield from (f"  {each}" for each in wrap(text, _WIDTH - 2))


def _lines(rule: Rule, template: Template) -> Iterator[str]:
    on = "on by default" if rule.default else f"off by default: --select {rule.id} turns it on"
    yield f"{rule.id}: {rule.severity}, {on}"
    yield ""
    yield from wrap(" ".join(filter(None, (template.about, rule.help))), _WIDTH)
    yield ""
    yield f"message   {printable(rule.message, 400)}"
    if rule.harm:
        yield f"harm      {_HARMS[rule.harm]}"
    yield f"template  {template.name}"
    formulas = [("formula", rule.settings.get("formula") or template.formula)]
    if template.certain is not None:
        formulas.append(("certain", template.certain))
    for word, formula in formulas:
        yield f"{word:<9} {printable(str(formula), 2000)}"
    if template.certain is not None:
        yield ""
        yield from wrap("If the second formula fails too, the run is certain: it does not need a "
                        "call of unknown code to raise.", _WIDTH)  # fmt: skip
    labels = [each for each in _LABELS if any(_has(text, each) for _, text in formulas)]
    if labels:
        yield ""
        yield "Labels in the formula:"
        for each in labels:
            yield f"  {each:<8}{_LABELS[each]}"
    rows = [(kind, ", ".join(patterns)) for kind, patterns in rule.events.items()]
    rows += [(kind, str(value)) for kind, value in rule.settings.items() if kind != "formula"]
    if rows:
        yield ""
        yield "Events and settings of the rule:"
        for kind, text in rows:
            first, *rest = wrap(printable(text, 10_000), _WIDTH - 12) or [""]
            yield f"  {kind:<9} {first}"
            yield from (f"{'':<12}{each}" for each in rest)
    yield ""
    yield f"To ignore a finding, write `# pigro: ignore[{rule.id}]` on its line."


def _has(formula: object, label: str) -> bool:
    return re.search(rf"\b{label}\b", str(formula)) is not None
