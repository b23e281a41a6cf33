"""Surveys: what each file holds that rules may ask about, found once and kept by a cache.

A survey of a file says what its calls call, which classes its classes are derived from, and for
each rule the places where the rule may have a site. It depends on two things only: on the graph of
the file, and on the surface of the program (`pigro.sources.surface`). So a search for places may
look into its function and ask `LinkedProgram` what names mean. It may not look into other
functions. Verdicts are never kept: they are found anew in each scan.

A place is a list or tuple of numbers and texts.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.limits import Budget
    from pigro.rules import Rule
    from pigro.sources.graph import Function, Module
    from pigro.sources.link import LinkedProgram

    Search = Callable[[LinkedProgram, Rule, Function], Iterable[Sequence[Any]]]

Places = dict[str, list[tuple[int, int]]]
"""Calls by name: numbers of functions in the module, and nodes."""


class CalledNames(msgspec.Struct, array_like=True, gc=False):
    """What the calls of a file call."""

    functions: int
    nodes: int
    calls: int
    unknown: int
    external: Places
    """By the name of a function from outside."""
    inside: Places
    """By the name of a function of the program."""
    bases: dict[str, list[str]]
    """What the classes of the file are derived from."""


class FileSurvey(msgspec.Struct, gc=False):
    """The known facts about one file."""

    calls: CalledNames | None = None
    found: dict[str, list[tuple[int, Any]]] = {}
    """By rule: numbers of functions in the module, and places."""


class ProgramSurveys:
    """The surveys of a program, in the order of its modules."""

    def __init__(
        self,
        program: LinkedProgram,
        modules: Sequence[Module],
        budget: Budget,
        known: Sequence[FileSurvey] | None = None,
    ) -> None:
        self.program, self.modules, self.budget = program, modules, budget
        self.all = [FileSurvey() for _ in modules] if known is None else known
        self.names = [each.function_names for each in modules]
        for each in self.all:
            if each.calls is not None:
                program.know_bases(each.calls.bases)
        self._calls: list[CalledNames] | None = None

    def calls(self) -> list[CalledNames]:
        """What the calls of each file call."""
        if self._calls is None:
            for number, each in enumerate(self.all):
                if each.calls is None:
                    self.budget.poll()
                    each.calls = self._find_calls(number)
            self._calls = [each.calls for each in self.all if each.calls is not None]
        return self._calls

    @cached_property
    def callers(self) -> dict[str, list[tuple[int, int, int]]]:
        """By function of the program: its calls. Numbers of modules and functions, and nodes."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for number, each in enumerate(self.calls()):
            for name, rows in each.inside.items():
                found.setdefault(name, []).extend((number, at, node) for at, node in rows)
        return found

    def places(self, rule: Rule, search: Search) -> Iterator[tuple[Function, Any]]:
        """The places of a rule, with their functions."""
        key = _key(rule)
        for number, each in enumerate(self.all):
            rows = each.found.get(key)
            if rows is None:
                self.budget.poll()
                rows = each.found[key] = [
                    (at, place)
                    for at, function in self._functions(number)
                    for place in search(self.program, rule, function)
                ]
            for at, place in rows:
                yield self.function(number, at), place

    def known(self, rule: Rule) -> list[list[tuple[int, Any]] | None]:
        """The places of a rule in each file, as far as they are known."""
        return [each.found.get(_key(rule)) for each in self.all]

    def know(self, rule: Rule, rows: Sequence[list[tuple[int, Any]] | None]) -> None:
        """Takes places that another process found."""
        for each, row in zip(self.all, rows, strict=True):
            if row is not None:
                each.found[_key(rule)] = row

    def function(self, number: int, at: int) -> Function:
        """A function of a module, by their numbers."""
        return self.program.functions[self.names[number][at]]

    def _functions(self, number: int) -> Iterator[tuple[int, Function]]:
        """The functions of a module that no other module hides."""
        home, module = self.program.home, self.modules[number]
        for at, name in enumerate(self.names[number]):
            if home[name] is module:
                yield at, self.program.functions[name]

    def _find_calls(self, number: int) -> CalledNames:
        module = self.modules[number]
        classes = self.program.classes
        own = [each for each in module.class_names if classes.home[each] is module]
        made = CalledNames(0, 0, 0, 0, {}, {}, {each: self.program.bases_of(each) for each in own})
        for at, function in self._functions(number):
            made.functions += 1
            made.nodes += len(function.ops)
            for node, op in enumerate(function.ops):
                if op is None or op[0] != CALL:
                    continue
                made.calls += 1
                callee = self.program.callee(function, node)
                if callee.functions:
                    for each in callee.functions:
                        made.inside.setdefault(each.name, []).append((at, node))
                elif callee.external is not None:
                    made.external.setdefault(callee.external, []).append((at, node))
                elif callee.made is None:
                    made.unknown += 1
        return made


def _key(rule: Rule) -> str:
    """What places of a rule depend on, besides the program."""
    about = (rule.template, rule.on, sorted(rule.events.items()), sorted(rule.settings.items()))
    text = repr(about).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:24]
