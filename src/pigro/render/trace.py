"""What an engine did step by step, or round by round, for people (`--trace`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.data import Value
    from pigro.model.composition import Composition
    from pigro.verdict import Step, Verdict
    from pigro.verdict.games import Finding, LayerReport

_SHOWN = 3
"""How many nodes a line of text names."""


def steps_text(steps: Sequence[Step], indent: int) -> str:
    """A line for each step, and one for each new context. With line ends."""
    lines = []
    for number, step in enumerate(steps, start=1):
        lines.append(f"step {number}: {_sentence(step)}")
        if step.built:
            lines.append(f"    context: {_context(step)}")
    return "".join(f"{' ' * indent}{_whole(line)}\n" for line in lines)


def _sentence(step: Step) -> str:
    if step.action == "visit":
        return f"visit {step.instance} for {step.formula} ({step.reason}); {_returning(step)}"
    if step.action == "initialize":
        return f"initialize {step.instance}"
    nodes = ", ".join(step.nodes[:_SHOWN])
    more = f" and {len(step.nodes) - _SHOWN} more" if len(step.nodes) > _SHOWN else ""
    if step.action == "resolve":
        return f"resolve a cycle: {step.formula} is {step.value} at {nodes}{more}"
    if step.action == "label":
        where = f"{nodes}{more} ({step.reason}); {_returning(step)}"
        return f"label: {step.formula} is {step.value} at {where}"
    made = "new instance" if step.built else "instance"
    return (
        f"contextualize box {step.box} of {step.caller}, {made} {step.instance}, "
        f"because of {step.formula} at {nodes}{more}"
    )


def _returning(step: Step) -> str:
    if not step.context:
        return "nothing is assumed about a return"
    said = ", ".join(f"{formula} is {value}" for _, formula, value in step.context)
    return f"after the return, {said}"


def _context(step: Step) -> str:
    if not step.context:
        return "nothing is known"
    return ", ".join(f"{formula} is {value} at {exit_}" for exit_, formula, value in step.context)


def _whole(text: str) -> str:
    return printable(text, len(text))


_FINDINGS = 10
"""How many findings of a round are told."""


def rounds_text(verdict: Verdict, indent: int) -> str:
    """A paragraph for each round: blocks, games, and findings. With line ends."""
    composition = verdict.composition
    lines = []
    for number, each in enumerate(verdict.rounds, 1):
        pairs = zip(composition.parts, each.blocks, strict=True)
        blocks = ", ".join(f"{part.name} {size:,}" for part, size in pairs)
        lines.append(f"round {number}: blocks {blocks}")
        lines += [f"    {_game(composition, layer)}" for layer in each.layers]
        lines += [f"    {_finding(composition, found)}" for found in each.findings[:_FINDINGS]]
        more = len(each.findings) - _FINDINGS
        if more > 0:
            splits = sum(found.split for found in each.findings[_FINDINGS:])
            lines.append(f"    and {more:,} more, with {splits:,} splits")
    return "".join(f"{' ' * indent}{printable(line, len(line))}\n" for line in lines)


def value_word(value: bool | None) -> Value:
    """A value of three, in a word."""
    return "unknown" if value is None else "holds" if value else "fails"


def _game(composition: Composition, layer: LayerReport) -> str:
    names = ", ".join(composition.parts[at].name for at in layer.parts)
    undecided = f", {layer.open_nodes:,} undecided" if layer.value is None else ""
    return f"{names}: {layer.nodes:,} positions{undecided}, {value_word(layer.value)}"


def _finding(composition: Composition, found: Finding) -> str:
    part = composition.parts[found.part].name
    if found.atom is not None:
        doubt = f"{found.atom} in {found.state}"
    else:
        arrow = "->" if found.action is None else f"-{found.action}->"
        doubt = f"{found.state} {arrow} {found.target}"
    return f"in doubt: {doubt} of {part}; {'split' if found.split else 'found out without a split'}"
