"""The fault of a text that does not parse: its place, the expected text, and a likely meaning.

The parser only says at which token it stopped and whether it expected an operand there. Everything
else is found again from the tokens, so that formulas without mistakes pay nothing for it.
"""

from __future__ import annotations

import re

from pigro.diagnostics import FormulaError, Position, printable
from pigro.logic.lexer import (
    CLOSING_MODALITY,
    CONSTANTS,
    FIXPOINTS,
    INFIX,
    PREFIX,
    RESERVED,
    TEMPORAL_WORDS,
    VARIABLE_NAMES,
    LexicalFault,
    bare_length,
    fixpoint_head,
    label_of,
    matches_of,
    offsets,
    unquote,
)
from pigro.logic.operators import TEMPORAL_LIMIT
from pigro.logic.scopes import actions_from

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_AFTER_BRACES = "write {r}!, {r}^w, or {r} before one of <>-> <>=> |-> |=> and a formula"
_OF_EXPRESSIONS = frozenset(("[", "{", ";", "<>->", "<>=>", "|->", "|=>", "^w"))
_COMPARISONS = frozenset(("=", "==", "!=", "<", ">", "<=", ">="))
_INSTEAD = {
    "\u00ac": "!",
    "\u2227": "&",
    "\u2228": "|",
    "\u2192": "->",
    "\u21d2": "->",
    "\u2194": "<->",
    "\u21d4": "<->",
    "^": "xor",
    "+": "|",
    "*": "&",
    "/": "& or |",
    "\\": "& or |",
    "-": "->",
}
_WORDS_INSTEAD = {"NOT": "not", "AND": "and", "OR": "or", "XOR": "xor", "Not": "not", "And": "and"}
_WORDS_INSTEAD |= {
    "Or": "or",
    "Xor": "xor",
    "until": "U",
    "release": "R",
    "implies": "->",
    "iff": "<->",
}


_OF_ACTIONS = frozenset("*.+-^?")
"""Signs of regular expressions, and of sets of actions, in other languages."""
_ONLY_ACTIONS = (
    "only names of actions, separated by commas, may stand here, or nothing, for any action; "
    "regular expressions and negated sets of actions are not supported"
)

_RUN_TOGETHER = "[AE]?[XFG]{2,}"
"""Path operators that were written as one word."""


class FormulaPlace:
    """The text of a formula and where it comes from."""

    __slots__ = ("line", "source", "text")

    def __init__(self, text: str, source: str | None, line: int) -> None:
        self.text = text
        self.source = source
        self.line = line

    def position(self, start: int, width: int = 1) -> Position:
        """The place `start` characters into the text."""
        before = self.text.rfind("\n", 0, start) + 1
        after = self.text.find("\n", start)
        row = self.text[before : after if after >= 0 else len(self.text)].rstrip("\r")
        line = self.line + self.text.count("\n", 0, start)
        column = start - before + 1
        width = max(1, min(width, len(row) - column + 1))
        return Position(source=self.source, line=line, column=column, text=row, width=width)


def explain(
    place: FormulaPlace, tokens: list[str], stopped: int, *, wanted_operand: bool
) -> FormulaError:
    """The error for a parse that stopped at token number `stopped` (past the last: at the end)."""
    if not tokens:
        return FormulaError("P305", "the formula is empty", position=place.position(0))
    spans = offsets(place.text)
    modal = _modal(place, tokens, stopped, spans) if wanted_operand else None
    if modal is not None:
        return modal
    if stopped < len(tokens):
        odd = _odd_token(place, tokens[stopped], spans[stopped][0])
        if odd is not None:
            return odd
        bracket = _bracket(place, tokens, stopped, spans)
        if bracket is not None:
            return bracket
    if wanted_operand:
        return _no_operand(place, tokens, stopped, spans)
    return _no_operator(place, tokens, stopped, spans)


def too_deep(place: FormulaPlace, tokens: list[str], depth: int) -> FormulaError:
    """The error for too many nested temporal operators. Points at the first one."""
    first = next(
        i
        for i, token in enumerate(tokens)
        if token in TEMPORAL_WORDS or token in CLOSING_MODALITY or fixpoint_head(token) is not None
    )
    start, end = offsets(place.text)[first]
    return depth_error(depth, place.position(start, end - start))


def no_expression(place: FormulaPlace, tokens: list[str]) -> FormulaError:
    """The error for braces that hold no regular expression over state formulas."""
    start, _ = offsets(place.text)[tokens.index("{")]
    return FormulaError(
        "P309",
        "in braces stands a regular expression over state formulas",
        position=place.position(start),
        hint="join by ; | * + ? formulas about one state: labels, booleans over them, A and E",
    )


