"""Templates: what kinds of rules there are, and the formula that each becomes.

Labels are roles, not places: `acq` is on every node where an object of the rule is acquired. So one
formula serves all sites of a rule, and the initial nodes of the model are the sites.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of rule."""

    name: str
    formula: str
    """With `soft` paths; see `certain`."""
    about: str
    events: tuple[str, ...] = ()
    """Keys of a rule that hold patterns."""
    settings: tuple[str, ...] = ()
    """Other keys."""
    needs: tuple[str, ...] = ()
    certain: str | None = None
    """The formula that believes no unknown call to raise; None where it makes no difference."""


TEMPLATES = {
    each.name: each
    for each in (
        Template(
            "must-release",
            "AG (acq -> !EX E [!(rel | esc) U (end | lost | acq)])",
            "An object that is acquired is released, or given to someone else, on every way.",
            events=("acquire", "release", "borrow", "unless"),
            needs=("acquire", "release"),
            certain="AG (acq -> !EX E [!(rel | esc | soft) U (end | lost | acq)])",
        ),
    )
}
"""By name."""
