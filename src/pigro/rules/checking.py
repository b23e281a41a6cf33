"""Whether a rule can report something: placeholders, patterns, and labels of formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from pigro.diagnostics import PigroError, did_you_mean, printable
from pigro.rules.patterns import EXAMPLES, has_form
from pigro.rules.rule import PLACEHOLDER
from pigro.rules.templates import EXIT_LABELS, FORMS_OF, TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.diagnostics import InputError
    from pigro.rules.rule import Rule


class MakeRuleError(Protocol):
    """Makes the error about a key of a rule, or about a part of its value from an offset on."""

    def __call__(
        self,
        message: str,
        path: Iterable[str],
        part: str = "",
        at: int = 0,
        hint: str | None = None,
    ) -> InputError: ...


def check_rule(rule: Rule, wrong: MakeRuleError) -> None:
    """Raises an error for a rule that can't report anything, or whose message has no meaning."""
    _check_message(rule, wrong)
    for key, patterns in rule.events.items():
        _check_patterns(FORMS_OF[key], patterns, (key,), wrong)
    for label, patterns in rule.settings.get("events", {}).items():
        _check_patterns(FORMS_OF["events"], patterns, ("events", label), wrong)
    if rule.template in {"undo", "undo-over-yield"}:
        _check_pairs(rule, wrong)
    held = rule.template == "never-while-held"
    if held and rule.settings.get("what", "call") == "call" and not rule.patterns("bad"):
        raise wrong("lacks bad", (), hint="what is call, so it needs the calls that are bad")
    _check_depths(rule, wrong)
    if rule.template == "formula":
        _check_formula(rule, wrong)


def _check_depths(rule: Rule, wrong: MakeRuleError) -> None:
    """Depths of calls are numbers, and some depth is left."""
    for key in ("shallowest", "deepest"):
        value = rule.settings.get(key, 0)
        if type(value) is not int or value < 0:
            raise wrong(f"has a {key} that is no number of calls", (key,), hint=f"{key} = 2")
    deepest = rule.settings.get("deepest")
    if deepest is not None and deepest < rule.settings.get("shallowest", 0):
        raise wrong("has a deepest that is less than shallowest", ("deepest",))


def _check_message(rule: Rule, wrong: MakeRuleError) -> None:
    names = TEMPLATES[rule.template].placeholders
    for found in PLACEHOLDER.finditer(rule.message):
        if found[0] in {"{{", "}}"} or found[1] in names:
            continue
        known = ", ".join(f"{{{each}}}" for each in names)
        hint = did_you_mean(found[1] or "", names) or f"known are {known}; write {{{{ for a brace"
        part = rule.message[found.start() :].partition("}")
        shown = part[0] + part[1]
        raise wrong(f"has an unknown placeholder {printable(shown, 60)} in its message",
                    ("message",), shown, hint=hint)  # fmt: skip


def _check_patterns(
    forms: Iterable[str], patterns: Iterable[str], path: tuple[str, ...], wrong: MakeRuleError
) -> None:
    for each in patterns:
        if not has_form(each, forms):
            hint = f"patterns here are such as {', '.join(EXAMPLES[form] for form in forms)}"
            message = (
                f'has a pattern in {printable(path[-1])} that never matches: "{printable(each)}"'
            )
            raise wrong(message, path, each, hint=hint)


def _check_pairs(rule: Rule, wrong: MakeRuleError) -> None:
    """Each method that does something needs one that undoes it, and there must be something."""
    done = [each for each in rule.patterns("do") if each.startswith(".")]
    undone = rule.patterns("undo")
    if len(done) != len(undone):
        message = f"has {len(done)} methods in do and {len(undone)} in undo"
        path = ("do",) if len(done) > len(undone) else ("undo",)
        raise wrong(message, path, hint="the first of do belongs to the first of undo, and so on")
    if not rule.patterns("do") and not any(map(rule.settings.get, ("attributes", "cleaning"))):
        raise wrong("has nothing to undo", (), hint="give do and undo, or attributes = true")


def _check_formula(rule: Rule, wrong: MakeRuleError) -> None:
    """The formula must be one of CTL, over labels that the model has."""
    from pigro.logic import parse

    text, events = rule.settings["formula"], rule.settings["events"]
    if not isinstance(text, str):
        raise wrong("has a formula that is not a text", ("formula",))
    try:
        formula = parse(text)
    except PigroError as error:
        at = (error.position.column or 1) - 1 if error.position is not None else 0
        raise wrong(f"has a wrong formula: {error.message}", ("formula",), text, at,
                    hint=error.hint) from None  # fmt: skip
    if not formula.is_ctl:
        hint = "put A or E before each operator"
        raise wrong("has a formula that is not in CTL", ("formula",), text, hint=hint)
    known = (*events, *EXIT_LABELS)
    for each in formula.atoms:
        if each not in known:
            found = re.search(rf"(?<!\w){re.escape(each)}(?!\w)", text)
            hint = did_you_mean(each, known) or f"labels are: {', '.join(map(printable, known))}"
            raise wrong(f'has a label in its formula that no event gives: "{printable(each)}"',
                        ("formula",), each if found else "", hint=hint)  # fmt: skip
