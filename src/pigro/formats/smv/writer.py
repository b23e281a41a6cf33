"""A model as an `.smv` file: each component a module with one variable, `state`.

A module has one initial state that others call, at most one exit, and steps from every other
state. A box becomes a state that calls. So a component may be called at one entry only, may have
one exit only, and a box must go on after it. Dead ends become loops, which is how they are read
unless they stop. Names are kept where they are names in SMV. Nodes and boxes get others where not,
labels can't. Conditions of the file that the model was read from become definitions with names of
their own. Formulas become SPECs and LTLSPECs, with everything in brackets. The language has no `W`,
and `R` on paths only, as `V`: in CTL these are written by their duals with `U`. States that no run
reaches are written, but not read again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError, printable
from pigro.formats.smv.syntax.nodes import EXIT
from pigro.formats.smv.syntax.words import RESERVED
from pigro.limits import no_poll, watched
from pigro.logic.operators import Fragment, Op
from pigro.logic.paths import defined
from pigro.model.choices import Semantics
from pigro.model.statistics import why_lost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM

_NAME = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_$#]|-(?=[A-Za-z0-9_$#]))*")
_HINT = "write it as .rsm"
_VARIABLE = "state"
_LONGEST = 1 << 20
"""Characters: without sharing, a formula can be far larger than its graph."""
_CONNECTIVES = {Op.AND: "&", Op.OR: "|", Op.XOR: "xor", Op.IMPLIES: "->", Op.IFF: "<->"}
_SAID = (Fragment.PROPOSITIONAL, Fragment.CTL, Fragment.LTL)


def write(model: RSM, formulas: Sequence[Requirement] = (), *, poll: Poll = no_poll) -> bytes:
    """The model as an `.smv` file. Reading it gives the same verdicts. ModelError if it can't.

    The formulas are some of those that `statable` gives.
    """
    lost = why_lost(model)
    if lost is None and model.statistics.dead_call:
        lost = "in the semantics rsmcheck a call of an entry-exit node is a dead end"
    if lost is not None:
        raise _cannot(lost)
    first = model.core.component(model.initial[0])
    order = [first, *(c for c in range(model.core.components) if c != first)]
    wanted = [model.names.components[c] for c in order]
    taken = {"main"} if wanted[0] != "main" else set()
    modules = dict(zip(order, _unique(wanted, "module", taken), strict=True))
    names = _label_names(model)
    labels = _labels(model, names, poll)
    entries = _entries(model, poll)
    parts = [
        _Component(model, c, modules, labels.get(c, {}), entries[c], names.values(), poll).text()
        for c in order
    ]
    for each in formulas:
        at = order.index(_home(model, entries, each.initial))
        parts[at] += f"{_spec(each.formula, names)}\n"
    return "\n".join(parts).encode("ascii")


def statable(model: RSM, formulas: Iterable[Requirement]) -> list[Requirement]:
    """The formulas that the file of the model can have, each with its start."""
    names = _label_names(model)
    try:
        starts = [None, *map(tuple, _entries(model))]
    except ModelError:
        return []
    return [each for each in formulas if each.initial in starts and _spec(each.formula, names)]


def _home(model: RSM, entries: list[list[int]], initial: tuple[int, ...] | None) -> int:
    """The component whose initial states these are. ValueError if there is none."""
    return entries.index(sorted(model.initial if initial is None else initial))


def _label_names(model: RSM) -> dict[str, str]:
    """The names of labels in the file: their own, or new ones for conditions."""
    if model.conditions is None:
        return {label: label for label in model.label_ids}
    return dict(zip(model.label_ids, _unique([*model.label_ids], "c", {_VARIABLE}), strict=True))


def _labels(model: RSM, names: dict[str, str], poll: Poll) -> dict[int, dict[str, list[int]]]:
    """The declared nodes of each label, by component."""
    core = model.core
    labels: dict[int, dict[str, list[int]]] = {}
    for own, number in model.label_ids.items():
        label = names[own]
        if not _is_name(label) or label == _VARIABLE:
            raise _cannot(f'label "{printable(label)}" can\'t be a name')
        nodes = core.labelled(number)
        if not nodes:
            labels.setdefault(0, {})[label] = []  # kept, though nothing carries it
        for node in watched(nodes, poll):
            if core.box(node) < 0:
                labels.setdefault(core.component(node), {}).setdefault(label, []).append(node)
    return labels


def _entries(model: RSM, poll: Poll = no_poll) -> list[list[int]]:
    """The initial states of each component, as nodes."""
    core, names = model.core, model.names
    called: list[set[int]] = [set() for _ in range(core.components)]
    for c in range(core.components):
        for node in watched(core.nodes_of(c), poll):
            for target in core.successors(node):
                if core.box(target) >= 0:  # a call, or the return node that it became
                    called[core.callee(core.box(target))].add(core.declared_of_node(target))
    found: list[list[int]] = []
    for c in range(core.components):
        name = f'component "{printable(names.components[c])}"'
        entries = [core.node_of_declared(each) for each in sorted(called[c])]
        if len(entries) > 1:
            raise _cannot(f"{name} is called at several entries")
        initial = [node for node in model.initial if core.component(node) == c]
        if entries and initial and entries != initial:
            raise _cannot(f"{name} is called at another node than the model starts at")
        found.append(entries or initial or _some_entry(model, c))
    if len({core.component(node) for node in model.initial}) > 1:
        raise _cannot("the model starts in several components")
    return found


def _some_entry(model: RSM, component: int) -> list[int]:
    """Where a component could start that nothing calls."""
    core = model.core
    nodes = [node for node in core.nodes_of(component) if core.box(node) < 0]
    if not nodes:
        name = printable(model.names.components[component])
        raise _cannot(f'component "{name}" has no node')
    return [node for node in nodes if core.is_entry(node)] or nodes[:1]


class _Component:
    """One component on its way to a module."""

    def __init__(
        self,
        model: RSM,
        number: int,
        modules: dict[int, str],
        labels: dict[str, list[int]],
        entries: list[int],
        taken: Iterable[str],
        poll: Poll,
    ) -> None:
        core = model.core
        self.model, self.core, self.poll = model, core, poll
        self.number, self.modules = number, modules
        self.labels, self.entries = labels, entries
        self.nodes = [node for node in core.nodes_of(number) if core.box(node) < 0]
        self.boxes = list(core.boxes_of(number))
        exits = [node for node in self.nodes if core.kind(node).name == "EXIT"]
        if len(exits) > 1:
            raise _cannot(f'component "{self.title}" has several exits')
        self.exit = exits[0] if exits else None
        inner = [node for node in self.nodes if node != self.exit]
        wanted = [model.names.nodes[core.declared_of_node(node)] for node in watched(inner, poll)]
        wanted += [model.names.boxes[box] for box in self.boxes]
        names = _unique(wanted, "s", {_VARIABLE, *taken}, poll)
        self.name = dict(zip(inner, names, strict=False))
        self.box_name = dict(zip(self.boxes, names[len(inner) :], strict=True))
        if self.exit is not None:
            self.name[self.exit] = EXIT

    @property
    def title(self) -> str:
        return printable(self.model.names.components[self.number])

    def text(self) -> str:
        states = [name for name in (*self.name.values(), *self.box_name.values()) if name != EXIT]
        lines = [f"MODULE {self.modules[self.number]}", "VAR"]
        lines.append(f"  {_VARIABLE} : {_set(states or ['none'])};")
        if self.labels:
            lines.append("DEFINE")
        for label, nodes in sorted(self.labels.items()):
            held = f"{_VARIABLE} in {_set([self.name[n] for n in nodes])}" if nodes else "FALSE"
            lines.append(f"  {label} := {held};")
        lines += self._calls()
        lines.append("ASSIGN")
        lines.append(f"  init({_VARIABLE}) := {_set([self.name[n] for n in self.entries])};")
        steps = [*watched(self._node_steps(), self.poll), *watched(self._box_steps(), self.poll)]
        if steps:
            lines += [f"  next({_VARIABLE}) := case", *steps, "  esac;"]
        return "\n".join([*lines, ""])

    def _calls(self) -> list[str]:
        called: dict[str, list[str]] = {}
        for box in self.boxes:
            callee = self.modules[self.core.callee(box)]
            called.setdefault(callee, []).append(self.box_name[box])
        lines = [f"  {callee} := {_VARIABLE} in {_set(at)};" for callee, at in called.items()]
        return ["CALL", *lines] if lines else []

    def _node_steps(self) -> Iterable[str]:
        for node in self.nodes:
            if node == self.exit:
                continue
            yield self._step(self.name[node], self._targets(node) or [self.name[node]])

    def _box_steps(self) -> Iterable[str]:
        for box in self.boxes:
            returns = list(self.core.returns(box))
            targets = self._targets(returns[0]) if returns else []
            if not targets and self._can_return(box):
                name = printable(self.model.names.boxes[box])
                raise _cannot(f'nothing follows box "{name}" of component "{self.title}"')
            if self.model.semantics is Semantics.RMV:
                self._require_no_call(box, targets)
            never = self.name[self.entries[0]]  # the call does not return, and must not call again
            yield self._step(self.box_name[box], targets or [never])

    def _require_no_call(self, box: int, targets: Sequence[str]) -> None:
        """RMV, and so the semantics `rmv`, refuses a call right after a call."""
        called = next((name for name in targets if name in self.box_name.values()), None)
        if called is not None:
            raise _cannot(
                f'box "{called}" of component "{self.title}" is called right after box '
                f'"{self.box_name[box]}", which the semantics rmv refuses'
            )

    def _can_return(self, box: int) -> bool:
        callee = self.core.callee(box)
        return any(self.core.kind(node).name == "EXIT" for node in self.core.nodes_of(callee))

    def _targets(self, node: int) -> list[str]:
        """Where a node leads to. A call at an exit has become its return node."""
        found = []
        for target in self.core.successors(node):
            box = self.core.box(target)
            found.append(self.name[target] if box < 0 else self.box_name[box])
        return found

    @staticmethod
    def _step(source: str, targets: Sequence[str]) -> str:
        return f"    {_VARIABLE} = {source} : {_set(targets)};"


def _spec(formula: Formula, names: Mapping[str, str]) -> str | None:
    """The line of a file. `names` are those of labels. None if SMV can't express the formula."""
    if formula.fragment not in _SAID:
        return None
    keyword = "LTLSPEC" if formula.fragment is Fragment.LTL else "SPEC"
    made: list[str] = []
    for at, op in enumerate(formula.ops):
        text = _node(formula, Op(op), at, made, names, on_paths=keyword == "LTLSPEC")
        if len(text) > _LONGEST:
            return None
        made.append(text)
    return f"{keyword} {made[-1]}"


