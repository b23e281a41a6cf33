"""Tables of Pigro and other tools side by side: verdicts, times, memory, and ratios."""

from __future__ import annotations

from statistics import geometric_mean, median
from typing import TYPE_CHECKING

from benchmarks.case import VERDICTS
from benchmarks.tables import StudyTable, amount_of_memory, amount_of_time, count, ratio, time_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.findings import CaseResult, ResultSet

    Measure = Callable[[CaseResult], float | None]

KINDS = {"java": "Java programs", "grid": "random models", "kripke": "Kripke structures"}
_RSMCHECK = "rsmcheck "
_MEASURES: tuple[tuple[str, str, Measure], ...] = (
    ("check", "check time", lambda result: result.seconds),
    ("whole", "whole process", lambda result: result.whole_seconds),
    ("memory", "peak memory", lambda result: result.peak_memory),
)


def peer_tables(found: ResultSet) -> list[StudyTable]:
    """All tables for which something was measured."""
    made = [_verdicts(found), _java(found), _grid(found), _kripke(found), _ratios(found)]
    return [table for table in made if table.rows]


def peer_facts(found: ResultSet) -> dict[str, str]:
    """For the text: how far apart the tools are."""
    tools = dict.fromkeys(
        f"{each.case.runner.partition(' ')[0]} ({each.case.edition})"
        for each in found
        if each.case.edition
    )
    facts = {
        "disagreements": count(len(found.disagreements())),
        "tools": ", ".join(tools),
    }
    for kind in KINDS:
        for peer, base in _pairs(found, kind):
            times = ratios(found.where(peer, kind=kind), found.where(base, kind=kind), _seconds)
            if times and base == "pigro":
                facts[f"{kind}-{peer.replace(' ', '-')}"] = ratio(geometric_mean(times), 1)
    return facts


def ratios(peer: Sequence[CaseResult], base: Sequence[CaseResult], measure: Measure) -> list[float]:
    """How many times as much a peer needs, place by place, where both decide."""
    ours = {each.case.at: value for each in base if each.decided and (value := measure(each))}
    return [
        value / ours[each.case.at]
        for each in peer
        if each.decided and each.case.at in ours and (value := measure(each))
    ]


def _seconds(result: CaseResult) -> float | None:
    return result.seconds


def _runners(found: ResultSet, kind: str) -> list[str]:
    return list(dict.fromkeys(each.case.runner for each in found.where(kind=kind)))


def _pairs(found: ResultSet, kind: str) -> list[tuple[str, str]]:
    """Each peer with Pigro, and with the same algorithm of Pigro."""
    runners = _runners(found, kind)
    peers = [each for each in runners if not each.startswith("pigro")]
    same = [(peer, f"pigro {peer.removeprefix(_RSMCHECK)}") for peer in peers]
    return [(peer, "pigro") for peer in peers] + [each for each in same if each[1] in runners]


def _verdicts(found: ResultSet) -> StudyTable:
    rows = []
    for kind, what in KINDS.items():
        ours = {each.case.at: each.word for each in found.where("pigro", kind=kind)}
        for runner in _runners(found, kind):
            results = found.where(runner, kind=kind)
            words = [each.word for each in results]
            told = [each for each in results if each.word in VERDICTS and each.case.at in ours]
            same = sum(each.word == ours[each.case.at] for each in told)
            rows.append((
                what, runner, count(len(results)),
                *(count(words.count(word)) for word in (*VERDICTS, "error", "timeout", "memout")),
                count(same), count(len(told) - same),
            ))  # fmt: skip
    columns = (
        "models", "tool", "asked", *VERDICTS, "error", "out of time", "out of memory",
        "as Pigro", "not as Pigro",
    )  # fmt: skip
    title = (
        "Verdicts; all but `pigro` and pyModelChecking read calls of entry-exit nodes as published"
    )
    return StudyTable("peers-verdicts", title, columns, tuple(rows))


