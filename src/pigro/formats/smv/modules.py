"""From modules to components: the modules that run on their own, and what they call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.instances import ScopedExpression, with_bases
from pigro.formats.smv.kinds import SHIFTED, is_condition, words
from pigro.formats.smv.machine import SmvComponent
from pigro.formats.smv.native import SymbolNumbers
from pigro.formats.smv.syntax.nodes import EXIT, ExpressionNodes
from pigro.formats.smv.syntax.parser import NO_ARGUMENTS
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.formats.smv.syntax.parser import ParsedModule, ParsedSpec
    from pigro.formats.smv.syntax.text import TokenText
    from pigro.limits import Poll

_MAIN = "main"


class SmvComponents(NamedTuple):
    """The modules of a file that run on their own."""

    start: str
    """The module that models start in: `main`, or the first."""
    has_exit: bool
    """Whether modules call others, or say EXIT."""
    named: dict[str, SmvComponent]
    calls: dict[str, list[tuple[str, int, int]]]
    """The calls of each component: callee, condition, token."""
    faults: list[TokenFault]
    """What is wrong with formulas of the file, which are left out."""


def components_of(
    text: TokenText, modules: dict[str, ParsedModule], nodes: ExpressionNodes, poll: Poll
) -> SmvComponents:
    """The components. Needs: `nodes` has the expressions of the modules."""
    start = _MAIN if _MAIN in modules else next(iter(modules))
    calls = any(each.calls for each in modules.values())
    has_exit = calls or EXIT in text.tokens
    chosen = _chosen(modules, start)
    faults = [fault for each in modules.values() for fault in each.faults]
    symbols, named = SymbolNumbers(), {}
    for module in chosen:
        make = partial(SmvComponent, module, modules, nodes, symbols, has_exit=has_exit)
        named[module.name] = _component(make, modules, faults, poll)
    called = {name: _called(component, modules, nodes) for name, component in named.items()}
    return SmvComponents(start, has_exit, named, called, faults)


def _chosen(modules: dict[str, ParsedModule], start: str) -> list[ParsedModule]:
    """The modules that run on their own."""
    for module in modules.values():
        for callee, _, at in module.calls:
            _check_callee(callee, modules, at)
    if not any(each.instances for each in modules.values()):
        return [each for each in modules.values() if not each.parameters or each.name == start]
    reached = {start: modules[start]}
    waiting = [modules[start]]
    for module in waiting:  # grows
        for callee, _, _ in _written_calls(module, modules):
            if callee not in reached:
                reached[callee] = modules[callee]
                waiting.append(modules[callee])
    return list(reached.values())


def _check_callee(callee: str, modules: dict[str, ParsedModule], at: int) -> None:
    module = modules.get(callee)
    if module is None:
        hint = did_you_mean(callee, modules)
        raise TokenFault("P123", f"there is no module `{printable(callee)}` to call", at, hint)
    if module.parameters:
        message = f"module `{printable(callee)}` has parameters and can't be called"
        raise TokenFault("P137", message, at, NO_ARGUMENTS)


def _written_calls(
    module: ParsedModule, modules: dict[str, ParsedModule]
) -> Iterator[tuple[str, int, int]]:
    """The calls of a module and of those that it is made of (ISA)."""
    for each in with_bases(module, modules):
        yield from each.calls


def _component(
    make: partial[SmvComponent],
    modules: dict[str, ParsedModule],
    faults: list[TokenFault],
    poll: Poll,
) -> SmvComponent:
    """The component, without formulas that are wrong: some of them make variables."""
    left_out: list[ParsedSpec] = []
    while True:
        poll()
        try:
            return _with_formulas(partial(make, left_out=left_out))
        except TokenFault as fault:
            every = (spec for each in modules.values() for spec in each.specs)
            wrong = [spec for spec in every if fault.at in spec.span]
            if not wrong:
                raise
            left_out += wrong
            faults.append(fault)


def _with_formulas(make: partial[SmvComponent]) -> SmvComponent:
    """With inputs as variables, if a formula speaks of inputs and runs can exit."""
    made = make(keep_inputs=False)
    if not made.inputs or not made.has_exit:
        return made
    for instance, spec, whole in made.specs:
        if spec.section != "LTLSPEC":
            continue
        if made.reads_inputs(ScopedExpression(whole.nodes, whole.root, instance)):
            return make(keep_inputs=True)
    return made


def _called(
    component: SmvComponent, modules: dict[str, ParsedModule], nodes: ExpressionNodes
) -> list[tuple[str, int, int]]:
    found = []
    for callee, root, at in _written_calls(component.module, modules):
        code = component.compiler.code(ScopedExpression(nodes, root, component.program.root))
        if not is_condition(code.kinds) or code.kinds & SHIFTED:
            message = f"expected a condition, found {words(code.kinds)}"
            if is_condition(code.kinds & ~SHIFTED) or code.kinds & SHIFTED:
                message = "a condition of a call can't use next"
            raise TokenFault("P125", message, nodes.at[root])
        found.append((callee, code.number, at))
    return found