def depth_error(depth: int, position: Position | None = None) -> FormulaError:
    """The error for temporal operators nested `depth` levels deep."""
    message = (
        f"temporal operators are nested {depth} levels deep, at most {TEMPORAL_LIMIT} are allowed"
    )
    return FormulaError("P304", message, position=position)


def misread(place: FormulaPlace, tokens: list[str], mistake: LexicalFault) -> FormulaError:
    """The error for a mistake at a token, or at the end."""
    spans = [match.span() for match in matches_of(place.text)]
    if len(spans) != len(tokens):
        spans = offsets(place.text)
    start, end = spans[mistake.at] if mistake.at < len(spans) else (spans[-1][1], spans[-1][1] + 1)
    position = place.position(start, end - start)
    return FormulaError(mistake.code, mistake.message, position=position, hint=mistake.hint)


def negated(place: FormulaPlace, tokens: list[str], at: int) -> FormulaError:
    """The error for a variable, token number `at`, under an odd number of negations."""
    start, end = offsets(place.text)[at]
    return negated_error(tokens[at], place.position(start, end - start))


def negated_error(name: str, position: Position | None = None) -> FormulaError:
    """The error for a variable under an odd number of negations."""
    message = f"the variable {_ticked(name)} stands under an odd number of negations"
    hint = "the left side of -> counts as one, either side of <-> and xor as one and as none"
    return FormulaError("P306", message, position=position, hint=hint)


def bound_again(name: str, position: Position | None = None) -> FormulaError:
    """The error for a fixpoint inside another of the same name."""
    message = f"the variable {_ticked(name)} is bound again inside its own scope"
    hint = "give one of the two another name"
    return FormulaError("P307", message, position=position, hint=hint)


def _odd_token(place: FormulaPlace, token: str, start: int) -> FormulaError | None:
    """An error for a token that is wrong wherever it stands."""
    if token[0] == '"':
        return _odd_quote(place, token, start) if unquote(token) is None else None
    if token in PREFIX or token in INFIX or token in RESERVED or token in _OF_EXPRESSIONS:
        return None
    if fixpoint_head(token) is not None:
        return None
    good = bare_length(token)
    if good == len(token):
        return None
    if token in _COMPARISONS:
        message = f"`{token}` is not supported: a formula speaks of labels, not of values"
        hint = 'if the model has such a label, quote it whole: "x = 1"'
        return FormulaError("P301", message, position=place.position(start, len(token)), hint=hint)
    c = token[good]
    if c in _INSTEAD:
        hint = f"write {_INSTEAD[c]}"
    elif c == ".":
        hint = "a label without quotes can't end in a dot"
    else:
        hint = (
            'a label with other characters than letters, digits and _ . $ @ # needs quotes: "..."'
        )
    return FormulaError(
        "P301",
        f"unexpected character {_ticked(c)}",
        position=place.position(start + good),
        hint=hint,
    )


def _odd_quote(place: FormulaPlace, token: str, start: int) -> FormulaError:
    """The error for a quoted label that is not closed or has a wrong escape."""
    at = 1
    while at < len(token) and token[at] != '"':
        if token[at] == "\\":
            escape = token[at : at + 2]
            if escape not in ("\\\\", '\\"', "\\"):
                return FormulaError(
                    "P301",
                    f"unknown escape {_ticked(escape)} in a quoted label",
                    position=place.position(start + at, 2),
                    hint='only \\" and \\\\ are escapes',
                )
            at += 1
        at += 1
    return FormulaError(
        "P302",
        "the quote is not closed",
        position=place.position(start, len(token)),
        hint='add a "',
    )


