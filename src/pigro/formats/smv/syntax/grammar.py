"""Tokens to expression nodes: operator precedence parsing with explicit stacks.

Values, conditions and formulas share one grammar; which operator may stand where is decided when
names are known (`kinds.py`, `formulas.py`). How tightly each binds stands in `words.py`.

`A` and `E` are read as in Pigro's own language (`pigro.logic.grammar`): they hold what is in square
brackets after them; with X, F or G they are one operator, `A G p` is `AG p`; else they are loose,
`E p U q` is `E [p U q]`, but hold round brackets whose outermost operator is one on paths.
"""

from __future__ import annotations

from pigro.formats.smv.syntax.brackets import splits
from pigro.formats.smv.syntax.mistakes import ON_ARRAYS, is_foreign, refused, unexpected, unfinished
from pigro.formats.smv.syntax.nodes import BOUNDED, EXIT, PATHS, N, Nodes
from pigro.formats.smv.syntax.text import Fault, found
from pigro.formats.smv.syntax.words import (
    BETWEEN,
    BOUNDS,
    FUNCTIONS,
    IN_STEPS,
    IN_TYPE,
    INFIX,
    LOOSE,
    ONE_ARGUMENT,
    OPENING,
    PREFIX,
    QUANTIFIERS,
    RESERVED,
    RIGHT,
    STEPS,
    TEMPORAL,
    TERNARY,
    UNTIL,
)
from pigro.logic.operators import TEMPORAL_LIMIT

_LONGEST = 18
"""Digits of a number, far beyond any state space."""


class _Open:
    """An open bracket."""

    __slots__ = ("at", "base", "sign", "splits", "step")

    def __init__(self, sign: str, at: int, base: int) -> None:
        self.sign = sign
        self.at = at
        self.base = base  # how many values lie below it
        self.splits = False  # A [p U q] as in CTL
        self.step = 0  # of case: 1 after the colon; of one that splits: 1 after U, 2 after BU


class _State:
    """What is read so far."""

    __slots__ = ("chains", "grouped", "known", "nodes", "opened", "stack", "tokens", "values")

    def __init__(self, tokens: list[str], nodes: Nodes, *, chains: bool, grouped: bool) -> None:
        self.tokens = tokens
        self.nodes = nodes
        self.chains = chains
        self.grouped = grouped
        self.stack: list[tuple[int, int, int]] = []
        """Waiting operators (level, op, token) and open brackets, whose level is 0."""
        self.values: list[int] = []
        self.opened: list[_Open] = []
        self.known: dict[int, bool] = {}
        """Whether an `A [` splits, by token."""


def expression(  # noqa: PLR0913 - where it stands
    tokens: list[str],
    place: int,
    nodes: Nodes,
    *,
    chains: bool = True,
    grouped: bool = True,
    in_type: bool = False,
) -> tuple[int, int]:
    """Reads an expression from token `place` on; its root, and the token after it.

    Without `chains` every operator has two arguments, as formulas need it. If `grouped`, `U` and
    its like group to the left, as in NuSMV; else to the right, as in Pigro's own language, and
    `p U q U r`, which NuSMV reads differently, is refused. Inside of a type `..` binds loosest.
    """
    state = _State(tokens, nodes, chains=chains, grouped=grouped)
    stack, values = state.stack, state.values
    infix = (IN_TYPE if in_type else INFIX).get
    wanted = True
    while True:
        token = tokens[place]
        if wanted:
            prefix = PREFIX.get(token)
            if prefix is not None:
                if token in STEPS:
                    _step(state, place)
                stack.append((*prefix, place))
                place += _bounds(state, place) if token in BOUNDS else 0
            elif token in OPENING or token == "+":
                place += _open(state, place)
            else:
                values.append(_leaf(tokens, place, nodes))
                wanted = False
            place += 1
            continue
        if token in _POSTFIX:
            wanted = token == "["
            place += _postfix(state, place)
            continue
        rule = infix(token)
        if rule is not None:
            _infix(state, *rule, place)
            wanted = True
            place += 1 if token != "BU" else 1 + _bounds(state, place)
            continue
        if token not in BETWEEN or (not state.opened and token != "?"):
            return _finish(state, place), place
        wanted = _between(state, place)
        if wanted and token == ";" and tokens[place + 1] == "esac":
            place += 1
            _close(state)
            wanted = False
        place += 1


