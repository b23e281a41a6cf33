"""Random pushdown systems, as text in the format of the model checker PuMoC.

Rules are drawn one after the other until there are as many different ones as wanted, or as there
are tries: `_TRIES` for each. The random choices for a rule: its control state, its symbol, the new
control state, whether it pops, rewrites or pushes, and the new symbols from the top down. A push
first draws how many, from 2 to `longest`. Then, for each control state and each symbol, and for
each label: whether it carries the label. The initial configuration is the first control state with
the first symbol.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.generate.stream import RandomStream, require

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRIES = 20


def _labels() -> dict[str, float]:
    return dict.fromkeys("abc", 0.3)


@dataclass(frozen=True, slots=True)
class PushdownShape:
    """What random pushdown systems look like."""

    states: int = 3
    """Control states."""
    symbols: int = 5
    """Stack symbols."""
    rules: int = 20
    """How many rules, at most."""
    pop: float = 0.3
    """The probability that a rule takes the symbol away."""
    push: float = 0.3
    """The probability that a rule leaves more than one symbol."""
    longest: int = 2
    """How many symbols a rule leaves at most."""
    labels: Mapping[str, float] = field(default_factory=_labels)
    """The probability of each label at each control state and each symbol."""

    def __post_init__(self) -> None:
        """Refuses shapes that no pushdown system has."""
        for what in ("states", "symbols"):
            require(holds=getattr(self, what) >= 1, message=f"there is at least one of {what}")
        require(holds=self.rules >= 0, message="the number of rules can't be negative")
        chances = f"pop and push are at least 0 and together at most 1, not {self.pop}, {self.push}"
        sensible = self.pop >= 0 and self.push >= 0 and self.pop + self.push <= 1
        require(holds=sensible, message=chances)
        require(holds=self.longest >= 2, message="the longest right side has at least 2 symbols")
        for label, chance in self.labels.items():
            message = f"the probability of label {label!r} is between 0 and 1, not {chance}"
            require(holds=0 <= chance <= 1, message=message)


def random_pushdown_system(shape: PushdownShape, seed: int = 0) -> str:
    """The text of the pushdown system of this shape and seed.

    >>> print(random_pushdown_system(PushdownShape(states=1, symbols=2, rules=2), seed=4), end="")
    (p0 <g0>)
    <BLANKLINE>
    ATOMS p0 a, c
    ATOMS g0 b
    ATOMS g1 c
    <BLANKLINE>
    p0 <g0> --> p0 <g0>
    p0 <g1> --> p0 <g0 g0>
    """
    stream = RandomStream(seed)
    rules: dict[str, None] = {}
    for _ in range(shape.rules * _TRIES):
        if len(rules) == shape.rules:
            break
        rules[_rule(shape, stream)] = None
    names = [f"p{i}" for i in range(shape.states)] + [f"g{i}" for i in range(shape.symbols)]
    atoms = []
    for name in names:
        carried = [label for label, chance in shape.labels.items() if stream.chance(chance)]
        if carried:
            atoms.append(f"ATOMS {name} {', '.join(carried)}\n")
    parts = ["(p0 <g0>)\n", "".join(atoms), "".join(f"{rule}\n" for rule in rules)]
    return "\n".join(part for part in parts if part)


def _rule(shape: PushdownShape, stream: RandomStream) -> str:
    state, symbol = stream.below(shape.states), stream.below(shape.symbols)
    target, kind = stream.below(shape.states), stream.draw()
    if kind < shape.pop:
        length = 0
    elif kind < shape.pop + shape.push:
        length = 2 + stream.below(shape.longest - 1)
    else:
        length = 1
    pushed = " ".join(f"g{stream.below(shape.symbols)}" for _ in range(length))
    return f"p{state} <g{symbol}> --> p{target} <{pushed}>"
