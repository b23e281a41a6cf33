"""A Python object as a model whose states are computed on demand: only states that are asked about.

`ProgramSpace` is for a system what `Computed` is for a large module of SMV: states go by the tuple
of their number, in the order in which something was told about them. `ProgramSearch` has the
methods of the native search over a machine that `computed.py` and `computed_evidence.py` use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro import _core
from pigro.diagnostics import CheckError, ModelError, printable
from pigro.engines.onthefly.counterexample import counterexample
from pigro.engines.onthefly.search import ProofSearch
from pigro.engines.onthefly.system import ExploredSystem
from pigro.evidence.data import NotJudged
from pigro.logic.positive import NOT
from pigro.model import Semantics
from pigro.model.conditions import ModelConditions
from pigro.model.space import StateSpace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.logic.positive import PositiveForm
    from pigro.model import RSM, SourcePosition

_ENDS = {"here": _core.End.HERE, "loop": _core.End.LOOP, "stop": _core.End.STOP}
_WIDEST = 2_000
"""States after one state that are looked at for a name."""
CUT = "no verdict: it depends on what comes where the system is cut off"


def space_of(
    system: Any, name: str = "", digest: bytes = b"", source: str | None = None
) -> StateSpace:
    """A system as a model. `CheckError` P407 if the object is none.

    The name stands before those of states, and the digest is that of the program's text.
    """
    states = ProgramSpace(system, name, digest)
    return StateSpace(
        states,
        semantics=Semantics.STANDARD,
        dead_ends=states.told.dead_ends,
        source=source,
        conditions=_SystemIdentity(system),
    )


def refuse_mu(formula: Formula) -> Formula:
    """The formula itself. CheckError P408 if it is one of the mu-calculus."""
    return formula.refuse_mu(", which can't be checked on states that a program computes", _INSTEAD)


_INSTEAD = (
    "write it in CTL, LTL or CTL*; or list the states: the mu-calculus is checked on models, as "
    "`pigro.load` and `pigro.kripke` make them"
)


class _SystemIdentity(ModelConditions):
    """Nothing is kept but the system: models of one object are equal."""

    __slots__ = ("_system",)

    def __init__(self, system: object) -> None:
        self._system = system

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SystemIdentity) and self._system is other._system

    def __hash__(self) -> int:
        return id(self._system)


class ProgramSpace:
    """See `pigro.model.space.OnDemand`."""

    machine = None
    variables: Sequence[tuple[str, int]] = ()
    labels: Sequence[str] = ()

    def __init__(self, system: Any, component: str, digest: bytes) -> None:
        self.system, self.component, self.digest = system, component, digest
        self.told = ExploredSystem(system)
        """The states that were told of. Nothing may depend on their numbers."""

    def condition(self, label: str) -> int:
        """Any label may be on some state."""
        return 0

    def has_at_most(self, most: int, poll: Poll) -> bool:
        """States of programs are not listed."""
        return False

    def listed(self, poll: Poll) -> RSM:
        """States of programs are not listed: there may be no end of them."""
        raise CheckError(
            "P411",
            "the states of a program are not listed",
            hint="check, with --witness, --html and --format json, does without a list",
        )

    def dead_end_note(self, state: Sequence[int]) -> None:
        """Dead ends are what the program says."""

    def name(self, state: Sequence[int]) -> str:
        """As the program prints it."""
        return printable(str(self.told.states[state[0]]))

    def named(self, runs: Iterable[Sequence[str]]) -> Callable[[str], tuple[int, ...] | None]:
        """Finds a state by its name, if one of the runs comes to it.

        `NotJudged` if two states that could be meant have the same name.
        """
        known = {self.name((0,)): 0}
        for names in runs:
            self._follow(names, known)
        return lambda name: None if name not in known else (known[name],)

    def _follow(self, names: Sequence[str], known: dict[str, int]) -> None:
        """Finds the states of a run that starts in a state that is known, by their names."""
        at = known.get(names[0]) if names else None
        for name in names[1:]:
            if at is None:
                return
            after = {self.told.successor(at, position) for position in range(_WIDEST)} - {None}
            found = [each for each in after if each is not None and self.name((each,)) == name]
            if len(found) > 1 or (found and known.setdefault(name, found[0]) != found[0]):
                raise NotJudged(f"two states of the program are printed as {printable(name, 60)}")
            at = found[0] if found else None

    def given(self, state: Sequence[int], _otherwise: object) -> object:
        """The state that the system made."""
        return self.told.states[state[0]]

    def values(self, state: Sequence[int]) -> Mapping[str, str]:
        """States have no variables."""
        return {}

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> Mapping[str, str] | None:
        """Steps have no inputs. None if there is no such step."""
        if not before:
            return {} if tuple(after) == (0,) else None
        position = 0
        while (found := self.told.successor(before[0], position)) is not None:
            if found == after[0]:
                return {}
            position += 1
        return None

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Programs have no file that says what a step does."""
        return None

    def holds(self, label: str, state: Sequence[int]) -> bool:
        """Whether a state carries a label."""
        return label in self.told.labels(state[0])

    def after(self, state: Sequence[int], most: int) -> list[list[int]] | None:
        """The states after a state. At the start, the initial one."""
        if not state:
            return [[0]]
        found = (self.told.successor(state[0], at) for at in range(most))
        return [[each] for each in found if each is not None]

    def no_start(self) -> ModelError:
        """The error for a program without initial states."""
        return ModelError("P210", "the model has no initial state")

    def explain(self, fault: _core.MachineFault) -> CheckError:
        """There is no machine that could fail."""
        raise fault


class ProgramSearch:
    """One formula in one system: the search of `search.py`."""

    dead_end: list[int] | None = None
    """Programs say themselves what dead ends mean."""

    def __init__(self, states: ProgramSpace, form: PositiveForm, poll: Callable[[], None]) -> None:
        self._states, self._form = states, form
        self._explored = ExploredSystem(states.system)
        self._search = ProofSearch(self._explored, form, poll)

    @property
    def visited(self) -> int:
        """Assertions."""
        return self._search.assertions

    @property
    def looked_at(self) -> int:
        """States whose successors were asked for."""
        return self._explored.asked

    def initial(self, position: int, look: Callable[[], None]) -> int:
        """The initial state. -1 if there is no other."""
        look()
        return 0 if position == 0 else -1

    def value(self, node: int, state: int, look: Callable[[], None]) -> bool | None:
        """The truth of a state formula. None if it depends on where the system is cut off."""
        look()
        return self._search.value(node, state)

    def values(self, state: int) -> tuple[int, ...]:
        """A state as `ProgramSpace` knows it."""
        return (self._states.told.taken(self._explored, state),)

    def next(self, state: int, _most: int) -> list[int]:
        """The states after a state, as far as the search asked. -1 stands for what it did not."""
        explored = self._explored
        if state in explored.stuck:
            return []
        return explored.row(state) if explored.is_known(state) else [*explored.row(state), -1]

    def counter_run(
        self, node: int, state: int, look: Callable[[], None]
    ) -> tuple[Sequence[int], _core.End, int]:
        """A run against `A f`, or for `!A f`, which is decided."""
        look()
        node = self._form.left[node] if self._form.ops[node] == NOT else node
        shown = counterexample(self._search, node, state)
        if shown.reason != "here" and shown.states[-1] in self._explored.stuck:
            return shown.states, _core.End.STOP, -1
        start = -1 if shown.start is None else shown.start
        return shown.states, _ENDS[shown.reason], start
