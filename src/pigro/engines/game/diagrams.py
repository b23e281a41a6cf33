"""Boolean functions as binary decision diagrams, kept by the package `dd`."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self

from pigro.diagnostics import UsageError
from pigro.diagnostics.extras import with_extra
from pigro.engines.game.room import FIRST_ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_EXACT: Final = 52
"""Numbers of so many bits are exact as floating-point numbers, which is how CUDD counts."""

_CACHE: Final = 1 << 14
_BETWEEN_TICKS: Final = 1 << 12
"""Results that CUDD keeps at first. It makes more room as it needs, and that takes time."""


class Bdd(Protocol):
    """A Boolean function: a set of assignments."""

    negated: bool

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __invert__(self) -> Self: ...
    def __int__(self) -> int: ...
    def __len__(self) -> int: ...


class BddManager:
    """A store of diagrams, by CUDD if the package `dd` brings it, else by its own in Python."""

    __slots__ = ("_and_exists", "_bdd", "_tick", "false", "package", "peak", "true")

    def __init__(
        self, tick: Callable[[], None], room: int | None = None, *, reorders: bool = False
    ) -> None:
        self._tick = tick
        self.package, module = package()
        # The package comes in two makes with the same methods, and neither says their types.
        cache = {"initial_cache_size": _CACHE} if self.package == "cudd" else {}
        self._bdd: Any = module.BDD(**cache)
        if self.package == "cudd" and room is not None:
            reorders = reorders and room > FIRST_ROOM
            self._bdd.configure(max_memory=room, reordering=reorders)
        self._and_exists: Any = getattr(module, "and_exists", None)
        self.false: Bdd = self._bdd.false
        self.true: Bdd = self._bdd.true
        self.peak = 0
        """The most nodes at once, as seen by `look`."""

    def declare(self, names: Sequence[tuple[str, ...]]) -> None:
        """Make variables, in this order. Those of a pair stay together."""
        for pair in names:
            self._bdd.declare(*pair)
            if self.package == "cudd" and len(pair) > 1:
                self._bdd.group({pair[0]: 2})

    def look(self) -> None:
        """Note how many nodes there are."""
        self.peak = max(self.peak, len(self._bdd))

    def and_exists(self, left: Bdd, right: Bdd, dropped: Iterable[str]) -> Bdd:
        """Left and right, for some values of the dropped variables."""
        if self._and_exists is not None:
            both: Bdd = self._and_exists(left, right, dropped)
        else:
            both = self._bdd.exist(dropped, left & right)
        return both

    def exist(self, dropped: Iterable[str], diagram: Bdd) -> Bdd:
        """The diagram, for some values of the dropped variables."""
        rest: Bdd = self._bdd.exist(dropped, diagram)
        return rest

    def rename(self, names: Mapping[str, str], diagram: Bdd) -> Bdd:
        """The diagram over other variables."""
        if not names:
            return diagram
        renamed: Bdd = self._bdd.let(names, diagram)
        return renamed

    def variable(self, name: str) -> Bdd:
        """A variable that was made."""
        made: Bdd = self._bdd.var(name)
        return made

    def choose(self, test: Bdd, yes: Bdd, no: Bdd) -> Bdd:
        """One where the test is true, and the other elsewhere."""
        self._tick()
        made: Bdd = self._bdd.ite(test, yes, no)
        return made

    def unequal(self, left: Bdd, right: Bdd) -> Bdd:
        """Where they differ."""
        made: Bdd = self._bdd.apply("xor", left, right)
        return made

    def support(self, diagram: Bdd) -> frozenset[str]:
        """The variables that it depends on."""
        return frozenset(self._bdd.support(diagram))

    def some(self, diagram: Bdd, variables: Iterable[str]) -> dict[str, bool] | None:
        """One assignment to these variables, which are all that it depends on. None: none."""
        return next(self.every(diagram, variables), None)

    def every(self, diagram: Bdd, variables: Iterable[str]) -> Iterator[dict[str, bool]]:
        """All assignments to these variables, which are all that it depends on, one by one.

        The package can do that too, but keeps nodes forever if not all are asked for.
        """
        named = list(variables)
        stack: list[tuple[Any, dict[str, bool]]] = [(diagram, {})]
        while stack:
            node, found = stack.pop()
            if node == self.false:
                continue
            if node == self.true:
                missing = [name for name in named if name not in found]
                for values in product((False, True), repeat=len(missing)):
                    yield found | dict(zip(missing, values, strict=True))
                continue
            _, low, high = self._bdd.succ(node)
            if node.negated:
                low, high = ~low, ~high
            stack += [(high, found | {node.var: True}), (low, found | {node.var: False})]

    def contains(self, diagram: Bdd, bits: Mapping[str, bool]) -> bool:
        """Whether an assignment to all variables that it depends on is in it."""
        return bool((self._bdd.let(bits, diagram) if bits else diagram) == self.true)

    def cube(self, values: Mapping[str, bool]) -> Bdd:
        """The assignments with these values."""
        made: Bdd = self._bdd.cube(dict(values))
        return made

    def union(self, diagrams: Iterable[Bdd]) -> Bdd:
        """The assignments in one of them."""
        total = self.false
        for diagram in diagrams:
            total |= diagram
        return total

    def of_codes(self, codes: Iterable[int], variables: Sequence[str]) -> Bdd:
        """The assignments given as numbers: the first variable is the highest bit.

        Built from the last variable up, each distinct function once.
        """
        layer = dict.fromkeys(codes, 1)
        self._tick()
        functions = [self.false, self.true]
        for name in reversed(variables):
            variable = self._bdd.var(name)
            known: dict[tuple[int, int], int] = {}
            above: dict[int, int] = {}
            for place, code in enumerate(layer):
                if place % _BETWEEN_TICKS == 0:
                    self._tick()
                if code >> 1 in above:
                    continue
                pair = (layer.get(code & ~1, 0), layer.get(code | 1, 0))
                if pair not in known:
                    known[pair] = len(functions)
                    functions.append(
                        self._bdd.ite(variable, functions[pair[1]], functions[pair[0]])
                    )
                above[code >> 1] = known[pair]
            layer = above
        return functions[layer.get(0, 0)]

    def count(self, diagram: Bdd, variables: int) -> int:
        """How many assignments to that many variables, exactly."""
        if variables <= _EXACT or self.package != "cudd":
            return int(self._bdd.count(diagram, variables))
        return self._count_exactly(diagram, 1 << variables)

    def _count_exactly(self, root: Bdd, whole: int) -> int:
        """By halves: a node counts the mean of its children, of a whole that is a power of two."""
        counts = {int(self.true): whole, int(self.false): 0}
        stack = [root]
        while stack:
            node = stack[-1]
            if int(node) in counts:
                stack.pop()
                continue
            _, low, high = self._bdd.succ(node)
            missing = [child for child in (low, high) if int(child) not in counts]
            if missing:
                stack.extend(missing)
                continue
            mean = (counts[int(low)] + counts[int(high)]) >> 1
            counts[int(node)] = whole - mean if node.negated else mean
            counts[int(~node)] = whole - counts[int(node)]
        return counts[int(root)]


def package() -> tuple[Literal["cudd", "autoref"], Any]:
    """The package for decision diagrams that is there, by name. `UsageError` P011 without any."""
    names: tuple[Literal["cudd", "autoref"], ...] = ("cudd", "autoref")
    for name in names:
        try:
            return name, import_module(f"dd.{name}")
        except ImportError:
            continue
    raise UsageError(
        "P011",
        "the symbolic method needs a package for decision diagrams",
        hint=f"{with_extra('bdd')}, or use another method",
    )


def copy_of(name: str) -> str:
    """The name of a variable's next value."""
    return f"{name}'"
