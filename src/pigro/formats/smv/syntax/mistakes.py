"""The words for faults of an expression."""

from __future__ import annotations

from pigro.formats.smv.syntax.nodes import OPERATORS
from pigro.formats.smv.syntax.text import TokenFault, found
from pigro.formats.smv.syntax.words import (
    CLOSING,
    FOREIGN,
    MISSING,
    QUANTIFIERS,
    RESERVED,
    SECTIONS,
    WORDS,
)
from pigro.logic.operators import TEMPORAL_LIMIT

_NEXT = {"{": "`,` or `}`", "?": "`:`", "array": "`,` or `]`", "[": "`]`"}


def unexpected(tokens: list[str], place: int, expected: str) -> TokenFault:
    """The fault for a token that can't stand where it does."""
    token = tokens[place]
    before = tokens[place - 1] if place else ""
    if token.startswith("/--"):
        return TokenFault("P121", "the comment is not closed", place, "end it with --/")
    after = f" after {found(before)}" if before else ""
    what = "the reserved word " if token in RESERVED and token[:1].isalpha() else ""
    instead = FOREIGN.get(token) or (FOREIGN.get(before * 2) if token == before else None)
    hint = f"the operator is written {instead}" if instead else None
    if before in ("mu", "nu"):
        hint = f"a fixpoint is written `{before} Z. f`, in formulas that are not in the file"
    if before in QUANTIFIERS:
        hint = hint or f"write {before} [p U q]; {before} is a reserved word"
    if token and not token.isascii():
        hint = "names are made of the letters a to z, digits and _ $ # -"
    return TokenFault("P121", f"{expected}{after}, found {what}{found(token)}", place, hint)


def refused(tokens: list[str], place: int) -> TokenFault:
    """The fault for an operator of NuSMV that Pigro does not have."""
    token = tokens[place]
    bound = " [...]" if tokens[place + 1] == "[" else ""
    hint = "F, G, O and H have bounds: F [0, 3] p; so have EBF 0..3 p and A [p BU 0..3 q]"
    return TokenFault(
        "P122", f"the bounded operator `{token}{bound}` is not supported", place, hint
    )


def unfinished(tokens: list[str], place: int, opening: str, at: int, step: int) -> TokenFault:
    """The fault for a bracket that is not closed, or wrongly. It was opened at token `at`."""
    needed = _NEXT.get(opening) or f"`{CLOSING[opening]}`"
    opening = "[" if opening == "array" else opening
    if opening == "case":
        needed = "`;`" if step else "`:`"
    shown = "[" if opening in QUANTIFIERS else opening
    token = tokens[place]
    if not token or token in SECTIONS or token == ":=":
        message = f"this `{shown}` is not closed: expected an operator or {needed}"
        return TokenFault("P121", message, at)
    return unexpected(tokens, place, f"expected an operator or {needed}")


def long_number(token: str, place: int) -> TokenFault:
    """The fault for a number that nothing has."""
    return TokenFault("P121", f"a number of {len(token)} digits is too long", place)


def mistake(  # noqa: C901, PLR0911, PLR0912 - a rule for each kind of the core
    tokens: list[str], kind: str, place: int, other: int, word: int, low: int, high: int
) -> TokenFault:
    """The fault for what the native core found, with the numbers that it gives."""
    token = tokens[place]
    match kind:
        case "expression":
            return unexpected(tokens, place, "expected an expression")
        case "name":
            return unexpected(tokens, place, "expected a name")
        case "sign":
            return unexpected(tokens, place, f"expected `{WORDS[word]}`")
        case "steps":
            return unexpected(tokens, place, "expected a number of steps")
        case "no_step":
            return TokenFault("P125", f"there is no step from {low} to {high}", place)
        case "far_step":
            message = f"a bound of {high} steps is too large, at most {TEMPORAL_LIMIT} are allowed"
            return TokenFault("P304", message, place)
        case "refused":
            return refused(tokens, place)
        case "unfinished":
            return unfinished(tokens, place, WORDS[word] if word >= 0 else "array", other, low)
        case "grouping":
            first = tokens[other]
            message = f"`p {first} q {token} r` could be read in two ways"
            hint = f"put round brackets around `p {first} q` or around `q {token} r`"
            return TokenFault("P122", message, place, hint)
        case "joined":
            message = f"what `{token}` joins could be read in two ways"
            hint = f"put round brackets around `p {token} q`, or around p and q"
            return TokenFault("P122", message, place, hint)
        case "arguments":
            least = next(each.least for each in OPERATORS if each.sign == token)
            needs = "1 argument" if least == 1 else f"{least} arguments"
            return TokenFault("P121", f"`{token}` needs {needs}, found {low}", place)
        case "missing":
            return TokenFault("P122", f"{token} is not supported", place, MISSING[token])
        case "real":
            hint = "use a range of whole numbers, such as 0..10"
            return TokenFault("P122", "real numbers are not supported", place, hint)
        case _:
            return long_number(token, place)
