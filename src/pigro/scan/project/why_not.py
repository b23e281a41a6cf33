"""Why nothing is reported at a line: for each rule, the question there, and the answer."""

from __future__ import annotations

import ast
import os
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, UsageError, printable
from pigro.limits import LIMIT_ERRORS
from pigro.rules.templates import TEMPLATES
from pigro.scan.project.comments import without_ignored
from pigro.scan.project.escaping import where_it_went
from pigro.scan.project.giving_up import given_up, unfollowed_at
from pigro.scan.project.reading import read_project
from pigro.scan.project.sentences import ReasonSentence, some
from pigro.scan.project.unbelieved import not_believed
from pigro.scan.project.unfollowed import UnfollowedCalls
from pigro.scan.project.whole import project_files
from pigro.scan.scanning import Scan, check_rules, scan_modules
from pigro.sources.python.reading import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.limits import Budget
    from pigro.rules import Rule
    from pigro.scan.asking import SiteModel
    from pigro.scan.findings import Finding, FindingStep
    from pigro.scan.project.whole import RuleSet, ScanOptions
    from pigro.scan.sites import RuleQuestion, Site
    from pigro.sources.graph import At, Function
    from pigro.sources.link import LinkedProgram

_NO_ESCAPE = "AG (acq -> !EX E [!rel U esc])"
"""Fails where a run comes to an escape. The model ends there, because later steps are unknown."""


@dataclass(frozen=True, slots=True)
class WhyNotReason:
    """One answer."""

    kind: str
    """`reported`, `ignored`, `off`, `holds in the model`, `escapes`, `unknown call`, ..."""
    sentence: str
    rule: str = ""
    formula: str = ""
    steps: tuple[FindingStep, ...] = ()


@dataclass(slots=True)
class _QuestionWatcher:
    """Keeps what rules asked at the line."""

    file: str
    line: int
    reasons: list[WhyNotReason] = field(default_factory=list)
    scan: Scan = field(init=False)

    def take(
        self, rule: Rule, asked: SiteModel, sites: Sequence[Site], question: RuleQuestion,
        failing: Sequence[int],
    ) -> None:  # fmt: skip
        """The answers of the engine at all sites of a rule."""
        failed = set(failing)
        unfollowed = None
        for number, site in enumerate(sites):
            at = site.at or site.function.at_nodes[site.node]
            is_here = _covers(at, self.line) and asked.files[site.function.name] == self.file
            if is_here and number not in failed:
                template = TEMPLATES[rule.template]
                if unfollowed is None and template.is_about_calls:
                    unfollowed = UnfollowedCalls(self.scan, sites)
                calls = unfollowed.calls(asked, number) if unfollowed is not None else []
                reason = _held(self.scan.program, rule, asked, number, question, calls)
                if template.certain is not None and "raise" in rule.on:
                    said = reason.sentence + not_believed(self.scan, asked, number)
                    reason = replace(reason, sentence=said)
                self.reasons.append(reason)

    def checked(
        self, scan: Scan, rules: Iterable[Rule], found: list[Scan]
    ) -> tuple[list[Finding], list[str]]:
        """Checks rules, and watches."""
        scan.watch, self.scan = self.take, scan
        found.append(scan)
        return check_rules(scan, rules)


def why_not(asked: ScanOptions, rules: RuleSet, budget: Budget, place: str) -> list[WhyNotReason]:
    """All reasons for a place FILE:LINE."""
    file, line = _place(place)
    files, left_out = project_files(asked)
    real = os.path.realpath(file)
    [shown] = [each.shown for each in files if os.path.realpath(each.path) == real] or [""]
    if not shown:
        return [_not_scanned(file, left_out)]
    modules, errors, texts = read_project(files, budget, cache=asked.cache)
    for each in errors:
        if each.position is not None and each.position.source == shown:
            return [
                WhyNotReason("out of reach", ReasonSentence.UNREADABLE.format(error=each.message))
            ]
    watching, scans = _QuestionWatcher(shown, line), list[Scan]()
    chosen = {each.id: each for each in rules.chosen(asked)}
    check = partial(watching.checked, found=scans)
    every = {**chosen, **rules.known}.values()
    report = scan_modules(modules, errors, texts, every, budget, check, beliefs=rules.beliefs)
    [scan] = scans
    left, _ = without_ignored(report.findings, texts)
    here = (each for each in report.findings if each.file == shown and _covers(each.at, line))
    reasons = [_reported(each, left) for each in here]
    reasons += [
        _together(each, left)
        for each in report.findings
        if any(name == shown and _covers(at, line) for name, at in each.also)
    ]
    reasons += watching.reasons
    reasons += [WhyNotReason("unfinished", ReasonSentence.UNFINISHED, each)
                for each in report.unfinished]  # fmt: skip
    reasons += _given_up(scan, every, shown, line, {each.rule for each in reasons})
    spoken = [each for each in reasons if each.rule in chosen]
    off = [
        _off(each, rules.to_check(each.rule, asked))
        for each in reasons
        if each.rule not in chosen and (each.kind == "reported" or not spoken)
    ]
    reasons = spoken + list(dict.fromkeys(off))
    about = _about_line(scan, shown, line, has_sites=bool(reasons))
    if _has_code(scan, shown, line):
        return reasons + list(about)
    return [_no_code(texts[shown], shown, line)]


def _covers(at: At, line: int) -> bool:
    return at[0] <= line <= max(at[0], at[2])


