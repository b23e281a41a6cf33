"""One sentence that says what a verdict means, read off the formula's outermost operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import UNTILS, Op
from pigro.logic.printer import WRITTEN, as_written, paths_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.logic import Formula
    from pigro.model import RSM

_SHOWN = 60
_FUNCTIONS = 3
_SENTENCES = {  # (quantifier, path operator): (when it holds, when it fails)
    (Op.A, Op.X): ("every next state satisfies {0}", "some next state violates {0}"),
    (Op.A, Op.F): ("every run reaches a state with {0}", "some run never reaches {0}"),
    (Op.A, Op.G): ("every reachable state satisfies {0}", "some reachable state violates {0}"),
    (Op.A, Op.U): ("on every run {0} lasts until {1}", "on some run {0} does not last until {1}"),
    (Op.A, Op.W): (
        "on every run {0} lasts until {1} or for the whole run",
        "on some run {0} fails with no {1} so far",  # the present state included
    ),
    (Op.A, Op.R): (
        "on every run {1} lasts up to and including a state with {0} or for the whole run",
        "on some run {1} fails with no {0} before",
    ),
    (Op.E, Op.X): ("some next state satisfies {0}", "no next state satisfies {0}"),
    (Op.E, Op.F): ("a state with {0} is reachable", "no reachable state satisfies {0}"),
    (Op.E, Op.G): (
        "some run satisfies {0} in all its states",
        "every run violates {0} in some state",
    ),
    (Op.E, Op.U): ("on some run {0} lasts until {1}", "on no run {0} lasts until {1}"),
    (Op.E, Op.W): (
        "on some run {0} lasts until {1} or for the whole run",
        "on every run {0} fails with no {1} so far",
    ),
    (Op.E, Op.R): (
        "on some run {1} lasts up to and including a state with {0} or for the whole run",
        "on every run {1} fails with no {0} before",
    ),
}

_PATH = {Op.X, Op.F, Op.G, *UNTILS}
_ON_RUNS = {  # for all other path formulas
    Op.A: ("every run satisfies {0}", "some run violates {0}"),
    Op.E: ("some run satisfies {0}", "no run satisfies {0}"),
}


def explain(model: RSM, formula: Formula, holds_at: tuple[tuple[int, bool], ...]) -> str:
    """Why the formula holds or fails, in one line."""
    holds = all(truth for _, truth in holds_at)
    told = about_paths(formula, holds=holds)
    if len(holds_at) == 1:
        return told
    if holds:
        return f"at all {len(holds_at)} initial nodes, {told}"
    failing = [node for node, truth in holds_at if not truth]
    place = printable(model.node_name(failing[0]))
    more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
    return f"at {place}{more}, {told}"


def about_paths(formula: Formula, *, holds: bool) -> str:
    """The sentence for the formula as it was written, and which paths it is about."""
    if WRITTEN not in formula.kept:
        return sentence(formula, holds=holds)
    told, paths = sentence(as_written(formula), holds=holds), paths_of(formula)
    return told if paths is None else f"{told} (on {paths} paths)"


def sentence(formula: Formula, *, holds: bool, where: str = "the initial state") -> str:
    """What it means that the formula holds or fails in a state, which is called `where`.

    >>> from pigro.logic import parse
    >>> sentence(parse("G F p"), holds=False)
    'some run violates G F p'
    """
    ops, left, right = formula.ops, formula.left, formula.right
    is_ctl = formula.is_ctl  # then all are state formulas but those right under A and E
    is_state = [op not in _PATH for op in ops] if is_ctl else state_formulas(formula)
    node = len(ops) - 1
    while is_state[node] and ops[node] in (Op.NOT, Op.A, Op.E) and is_state[left[node]]:
        holds = holds != (ops[node] == Op.NOT)  # the negation of what fails holds
        node = left[node]

    def show(at: int) -> str:
        text = printable(text_of(formula, at, _SHOWN, named=True))
        return f"({text})" if right[at] >= 0 else text

    if not is_state[node] or ops[node] in (Op.A, Op.E):
        letter, path = (Op(ops[node]), left[node]) if is_state[node] else (Op.A, node)
        parts = [at for at in (left[path], right[path]) if at >= 0]
        known = _SENTENCES.get((letter, Op(ops[path])))
        if known is None or not all(is_state[at] for at in parts):
            known = _ON_RUNS[letter]
            return known[not holds].format(printable(text_of(formula, path, _SHOWN, named=True)))
        return known[not holds].format(*(show(at) for at in parts))
    if ops[node] == Op.ATOM:
        return f"{where} {'carries' if holds else 'does not carry'} {show(node)}"
    return f"{show(node)} is {'true' if holds else 'false'} in {where}"


def sharing(functions: Sequence[str]) -> str:
    """What a sentence goes on with, if activations of these functions share labels."""
    return f"; but {activations_of(functions)} share these labels" if functions else ""


def activations_of(functions: Sequence[str]) -> str:
    """All activations of functions, in words."""
    shown = ", ".join(printable(each) for each in functions[:_FUNCTIONS])
    more = f" and {len(functions) - _FUNCTIONS:,} more" if len(functions) > _FUNCTIONS else ""
    return f"all activations of {shown}{more}"