_POSTFIX = frozenset("[.")


def _postfix(state: _State, place: int) -> int:
    """Takes `[` of an index or `.` of a name, after an operand; the number of tokens."""
    tokens, values = state.tokens, state.values
    if tokens[place] == "[":
        state.opened.append(_Open("[", place, len(values) - 1))
        state.stack.append((0, 0, place))
        return 1
    name = tokens[place + 1]
    if name.isdigit() and tokens[place - 1].isdigit():
        hint = "use a range of whole numbers, such as 0..10"
        raise Fault("P122", "real numbers are not supported", place - 1, hint)
    if not name or not (name[0].isalpha() or name[0] == "_") or name in RESERVED:
        raise unexpected(tokens, place + 1, "expected a name")
    leaf = state.nodes.leaf(N.NAME, name, place + 1)
    values[-1] = state.nodes.node(N.DOT, [values[-1], leaf], place)
    return 2


def _finish(state: _State, place: int) -> int:
    """The root, when no more tokens belong to the expression."""
    _reduce(state, 1)
    if state.opened:
        inner = state.opened[-1]
        raise unfinished(state.tokens, place, inner.sign, inner.at, inner.step)
    return state.values[0]


def _step(state: _State, place: int) -> None:
    """Before X, F or G: a loose A or E belongs to it."""
    token = state.tokens[place]
    if state.tokens[place + 1] == "[" and token not in BOUNDS:
        raise refused(state.tokens, place)
    if state.stack and state.stack[-1][0] == LOOSE:
        _, op, at = state.stack[-1]
        state.stack[-1] = (TEMPORAL, op, at)


def _bounds(state: _State, place: int) -> int:
    """Makes leaves of the bounds of the operator at token `place`; the number of their tokens.

    The nodes of the operand come next, so the bounds are the two nodes before them.
    """
    tokens, stack = state.tokens, state.stack
    before, between, after = BOUNDS[tokens[place]]
    if before:
        if tokens[place + 1] != before:
            return 0
        level, op, _ = stack[-1]
        stack[-1] = (level, IN_STEPS[op], place)
    at = place + 1 + bool(before)
    limits = []
    for sign in ("", between):
        if sign and tokens[at] != sign:
            raise unexpected(tokens, at, f"expected `{sign}`")
        at += bool(sign)
        if not (tokens[at].isdigit() and tokens[at].isascii()):
            raise unexpected(tokens, at, "expected a number of steps")
        limits.append(number(tokens, at))
        state.nodes.leaf(N.CONSTANT, limits[-1], at)
        at += 1
    if after and tokens[at] != after:
        raise unexpected(tokens, at, f"expected `{after}`")
    low, high = limits
    if low > high:
        raise Fault("P125", f"there is no step from {low} to {high}", place)
    if high > TEMPORAL_LIMIT:
        message = f"a bound of {high} steps is too large, at most {TEMPORAL_LIMIT} are allowed"
        raise Fault("P304", message, place)
    return at + bool(after) - place - 1


def _open(state: _State, place: int) -> int:
    """Opens a bracket, or takes a loose A or E; the number of further tokens that belong to it."""
    tokens = state.tokens
    token, after = tokens[place], tokens[place + 1]
    more = 0
    if token == "+":  # as in NuSMV, a number may have this sign
        if not after.isdigit():
            raise unexpected(tokens, place, "expected an expression")
        return 0
    if token in QUANTIFIERS and after != "[":
        state.stack.append((LOOSE, QUANTIFIERS[token], place))
        return 0
    opening = _Open(token, place, len(state.values))
    if token in QUANTIFIERS:
        opening.splits = splits(tokens, place, state.known)
        more = 1
    elif token == "next" or token in FUNCTIONS:
        if after != "(":
            raise unexpected(tokens, place + 1, "expected `(`")
        more = 1
    elif token == "[":
        opening.sign = "array"
    state.opened.append(opening)
    state.stack.append((0, 0, place))
    return more


