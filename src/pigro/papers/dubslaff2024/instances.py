"""The graph of instances that a check works on: the RSM with its contexts, as it grows.

Invariants:
 IN1  `live` holds the instances that the roots reach through boxes, after `drop_unreachable`.
 IN2  (C, site) is in J.callers exactly if C.callee[site.slot] is J.
 IN3  `index` maps a key to the live instance with that context.
 IN4  if an input of formula f at instance I has changed since f was computed there, then I is in
     `dirty[f]`: its context, the value at an entry that it calls, or a direct subformula.
 IN5  no box of a live instance outside `may_refine` can refine the context of its callee.
 IN6  for a box outside `moved`, `new_values` are those at the last `Situation.boxes`.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from pigro.logic.simplify import AND, NOT, OR
from pigro.papers.dubslaff2024.interpretation import ContextInstance
from pigro.papers.dubslaff2024.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.papers.dubslaff2024.interpretation import CheckRequest, Key
    from pigro.papers.dubslaff2024.mirror import CoreMirror
    from pigro.papers.dubslaff2024.shape import ComponentBody, LocalBox
    from pigro.papers.dubslaff2024.trace import StepNotes


class InstanceStore:
    """All instances of a check."""

    def __init__(
        self,
        question: CheckRequest,
        budget: Budget,
        trace: StepNotes,
        variant: Variant = Variant.IMPROVED,
    ) -> None:
        self.question = question
        self.variant = variant
        self.printed = variant is Variant.PRINTED  # asked for very often
        self.improved = variant is Variant.IMPROVED
        self.caveat: str | None = None
        """Why the verdict is not proved. Only the variant `tool` has any."""
        self.budget = budget
        self.trace = trace
        self.roots: list[ContextInstance] = []
        self.starts: list[tuple[int, int]] = []
        """For each initial node its root, by number, and its number there."""
        self.live: dict[ContextInstance, None] = {}
        self.index: dict[Key, ContextInstance] = {}
        self.dirty: list[dict[ContextInstance, None]] = [{} for _ in question.form.ops]
        """For each formula: instances where an input of it has changed (IN4)."""
        self.changed: dict[tuple[ContextInstance, int], None] = {}
        """Pairs (instance, formula) whose callers may have come to agree. For LazyCheck."""
        self.may_refine: dict[ContextInstance, None] = {}
        """Instances with boxes that may refine the context of their callee (IN5)."""
        self.moved: dict[tuple[ContextInstance, LocalBox], None] | None = None
        """Boxes that may have come to know more or less than their callee (IN6). None: no heuristic
        has asked for boxes yet."""
        self.contexts = 0
        """How many contexts were built (docs/engines.md defines the count)."""
        self.passes = 0
        """How often the values of an existential formula were computed in an instance."""
        self.mirror: CoreMirror | None = None
        """The same graph in the core. None while the first instances are made."""
        self.suspects: dict[ContextInstance, None] | None = None
        """Instances that lost a caller since unreachable ones were dropped: if these are called,
        so are all others. None: they are not noted, because many change at a time."""
        self._made = 0
        self._unlisted: dict[int, list[int]] = {}

    def add(self, body: ComponentBody) -> ContextInstance:
        """A new instance without context, and without callees yet."""
        instance = ContextInstance(body, self._made, len(self.question.form))
        self._made += 1
        self.live[instance] = self.may_refine[instance] = None
        for todo in self.dirty:
            todo[instance] = None
        return instance

    def copy(self, model: ContextInstance) -> ContextInstance:
        """Another instance of the same component that knows what `model` knows (Alg. 2, l. 11)."""
        instance = ContextInstance(model.body, self._made, 0)
        self._made += 1
        instance.sure, instance.may = model.sure.copy(), model.may.copy()
        instance.given_sure, instance.given_may = model.given_sure.copy(), model.given_may.copy()
        instance.callee = model.callee.copy()
        for site in model.body.sites:
            instance.callee[site.slot].callers[instance, site] = None  # IN2
        if self.mirror is not None:
            self.mirror.copy(model, instance)
        self.live[instance] = self.may_refine[instance] = None
        if self.moved is not None:
            self.moved.update(((instance, site), None) for site in model.body.sites)  # IN6
        for todo in self.dirty:
            if model in todo:
                todo[instance] = None  # IN4
        return instance

    def bind(self, caller: ContextInstance, site: LocalBox, callee: ContextInstance) -> None:
        """At `site`, `caller` calls `callee` from now on."""
        before = caller.callee[site.slot]
        if before is callee:
            return
        del before.callers[caller, site]
        self._lost_caller(before)
        caller.callee[site.slot] = callee
        callee.callers[caller, site] = None
        if self.mirror is not None:
            self.mirror.bound += (caller.number, site.box, callee.number)
        self.may_refine[caller] = None
        if self.moved is not None:
            self.moved[caller, site] = None  # IN6
        for formula in self.question.existential:
            if caller.may[formula] & ~caller.sure[formula] & site.call_set:
                self.note_input(formula, caller)

    def note_input(self, formula: int, instance: ContextInstance) -> None:
        """An input of the formula has changed there."""
        self.dirty[formula][instance] = None

    def refine_context(
        self, instance: ContextInstance, formula: int, *, sure: int, fails: int
    ) -> None:
        """Refines the context of an instance in place, at exits where it is unknown.

        If there is an instance under that context already, the older of the two is called from now
        on. Without this, a recursion could make new instances forever.
        """
        if self.index.get(instance.key()) is instance:
            del self.index[instance.key()]
        instance.given_sure[formula] |= sure
        instance.given_may[formula] &= ~fails
        self.note_context(formula, instance)
        other = self.index.setdefault(instance.key(), instance)  # IN3
        if other is not instance:
            old, new = sorted((instance, other), key=lambda each: each.number)
            self.index[instance.key()] = old
            for caller, site in list(new.callers):
                self.bind(caller, site, old)

    def note_returns(self, formula: int, caller: ContextInstance, changed: int) -> None:
        """Marks the callees whose context may now be refined: values in `caller` have changed."""
        self.may_refine[caller] = None
        body, moved = caller.body, self.moved
        if moved is not None and changed & body.exits:
            moved.update(caller.callers)  # IN6
        for site in body.sites if changed & body.returns else body.partial:
            if changed & site.returns or site.is_partial:
                callee = caller.callee[site.slot]
                if callee.may[formula] & ~callee.sure[formula] & callee.body.exits:
                    self.changed[callee, formula] = None
                    if moved is not None:
                        moved[caller, site] = None  # IN6

    def note_values(self, formula: int, instance: ContextInstance) -> None:
        """Values of the formula have changed there."""
        if self.mirror is not None and self.mirror.wanted[formula]:
            self.mirror.touched[formula][instance] = None

    def note_context(self, formula: int, instance: ContextInstance) -> None:
        """The context of the instance has changed for the formula."""
        self.note_input(formula, instance)
        if self.mirror is not None:
            self.mirror.contexts[formula][instance] = None

    def returned(self, caller: ContextInstance, site: LocalBox, formula: int) -> tuple[int, int]:
        """Sure and may of the formula at the exits of the callee, as `caller` sees them.

        That is the context induced by the box (Alg. 2, line 1). At an exit that the box lists no
        return node for the run is in a dead end, and everything is known.
        """
        sure, may = site.slice(caller.sure[formula]), site.slice(caller.may[formula])
        exits = caller.callee[site.slot].body.exits
        if site.listed != exits:
            missing = self.unlisted_exits(site.callee)[formula] & ~site.listed
            return sure | missing, may | missing
        return sure, may

    def unlisted_exits(self, component: int) -> list[int]:
        """For each formula the exits where it holds if a box lists no return node for them."""
        known = self._unlisted.get(component)
        if known is None:
            question = self.question
            known = question.alone(question.shape.bodies[component], loops=False)
            self._unlisted[component] = known
        return known

    def new_values(self, caller: ContextInstance, site: LocalBox, formula: int) -> int:
        """The exits of the callee where it does not know the formula, but `caller` does."""
        callee = caller.callee[site.slot]
        if self.printed:  # C of section 6.1.2 asks for the context
            open_ = callee.given_may[formula] & ~callee.given_sure[formula]
        else:
            open_ = callee.unknown_exits(formula)
        if not open_:
            return 0
        sure, may = self.returned(caller, site, formula)
        return open_ & ~(may & ~sure)

    def induces_more(self, caller: ContextInstance, site: LocalBox, formula: int) -> bool:
        """Whether the context induced by the box knows more than the context of its callee."""
        callee = caller.callee[site.slot]
        open_ = callee.given_may[formula] & ~callee.given_sure[formula]
        if not open_:
            return False
        sure, may = self.returned(caller, site, formula)
        return bool(open_ & ~(may & ~sure))

    def induced(self, caller: ContextInstance, site: LocalBox, formulas: list[int]) -> Key:
        """The callee's component and the context that the box induces for `formulas`.

        For other formulas it is the context of the instance that the box calls.
        """
        callee = caller.callee[site.slot]
        sure, may = callee.given_sure.copy(), callee.given_may.copy()
        for formula in formulas:
            sure[formula], may[formula] = self.returned(caller, site, formula)
        return site.callee, tuple(sure), tuple(may)

    def boxes_inducing(
        self, callee: ContextInstance, key: Key, first: int
    ) -> list[tuple[ContextInstance, LocalBox]]:
        """The boxes that call the instance and induce that context for all existential formulas.

        `first` is compared first: the formula that most callers differ in. Needs: for other
        formulas it is the context of the instance.
        """
        formulas = self.question.existential
        others = [(each, key[1][each], key[2][each]) for each in formulas if each != first]
        first_sure, first_may = key[1][first], key[2][first]
        found = []
        for caller, site in callee.callers:
            if site.is_partial or not site.dense:
                if self.induced(caller, site, formulas) == key:
                    found.append((caller, site))
                continue
            start, listed, all_sure, all_may = site.start, site.listed, caller.sure, caller.may
            if all_may[first] >> start & listed != first_may:
                continue
            if all_sure[first] >> start & listed != first_sure:
                continue
            for formula, sure, may in others:
                if (
                    all_sure[formula] >> start & listed != sure
                    or all_may[formula] >> start & listed != may
                ):
                    break
            else:
                found.append((caller, site))
        return found

    def boxes_where(
        self, knows_more: Callable[[ContextInstance, LocalBox], bool]
    ) -> list[tuple[ContextInstance, LocalBox]]:
        """The boxes for which `knows_more`. Instances without any are left out next time (IN5)."""
        found = []
        for caller in [each for each in self.live if each in self.may_refine]:
            boxes = [(caller, site) for site in caller.body.sites if knows_more(caller, site)]
            if boxes:
                found += boxes
            else:
                del self.may_refine[caller]
        return found

    def contextualizable(self) -> list[tuple[ContextInstance, LocalBox]]:
        """The boxes that know more than the instance they call (C of section 6.1.2)."""
        watched = self.watched()
        every = not self.improved

        def knows_more(caller: ContextInstance, site: LocalBox) -> bool:
            return (every or site.reached) and any(
                self.new_values(caller, site, f) for f in watched
            )

        return self.boxes_where(knows_more)

    def watched(self) -> list[int]:
        """The formulas that make a box contextualizable.

        All existential ones. The published tool asks only for the operands of the outermost
        connective, and its conjunctions are negated disjunctions.
        """
        if self.variant is not Variant.TOOL:
            return self.question.existential
        form = self.question.form
        last = len(form) - 1
        if form.ops[last] == NOT:
            return [form.left[last]]
        if form.ops[last] == OR:
            return [form.left[last], form.right[last]]
        return [last] if form.ops[last] == AND else []

    def replace_root(self, place: int, root: ContextInstance) -> None:
        """Lets another instance be a root in place of one."""
        if self.suspects is not None:
            self.suspects[self.roots[place]] = None
        self.roots[place] = root

    def drop_unreachable(self) -> None:
        """RemoveUnreachableComponents (Alg. 2, line 13)."""
        if self.suspects is None:
            seen = dict.fromkeys(self.roots)
            waiting = list(seen)
            for instance in waiting:  # grows while we walk
                for callee in instance.callee:
                    if callee not in seen:
                        seen[callee] = None
                        waiting.append(callee)
            gone = [each for each in self.live if each not in seen]
        else:
            gone = sorted(self._uncalled(self.suspects), key=lambda each: each.number)
        for instance in gone:
            self._drop(instance)
        if self.suspects is not None:
            self.suspects = {}

    def _uncalled(self, suspects: dict[ContextInstance, None]) -> dict[ContextInstance, None]:
        """The instances that no root reaches any more, since these have lost a caller.

        By falling rank. So a caller of a higher rank that is not among them is reached: each
        instance on the way to it that could be cut off was looked at before.
        """
        gone: dict[ContextInstance, None] = {}
        called = dict.fromkeys(self.roots)
        waiting = [(-each.body.rank, each.number, each) for each in suspects]
        heapify(waiting)
        while waiting:
            _, _, suspect = heappop(waiting)
            caller, _ = next(iter(suspect.callers), (suspect, None))
            if caller.body.rank > suspect.body.rank and caller not in gone:
                continue  # the usual case
            for instance in () if suspect in gone else _all_callers(suspect, gone, called):
                gone[instance] = None
                for callee in instance.callee:
                    heappush(waiting, (-callee.body.rank, callee.number, callee))
        return gone

    def _drop(self, instance: ContextInstance) -> None:
        del self.live[instance]
        self.may_refine.pop(instance, None)
        key = instance.key()
        if self.index.get(key) is instance:
            del self.index[key]
        if self.moved is not None:
            self.moved.update(((instance, site), None) for site in instance.body.sites)  # IN6
        for site in instance.body.sites:
            callee = instance.callee[site.slot]
            if callee.callers.pop((instance, site), 0) is None:
                self._lost_caller(callee)
        if self.mirror is not None:
            self.mirror.drop(instance)
        for todo in self.dirty:
            todo.pop(instance, None)

    def _lost_caller(self, callee: ContextInstance) -> None:
        if self.suspects is not None:
            self.suspects[callee] = None
        for formula in self.question.existential:
            self.changed[callee, formula] = None

    def decided(self) -> bool:
        """Whether the whole formula is known at every initial node."""
        return None not in self.answers()

    def answers(self) -> list[bool | None]:
        """The whole formula at each initial node."""
        last = len(self.question.form) - 1
        return [self.roots[root].truth(last, node) for root, node in self.starts]


def _all_callers(
    instance: ContextInstance,
    gone: dict[ContextInstance, None],
    called: dict[ContextInstance, None],
) -> dict[ContextInstance, None]:
    """The instance and all its callers, if none has a higher rank or is known to be `called`.

    Otherwise none, and those on the way to that one are `called` as well.
    """
    rank = instance.body.rank
    way, seen, waiting = [instance], {instance: None}, [iter(instance.callers)]
    while way:
        if way[-1] in called or way[-1].body.rank > rank:
            called.update(dict.fromkeys(way))
            return {}
        for caller, _ in waiting[-1]:
            if caller not in seen and caller not in gone:
                seen[caller] = None
                way.append(caller)
                waiting.append(iter(caller.callers))
                break
        else:
            way.pop()
            waiting.pop()
    return seen