def _node(
    formula: Formula,
    op: Op,
    at: int,
    made: list[str],
    names: Mapping[str, str],
    *,
    on_paths: bool,
) -> str:
    if op in (Op.TRUE, Op.FALSE):
        return op.name
    if op is Op.ATOM:
        return names.get(formula.atoms[formula.left[at]], "FALSE")  # which no node carries
    left = made[formula.left[at]]
    if op in _CONNECTIVES:
        return f"({left} {_CONNECTIVES[op]} {made[formula.right[at]]})"
    if op in (Op.A, Op.E):  # LTLSPEC speaks of all paths
        return left if on_paths else _quantified(formula, op, formula.left[at], made)
    if op in (Op.NOT, Op.X, Op.F, Op.G):
        return f"({'!' if op is Op.NOT else op.name} {left})"
    return defined(op, _OnPaths(), left, made[formula.right[at]]) if on_paths else left


class _OnPaths:
    """How LTLSPEC writes path operators."""

    true, false = "TRUE", "FALSE"

    def both(self, f: str, g: str) -> str:
        """`f & g`."""
        return f"({f} & {g})"

    def either(self, f: str, g: str) -> str:
        """`f | g`."""
        return f"({f} | {g})"

    def until(self, f: str, g: str) -> str:
        """`f U g`."""
        return f"({f} U {g})"

    def release(self, f: str, g: str) -> str:
        """`f R g`, which is V in SMV."""
        return f"({f} V {g})"