def _infix(state: _State, level: int, op: int, place: int) -> None:
    """Takes an operator between two operands."""
    limit = level + 1 if op in RIGHT else level
    if level == UNTIL:
        inner = state.opened[-1] if state.opened else None
        if state.tokens[place + 1] == "[":
            raise refused(state.tokens, place)
        if inner is not None and inner.splits and not inner.step:
            _reduce(state, 1)
            inner.step = 2 if op == N.EBU else 1
            return
        if op == N.EBU:
            raise refused(state.tokens, place)
        if not state.grouped:
            limit = UNTIL + 1
            _reduce(state, limit)
            _check_group(state, place)
    if state.stack and state.stack[-1][0] >= limit:
        _reduce(state, limit)
    state.stack.append((level, op, place))


def _check_group(state: _State, place: int) -> None:
    """Refuses a U or V after another one."""
    level, _, at = state.stack[-1] if state.stack else (0, 0, 0)
    first, second = state.tokens[at], state.tokens[place]
    if level == UNTIL and first in "UV" and second in "UV":
        message = f"`p {first} q {second} r` could be read in two ways"
        hint = f"put round brackets around `p {first} q` or around `q {second} r`"
        raise Fault("P122", message, place, hint)


def _between(state: _State, place: int) -> bool:  # noqa: PLR0911 - a rule each
    """Takes a token that separates or closes; is an operand wanted after it?"""
    token = state.tokens[place]
    if state.stack and state.stack[-1][0]:
        _reduce(state, TERNARY + 1 if token == "?" else 1)
    if token == "?":
        state.opened.append(_Open("?", place, len(state.values)))
        state.stack.append((0, 0, place))
        return True
    inner = state.opened[-1]
    sign = inner.sign
    if token == ":" and sign == "?":
        state.opened.pop()
        state.stack[-1] = (TERNARY, N.ITE, inner.at)
        return True
    if token == ":" and sign == "case" and inner.step == 0:
        inner.step = 1
        return True
    if token == ";" and sign == "case" and inner.step == 1:
        inner.step = 0
        return True
    if token == "," and (sign in ("{", "array") or sign in FUNCTIONS):
        return True
    if token == ":" and sign == "[" and inner.step == 0:
        inner.step = 1
        return True
    if token != ("]" if sign == "array" else OPENING.get(sign)) or sign == "case":
        raise unfinished(state.tokens, place, sign, inner.at, inner.step)
    _close(state)
    return False


def _close(state: _State) -> None:  # noqa: C901 - a line each
    """Makes the node of a bracket that ends here, out of its values."""
    values, stack, nodes = state.values, state.stack, state.nodes
    done = state.opened.pop()
    stack.pop()
    inside = values[done.base :]
    del values[done.base :]
    match done.sign:
        case "(":
            made = inside[0]
            if nodes.ops[made] in PATHS and stack and stack[-1][0] == LOOSE:
                _, op, at = stack.pop()
                made = nodes.node(op, [made], at)
        case "{":
            made = nodes.node(N.SET, inside, done.at)
        case "array":
            made = nodes.node(N.ARRAY, inside, done.at)
        case "[":
            made = nodes.node(N.BITS if done.step else N.INDEX, inside, done.at)
        case sign if sign in FUNCTIONS:
            made = _function(nodes, sign, inside, done.at)
        case "case":
            made = nodes.node(N.CASE, inside, done.at)
        case "next":
            made = nodes.node(N.NEXT, inside, done.at)
        case sign if done.step == 1:
            made = nodes.node(N.EU if sign == "E" else N.AU, inside, done.at)
        case sign if done.step:
            left, right = inside
            bounds = nodes.first[right]
            args = [left, bounds - 2, bounds - 1, right]
            made = nodes.node(N.EBU if sign == "E" else N.ABU, args, done.at)
        case sign:
            made = nodes.node(QUANTIFIERS[sign], inside, done.at)
    values.append(made)


