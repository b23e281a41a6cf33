"""Nodes to text, in one canonical form in the style of NuSMV: `AG (p -> EF q)`, `A [p U q]`.

Parentheses stand where the parser needs them, so that parse(print(f)) is f node by node, and around
U, W and R inside others, which other tools bind differently. They stand also around a first operand
of U, W and R that begins with a word such as AG, unless the U stands alone in the brackets of A or
E: people may read `AG p U q` differently (unclear.py). A and E over X, F and G of a state formula
are printed as one word. Over anything else with square brackets, `A [G F p]`, and so they never
swallow what follows. Fixpoints, which would, stand in parentheses but on top, in brackets or right
inside another. A label with the name of a variable in scope is quoted.

A formula with shared subformulas can be exponentially shorter than its text. `text_of` therefore
takes a limit, which `repr` and messages use. `str` prints everything.

A model's file may say that formulas are about some of the paths only: fair ones, or endless ones.
The formula that is checked says so in CTL* (formats/smv/specs/fairness.py), and remembers the
formula that was written. People are shown the latter: `text_as_written`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pigro.logic.fragments import state_formulas
from pigro.logic.lexer import quote
from pigro.logic.operators import PATH_WORDS, UNTILS, Op

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.logic.syntax import Formula

SIGNS: dict[int, str] = {
    Op.AND: " & ",
    Op.OR: " | ",
    Op.XOR: " xor ",
    Op.IMPLIES: " -> ",
    Op.IFF: " <-> ",
    **{op: f" {words[0]} " for op, words in PATH_WORDS.items()},
}
_LEFT_ASSOCIATIVE: dict[int, int] = {Op.IFF: 2, Op.OR: 3, Op.XOR: 3, Op.AND: 4}
_RIGHT_ASSOCIATIVE: dict[int, int] = {Op.IMPLIES: 1, **dict.fromkeys(UNTILS, 6)}
_UNARY_LEVEL = 7
_FALSE, _ATOM = int(Op.FALSE), int(Op.ATOM)
_DIAMOND, _MU, _VARIABLE = int(Op.DIAMOND), int(Op.MU), int(Op.VARIABLE)
_SEQ, _STAR, _MATCH, _OMEGA = map(int, (Op.SEQ, Op.STAR, Op.MATCH, Op.OMEGA))
_AUTOMATON, _ACCEPTS = int(Op.AUTOMATON), int(Op.ACCEPTS)
_Job = str | tuple[int, int] | None
"""A text to write, a node with the level of precedence that its place needs, or the end of a
scope."""


def _binary_rules() -> dict[int, tuple[str, int, int, int]]:
    """Op -> its sign, its own level, and the levels that its left and its right operand need."""
    rules: dict[int, tuple[str, int, int, int]] = {}
    for op, level in _LEFT_ASSOCIATIVE.items():
        rules[int(op)] = (SIGNS[op], level, level, level + 1)
    for op, level in _RIGHT_ASSOCIATIVE.items():
        rules[int(op)] = (SIGNS[op], level, level + 1, level)
    for op in UNTILS:  # bare only on top
        sign, _, left, right = rules[op]
        rules[op] = (sign, 0, left, right)
    return rules


_BINARY = _binary_rules()
_STEPS = {int(op): op.name + " " for op in (Op.X, Op.F, Op.G)}
_WORDS = {**_STEPS, int(Op.NOT): "!"}
_QUANTIFIERS = {int(Op.A), int(Op.E)}
_MODALITIES = {_DIAMOND, int(Op.BOX)}


def pieces(  # noqa: C901, PLR0912, PLR0915 - a case for each kind of operator
    formula: Formula, node: int, *, named: bool = False, clear: bool = False
) -> Iterator[str]:
    """The text of the subformula `node`, bit by bit. If `named`, only the names of automata.

    If `clear`, first operands of U, W and R that begin with a word such as AG stand in parentheses
    also where the U stands alone in the brackets of A or E.
    """
    ops, left, right, atoms = formula.ops, formula.left, formula.right, formula.atoms
    is_state = None if formula.is_ctl else state_formulas(formula)  # in CTL, operands are
    scope: list[str] = []
    told: set[int] = set()
    is_alone = False
    jobs: list[_Job] = [(node, 0)]
    if ops[node] == _ACCEPTS and not named:  # in a file, it would be a definition
        jobs = [")", (node, 0), "("]
    while jobs:
        job = jobs.pop()
        if isinstance(job, str):
            yield job
            continue
        if job is None:
            scope.pop()
            continue
        at, needed = job
        op = ops[at]
        was_alone, is_alone = is_alone, False
        if op == _ATOM:
            name = atoms[left[at]]
            yield f'"{name}"' if name in scope else quote(name)
        elif op in _BINARY:
            sign, level, left_level, right_level = _BINARY[op]
            if level < needed:
                yield "("
                jobs.append(")")
            has_doubt = (clear or not was_alone) and _has_doubt(formula, at, is_state)
            operand = (")", (left[at], 0), "(") if has_doubt else ((left[at], left_level),)
            jobs += ((right[at], right_level), sign, *operand)
        elif op in _WORDS:
            yield _WORDS[op]
            jobs.append((left[at], _UNARY_LEVEL))
        elif op <= _FALSE:
            yield "false" if op == _FALSE else "true"
        elif _SEQ <= op < _ACCEPTS and op != _AUTOMATON:
            yield from _regular(formula, at, needed, jobs)
        elif op in {_AUTOMATON, _ACCEPTS}:
            at = at if op == _AUTOMATON else left[at]
            jobs += _automaton(formula, at, named=named or at in told)
            told.add(at)
        elif op >= _DIAMOND:
            yield from _modal(formula, at, needed, jobs, scope)
        else:
            body = left[at]
            letter = "A" if op == Op.A else "E"
            step = _STEPS.get(ops[body])
            if step and (is_state is None or is_state[left[body]] or step[0] in scope):
                yield letter + step
                jobs.append((left[body], _UNARY_LEVEL))
            else:
                yield letter + " ["
                jobs += ("]", (body, 0))
                is_alone = True


def _has_doubt(formula: Formula, at: int, is_state: bytearray | None) -> bool:
    """Whether the first operand of U, W or R begins with a word such as AG, perhaps after `!`."""
    ops, left = formula.ops, formula.left
    if ops[at] not in UNTILS:
        return False
    at = left[at]
    while ops[at] in _WORDS or ops[at] in _MODALITIES:
        at = left[at]
    body = left[at]
    is_word = ops[at] in _QUANTIFIERS and ops[body] in _STEPS
    return is_word and (is_state is None or bool(is_state[left[body]]))


def _automaton(formula: Formula, at: int, *, named: bool) -> list[_Job]:
    """The text of an automaton, or its name, as jobs."""
    from pigro.logic.regular.shapes import written

    return [*reversed(written(formula, at, named=named))]


def _regular(formula: Formula, at: int, needed: int, jobs: list[_Job]) -> Iterator[str]:
    """The start of a regular expression or an operator over one. The rest goes to the jobs."""
    op, left, right = formula.ops[at], formula.left[at], formula.right[at]
    if op == _STAR:
        jobs += ("*", (left, _UNARY_LEVEL))
    elif op == _SEQ:
        if needed:
            yield "("
            jobs.append(")")
        jobs += ((right, 1), " ; ", (left, 0))
    elif op == _OMEGA or (op == _MATCH and formula.ops[right] == Op.TRUE):
        yield "{"
        jobs += ("}^w" if op == _OMEGA else "}!", (left, 0))
    else:
        yield "({" if needed else "{"
        jobs += ([")"] if needed else []) + [
            (right, 0),
            "} <>-> " if op == _MATCH else "} |-> ",
            (left, 0),
        ]


def _modal(
    formula: Formula, at: int, needed: int, jobs: list[_Job], scope: list[str]
) -> Iterator[str]:
    """The start of a variable, fixpoint or modality. The rest goes to the jobs."""
    op, left, right = formula.ops[at], formula.left[at], formula.right[at]
    if op == _VARIABLE:
        yield formula.variables[left]
    elif op >= _MU:
        name = formula.variables[right]
        head = f"{'mu' if op == _MU else 'nu'} {name}. "
        if needed:
            jobs.append(")")
        yield f"({head}" if needed else head
        scope.append(name)
        jobs += (None, (left, 0))
    else:
        names = ", ".join(map(quote, formula.actions[right])) if right >= 0 else ""
        yield f"<{names}> " if op == _DIAMOND else f"[{names}] "
        jobs.append((left, _UNARY_LEVEL))


def text_of(
    formula: Formula,
    node: int = -1,
    limit: int | None = None,
    *,
    named: bool = False,
    clear: bool = False,
) -> str:
    """The text of a subformula (default: the root), cut with "..." after `limit` characters.

    If `named`, automata that have names are not written out: for people, who know them. For `clear`
    see `pieces`.

    >>> from pigro.logic import parse
    >>> text_of(parse("A G (p --> E F q)"))
    'AG (p -> EF q)'
    >>> text_of(parse("A G (p --> E F q)"), limit=8)
    'AG (p...'
    """
    start = node if node >= 0 else len(formula.ops) - 1
    if limit is None:
        return "".join(pieces(formula, start, named=named, clear=clear))
    written: list[str] = []
    length = 0
    for piece in pieces(formula, start, named=named, clear=clear):
        written.append(piece)
        length += len(piece)
        if length > limit:
            return "".join(written)[: limit - 3] + "..."
    return "".join(written)


WRITTEN = "written"
"""Where a formula keeps its text."""


ALL: Final = "all"
"""The formula is about all paths, whatever the file says: it is not given another meaning."""
NO_PATH = -1
"""Stands for the part that says that no path counts."""


class SourceFormula(NamedTuple):
    """What a formula stands for."""

    formula: Formula
    paths: Literal["fair", "endless", "all"]
    """The paths that it is about: `fair`, `endless` or `all`."""
    parts: Mapping[int, int]
    """From subformulas of the one that is checked to those that were written."""


def remember(formula: Formula, written: SourceFormula) -> Formula:
    """The formula, which remembers its text."""
    formula.kept[WRITTEN] = written
    return formula


def as_it_is(formula: Formula) -> Formula:
    """The formula, which is about all paths, whatever a file says."""
    return remember(formula, SourceFormula(formula, ALL, {}))


def written_of(formula: Formula) -> SourceFormula | None:
    """The original text. None if that is the formula itself."""
    found = formula.kept.get(WRITTEN)
    return found if isinstance(found, SourceFormula) else None


def as_written(formula: Formula) -> Formula:
    """The formula that was written."""
    found = written_of(formula)
    return formula if found is None else found.formula


def paths_of(formula: Formula) -> Literal["fair", "endless"] | None:
    """The paths that a formula is about, `fair` or `endless`. None: all."""
    found = written_of(formula)
    return None if found is None or found.paths == ALL else found.paths


def text_as_written(
    formula: Formula, node: int = -1, limit: int | None = None, *, named: bool = False
) -> str:
    """The text of a subformula, as it was written if it was."""
    found = written_of(formula)
    if found is None:
        return text_of(formula, node, limit, named=named)
    if node == -1:
        return text_of(found.formula, -1, limit, named=named)
    part = found.parts.get(node)
    if part == NO_PATH:
        return f"no path is {found.paths}"
    if part is not None:
        formula, node = found.formula, part
    return text_of(formula, node, limit, named=named)


def text_for_people(formula: Formula, node: int = -1, limit: int | None = None) -> str:
    """The text of a subformula as it was written, with the names of automata alone."""
    return text_as_written(formula, node, limit, named=True)