def _java(found: ResultSet) -> StudyTable:
    rows = [
        (
            each.case.text("program"), each.case.runner, each.word, count(each.last.contexts),
            amount_of_time(each.load_seconds), time_of(each),
            amount_of_time(each.whole_seconds), amount_of_memory(each.peak_memory),
        )
        for program in found.values("program")
        for each in found.where(kind="java", program=program)
    ]  # fmt: skip
    columns = (
        "program", "tool", "verdict", "contexts", "load", "check", "whole process", "peak memory"
    )  # fmt: skip
    return StudyTable("peers-java", "Java programs: Pigro and RSMCheck", columns, tuple(rows))


def _grid(found: ResultSet) -> StudyTable:
    runners = _runners(found, "grid")
    rows = []
    for model in found.values("model"):
        for formula in dict.fromkeys(each.case["formula"] for each in found.where(model=model)):
            cells = [found.one(each, model=model, formula=formula) for each in runners]
            words = [each.word for each in cells if each is not None and each.word in VERDICTS]
            rows.append((
                str(model), str(formula), " / ".join(dict.fromkeys(words)),
                *(_contexts_and_time(each) for each in cells),
                amount_of_memory(max((each.peak_memory or 0 for each in cells if each), default=0)),
            ))  # fmt: skip
    title = "Random models by random formulas: contexts, check time"
    columns = ("model", "formula number", "verdict", *runners, "largest peak memory")
    return StudyTable("peers-grid", title, columns, tuple(rows))


def _kripke(found: ResultSet) -> StudyTable:
    rows = []
    runners = _runners(found, "kripke")
    results = found.where(kind="kripke")
    asked = dict.fromkeys((each.case["formula"], each.case["states"]) for each in results)
    for formula, states in asked:
        here = [found.where(each, formula=formula, states=states) for each in runners]
        peaks = [max((each.peak_memory or 0 for each in tool), default=None) for tool in here]
        by_place: dict[object, list[str]] = {}
        for each in (each for tool in here for each in tool):
            by_place.setdefault(each.case.at, []).append(each.word)
        decided = [words for words in by_place.values() if set(words) <= set(VERDICTS)]
        rows.append((
            str(formula), f"{states:,}", count(len(by_place)), count(len(decided)),
            count(sum(len(set(words)) == 1 for words in decided)),
            *(
                amount_of_time(_median(tool, each)) or (time_of(tool[0]) if tool else "")
                for _, _, each in _MEASURES[:2]
                for tool in here
            ),
            *map(amount_of_memory, peaks),
        ))  # fmt: skip
    columns = (
        "formula", "states", "structures", "all decide", "equal verdicts",
        *(f"{what}, {tool}" for _, what, _ in _MEASURES for tool in runners),
    )  # fmt: skip
    title = "Kripke structures: Pigro and pyModelChecking, medians"
    return StudyTable("peers-kripke", title, columns, tuple(rows))


def _ratios(found: ResultSet) -> StudyTable:
    rows = []
    for kind, what in KINDS.items():
        for peer, base in _pairs(found, kind):
            results = [found.where(each, kind=kind) for each in (peer, base)]
            cells = [ratios(results[0], results[1], measure) for _, _, measure in _MEASURES]
            told = map(_mean_and_range, cells)
            rows.append((what, f"{peer} / {base}", count(len(cells[0])), *told))
    columns = ("models", "tools", "places", *(what for _, what, _ in _MEASURES))
    title = "How many times as much, where both decide: geometric mean, smallest to largest"
    return StudyTable("peers-ratios", title, columns, tuple(rows))


def _mean_and_range(values: Sequence[float]) -> str:
    if not values:
        return ""
    mean, low, high = (
        ratio(each, 1) for each in (geometric_mean(values), min(values), max(values))
    )
    return f"{mean} ({low} to {high})"


def _median(results: Sequence[CaseResult], measure: Measure) -> float | None:
    found = [value for each in results if each.decided and (value := measure(each)) is not None]
    return median(found) if found else None


def _contexts_and_time(result: CaseResult | None) -> str:
    if result is None or not result.decided:
        return time_of(result)
    return f"{count(result.last.contexts)}, {amount_of_time(result.seconds)}"