def _place(text: str) -> tuple[str, int]:
    file, _, line = text.rpartition(":")
    if not file or not line.isdecimal():
        hint = "write for example src/app.py:12"
        raise UsageError("P006", f'"{printable(text)}" is no FILE:LINE', hint=hint)
    return file, int(line[:9])


def _not_scanned(file: str, left_out: dict[str, str]) -> WhyNotReason:
    path = os.path.abspath(file)
    for folder, why in left_out.items():
        if path == folder or path.startswith(folder + os.sep):
            return WhyNotReason("out of reach", ReasonSentence.NOT_SCANNED.format(why=why))
    return WhyNotReason("out of reach", ReasonSentence.NOT_GIVEN)


def _held(
    program: LinkedProgram,
    rule: Rule,
    asked: SiteModel,
    number: int,
    question: RuleQuestion,
    unfollowed: Sequence[tuple[str, str, int]],
) -> WhyNotReason:
    """Why a formula holds at a site: on all runs, or because of runs where the object escapes."""
    formula = question.formula
    if re.search(r"\besc\b", formula):
        try:
            if number in asked.failing(_NO_ESCAPE):
                run = asked.run(number, _NO_ESCAPE, question.notes or {})
                last, went = run.steps[-1], where_it_went(program, *run.last)
                said = ReasonSentence.WENT.format(file=last.file, line=last.at[0], went=went)
                steps = (*run.steps[:-1], replace(last, note=went))
                return WhyNotReason("escapes", said, rule.id, _NO_ESCAPE, steps)
        except LIMIT_ERRORS:
            return WhyNotReason("unfinished", ReasonSentence.UNFINISHED, rule.id)
    again = rule.settings.get("what") == "again"
    sentence: str = ReasonSentence.NOT_AGAIN if again else ReasonSentence.HOLDS
    if rule.template == "must-release" and "raise" not in rule.on:
        sentence += ReasonSentence.NO_EXCEPTIONS
    if unfollowed:
        calls = [f"`{printable(name, 60)}` ({file}:{line})" for name, file, line in unfollowed]
        sentence += ReasonSentence.NOT_FOLLOWED.format(calls=some(calls))
    return WhyNotReason("holds in the model", sentence, rule.id, formula)


def _reported(finding: Finding, left: list[Finding]) -> WhyNotReason:
    if finding in left:
        return WhyNotReason("reported", finding.message, finding.rule, finding.formula)
    said = ReasonSentence.COMMENT.format(message=finding.message)
    return WhyNotReason("ignored", said, finding.rule)


def _together(finding: Finding, left: list[Finding]) -> WhyNotReason:
    """The answer at a site that is reported with another one."""
    reason, file = _reported(finding, left), printable(finding.file, len(finding.file))
    said = ReasonSentence.TOGETHER.format(file=file, line=finding.line, message=reason.sentence)
    return replace(reason, sentence=said)


def _given_up(
    scan: Scan, rules: Iterable[Rule], file: str, line: int, having: set[str]
) -> Iterator[WhyNotReason]:
    """Why rules without a site at the line give up there. `having` have one."""
    nodes = list(_nodes(scan, file, line))
    for rule in rules:
        if rule.id not in having:
            said = (each for at in nodes for each in given_up(scan, rule, *at))
            yield from (WhyNotReason("not followed", each, rule.id) for each in dict.fromkeys(said))


def _off(reason: WhyNotReason, to_check: str) -> WhyNotReason:
    """The answer that a rule would give if it were on."""
    if reason.kind == "unfinished":
        return reason
    says = "reports" if reason.kind == "reported" else "reports nothing"
    sentence = ReasonSentence.OFF.format(how=to_check, says=says, sentence=reason.sentence)
    return WhyNotReason("off", sentence, reason.rule)


def _about_line(scan: Scan, file: str, line: int, *, has_sites: bool) -> Iterator[WhyNotReason]:
    """What is not followed at the line, and code that no run comes to."""
    nodes = list(_nodes(scan, file, line))
    if all(node not in scan.reached(function) for function, node in nodes):
        yield WhyNotReason("out of reach", ReasonSentence.NO_RUN)
    said = dict.fromkeys(each for at in nodes for each in unfollowed_at(scan, *at))
    yield from (WhyNotReason(*each) for each in said)
    if not has_sites and not said:
        yield WhyNotReason("no site", ReasonSentence.NO_RULE)


def _has_code(scan: Scan, file: str, line: int) -> bool:
    return any(True for _ in _nodes(scan, file, line))


def _no_code(data: bytes, file: str, line: int) -> WhyNotReason:
    """Why the model has nothing at a line: nothing is written there, or no run comes to it."""
    try:
        tree = syntax_tree(data, file)
    except InputError:  # of another language than Python
        return WhyNotReason("no site", ReasonSentence.NO_CODE)
    for each in ast.walk(tree):
        if isinstance(each, ast.stmt) and each.lineno == line and not _does_nothing(each):
            return WhyNotReason("out of reach", ReasonSentence.NO_RUN)
    return WhyNotReason("no site", ReasonSentence.NO_CODE)


def _does_nothing(statement: ast.stmt) -> bool:
    """Whether a run has no step at the statement itself, as at `try:` and `while True:`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.If, ast.While)):
        return isinstance(statement.test, ast.Constant)
    return isinstance(statement, (ast.Try, ast.TryStar, ast.Global, ast.Nonlocal))


def _nodes(scan: Scan, file: str, line: int) -> Iterator[tuple[Function, int]]:
    for function in scan.program.functions.values():
        if scan.files[function.name] == file:
            for node, at in enumerate(function.at_nodes):
                if at[0] == line:
                    yield function, node
