"""Expansion heuristics: which boxes does LazyCheck contextualize next?

See [Dubslaff2024], section 6.1.2: H(A, Phi, gamma, theta). A heuristic is made anew for each check
by a function of a seed, and then asked again and again. It gets a `HeuristicView`, which has
`model`, `formula`, and `instances()` with contexts and interpretations, and returns boxes of it.
Nothing that it does can make a verdict wrong: boxes with nothing new to say are left out, and when
none is left GetNextExpansion is asked instead.

    def few_exits(seed):
        def choose(situation):
            return sorted(situation.boxes(), key=lambda box: len(box.callee_exits))[:1]
        return choose

    register_heuristic("few-exits", few_exits)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.expansion import ExpansionSearch, worth
from pigro.papers.dubslaff2024.shape import bits

if TYPE_CHECKING:
    from pigro.model import RSM
    from pigro.papers.dubslaff2024.expansion import ExpandableBox
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance

Values = dict[tuple[str, str], bool]
"""For a node and a subformula its truth. Pairs that are unknown are left out."""


@dataclass(frozen=True, slots=True)
class InstanceView:
    """A component under a context, as it is now."""

    _instance: ContextInstance
    _instances: InstanceStore

    @property
    def component(self) -> str:
        """The component's name."""
        return self._instances.question.shape.model.names.components[self._instance.body.component]

    @property
    def number(self) -> int:
        """Tells instances of one component apart, as `#NUMBER` does in traces."""
        return self._instance.number

    @property
    def nodes(self) -> list[str]:
        """All nodes, call and return nodes included. Exits first."""
        return [self._name(node) for node in range(len(self._instance.body.nodes))]

    @property
    def context(self) -> Values:
        """gamma: what the context says at the exits, for existential subformulas."""
        sure, may = self._instance.given_sure, self._instance.given_may
        formulas, exits = self._instances.question.existential, self._instance.body.exits
        return self._values(formulas, exits, sure, may)

    @property
    def interpretation(self) -> Values:
        """theta: the values known at the nodes, for all subformulas."""
        body, form = self._instance.body, self._instances.question.form
        formulas = list(range(len(form)))
        return self._values(formulas, body.every, self._instance.sure, self._instance.may)

    def _values(self, formulas: list[int], nodes: int, sure: list[int], may: list[int]) -> Values:
        form = self._instances.question.form
        return {
            (self._name(node), str(form.to_formula(formula))): bool(sure[formula] >> node & 1)
            for formula in formulas
            for node in bits(nodes & ~(may[formula] & ~sure[formula]))
        }

    def _name(self, node: int) -> str:
        return self._instances.question.shape.model.node_name(self._instance.body.nodes[node])


@dataclass(frozen=True, slots=True)
class BoxCandidate:
    """A box that knows more than the instance it calls."""

    box: ExpandableBox
    _instances: InstanceStore

    @property
    def caller(self) -> str:
        """The component that the box stands in."""
        return self._instances.question.shape.model.names.components[self.box.caller.body.component]

    @property
    def name(self) -> str:
        """The name of the box."""
        return self._instances.question.shape.model.names.boxes[self.box.site.box]

    @property
    def callee(self) -> str:
        """The component that it calls."""
        return self._instances.question.shape.model.names.components[self.box.site.callee]

    @property
    def callee_nodes(self) -> int:
        """How many nodes that has."""
        return len(self._called.body.nodes)

    @property
    def callee_exits(self) -> tuple[str, ...]:
        """The exits of the callee where it would learn something."""
        return tuple(
            self._instances.question.shape.model.node_name(self._called.body.nodes[each])
            for each in bits(self.box.exits)
        )

    @property
    def formula(self) -> str:
        """The first subformula that it would learn there."""
        return str(self._instances.question.form.to_formula(self.box.formula))

    @property
    def caller_instance(self) -> InstanceView:
        """The instance that the box stands in."""
        return InstanceView(self.box.caller, self._instances)

    @property
    def callee_instance(self) -> InstanceView:
        """The instance that it calls now."""
        return InstanceView(self._called, self._instances)

    @property
    def _called(self) -> ContextInstance:
        return self.box.caller.callee[self.box.site.slot]


