"""A scan: files to graphs, graphs to a program, rules to findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import InputError
from pigro.diagnostics.errors import Position
from pigro.limits import LIMIT_ERRORS, Budget
from pigro.rules.raising import built_in_beliefs
from pigro.scan.asking import SiteModel
from pigro.scan.exceptions import EndlessMethods, ProgramExceptions
from pigro.scan.findings import ScanReport, ScanStatistics
from pigro.scan.surveys import ProgramSurveys
from pigro.sources.files import by_name, source_files
from pigro.sources.front_ends import read_source
from pigro.sources.link import LinkedProgram, deeply

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from pigro.rules import Rule
    from pigro.rules.raising import RaisingTable
    from pigro.scan.findings import Finding
    from pigro.scan.machine import ScanMachine
    from pigro.scan.sites import RuleQuestion, Site
    from pigro.scan.surveys import FileSurvey, Search
    from pigro.sources.files import SourceFile
    from pigro.sources.graph import Function, Module


@dataclass
class Scan:
    """What all rules of a scan share."""

    surveys: ProgramSurveys
    budget: Budget
    statistics: ScanStatistics = field(default_factory=ScanStatistics)
    beliefs: RaisingTable = field(default_factory=built_in_beliefs)
    """Which calls raise."""
    verify: bool = False
    """Whether certificates of all verdicts are checked."""
    watch: Callable[[Rule, SiteModel, Sequence[Site], RuleQuestion, Sequence[int]], None] | None = (
        None
    )
    """Told the sites of each question, and the numbers of those where its formula fails."""
    _reached: dict[str, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._endless = EndlessMethods(self.program)
        self.begin()

    def begin(self) -> None:
        """Each rule begins anew, so that rules can be checked in any order."""
        known = self._endless
        self.exceptions = ProgramExceptions(self.program, self.beliefs, endless=known)
        """Where exceptions go, if every unknown call may raise,"""
        self.believed = ProgramExceptions(self.program, self.beliefs, believes=True, endless=known)
        """and if calls raise that are believed to."""

    @property
    def program(self) -> LinkedProgram:
        """All files together."""
        return self.surveys.program

    def asking(self, machine: ScanMachine, starts: Sequence[tuple[Hashable, int]]) -> SiteModel:
        """A model of these starts, to ask the engine about."""
        return SiteModel(machine, starts, self.files, self.budget, self.verify)

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The file of each function, as findings name it."""
        return _FunctionFiles(self.program.home)

    def count(self) -> None:
        """Finds what all calls lead to, and counts them."""
        statistics = self.statistics
        for each in self.surveys.calls():
            statistics.functions += each.functions
            statistics.nodes += each.nodes
            statistics.calls += each.calls
            statistics.unknown_calls += each.unknown
            statistics.outside_calls += sum(map(len, each.external.values()))

    def externals(self) -> list[str]:
        """The names of all functions from outside that are called."""
        return list(dict.fromkeys(name for each in self.surveys.calls() for name in each.external))

    def places(self, rule: Rule, search: Search) -> Iterator[tuple[Function, Any]]:
        """The places that a search finds in functions. See `pigro.scan.surveys`."""
        return self.surveys.places(rule, search)

    def reached(self, function: Function) -> set[int]:
        """The nodes that constants of the program leave a way to, exceptions included."""
        known = self._reached.get(function.name)
        if known is None:
            known = self._reached[function.name] = self._search(function)
        return known

    def _search(self, function: Function) -> set[int]:
        seen, pending = {0}, [0]
        while pending:
            node = pending.pop()
            after = [
                target
                for target, guard in function.edges[node]
                if guard is None or not self.program.contradicts(function, guard)
            ]
            pad = function.node_pads[node]
            if pad > 0:
                after += [target for _, target in function.pads[pad].clauses]
            for target in after:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return seen

    def external_calls(self, names: Iterable[str]) -> Iterator[tuple[Function, int, str]]:
        """All calls of these functions from outside: function, node and name."""
        for name in names:
            for number, each in enumerate(self.surveys.calls()):
                for at, node in each.external.get(name, ()):
                    yield self.surveys.function(number, at), node, name

    def calls_of(self, names: Collection[str]) -> Iterator[tuple[Function, int]]:
        """All calls of these functions of the program that can call nothing else."""
        for name in sorted(names):
            for number, at, node in self.surveys.callers.get(name, ()):
                function = self.surveys.function(number, at)
                if len(self.program.callee(function, node).functions) == 1:
                    yield function, node