class _Quantified(_OnPaths):
    """How SPEC writes path operators under a quantifier."""

    def __init__(self, quantifier: Op) -> None:
        self._name = quantifier.name
        self._dual = "E" if quantifier is Op.A else "A"

    def until(self, f: str, g: str) -> str:
        """`f U g`."""
        return f"{self._name} [{f} U {g}]"

    def release(self, f: str, g: str) -> str:
        """`f R g`: SMV has until only."""
        return f"!({self._dual} [!({f}) U !({g})])"


def _quantified(formula: Formula, quantifier: Op, path: int, made: list[str]) -> str:
    """A path formula of CTL with its quantifier."""
    op, left = Op(formula.ops[path]), made[formula.left[path]]
    if op in (Op.X, Op.F, Op.G):
        return f"({quantifier.name}{op.name} ({left}))"
    return defined(op, _Quantified(quantifier), left, made[formula.right[path]])


def _set(names: Sequence[str]) -> str:
    return "{" + ", ".join(names) + "}"


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name not in RESERVED


def _unique(
    wanted: Sequence[str], prefix: str, taken: Iterable[str], poll: Poll = no_poll
) -> list[str]:
    """These names where they can be, others where not."""
    used = {*taken, *(name for name in watched(wanted, poll) if _is_name(name))}
    kept: set[str] = set(taken)
    found: list[str] = []
    counter = 0
    for name in watched(wanted, poll):
        chosen = name
        if not _is_name(name) or name in kept:
            while f"{prefix}{counter}" in used:
                counter += 1
            chosen = f"{prefix}{counter}"
        used.add(chosen)
        kept.add(chosen)
        found.append(chosen)
    return found


def _cannot(why: str) -> ModelError:
    return ModelError("P120", f"the model can't be written as SMV: {why}", hint=_HINT)