class HeuristicView:
    """What a heuristic may look at."""

    def __init__(self, instances: InstanceStore) -> None:
        self._instances = instances
        self._offered: dict[tuple[int, int], BoxCandidate] = {}
        """What `boxes` returned last, by the number of the instance and the slot of the box."""

    def boxes(self) -> list[BoxCandidate]:
        """All contextualizable boxes, in the order in which their instances were made."""
        if self._instances.improved:
            self._look_again()
            return list(self._offered.values())
        return [
            self._candidate(box)
            for caller, site in self._instances.contextualizable()
            if (box := worth(self._instances, caller, site)) is not None
        ]

    def _look_again(self) -> None:
        """Brings `_offered` up to date. Only boxes that have moved are looked at (IN6)."""
        instances, offered = self._instances, self._offered
        moved, instances.moved = instances.moved, {}
        if moved is None:  # the first time
            moved = {(each, site): None for each in instances.live for site in each.body.sites}
        before = len(offered)
        for caller, site in moved:
            is_there = site.reached and caller in instances.live
            box = worth(instances, caller, site) if is_there else None
            place = caller.number, site.slot
            if box is not None:
                offered[place] = self._candidate(box)
            elif offered.pop(place, None) is not None:
                before -= 1
        if len(offered) > before:  # new ones are at the end
            self._offered = {place: offered[place] for place in sorted(offered)}

    def reason(self, choice: random.Random | None = None) -> BoxCandidate | None:
        """The box that GetNextExpansion finds. None if no box helps the initial nodes."""
        box = ExpansionSearch(self._instances, choice).next_box()
        return None if box is None else self._candidate(box)

    def instances(self) -> list[InstanceView]:
        """All instances with their contexts (gamma) and interpretations (theta)."""
        return [InstanceView(each, self._instances) for each in self._instances.live]

    @property
    def formula(self) -> str:
        """Phi, the formula that is checked, in existential normal form."""
        form = self._instances.question.form
        return str(form.to_formula(len(form) - 1))

    @property
    def model(self) -> RSM:
        """The model."""
        return self._instances.question.shape.model

    @property
    def contexts(self) -> int:
        """How many contexts there are so far."""
        return self._instances.contexts

    def _candidate(self, box: ExpandableBox) -> BoxCandidate:
        return BoxCandidate(box, self._instances)


Choose = Callable[[HeuristicView], Iterable[BoxCandidate]]
"""A heuristic at work."""
Heuristic = Callable[[int], Choose]
"""A heuristic, to be made with a seed."""


def _next(_seed: int) -> Choose:
    return lambda _situation: ()  # what LazyCheck does when there is no other advice


def _next_random(seed: int) -> Choose:
    choice = random.Random(seed)

    def choose(situation: HeuristicView) -> Iterable[BoxCandidate]:
        found = situation.reason(choice)
        return () if found is None else (found,)

    return choose


def _all(_seed: int) -> Choose:
    return HeuristicView.boxes


def _random(seed: int) -> Choose:
    choice = random.Random(seed)

    def choose(situation: HeuristicView) -> Iterable[BoxCandidate]:
        boxes = situation.boxes()
        return (choice.choice(boxes),) if boxes else ()

    return choose


HEURISTICS: dict[str, Heuristic] = {
    "next": _next,
    "next-random": _next_random,
    "all": _all,
    "random": _random,
}
"""By name. `register_heuristic` adds to it."""


def register_heuristic(name: str, heuristic: Heuristic) -> None:
    """Makes a heuristic known as `name`, for `with_options` in this process.

    On the command line, `--heuristic` also takes `FILE.py:NAME` and entry points (finding.py).
    """
    HEURISTICS[name] = heuristic
