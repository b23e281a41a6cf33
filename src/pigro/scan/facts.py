"""Small facts that runs keep: outcomes of tests, and constants that flags were set to.

Facts are pairs of a test, as guards have it, and its outcome. They remove runs on which the same
test has two outcomes. At most `MOST` tests of a function are kept: those made more than once, and
those about names that are set to constants. Names that only ever get constants come first: they are
flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.sources.graph import CALL, CATCH, LONG, SET

if TYPE_CHECKING:
    from pigro.scan.true_values import TrueValues
    from pigro.sources.graph import Function, Guard, Value

MOST = 6
Facts = tuple[tuple[str, bool], ...]


class FunctionTests:
    """The tests of a function that are worth keeping."""

    def __init__(
        self, function: Function, most: int = MOST, true_values: TrueValues | None = None
    ) -> None:
        self.function, self.true_values = function, true_values
        self.about: dict[str, tuple[str, ...]] = {}
        self.paths: set[str] = set()
        """All that the tests depend on."""
        if most == 0:
            return
        seen: dict[str, set[int]] = {}
        about: dict[str, tuple[str, ...]] = {}
        for node, edges in enumerate(function.edges):
            for _, guard in edges:
                if guard is not None and guard[2]:
                    seen.setdefault(guard[0], set()).add(node)
                    about[guard[0]] = guard[2]
        constants = {
            name: [type(each) is tuple and each[0] == "c" for each in values]
            for name, values in function.assigned.items()
        }
        set_somewhere = {name for name, are in constants.items() if any(are)}
        flags = {name for name, are in constants.items() if len(are) > 1 and all(are)}
        ranked = sorted(
            (x for x in seen if len(seen[x]) > 1 or set_somewhere.intersection(about[x])),
            key=lambda each: (flags.isdisjoint(about[each]), -len(seen[each]), each),
        )
        for each in ranked[:most]:
            self.about[each] = about[each]
        self.paths = {path for each in self.about.values() for path in each}

    def passing(self, facts: Facts, guard: Guard) -> Facts | None:
        """The facts after an edge. None if they exclude it."""
        if guard is None or not guard[2]:
            return facts
        test, outcome = guard[0], guard[1]
        for known, value in facts:
            if known == test:
                return facts if value is outcome else None
            if outcome is not _implied(known, value, test, outcome):
                return None
        if test not in self.about:
            return facts
        return tuple(sorted((*facts, (test, outcome))))

    def after(self, facts: Facts, node: int, op: tuple[Any, ...]) -> Facts:
        """The facts after the operation at a node."""
        code = op[0]
        if code == SET:
            for target, value in op[2]:
                facts = self._assigned(facts, target, value)
        elif code == CATCH and op[2]:
            facts = self._without(facts, op[2])
        elif code == CALL and self.about:
            base, dot, _ = op[1].partition(".")
            if dot:
                facts = tuple(each for each in facts if not self._is_of_object(each[0], base))
                facts = self._not_none(facts, op[1].rpartition(".")[0])
            path = self.true_values.opened(self.function, node, op) if self.true_values else None
            if path is not None:
                facts = self._true(facts, path)
        return facts

    def depend_on(self, op: tuple[Any, ...]) -> bool:
        """Whether an operation may change facts."""
        if not self.paths:
            return False
        if op[0] == CALL:
            base, dot, _ = op[1].partition(".")
            opened = op[3][0] if op[3] and type(op[3][0]) is str else ""
            home = op[1].rpartition(".")[0]
            is_about = opened in self.paths or home in self.paths
            return is_about or (bool(dot) and self._has_in(base))
        targets = [each for each, _ in op[2]] if op[0] == SET else [op[2]] if op[0] == CATCH else []
        return any(each in self.paths or self._has_in(each) for each in targets)

    def _has_in(self, path: str) -> bool:
        return any(each.startswith(f"{path}.") for each in self.paths)

    def _is_of_object(self, test: str, base: str) -> bool:
        """Whether a test is about an attribute of an object, which a method may change."""
        return any(each.startswith(f"{base}.") for each in self.about.get(test, ()))

    def _assigned(self, facts: Facts, target: str, value: Value) -> Facts:
        facts = self._without(facts, target)
        if type(value) is tuple and value[0] == "c":
            found = [(each, self._outcome(each, target, value[1])) for each in self.about]
            more = [(test, outcome) for test, outcome in found if outcome is not None]
            if more:
                facts = tuple(sorted((*facts, *more)))
        elif (
            self._is_asked(target)
            and self.true_values
            and self.true_values.sure(self.function, value)
        ):
            facts = self._true(facts, target)
        return facts

    def _is_asked(self, path: str) -> bool:
        return path in self.about or f"{path} is None" in self.about

    def _true(self, facts: Facts, path: str) -> Facts:
        """The facts after a path was found to be true, whatever was known about it."""
        known = {path: True, f"{path} is None": False}
        more = [each for each in known.items() if each[0] in self.about]
        return tuple(sorted((*(each for each in facts if each[0] not in known), *more)))

    def _not_none(self, facts: Facts, path: str) -> Facts:
        """The facts after a method of an object was called."""
        test = f"{path} is None"
        if test not in self.about:
            return facts
        return tuple(sorted((*(each for each in facts if each[0] != test), (test, False))))

    def _without(self, facts: Facts, path: str) -> Facts:
        if not facts:
            return facts
        inside = f"{path}."
        return tuple(
            fact
            for fact in facts
            if not any(x == path or x.startswith(inside) for x in self.about.get(fact[0], ()))
        )

    def _outcome(self, test: str, target: str, constant: object) -> bool | None:
        """What a test says when its name has just been set to a constant."""
        if test == target:
            return bool(constant)
        if test == f"{target} is None":
            return constant is None
        for sign in ("==", " is "):
            prefix = f"{target}{sign}"
            if test.startswith(prefix) and self.about[test] == (target,):
                return None if constant == LONG else test == f"{prefix}{constant!r}"
        return None


def _implied(known: str, value: bool, test: str, otherwise: bool) -> bool:
    """The outcome of a test that another one implies. `otherwise` if it implies nothing."""
    if known == f"{test} is None" and value:
        return False  # None is false
    if test == f"{known} is None" and value:
        return False  # a true value is not None
    return otherwise
