"""Requirements that follow from labels: is a variable defined before it is used, and used then?

Models of programs label a node `def_V` where it defines the variable `V`, `use_V` where it uses it,
and `usedef_V` where it does both, the use first. The variable `COMPONENT.NAME` is local to that
component, as `pigro extract` names it. All activations of a component share the labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, did_you_mean, printable
from pigro.logic import parse
from pigro.logic.lexer import quote
from pigro.model.calls import call_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model

ALL = "all"
REQUIREMENTS = {
    "usable": "A G (({def} | {usedef}) --> E F ({use} | {usedef}))",
    "initialized": "! E [!({def} | {usedef}) U ({use} | {usedef})]",
    "used": "A G (({def} | {usedef}) --> E X E [!{def} U ({use} | {usedef})])",
    "kept": "A G (({def} | {usedef}) --> "
    "! E X E [!({use} | {usedef}) U ({def} & !({use} | {usedef}))])",
}
"""By name. usable: wherever the variable is defined, some way leads to a use of it. initialized:
no use comes before the first definition. used: each definition can be used before the next one.
kept: on no way a definition follows another one without a use between them."""
_LABEL = re.compile(r"(usedef|use|def)_(.*[^_].*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UseDef:
    """A variable, and which of its three labels occur."""

    variable: str
    kinds: frozenset[str]
    """Of `def`, `use` and `usedef`."""

    @property
    def formula(self) -> Formula:
        """Wherever the variable is defined, there is a way to a use of it."""
        return self.requirement("usable")

    def requirement(self, name: str) -> Formula:
        """The requirement of that name for this variable."""
        kinds = {kind: quote(f"{kind}_{self.variable}") for kind in ("def", "use", "usedef")}
        return parse(REQUIREMENTS[name].format_map(kinds))


def use_def(model: Model) -> list[UseDef]:
    """The variables of a model, in the order in which its labels first name them."""
    return variables(model.label_names)


def variables(labels: Iterable[str]) -> list[UseDef]:
    """The variables that these labels speak of."""
    found: dict[str, set[str]] = {}
    for label in labels:
        match = _LABEL.fullmatch(label)
        if match is not None:
            found.setdefault(match[2], set()).add(match[1])
    return [UseDef(variable, frozenset(kinds)) for variable, kinds in found.items()]


def activations(model: Model, formula: Formula) -> tuple[str, ...]:
    """The components that can be active several times at once, and share labels of this formula.

    These are recursive, and the formula relates definitions and uses of one of their variables.
    """
    if not model.is_listed:
        return ()
    found = (each for each in variables(formula.atoms) if len(each.kinds) > 1)
    named = [(each.variable.rpartition(".")[0], each) for each in found]
    if not any(name for name, _ in named):
        return ()
    recursive = model.kept("recursive components by name", _recursive)
    shared = [
        name
        for name, each in named
        if name in recursive and not _is_certain(model, recursive[name], each, formula)
    ]
    return tuple(dict.fromkeys(shared))


def _recursive(model: RSM) -> dict[str, int]:
    """The components that can call themselves, by name."""
    if not model.statistics.recursive:
        return {}
    graph = call_graph(model)
    names = enumerate(model.names.components)
    return {name: at for at, name in names if graph.recursive[at] and graph.reachable[at]}


def _is_certain(model: RSM, component: int, use: UseDef, formula: Formula) -> bool:
    """Whether each activation begins with a definition, as of a parameter, and that is enough."""
    label = model.label_ids.get(f"def_{use.variable}")
    if label is None or formula != use.requirement("initialized"):
        return False
    core = model.core
    entries = [node for node in core.nodes_of(component) if core.is_entry(node)]
    return {*core.labelled(label)}.issuperset(entries)


def formulas_of(known: Mapping[str, Formula | UseDef], names: Iterable[str]) -> list[Formula]:
    """The formulas of the variables of these names, or of `all`. `UsageError` P008 for an unknown
    one. A model can have thousands of variables: their formulas are made when asked for.
    """
    if not known:
        raise no_variables()
    found: list[Formula] = []
    for name in names:
        if name not in known and name != ALL:
            raise no_variable(name, known)
        chosen = [known[name]] if name in known else known.values()
        found += (each.formula if isinstance(each, UseDef) else each for each in chosen)
    return found


def named_requirements(model: Model, asked: Iterable[str]) -> list[Formula]:
    """The formulas for `NAME[:VARIABLE]`, of all variables for `all` or none.

    `UsageError` P008 for a variable that is not there, P016 for a name that is none.
    """
    pairs = [each.partition(":")[::2] for each in asked]
    for name, _ in pairs:
        if name not in REQUIREMENTS:
            hint = did_you_mean(name, REQUIREMENTS) or f"choose one of: {', '.join(REQUIREMENTS)}"
            raise UsageError("P016", f'there is no requirement "{printable(name)}"', hint=hint)
    known = {each.variable: each for each in use_def(model)}
    if not known:
        raise no_variables()
    found: list[Formula] = []
    for name, variable in pairs:
        if variable in known:
            found.append(known[variable].requirement(name))
        elif variable in ("", ALL):
            found += (use.requirement(name) for use in known.values())
        else:
            raise no_variable(variable, known)
    return found


def no_variable(name: str, known: Iterable[str]) -> UsageError:
    """The error for a variable that the model does not have."""
    hint = did_you_mean(name, known) or "--list-variables lists them"
    return UsageError("P008", f'the model has no variable "{printable(name)}"', hint=hint)


def no_variables() -> UsageError:
    """The error for a model that has no variables at all."""
    hint = "they are known by labels def_V, use_V and usedef_V of nodes"
    return UsageError("P008", "the model has no variables", hint=hint)
