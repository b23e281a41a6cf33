"""Where Pigro and other tools disagree: who is right, and the case, kept for a closer look."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.proving import NAME, OURS, PUBLISHED, STOPPING, ProvedVerdict, proved
from benchmarks.suites.peers.questions import ASKED, question
from benchmarks.suites.peers.suite import MODES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.findings import Disagreement
    from benchmarks.suite import StudyScope

_NAMES = {"rsmcheck": "RSMCheck", "pigro": "Pigro"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The report about a disagreement."""

    name: str
    """Of the case, and of its folder."""
    folder: Path
    lines: tuple[str, ...]
    """A sentence for each tool that contradicts the proof in Pigro's semantics."""
    pigro_is_wrong: bool
    """Also if Pigro made a proof that was not accepted, or contradicts itself."""


def keep(disagreement: Disagreement, scope: StudyScope, folder: Path) -> Judgement:
    """Judges a disagreement of the suite `peers`, and keeps it in a folder of its name.

    Files there: the model, the formula, `verdicts.json`, and the proofs that it names, which `pigro
    validate-witness` checks again.
    """
    _, at = disagreement.place
    where = dict(at)
    model, formula = question(at, scope)
    kripke = where["kind"] == "kripke"
    mu = ASKED[str(where["formula"])].mu if kripke else None
    readings = (OURS,) if kripke else (OURS, STOPPING, PUBLISHED)
    found = [proved(model, formula, each, scope.limits, mu) for each in readings]
    name = "-".join(_plain(str(value)) for value in where.values())
    lines, wrong = judge(disagreement.answers, found)
    judgement = Judgement(name, folder / name, lines, wrong)
    judgement.folder.mkdir(parents=True, exist_ok=True)
    (judgement.folder / f"{NAME}.rsm").write_bytes(model)
    (judgement.folder / "formula.ctl").write_bytes(formula)
    for each in found:
        if each.proof is not None:
            (judgement.folder / _file(each)).write_bytes(each.proof)
    text = json.dumps(_verdicts(disagreement, judgement, found), indent=1, ensure_ascii=False)
    (judgement.folder / "verdicts.json").write_text(text + "\n", encoding="utf-8")
    return judgement


def judge(
    answers: Sequence[tuple[str, str]], found: Sequence[ProvedVerdict]
) -> tuple[tuple[str, ...], bool]:
    """What to say of each answer that is not the truth, and whether Pigro is wrong.

    `found` has the proved verdicts: in Pigro's semantics and then, if asked for, in others.
    """
    truth = {each.reading: each.word for each in found}
    lines = []
    pigro_is_wrong = False
    for each in found:
        if each.rejected:
            pigro_is_wrong = True
            lines.append(
                f"Pigro is wrong: its proof in {each.reading.said} is not accepted: {each.problem}"
            )
    said: dict[bool, set[str]] = {False: set(), True: set()}
    for runner, word in answers:
        tool, _, mode = runner.partition(" ")
        if tool == "pigro":
            published = mode in MODES
            said[published].add(word)
            right = truth.get(PUBLISHED if published else OURS)
            if right is not None and right != word:
                pigro_is_wrong = True
                lines.append(
                    f"{_called(runner)} is wrong: it says `{word}`, and `{right}` is proved"
                )
        elif truth[OURS] is None:
            why = found[0].problem
            lines.append(
                f"{_called(runner)} says `{word}`; not proved: undecided who is right ({why})"
            )
        elif word != truth[OURS]:
            lines.append(_of_peer(runner, word, truth[OURS], found))
    if any(len(words) > 1 for words in said.values()):
        pigro_is_wrong = True
        lines.append("Pigro is wrong: it contradicts itself")
    return tuple(lines), pigro_is_wrong


def _of_peer(runner: str, word: str, right: str | None, found: Sequence[ProvedVerdict]) -> str:
    """The sentence about another tool whose verdict contradicts the proof."""
    start = f"{_called(runner)} is wrong: Pigro's verdict `{right}` is proved"
    truth = {each.reading: each.word for each in found}
    if PUBLISHED not in truth:
        return f"{start}, and there is no other reading: a fault of the tool"
    if truth[PUBLISHED] is None:
        return f"{start}; the right verdict in its own reading is not proved"
    if truth[PUBLISHED] != word:
        return f"{start}, also in its own reading: a fault of the tool"
    reading = STOPPING if truth[STOPPING] == word else PUBLISHED
    return (
        f"{start}; in {reading.said} the verdict is `{word}` as well as {_called(runner)}'s: "
        "the reading is the difference"
    )


def _called(runner: str) -> str:
    tool, space, mode = runner.partition(" ")
    return _NAMES.get(tool, tool) + space + mode


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def _file(each: ProvedVerdict) -> str:
    return f"{each.reading.name}.{each.suffix}"


def _verdicts(
    disagreement: Disagreement, judgement: Judgement, found: Sequence[ProvedVerdict]
) -> dict[str, object]:
    suite, at = disagreement.place
    return {
        "suite": suite,
        "place": dict(at),
        "answers": [{"tool": runner, "verdict": word} for runner, word in disagreement.answers],
        "proved": [
            {
                "semantics": each.reading.semantics,
                "dead_ends": each.reading.dead_ends,
                "verdict": each.word,
                "proof": None if each.proof is None else _file(each),
                "problem": each.problem,
            }
            for each in found
        ],
        "judgement": list(judgement.lines),
        "pigro_is_wrong": judgement.pigro_is_wrong,
    }
