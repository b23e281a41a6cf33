"""Automata in the grammar of formulas, state by state:

    automaton NAME { start a; a -> b : p; b -> a : !p; accept b }

Clauses stand in any order, with `;` between them. `a -> b : f` is an edge, whose letter f is a
state formula. `a -> b` reads any state. `start a, b` and `accept a, b` list states. The name may be
left out. After the text of an automaton, `automaton NAME` stands for it.

The parser reads the letters. `TextAutomata` reads the text between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from pigro.diagnostics import did_you_mean, printable
from pigro.logic.lexer import LexicalFault, label_of
from pigro.logic.operators import Op
from pigro.logic.regular.automata import LARGEST
from pigro.logic.regular.reading import path_formulas
from pigro.logic.regular.shapes import AutomatonShape, letter_row

if TYPE_CHECKING:
    from pigro.logic.arena import Arena

EXAMPLE = "automaton { start a; a -> b : p; b -> a : !p; accept b }"
_TRUE = int(Op.TRUE)


class _AutomatonEdge(NamedTuple):
    source: int
    to: int
    """Both are tokens."""
    letter: int
    at: int
    """The first token of the letter."""


class _AutomatonBlock(Struct):
    """An automaton that is being read. States are tokens, by their numbers."""

    at: int
    name: str
    starts: list[int] = field(default_factory=list)
    accepting: list[int] = field(default_factory=list)
    edges: list[_AutomatonEdge] = field(default_factory=list)
    source: int = -1
    to: int = -1
    """The ends of the edge whose letter is being read."""
    letter: int = -1


class ReadText(NamedTuple):
    """The text that was read between letters."""

    last: int
    """The last token."""
    made: int
    """The automaton, if it is complete. Otherwise -1, and a letter must come."""


class TextAutomata:
    """The automata of one text."""

    def __init__(self, tokens: list[str], arena: Arena) -> None:
        self._tokens, self._arena = tokens, arena
        self._open: list[_AutomatonBlock] = []
        self._named: dict[str, int] = {}

    def begin(self, at: int) -> ReadText:
        """Reads `automaton` at a token, up to the first letter, or a reference."""
        name = "" if self._token(at + 1) == "{" else self._token(at + 1)
        if name and self._token(at + 2) != "{":
            return ReadText(at + 1, self._known(name, at + 1))
        self._open.append(_AutomatonBlock(at, name))
        return self._clauses(at + (3 if name else 2))

    def after_letter(self, at: int, letter: int) -> ReadText:
        """Reads on after a letter, from the `;` or `}` at a token."""
        block = self._open[-1]
        block.edges.append(_AutomatonEdge(block.source, block.to, letter, block.letter))
        return self._clauses(at + 1) if self._tokens[at] == ";" else self._close(at)

    def _token(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _known(self, name: str, at: int) -> int:
        if name not in self._named:
            hint = did_you_mean(name, self._named) or f"write its states after it: {EXAMPLE}"
            raise LexicalFault("P310", f"there is no automaton `{printable(name, 60)}`", at, hint)
        return self._named[name]

    def _clauses(self, at: int) -> ReadText:
        """Reads clauses from a token on."""
        block = self._open[-1]
        while True:
            token = self._token(at)
            if token == "}":
                return self._close(at)
            if token in {"start", "accept"} and self._token(at + 1) != "->":
                at = self._listed(at + 1, block.starts if token == "start" else block.accepting)
            else:
                self._state(at)
                self._expect(at + 1, "->")
                self._state(at + 2)
                block.source, block.to, block.letter = at, at + 2, at + 4
                if self._token(at + 3) == ":":
                    return ReadText(at + 3, -1)
                block.edges.append(_AutomatonEdge(at, at + 2, self._arena.node(_TRUE), at + 2))
                at += 3
            if self._token(at) != "}":
                self._expect(at, ";")
                at += 1

    def _listed(self, at: int, states: list[int]) -> int:
        """Reads states with commas between them. Returns the token after them."""
        self._state(at)
        states.append(at)
        while self._token(at + 1) == ",":
            at += 2
            self._state(at)
            states.append(at)
        return at + 1

    def _state(self, at: int) -> None:
        token = self._token(at)
        if not token or token[0] == '"' or label_of(token) is None:
            self._refuse(at, "the name of a state")

    def _expect(self, at: int, sign: str) -> None:
        if self._token(at) != sign:
            self._refuse(at, f"`{sign}`" if sign == "->" else "`;` or `}`")

    def _refuse(self, at: int, wanted: str) -> None:
        if at >= len(self._tokens):
            opened = self._open[-1].at + (2 if self._open[-1].name else 1)
            raise LexicalFault("P302", "this `{` is not closed", opened, "add a `}`")
        found, before = (f"`{printable(self._tokens[each], 60)}`" for each in (at, at - 1))
        message = f"expected {wanted} after {before} in an automaton, found {found}"
        raise LexicalFault("P301", message, at, f"an automaton is written {EXAMPLE}")

    def _close(self, at: int) -> ReadText:
        block = self._open.pop()
        self._check(block)
        number: dict[str, int] = {}
        order = [*block.starts]
        for edge in block.edges:
            order += edge.source, edge.to
        for each in (*order, *block.accepting):
            number.setdefault(self._tokens[each], len(number))

        def known(states: list[int]) -> tuple[int, ...]:
            return tuple(dict.fromkeys([number[self._tokens[each]] for each in states]))

        shape = AutomatonShape(
            block.name,
            tuple(number),
            known(block.starts),
            known(block.accepting),
            tuple([tuple([number[self._tokens[end]] for end in each[:2]]) for each in block.edges]),  # type: ignore[misc]
        )
        letters = letter_row(self._arena, [each.letter for each in block.edges])
        made = self._arena.automaton(shape, letters)
        if block.name and self._named.setdefault(block.name, made) != made:
            message = f"there are two different automata `{printable(block.name, 60)}`"
            raise LexicalFault("P312", message, block.at + 1, "give one of the two another name")
        return ReadText(at, made)

    def _check(self, block: _AutomatonBlock) -> None:
        """Looks for what can't be meant."""
        tokens = self._tokens
        whole = block.at + bool(block.name)
        for states, what in (
            (block.edges, "edge"),
            (block.starts, "start"),
            (block.accepting, "accepting state"),
        ):
            if not states:
                hint = f"an automaton is written {EXAMPLE}"
                raise LexicalFault("P311", f"the automaton has no {what}", whole, hint)
        if len(block.edges) > LARGEST:
            raise LexicalFault("P308", f"the automaton has more than {LARGEST} edges", whole)
        paths = path_formulas(self._arena)
        for each in block.edges:
            if each.letter in paths:
                message = "the letter of an edge must be a state formula"
                hint = "a letter is about one state: labels, booleans over them, A and E"
                raise LexicalFault("P313", message, each.at, hint)
        sources = {tokens[each.source] for each in block.edges}
        targets = {tokens[each.to] for each in block.edges}
        starts, accepting = (
            {tokens[each] for each in of} for of in (block.starts, block.accepting)
        )
        for at in block.starts:
            self._known_state(at, sources, "no edge leaves it")
        for at in block.accepting:
            self._known_state(at, starts | targets, "no edge leads to it")
        for edge in block.edges:
            self._known_state(edge.source, starts | targets, "no edge leads to it")
            self._known_state(edge.to, sources | accepting, "no edge leaves it")

    def _known_state(self, at: int, others: set[str], why: str) -> None:
        name = self._tokens[at]
        if name not in others:
            hint = did_you_mean(name, others)
            raise LexicalFault("P314", f"unknown state `{printable(name, 60)}`: {why}", at, hint)