def read_sources(
    files: Iterable[SourceFile], budget: Budget
) -> tuple[list[Module], list[InputError], dict[str, bytes]]:
    """The graphs of all files, and the errors of those that can't be read."""
    modules, errors, texts = [], [], {}
    for each in files:
        budget.poll()
        try:
            data = each.path.read_bytes()
        except OSError as error:
            where = Position(source=each.shown)
            errors.append(InputError("P001", error.strerror or str(error), position=where))
            continue
        try:
            modules.append(read_source(each, data))
        except InputError as error:
            errors.append(error)
            continue
        texts[each.shown] = data
    return modules, errors, texts


def scan_paths(
    paths: Iterable[str],
    rules: Iterable[Rule],
    *,
    exclude: Iterable[str] = (),
    budget: Budget | None = None,
) -> ScanReport:
    """The findings of rules in the files of these paths, without those that are excluded."""
    budget = budget or Budget()
    return scan_modules(*read_sources(source_files(paths, by_name(exclude)), budget), rules, budget)


def scan_modules(  # noqa: PLR0913
    modules: list[Module],
    errors: list[InputError],
    texts: dict[str, bytes],
    rules: Iterable[Rule],
    budget: Budget,
    check: Callable[[Scan, Iterable[Rule]], tuple[list[Finding], list[str]]] | None = None,
    surveys: Sequence[FileSurvey] | None = None,
    *,
    verify: bool = False,
    beliefs: RaisingTable | None = None,
) -> ScanReport:
    """The findings of rules in these graphs. `check` is `check_rules` or does the same.

    `surveys` has the known facts about each module.
    """
    program = ProgramSurveys(LinkedProgram.of(modules), modules, budget, surveys)
    scan = Scan(program, budget, beliefs=beliefs or built_in_beliefs(), verify=verify)
    scan.statistics.files = len(modules)
    scan.statistics.lines = sum(each.lines for each in modules)
    with deeply():
        found, unfinished = (check or check_rules)(scan, rules)
    found.sort(key=lambda each: (each.file, each.at, each.rule, each.message))
    lines = _SourceText(texts)
    found = [replace(each, line_text=lines.line(each.file, each.line)) for each in found]
    return ScanReport(found, errors, scan.statistics, unfinished)


def check_rules(scan: Scan, rules: Iterable[Rule]) -> tuple[list[Finding], list[str]]:
    """The findings of rules, and the ids of rules that a limit ended."""
    rules = list(rules)
    try:
        scan.count()
    except LIMIT_ERRORS:
        return [], [each.id for each in rules]
    found: list[Finding] = []
    unfinished: list[str] = []
    for rule in rules:
        scan.begin()  # answers depend on earlier questions
        try:
            found += checker_of(rule.template)(scan, rule)
        except LIMIT_ERRORS:
            unfinished.append(rule.id)
    return found, unfinished


def checker_of(template: str) -> Callable[[Scan, Rule], list[Finding]]:
    """What checks rules of a template."""
    module, name = _CHECKERS[template]
    found: Callable[[Scan, Rule], list[Finding]]
    found = getattr(import_module(f"pigro.scan.templates.{module}"), name)
    return found


_CHECKERS = {
    "must-release": ("must_release", "must_release"),
    "undo": ("undo", "undo"),
    "undo-over-yield": ("over_yield", "undo_over_yield"),
    "use-def": ("dead_stores", "dead_stores"),
    "never-in": ("never_in", "never_in"),
    "never-while-held": ("locks", "never_while_held"),
    "can-return": ("recursion", "can_return"),
    "init-before-use": ("init_order", "init_before_use"),
    "no-use-after": ("usage", "usage"),
    "call-order": ("usage", "usage"),
    "formula": ("formulas", "formula"),
}
"""By template: the module and the function that find what rules of it forbid."""


class _FunctionFiles(Mapping[str, str]):
    """Files by functions."""

    def __init__(self, home: Mapping[str, Module]) -> None:
        self.home = home

    def __getitem__(self, name: str) -> str:
        return self.home[name].file

    def __iter__(self) -> Iterator[str]:
        return iter(self.home)

    def __len__(self) -> int:
        return len(self.home)


class _SourceText:
    """Source lines, split when first asked for."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        self.texts = texts
        self.split: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str:
        """A line. Empty if there is none."""
        rows = self.split.get(file)
        if rows is None:
            rows = self.texts.get(file, b"").decode("utf-8", "replace").splitlines()
            self.split[file] = rows
        return rows[number - 1] if 0 < number <= len(rows) else ""
