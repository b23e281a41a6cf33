"""The rounds of refinement, for people and for programs (`--trace`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from pigro.model.composition import Composition
    from pigro.verdict import Verdict
    from pigro.verdict.games import Finding, LayerReport

_SHOWN = 10
"""How many findings of a round are told."""


def rounds_text(verdict: Verdict, indent: int) -> str:
    """A paragraph for each round: blocks, games, and what was found out; with line ends."""
    composition = verdict.composition
    lines = []
    for number, each in enumerate(verdict.rounds, 1):
        pairs = zip(composition.parts, each.blocks, strict=True)
        blocks = ", ".join(f"{part.name} {size:,}" for part, size in pairs)
        lines.append(f"round {number}: blocks {blocks}")
        lines += [f"    {_game(composition, layer)}" for layer in each.layers]
        lines += [f"    {_finding(composition, found)}" for found in each.findings[:_SHOWN]]
        more = len(each.findings) - _SHOWN
        if more > 0:
            splits = sum(found.split for found in each.findings[_SHOWN:])
            lines.append(f"    and {more:,} more, with {splits:,} splits")
    return "".join(f"{' ' * indent}{printable(line, len(line))}\n" for line in lines)


def rounds_json(verdict: Verdict) -> list[dict[str, object]]:
    """Each round as an object."""
    return [
        {
            "blocks": list(each.blocks),
            "layers": [layer_json(verdict.composition, layer) for layer in each.layers],
            "findings": [
                {
                    "part": verdict.composition.parts[found.part].name,
                    "block": found.state,
                    "label": found.atom,
                    "action": found.action,
                    "target": found.target,
                    "split": found.split,
                }
                for found in each.findings
            ],
            "splits": each.splits,
        }
        for each in verdict.rounds
    ]


def layer_json(composition: Composition, layer: LayerReport) -> dict[str, object]:
    """A game as an object."""
    return {
        "parts": [composition.parts[at].name for at in layer.parts],
        "value": value_word(layer.value),
        "nodes": layer.nodes,
        "edges": layer.edges,
        "open_nodes": layer.open_nodes,
        "open_edges": layer.open_edges,
        "seconds": layer.seconds,
    }


def value_word(value: bool | None) -> str:  # noqa: FBT001 - the value itself
    """A value of three, in a word."""
    return "unknown" if value is None else "holds" if value else "fails"


def _game(composition: Composition, layer: LayerReport) -> str:
    names = ", ".join(composition.parts[at].name for at in layer.parts)
    undecided = f", {layer.open_nodes:,} undecided" if layer.value is None else ""
    return f"{names}: {layer.nodes:,} nodes{undecided}, {value_word(layer.value)}"


def _finding(composition: Composition, found: Finding) -> str:
    part = composition.parts[found.part].name
    if found.atom is not None:
        doubt = f"{found.atom} in {found.state}"
    else:
        arrow = "->" if found.action is None else f"-{found.action}->"
        doubt = f"{found.state} {arrow} {found.target}"
    return f"in doubt: {doubt} of {part}; {'split' if found.split else 'found out without a split'}"
