"""Hyper-steps of a part: steps that must be there, to one of several states.

A hyper-step has a source, an action and a set of targets. There is a step by this action from the
source to at least one of the targets, but it is not known to which. So a must step is a hyper-step
with one target. [Shoham2010], section 5.2, calls them hyper-transitions, and takes them from
[Shoham2006]. Each single step to a target may be there: the targets are within the may steps.

A hyper-step is *implied* if it says nothing new: one of its targets is that of a must step, or all
targets of another hyper-step are among its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet


class HyperStep(NamedTuple):
    """A step that must be there, to one of several states."""

    source: int
    by: int
    """The action: its number, -1 for `tau`. 0 if the part has no actions."""
    targets: tuple[int, ...]
    """At least two, ascending."""


def hyper_step(source: int, by: int, targets: Iterable[int]) -> HyperStep:
    """A hyper-step with its targets in order, each of them once."""
    return HyperStep(source, by, tuple(sorted({*targets})))


def without_implied(
    steps: Iterable[HyperStep], must: AbstractSet[tuple[int, int, int]]
) -> tuple[HyperStep, ...]:
    """The hyper-steps that say something new, ascending. `must`: source, action and target."""
    groups: dict[tuple[int, int], list[HyperStep]] = {}
    for step in dict.fromkeys(steps):
        if not any((step.source, step.by, target) in must for target in step.targets):
            groups.setdefault(step[:2], []).append(step)
    found: list[HyperStep] = []
    for group in groups.values():
        kept: list[tuple[frozenset[int], HyperStep]] = []
        for step in sorted(group, key=lambda each: len(each.targets)):
            targets = frozenset(step.targets)
            if not any(smaller <= targets for smaller, _ in kept):
                kept.append((targets, step))
        found += [step for _, step in kept]
    return tuple(sorted(found))
