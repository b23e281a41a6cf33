"""Text to nodes: operator precedence parsing with two explicit stacks (the shunting-yard method).

`values` holds finished nodes, `stack` the operators and brackets that still wait. Prefix operators
are pushed as they come. An infix operator first reduces what binds tighter. `A` and `E` bind looser
than `U`, so `E p U q` is `E (p U q)`, and tighter than `&`, so `A G p & q` is `(A G p) & q`.
`A G` in two words is the same as `AG` and binds as tightly: `A G p U q` is `(AG p) U q`.

A bracket right after A or E may hold all that the quantifier speaks of, as in `E (p U q)`, or only
the left operand of what follows, as in `E (p | q) U r`. It holds all when it is a square one or
when its outermost operator is X, F, G, U, W or R: `E (E (p U q) U r)` is `E [(E [p U q]) U r]`.

A fixpoint `mu Z.` is a prefix operator that binds loosest of all. It reaches to the next closing
bracket. `[` is a modality but for right after A or E. See `scopes.py` for both. Braces hold a
regular expression. `regular/reading.py` reads the special signs in them, and after them. An
automaton that is given state by state has braces of its own, which `regular/blocks.py` reads but
for letters.

A subformula is reduced before anything to its right is read. The nodes thus arise in the canonical
order (I1 to I3 of `arena.py`). Cost: one dictionary look-up a token, one a node. Nothing recurses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pigro.logic.arena import Arena
from pigro.logic.fragments import temporal_depth
from pigro.logic.lexer import (
    BINARY,
    CLOSE,
    CONSTANTS,
    FIXPOINTS,
    INFIX,
    LEVEL,
    LOOSE_A,
    LOOSE_E,
    MODALITIES,
    OP_MASK,
    OPEN_BLOCK,
    OPEN_BRACE,
    OPEN_ROUND,
    OPEN_SQUARE,
    PREFIX,
    LexicalFault,
    fixpoint_head,
    label_of,
    tokenize,
    tokenize_heads,
)
from pigro.logic.operators import TEMPORAL_LIMIT, Op
from pigro.logic.scopes import BinderScope, actions_from, negated_variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic.regular.blocks import TextAutomata

_BOTTOM = -1
_LOOSE = (LOOSE_A, LOOSE_E)
_TIGHTEN = 2 * LEVEL
"""Makes a loose A or E, of level 5, one as in AG, of level 7."""
_X, _DIAMOND = int(Op.X), int(Op.DIAMOND)
_OPENING = {")": OPEN_ROUND, "]": OPEN_SQUARE, "}": OPEN_BRACE}
_AUTOMATON: Final = "automaton"
_ACCEPTS = int(Op.ACCEPTS)


def read(text: str, source: str | None = None, line: int = 1) -> Arena:
    """The nodes of the formula `text`, root last. FormulaError when it is none."""
    tokens = tokenize(text)
    arena = Arena()
    try:
        stopped, wanted_operand = _shunt(tokens, arena)
        if stopped >= 0 and not FIXPOINTS.keys().isdisjoint(tokens):
            tokens, arena = tokenize_heads(text), Arena()
            stopped, wanted_operand = _shunt(tokens, arena)
    except LexicalFault as mistake:
        from pigro.logic.mistakes import FormulaPlace, misread

        raise misread(FormulaPlace(text, source, line), tokens, mistake) from None
    if stopped >= 0:
        from pigro.logic.mistakes import FormulaPlace, explain

        raise explain(
            FormulaPlace(text, source, line), tokens, stopped, wanted_operand=wanted_operand
        )
    if "{" in tokens and _misplaced(arena):
        from pigro.logic.mistakes import FormulaPlace, no_expression

        raise no_expression(FormulaPlace(text, source, line), tokens)
    if len(arena.index) > TEMPORAL_LIMIT:
        depth = temporal_depth(*arena.columns())
        if depth > TEMPORAL_LIMIT:
            from pigro.logic.mistakes import FormulaPlace, too_deep

            raise too_deep(FormulaPlace(text, source, line), tokens, depth)
    if arena.variables and negated_variable(arena) is not None:
        from pigro.logic.mistakes import FormulaPlace, negated

        raise negated(FormulaPlace(text, source, line), tokens, _negated_place(tokens))
    return arena


def _misplaced(arena: Arena) -> bool:
    from pigro.logic.regular.reading import misplaced

    return misplaced(arena)


def _nothing(token: str) -> None:
    """No operator of formulas may stand after an expression."""


def _negated_place(tokens: list[str]) -> int:
    """Which token is a variable under an odd number of negations, in a formula that has one."""
    arena = Arena()
    _shunt(tokens, arena, tracked=True)
    node = negated_variable(arena)
    assert node is not None, "it has one"
    return arena.columns()[2][node]


def _shunt(  # noqa: C901, PLR0912, PLR0915 - one function on purpose: the inner loop of reading a file
    tokens: list[str], arena: Arena, *, tracked: bool = False
) -> tuple[int, bool]:
    """Fill the arena. The number of the token that does not fit, or -1, and the expected tokens."""
    scope: BinderScope | None = None
    blocks: TextAutomata | None = None
    stack = [_BOTTOM]
    values: list[int] = []
    leaves: dict[str, int] = {}
    paths: set[int] = set()
    prefix = PREFIX.get
    infix: Callable[[str], tuple[int, int] | None] = INFIX.get
    wanted_operand = True
    braces = 0
    outer: list[int] = []  # the braces around each automaton
    places = iter(enumerate(tokens))
    for place, token in places:
        if wanted_operand:
            entries = prefix(token)
            if entries is not None:
                if token in "XFG" and stack[-1] in _LOOSE:
                    stack[-1] += _TIGHTEN
                stack += entries
                continue
            leaf = leaves.get(token)
            if leaf is None:
                if token == "[" and stack[-1] in _LOOSE:
                    stack.append(OPEN_SQUARE)
                    continue
                if token == "{":
                    braces += 1
                    stack.append(OPEN_BRACE)
                    continue
                if scope is not None and token in scope.bound:
                    values.append(scope.occurrence(token, place, arena))
                    wanted_operand = False
                    continue
                if token == _AUTOMATON and _is_automaton(tokens, place):
                    blocks = blocks or _blocks(tokens, arena)
                    last, made = blocks.begin(place)
                    if made < 0:
                        stack.append(OPEN_BLOCK)
                        outer.append(braces)
                        braces = 0
                    else:
                        values.append(_accepting(made, stack, arena, paths))
                        wanted_operand = False
                    for _ in range(last - place):
                        next(places)
                    continue
                leaf = _leaf(token, arena)
                if leaf is None:
                    scope = scope or BinderScope(tracked=tracked)
                    rest = _modal(tokens, place, stack, scope)
                    if rest < 0:
                        return place, wanted_operand
                    for _ in range(rest):
                        next(places)
                    scope.forget(leaves)
                    prefix = scope.prefix.get
                    continue
                if token != _AUTOMATON:
                    leaves[token] = leaf
            values.append(leaf)
            wanted_operand = False
            continue
        rule = infix(token)
        if blocks is not None and token in ";}" and infix is not _nothing:
            _reduce(stack, values, arena, paths, scope, LEVEL)
            if stack[-1] == OPEN_BLOCK:
                last, made = blocks.after_letter(place, values.pop())
                wanted_operand = made < 0
                if made >= 0:
                    stack.pop()
                    braces = outer.pop()
                    values.append(_accepting(made, stack, arena, paths))
                for _ in range(last - place):
                    next(places)
                continue
        if rule is None:
            closed = infix is _nothing
            read = _regular(token, closed, braces, stack, values, arena, paths, scope)
            if read == 0:
                return place, wanted_operand
            infix, wanted_operand = INFIX.get, read > 1
            continue
        limit, entry = rule
        if stack[-1] >= limit:
            _reduce(stack, values, arena, paths, scope, limit)
        if entry != CLOSE:
            stack.append(entry)
            wanted_operand = True
        elif stack[-1] == _OPENING[token]:
            stack.pop()
            if token == "}":
                braces -= 1
                infix = _nothing
                continue
            if scope is not None:
                prefix = scope.prefix.get
            if stack[-1] in _LOOSE and (token == "]" or values[-1] in paths):
                values[-1] = arena.node(stack.pop() & OP_MASK, values[-1])
        else:
            return place, wanted_operand
    if wanted_operand or infix is _nothing:
        return len(tokens), wanted_operand
    _reduce(stack, values, arena, paths, scope, LEVEL)
    return (-1 if stack[-1] == _BOTTOM else len(tokens)), wanted_operand


def _reduce(
    stack: list[int],
    values: list[int],
    arena: Arena,
    paths: set[int],
    scope: BinderScope | None,
    limit: int,
) -> None:
    """Build the nodes of the waiting operators from `limit` up, tightest first.

    `paths` collects the nodes whose operator is a path operator.
    """
    index = arena.index
    node = index.setdefault
    while stack[-1] >= limit:
        top = stack.pop()
        op = top & OP_MASK
        if op >= _DIAMOND:
            assert scope is not None, "pushing such an operator makes a scope"
            values[-1] = arena.modal(op, values[-1], scope.leave(op))
            continue
        right = values.pop() if top & BINARY else -1
        values[-1] = made = node((op, values[-1], right), len(index))
        if op >= _X:
            paths.add(made)


def _regular(
    token: str,
    closed: bool,
    braces: int,
    stack: list[int],
    values: list[int],
    arena: Arena,
    paths: set[int],
    scope: BinderScope | None,
) -> int:
    """Reads a token of a regular expression, or one after it. 0 if there is none here."""
    from pigro.logic.regular.reading import (
        after_braces,
        in_braces,
    )

    if closed:
        found = after_braces(token, stack, values, arena)
        if found == 1:
            paths.add(values[-1])
        return found
    if not braces:
        return 0
    return in_braces(
        token,
        stack,
        values,
        arena,
        lambda limit: _reduce(stack, values, arena, paths, scope, limit),
    )


def _is_automaton(tokens: list[str], place: int) -> bool:
    """Whether the word `automaton` is no label: a name or a brace follows."""
    after = tokens[place + 1] if place + 1 < len(tokens) else "&"
    return after == "{" or (after[0] != '"' and label_of(after) is not None)


def _blocks(tokens: list[str], arena: Arena) -> TextAutomata:
    from pigro.logic.regular.blocks import TextAutomata

    return TextAutomata(tokens, arena)


def _accepting(made: int, stack: list[int], arena: Arena, paths: set[int]) -> int:
    """What an automaton is for, which was read: a part of an expression, or it accepts the path."""
    from pigro.logic.regular.reading import in_expression

    if in_expression(stack):
        return made
    accepts = arena.node(_ACCEPTS, made)
    paths.add(accepts)
    return accepts


def _modal(tokens: list[str], place: int, stack: list[int], scope: BinderScope) -> int:
    """Push the fixpoint or modality that starts here. How many more tokens it has, -1 for none."""
    token = tokens[place]
    if token in MODALITIES:
        found = actions_from(tokens, place)
        if found is None:
            return -1
        last, actions = found
        stack.append(MODALITIES[token])
        scope.waiting.append(actions)
        return last - place
    name = fixpoint_head(token)
    if name is None or not scope.enter(name):
        return -1
    stack.append(FIXPOINTS[token[:2]])
    return 0


def _leaf(token: str, arena: Arena) -> int | None:
    """The node of a constant or a label. None when the token is neither."""
    constant = CONSTANTS.get(token)
    if constant is not None:
        return arena.node(int(constant))
    label = label_of(token)
    return None if label is None else arena.atom(label)
