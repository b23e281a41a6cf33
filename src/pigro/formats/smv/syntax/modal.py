"""Fixpoints and modalities in formulas over variables, as in `mu Z. x = 2 | <> Z`.

NuSMV has neither, so the grammar of the native core reads another text of the same length, with a
vocabulary of its own. There, the head of a fixpoint is only its first word, a modality is the sign
`<` or `>` before its operand, and a variable is a name of underscores. What each of these tokens
stands for is kept by its number.

A variable may be named like an operator, such as Z or X. In the scope of its fixpoint, which
reaches to the next closing bracket, the name is the variable where an operand can stand.
"""

from __future__ import annotations

import re
from functools import cache

from pigro import _core
from pigro.diagnostics import FormulaError, Position
from pigro.formats.smv.syntax.mistakes import unexpected
from pigro.formats.smv.syntax.nodes import MODAL, OPERATORS, Expression
from pigro.formats.smv.syntax.text import TokenText
from pigro.formats.smv.syntax.words import (
    FOREIGN,
    QUANTIFIERS,
    signs,
    vocabulary,
)
from pigro.logic.lexer import CLOSING_MODALITY, fixpoint_head, matches_of_heads
from pigro.logic.mistakes import bound_again, no_variable
from pigro.logic.scopes import actions_from, is_variable_name

_SIGN = {"<": "<", "[": ">"}
_OPENING, _CLOSING = frozenset(("(", "[", "{", "case")), frozenset((")", "]", "}", "esac"))
_PREFIX, _INFIX = signs("prefix"), signs("infix")
_WITH_BOUNDS = frozenset(each.sign for each in OPERATORS if each.may_have_bounds)
_BEFORE_OPERAND = frozenset((*_PREFIX, *QUANTIFIERS, *_INFIX, *FOREIGN, *",:;?&|"))
_AFTER_OPERAND = frozenset(("", *_INFIX, *_CLOSING, *",:;?")) - {"<"}
_STEPS = re.compile(r"\s*(?:\[[^\]]*\]|\+?\d+\s*\.\.\s*\+?\d+)")


@cache
def _words() -> _core.Vocabulary:
    return vocabulary(modal=True)


class ModalText(TokenText):
    """A formula with fixpoints or modalities, read as `TokenText` is. None of its places move."""

    def __init__(self, text: str) -> None:
        self.text, self.source, self.kind = text, None, FormulaError
        found = _Rewriting(text)
        self.read = _core.Tokens("".join(found.letters), _words())
        self.tokens = self.read.listed()
        self.variables, self.heads = {}, {}
        for at in range(len(self.tokens) - 1):
            start, width = self.read.span(at)
            if start in found.heads:
                self.heads[at], end = found.heads[start]
                self.tokens[at] = text[start:end]
            elif start in found.variables:
                self.variables[at] = self.tokens[at] = text[start : start + width]

    def checked(self, whole: Expression) -> Expression:
        """The expression itself. Raises `Fault` for signs that are no modalities in the text."""
        nodes = whole.nodes
        for op, at in zip(nodes.ops, nodes.at, strict=True):
            if op in MODAL and at not in self.heads:
                raise unexpected(self.tokens, at, "expected an expression")
        return whole

    def position(self, at: int) -> Position:
        """As in `TokenText`. The end is after the last letter, even if the core does not see it."""
        if at == len(self.tokens) - 1:
            return self.place(len(self.text.rstrip()), 1)
        return super().position(at)


class _Rewriting:
    """The letters that the native core reads, and what stands at some of them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.letters = list(text)
        self.heads: dict[int, tuple[str | tuple[str, ...], int]] = {}
        """The variable of a fixpoint or the actions of a modality, and where it ends."""
        self.variables: set[int] = set()
        self._bound: dict[str, int] = {}
        """The variables in scope, each with the number of open brackets around its fixpoint."""
        self._depth = 0
        self._wanted = True
        """Whether an operand can stand here."""
        matches = list(matches_of_heads(text))
        self._spans = [match.span() for match in matches]
        self._tokens = [match[0] for match in matches]
        places = iter(range(len(matches)))
        for place in places:
            for _ in range(self._take(place)):
                next(places)

    def _take(self, place: int) -> int:
        """Takes a token. How many more were taken with it."""
        token, (start, end) = self._tokens[place], self._spans[place]
        more = self._modality(place) if self._wanted else 0
        if more:
            return more
        if fixpoint_head(token) is not None and self._wanted:
            self._fixpoint(token, start, end)
        elif self._is_variable(token, end):
            self.variables.add(start)
            self.letters[start:end] = "_" * (end - start)
            self._wanted = False
        elif token in _OPENING:
            self._depth += 1
            self._wanted = True
        elif token in _CLOSING:
            self._close()
        elif token in _WITH_BOUNDS:
            return self._bounds(place)
        else:
            self._wanted = token in _BEFORE_OPERAND
        return 0

    def _close(self) -> None:
        self._depth -= 1
        while self._bound and next(reversed(self._bound.values())) > self._depth:
            self._bound.popitem()
        self._wanted = False

    def _fixpoint(self, token: str, start: int, end: int) -> None:
        name = fixpoint_head(token) or ""
        at = start + token.index(name, 2)
        position = TokenText(self.text, kind=FormulaError).place(at, len(name))
        if not is_variable_name(name):
            raise no_variable(token[:2], name, position)
        if name in self._bound:
            raise bound_again(name, position)
        self._bound[name] = self._depth
        self.heads[start] = name, end
        self._blank(start + 2, end)

    def _is_variable(self, token: str, end: int) -> bool:
        if token not in self._bound or not (self._wanted or token not in _INFIX):
            return False
        goes_on = self.text[end : end + 1] == "-" and self.text[end + 1 : end + 2].isalnum()
        return not goes_on  # as in the name `Z-1`

    def _modality(self, place: int) -> int:
        """Takes a modality. How many tokens it has after the first, 0 if there is none here."""
        token = self._tokens[place]
        before = self._tokens[place - 1] if place else ""
        if token not in CLOSING_MODALITY or (token == "[" and before in QUANTIFIERS):
            return 0
        found = actions_from(self._tokens, place)
        after = "" if found is None else "".join(self._tokens[found[0] + 1 : found[0] + 2])
        if found is None or (token == "[" and not self._starts_operand(after)):
            return 0
        start, end = self._spans[place][0], self._spans[found[0]][1]
        self.heads[start] = found[1], end
        self.letters[start] = _SIGN[token]
        self._blank(start + 1, end)
        return found[0] - place

    def _starts_operand(self, token: str) -> bool:
        """Otherwise `[a, b]` is an array."""
        return token in self._bound or token in _PREFIX or token not in _AFTER_OPERAND

    def _bounds(self, place: int) -> int:
        """Takes the bounds of an operator. The number of their tokens."""
        self._wanted = True
        found = _STEPS.match(self.text, self._spans[place][1])
        last = place
        while found is not None and self._spans[last + 1 : last + 2]:
            if self._spans[last + 1][0] >= found.end():
                break
            last += 1
        return last - place

    def _blank(self, start: int, end: int) -> None:
        self.letters[start:end] = " " * (end - start)
