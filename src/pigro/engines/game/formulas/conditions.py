"""The conditions that a part itself decides by: comparisons and truth values in its formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.model.lazy.formulas import FormulaTerm, PartFormulas, StepPlan

_ATOMIC = frozenset(("equal", "less", "less_equal", "member"))
_INFIX = {
    "equal": "=",
    "less": "<",
    "less_equal": "<=",
    "member": "in",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "modulo": "mod",
    "range": "..",
    "word_add": "+",
    "word_subtract": "-",
    "word_and": "&",
    "word_or": "|",
    "word_xor": "xor",
}
_LONGEST = 60
"""Characters of a condition that is told in full."""


def conditions_of(formulas: PartFormulas) -> list[tuple[str, int]]:
    """Their texts and terms, in order. Only those about the current state."""
    count = len(formulas.variables)
    terms: dict[int, FormulaTerm] = {}
    pending = [*_roots(formulas.step), *_roots(formulas.initial)]
    while pending:
        number = pending.pop()
        if number not in terms:
            terms[number] = formulas.term(number)
            pending += terms[number].args
    now: dict[int, bool] = {}
    texts: dict[int, str] = {}
    found: dict[str, int] = {}
    for number in sorted(terms):
        term = terms[number]
        now[number] = all(now[arg] for arg in term.args)
        if term.op == "slot":
            now[number] = int(term.value) < count
        texts[number] = _text(formulas, number, term, texts)
        if now[number] and _is_atomic(formulas, term):
            found.setdefault(texts[number], number)
    return list(found.items())


def _roots(plan: StepPlan) -> Iterator[int]:
    yield from plan.checks
    for choice in plan.choices:
        if choice.right >= 0:
            yield choice.right
        yield from choice.conditions


def _is_atomic(formulas: PartFormulas, term: FormulaTerm) -> bool:
    if term.op == "slot":
        values = formulas.variables[int(term.value)].values
        return all(isinstance(value, bool) for value in values[:2])
    return term.op in _ATOMIC


def _text(formulas: PartFormulas, number: int, term: FormulaTerm, texts: Mapping[int, str]) -> str:
    """How a term is written. Long ones have a number instead."""
    inside = [texts[arg] for arg in term.args]
    made = f"{term.op}({', '.join(inside)})"
    if term.op == "slot":
        slots = (*formulas.variables, *formulas.variables, *formulas.inputs)
        made = slots[int(term.value)].name
    elif term.op == "constant":
        made = str(term.value).upper() if isinstance(term.value, bool) else str(term.value)
    elif term.op == "remember":
        made = inside[0]
    elif term.op == "set":
        made = "{" + ", ".join(inside) + "}"
    elif term.op in _INFIX:
        made = f" {_INFIX[term.op]} ".join(map(_bracketed, inside))
    return made if len(made) <= _LONGEST else f"condition {number}"


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text and not text.startswith("{") else text