def _function(nodes: Nodes, sign: str, inside: list[int], at: int) -> int:
    op, least, most = FUNCTIONS[sign]
    if not least <= len(inside) <= most:
        needs = "1 argument" if least == 1 else f"{least} arguments"
        raise Fault("P121", f"`{sign}` needs {needs}, found {len(inside)}", at)
    return nodes.node(op, inside, at)


def _reduce(state: _State, level: int) -> None:
    """Makes the nodes of waiting operators from `level` up."""
    stack, values, nodes = state.stack, state.values, state.nodes
    while stack and stack[-1][0] >= level:
        _, op, at = stack.pop()
        right = values.pop()
        if op in BOUNDED:
            bounds = nodes.first[right]
            made = nodes.node(op, [bounds - 2, bounds - 1, right], at)
        elif op in ONE_ARGUMENT:
            made = nodes.node(op, [right], at)
        else:
            left = values.pop()
            if op == N.ITE:
                made = nodes.node(op, [values.pop(), left, right], at)
            elif state.chains:
                made = nodes.chain(op, left, right, at)
            else:
                made = nodes.node(op, [left, right], at)
        values.append(made)


def _leaf(tokens: list[str], place: int, nodes: Nodes) -> int:
    token = tokens[place]
    if token in RESERVED:
        if token in ("TRUE", "FALSE"):
            return nodes.leaf(N.CONSTANT, token == "TRUE", place)
        if token == EXIT:
            return nodes.leaf(N.CONSTANT, EXIT, place)
    elif token and (token[0].isalpha() or token[0] == "_") and token.isascii():
        if token in ON_ARRAYS and tokens[place + 1] == "(":
            raise Fault("P122", f"{token} is not supported", place, ON_ARRAYS[token])
        if not is_foreign(token):
            return nodes.leaf(N.NAME, token, place)
    elif token.isdigit() and token.isascii():
        return nodes.leaf(N.CONSTANT, number(tokens, place), place)
    elif token[:1].isdigit():
        return nodes.leaf(N.WORD, word(token, place), place)
    raise unexpected(tokens, place, "expected an expression")


_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
_BITS = {"b": 1, "o": 3, "h": 4}
WIDEST = 64
"""Bits of a word, as in NuSMV."""


def word(token: str, place: int) -> tuple[int, int]:
    """The value and the width of a word constant, such as `0sd8_5`; signed ones are negative."""
    signed = token[1] == "s"
    rest = token[2:] if token[1] in "us" else token[1:]
    sign, (size, _, digits) = rest[0].lower(), rest[1:].partition("_")
    digits = digits.replace("_", "")
    if len(digits) > 2 * WIDEST or len(size) > 3:
        raise too_wide(place)
    if not size and sign not in _BITS:
        raise Fault("P121", f"{found(token)} lacks its width", place, "write 0ud8_5, say")
    try:
        value = int(digits, _BASES[sign])
    except ValueError:
        raise Fault("P121", f"{found(token)} is no word", place) from None
    width = int(size) if size else _BITS[sign] * len(digits)
    if not 1 <= width <= WIDEST:
        raise too_wide(place)
    if value >= 1 << width:
        raise Fault("P125", f"{found(token)} does not fit into {width} bits", place)
    if signed and value >= 1 << (width - 1):
        value -= 1 << width
    return value, -width if signed else width


def too_wide(place: int) -> Fault:
    """The fault for a word that is too wide, or has no bits."""
    hint = "split it into several words, one for the upper bits and one for the lower ones"
    return Fault("P122", f"words have 1 to {WIDEST} bits, as in NuSMV", place, hint)


def number(tokens: list[str], place: int) -> int:
    """The number that a token stands for."""
    token = tokens[place]
    if len(token) > _LONGEST:
        raise Fault("P121", f"a number of {len(token)} digits is too long", place)
    return int(token)
