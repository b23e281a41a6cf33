"""The steps of a run, for people and for programs (`--trace`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.verdict import Step

_SHOWN = 3
"""How many nodes a line of text names."""


def steps_text(steps: Sequence[Step], indent: int) -> str:
    """A line for each step, and one for each new context; with line ends."""
    lines = []
    for number, step in enumerate(steps, start=1):
        lines.append(f"step {number}: {_sentence(step)}")
        if step.built:
            lines.append(f"    context: {_context(step)}")
    return "".join(f"{' ' * indent}{_whole(line)}\n" for line in lines)


def steps_json(steps: Sequence[Step]) -> list[dict[str, object]]:
    """Each step as an object."""
    return [
        {
            "action": step.action,
            "formula": step.formula,
            "value": step.value,
            "nodes": list(step.nodes),
            "box": step.box,
            "caller": step.caller,
            "instance": step.instance,
            "built": step.built,
            "context": [
                {"exit": exit_, "formula": formula, "value": value}
                for exit_, formula, value in step.context
            ],
            **({} if step.reason is None else {"reason": step.reason}),
        }
        for step in steps
    ]


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
        return "it does not return"
    said = ", ".join(f"{formula} is {value}" for _, formula, value in step.context)
    return f"after the return, {said}"


def _context(step: Step) -> str:
    if not step.context:
        return "nothing is known"
    return ", ".join(f"{formula} is {value} at {exit_}" for exit_, formula, value in step.context)


def _whole(text: str) -> str:
    return printable(text, len(text))
