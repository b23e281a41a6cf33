"""Templates: what kinds of rules there are, and the formula that each becomes.

Labels are roles, not places: `acq` is on every node where an object of the rule is acquired. So one
formula serves all sites of a rule, and the initial nodes of the model are the sites.
"""

from __future__ import annotations

from dataclasses import dataclass

from pigro.rules.rule import HARMS


@dataclass(frozen=True, slots=True)
class RuleTemplate:
    """A kind of rule."""

    name: str
    formula: str
    """With `soft` paths. See `certain`."""
    about: str
    events: tuple[str, ...] = ()
    """Keys of a rule that hold patterns."""
    settings: tuple[str, ...] = ()
    """Other keys."""
    needs: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ("name", "call")
    """What a message may name in braces."""
    certain: str | None = None
    """The formula that believes no unknown call to raise. None where it makes no difference."""
    is_about_calls: bool = False
    """Whether an answer depends on what happens in calls: those not followed are then named."""


TEMPLATES = {
    each.name: each
    for each in (
        RuleTemplate(
            "must-release",
            "AG (acq -> !EX E [!(rel | esc) U (end | lost | acq)])",
            "An object that is acquired is released, or given to someone else, on every way.",
            events=("acquire", "release", "release_late", "borrow"),
            settings=("paths",),
            needs=("acquire", "release"),
            certain="AG (acq -> !EX E [!(rel | esc | soft) U (end | lost | acq)])",
        ),
        RuleTemplate(
            "undo",
            "AG (do -> !E [!end U undo] | !E [!undo U end])",
            "A change that is undone on some way is undone on every way out of the function.",
            events=("do", "undo", "saved"),
            settings=("attributes",),
            placeholders=("name", "call", "way"),
            certain="AG (do -> !E [!end U undo] | !E [!(undo | soft) U end])",
        ),
        RuleTemplate(
            "undo-over-yield",
            "AG (do -> !E [!thrown U undo] | !EX (thrown & E [!(undo | soft) U end]))",
            "What a context manager cleans up behind its `yield`, it also cleans up when the body"
            " of the `with` raises.",
            events=("do", "undo"),
            settings=("attributes", "cleaning"),
            placeholders=("name", "call", "undo"),
        ),
        RuleTemplate(
            "never-while-held",
            "AG (acq -> AX !E [!rel U bad])",
            "While a lock is held, something does not happen.",
            events=("locks", "bad", "unless"),
            settings=("what",),
            needs=("locks",),
            is_about_calls=True,
        ),
        RuleTemplate(
            "never-in",
            "!EF bad",
            "A kind of function never does something, not even through calls.",
            events=("bad", "unless"),
            settings=("context", "shallowest", "deepest"),
            needs=("bad", "context"),
            is_about_calls=True,
        ),
        RuleTemplate(
            "no-use-after",
            "AG (rel -> AX !E [!(acq | lost) U use])",
            "An object is not used after it was released.",
            events=("acquire", "release", "use", "borrow"),
            needs=("acquire", "release", "use"),
        ),
        RuleTemplate(
            "call-order",
            "AG (acq -> A [!late W (early | rel | esc)])",
            "Of two methods of an object, one comes before the other.",
            events=("acquire", "early", "late", "release", "borrow"),
            needs=("acquire", "early", "late"),
        ),
        RuleTemplate(
            "init-before-use",
            "A [!use W (def & !use | wild)]",
            "While an object is made, no attribute is read before it is assigned.",
            placeholders=("name", "cls"),
            is_about_calls=True,
        ),
        RuleTemplate(
            "can-return",
            "E [!soft U end]",
            "A function can return, or raise, without calling itself forever.",
            placeholders=("name",),
            is_about_calls=True,
        ),
        RuleTemplate(
            "use-def",
            "EX E [!def U use]",
            "A value that is stored can be read before the next one is stored.",
            placeholders=("name",),
        ),
        RuleTemplate(
            "formula",
            "any formula of CTL",
            "A formula over labels that the rule gives to calls.",
            settings=("formula", "events"),
            needs=("formula", "events"),
            placeholders=("name",),
            is_about_calls=True,
        ),
    )
}
"""By name."""

_CALLED = ("function", "element", "given", "module", "ending")
FORMS_OF = {
    "acquire": ("function", "element"),
    "release": ("method", "given"),
    "release_late": ("limited",),
    "borrow": _CALLED,
    "do": ("function", "method"),
    "undo": ("method",),
    "saved": ("function",),
    "locks": ("function",),
    "bad": _CALLED,
    "unless": ("arguments",),
    "use": ("method",),
    "early": ("method",),
    "late": ("method",),
    "events": (*_CALLED, "method"),
}
"""By key: the forms of patterns that can match there. `events` is for those of `formula`."""
CHOICES = {
    "on": ("return", "raise"),
    "harm": tuple(HARMS),
    "what": ("yield", "await", "again", "call"),
    "context": ("async", "init", "del"),
}
"""By key: the values that it may have."""
EXIT_LABELS = ("return", "raise", "soft")
"""Labels of a model besides the events of `formula`."""