def _bracket(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError | None:
    """An error for a bracket that closes nothing, or the wrong one, or may not open here."""
    token, start = tokens[stopped], spans[stopped][0]
    if token == "[":
        empty = tokens[stopped + 1 : stopped + 2] == ["]"]
        hint = "always is written G, now or later F" if empty else "group with ( and )"
        return _square(place, start, hint)
    if token not in (")", "]", "}"):
        return None
    opening = _innermost_open(tokens, stopped)
    if opening is None:
        message = f"`{token}` closes a bracket that was never opened"
        return FormulaError("P302", message, position=place.position(start))
    needed = _CLOSING[tokens[opening]]
    if needed == token:
        return None
    message = f"this `{tokens[opening]}` is closed by `{token}`, expected `{needed}`"
    return FormulaError("P302", message, position=place.position(spans[opening][0]))


def _innermost_open(tokens: list[str], stopped: int) -> int | None:
    """The last bracket before token `stopped` that is still open."""
    opened: list[int] = []
    for number in range(stopped):
        if tokens[number] in _CLOSING:
            opened.append(number)
        elif tokens[number] in (")", "]", "}"):
            opened.pop()
    return opened[-1] if opened else None


def _no_operand(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError:
    """The error for a place where a formula should start."""
    found = _found(tokens, stopped)
    before = tokens[stopped - 1] if stopped else ""
    if before in TEMPORAL_WORDS and before in PREFIX:
        start, end = spans[stopped - 1]
        message = f"expected a formula after the reserved word `{before}`, found {found}"
        return _reserved(message, before, place.position(start, end - start))
    expected = f"expected a formula after {_ticked(before)}" if before else "expected a formula"
    if stopped == len(tokens):
        return FormulaError("P301", f"{expected}, found {found}", position=_end(place, spans))
    start, end = spans[stopped]
    position = place.position(start, end - start)
    if before == "[" and tokens[stopped] == "]":
        hint = _after_quantifier(tokens, stopped - 1)
        return FormulaError("P301", f"{expected}, found {found}", position=position, hint=hint)
    if tokens[stopped] in RESERVED:
        message = f"{expected}, found the reserved word {found}"
        return _reserved(message, tokens[stopped], position)
    return FormulaError("P301", f"{expected}, found {found}", position=position)


def _after_quantifier(tokens: list[str], opening: int | None) -> str | None:
    """A hint for modalities right after A or E."""
    if not opening or actions_from(tokens, opening) is None:
        return None
    return f"right after {tokens[opening - 1]}, `[` is a bracket; a modality stands without it"


def _reserved(message: str, word: str, position: Position) -> FormulaError:
    hint = f'to use it as a label, write "{word}" with the quotes'
    return FormulaError("P303", message, position=position, hint=hint)


def _no_operator(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError:
    """The error for a place where a formula should go on or end."""
    opening = _innermost_open(tokens, stopped)
    if tokens[stopped - 1] == "}":
        found = _found(tokens, stopped)
        position = (
            _end(place, spans) if stopped == len(tokens) else place.position(spans[stopped][0])
        )
        message = f"a regular expression alone is not a formula: found {found} after `}}`"
        return FormulaError("P301", message, position=position, hint=_AFTER_BRACES)
    if stopped == len(tokens):
        if opening is None:  # pragma: no cover - the parser stops at the end only for these two
            return FormulaError("P301", "unexpected end", position=_end(place, spans))
        message = f"this `{tokens[opening]}` is not closed"
        hint = f"add a `{_CLOSING[tokens[opening]]}`"
        return FormulaError("P302", message, position=place.position(spans[opening][0]), hint=hint)
    closing = "the end" if opening is None else f"`{_CLOSING[tokens[opening]]}`"
    start, end = spans[stopped]
    instead = _WORDS_INSTEAD.get(tokens[stopped]) or _WORDS_INSTEAD.get(tokens[stopped - 1])
    meant = f"the operator is written {instead}" if instead else None
    if re.fullmatch(_RUN_TOGETHER, tokens[stopped - 1]):
        apart = " ".join(tokens[stopped - 1])
        meant = f"`{tokens[stopped - 1]}` is a label; operators are written apart: `{apart}`"
    if tokens[stopped - 1] == "]" and meant is None:
        meant = _after_quantifier(tokens, _innermost_open(tokens, stopped - 1))
    return FormulaError(
        "P301",
        f"expected an operator or {closing}, found {_found(tokens, stopped)}",
        position=place.position(start, end - start),
        hint=meant,
    )


def _modal(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError | None:
    """An error in a fixpoint or a modality where a formula should start."""
    token = tokens[stopped] if stopped < len(tokens) else ""
    found = None
    if token == "<" or (token == "[" and _before_formula(tokens, stopped)):
        found = _modality(place, tokens, stopped, spans)
    elif token in FIXPOINTS and stopped + 1 < len(tokens):
        found = _no_head(place, tokens, stopped, spans)
    elif token and fixpoint_head(token) is not None:
        found = _wrong_head(place, token, spans[stopped][0])
    if found is None and stopped and tokens[stopped - 1] in CLOSING_MODALITY.values():
        found = _nothing_after_modality(place, tokens, stopped, spans)
    return found


def _before_formula(tokens: list[str], opening: int) -> bool:
    """Whether this `[` has commas as a modality has, or a formula right after its `]`."""
    if tokens[opening + 2 : opening + 3] == [","]:
        return True
    depth = 0
    for at in range(opening, len(tokens) - 1):
        depth += (tokens[at] == "[") - (tokens[at] == "]")
        if not depth:
            after = tokens[at + 1]
            starts = after in PREFIX or after in CONSTANTS or after in CLOSING_MODALITY
            return starts or label_of(after) is not None or fixpoint_head(after) is not None
    return False


def _wrong_head(place: FormulaPlace, token: str, start: int) -> FormulaError:
    """The error for the head of a fixpoint with a name that can't be taken here."""
    name = fixpoint_head(token) or ""
    start += token.index(name, 2)
    position = place.position(start, len(name))
    if name in RESERVED - VARIABLE_NAMES:
        return no_variable(token[:2], name, position)
    return _odd_token(place, name, start) or bound_again(name, position)


def no_variable(word: str, name: str, position: Position) -> FormulaError:
    """The error for a fixpoint whose variable is a reserved word."""
    return FormulaError(
        "P303",
        f"expected the name of a variable after `{word}`, found the reserved word {_ticked(name)}",
        position=position,
        hint="choose another name",
    )


def _no_head(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError | None:
    """An error for `mu` or `nu` before something that is no name with a dot."""
    word, name = tokens[stopped], tokens[stopped + 1]
    start, end = spans[stopped + 1]
    if name[0] == '"' and unquote(name) is not None:
        message = f"expected the name of a variable after `{word}`, found {_ticked(name)}"
        position = place.position(start, end - start)
        return FormulaError("P301", message, position=position, hint="a variable has no quotes")
    if label_of(name) is None and name not in TEMPORAL_WORDS:
        return None
    found = _found(tokens, stopped + 2)
    message = f"expected `.` after `{word} {printable(name, 60)}`, found {found}"
    hint = f"a fixpoint is written `{word} Z. f`"
    return FormulaError("P301", message, position=place.position(end), hint=hint)


def _modality(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError:
    """The error in the actions of the modality that starts at token `stopped`."""
    opening = tokens[stopped]
    close = CLOSING_MODALITY[opening]
    at = stopped + 1
    while at < len(tokens) and label_of(tokens[at]) is not None:
        at += 1
        if tokens[at : at + 1] != [","]:
            break
        at += 1
    if at == len(tokens):
        message, start = f"this `{opening}` is not closed", spans[stopped][0]
        hint = f"add a `{close}`"
        return FormulaError("P302", message, position=place.position(start), hint=hint)
    before = tokens[at - 1]
    wanted = "an action" if before == "," else f"`,` or `{close}`"
    if before == opening:
        wanted = f"an action or `{close}`"
    start, end = spans[at]
    if tokens[at] != "," and tokens[at] not in _COMPARISONS | _OF_ACTIONS:
        odd = _odd_token(place, tokens[at], start)
        if odd is not None:
            return odd
    position = place.position(start, end - start)
    expected = f"expected {wanted} after {_ticked(before)}, found"
    if tokens[at] in RESERVED and before in (",", opening):
        message = f"{expected} the reserved word {_ticked(tokens[at])}"
        hint = f'to use it as an action, write "{tokens[at]}" with the quotes'
        if tokens[at] in CONSTANTS or tokens[at + 1 : at + 2] not in ([","], [close]):
            hint = _ONLY_ACTIONS
        return FormulaError("P303", message, position=position, hint=hint)
    message = f"{expected} {_ticked(tokens[at])}"
    return FormulaError("P301", message, position=position, hint=_ONLY_ACTIONS)


def _nothing_after_modality(
    place: FormulaPlace, tokens: list[str], stopped: int, spans: list[tuple[int, int]]
) -> FormulaError | None:
    """The error for a modality without a formula."""
    close = tokens[stopped - 1]
    opening = stopped - 1
    while CLOSING_MODALITY.get(tokens[opening]) != close:
        opening -= 1
    if stopped < len(tokens):
        odd = _odd_token(place, tokens[stopped], spans[stopped][0])
        if odd is not None:
            return odd
    begin, finish = spans[opening][0], spans[stopped - 1][1]
    shown = place.text[begin:finish]
    message = f"expected a formula after {_ticked(shown)}, found {_found(tokens, stopped)}"
    if close == "]" and opening == stopped - 3:  # most likely a bracket
        hint = f"{_ticked(shown)} speaks of steps by an action, as in `[a, b] f`; "
        hint += "to group, write ( and )"
        position = place.position(begin, finish - begin)
        return FormulaError("P301", message, position=position, hint=hint)
    if stopped == len(tokens):
        return FormulaError("P301", message, position=_end(place, spans))
    start, end = spans[stopped]
    return FormulaError("P301", message, position=place.position(start, end - start))


def _square(place: FormulaPlace, start: int, hint: str) -> FormulaError:
    message = "`[` may only stand right after A or E"
    return FormulaError("P301", message, position=place.position(start), hint=hint)


def _end(place: FormulaPlace, spans: list[tuple[int, int]]) -> Position:
    return place.position(spans[-1][1])


def _found(tokens: list[str], stopped: int) -> str:
    return "the end" if stopped == len(tokens) else _ticked(tokens[stopped])


def _ticked(token: str) -> str:
    return f"`{printable(token, 60)}`"
