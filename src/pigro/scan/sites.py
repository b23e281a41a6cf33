"""Sites of a rule to findings: one formula for all of them, then the run of each that fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.scan.findings import Finding, FindingStep
from pigro.scan.runs import RAISED
from pigro.sources.graph import AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from pigro.rules.rule import Rule
    from pigro.scan.machine import ScanMachine
    from pigro.scan.runs import FindingRun
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import At, Function


@dataclass(frozen=True, slots=True)
class Site:
    """A place that a rule asks about."""

    key: Hashable
    """The component that the question starts in."""
    function: Function
    node: int
    message: str | Callable[[str], str]
    """Where it depends on how a run leaves the function: made from the `way` of the run."""
    start: int = 0
    """The node of that component."""
    at: At | None = None
    """Where the finding is. None: at the node."""


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """The question at every site."""

    formula: str
    certain: str | None = None
    """Also asked where the formula fails. If it fails too, the run is certain."""
    notes: Mapping[str, str] | None = None
    """What labels mean to a reader of a run."""
    last: str = ""
    """The note at the end of a run that has none there."""
    grades: tuple[str, str] = ("", "")
    """Of findings with a certain run, and of others."""


def ask(
    scan: Scan, rule: Rule, machine: ScanMachine, sites: Sequence[Site], question: RuleQuestion
) -> list[Finding]:
    """The findings at sites where the formula fails."""
    scan.statistics.sites[rule.id] = scan.statistics.sites.get(rule.id, 0) + len(sites)
    if not sites:
        return []
    asked = scan.asking(machine, [(each.key, each.start) for each in sites])
    scan.statistics.model_nodes += asked.model.core.nodes
    failing = asked.failing(question.formula)
    if scan.watch is not None:
        scan.watch(rule, asked, sites, question, failing)
    certain: set[int] = set()
    if failing and question.certain is not None:
        certain = set(asked.failing(question.certain))
    found = []
    for number in failing:
        formula = question.formula
        if number in certain and question.certain is not None:
            formula = question.certain
        run = asked.run(number, formula, question.notes or {})
        grade = question.grades[number not in certain]
        run = run._replace(steps=marked(run.steps, question.last))
        found.append(finding(scan, rule, sites[number], formula, run, grade))
    scan.statistics.verified += asked.verified
    return found


def finding(
    scan: Scan, rule: Rule, site: Site, formula: str, run: FindingRun, grade: str
) -> Finding:
    """The finding at a site."""
    function = site.function
    return Finding(
        rule.id,
        rule.severity,
        scan.files[function.name],
        site.at or function.at_nodes[site.node],
        function.name.partition(AGAIN)[0],
        site.message if isinstance(site.message, str) else site.message(run.way),
        grade,
        formula,
        run.steps,
        harm=rule.harm,
    )


def marked(steps: Sequence[FindingStep], note: str) -> tuple[FindingStep, ...]:
    """The last step is the decisive one: what raises or returns, not the `with` around it."""
    if not steps:
        return ()
    if steps[-1].is_leaving and not steps[-1].note:
        return marked(steps[:-1], note)
    last = steps[-1]
    said = note if last.note == RAISED else ""
    note = ", ".join(filter(None, (last.note or note, said)))
    return (*steps[:-1], replace(last, is_decisive=True, note=note))
