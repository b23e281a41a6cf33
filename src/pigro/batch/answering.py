"""Answers a task in this process. Models that were loaded are kept for the next tasks."""

from __future__ import annotations

import gc
import os
import time
import warnings
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pigro import _core
from pigro.batch.tasks import Result, Task, without_verdict
from pigro.diagnostics import PigroError, render_error
from pigro.formats import load
from pigro.formats.rsm_keys import UnknownKeyWarning
from pigro.options import FILE
from pigro.render.text import document_of
from pigro.session.api import outcome_of, request_of
from pigro.session.asking import EvidenceRoom
from pigro.session.prepare import how_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.session.request import CheckOutcome
    from pigro.verdict import Verdict

_KEPT = 8
"""Models that a process keeps. The one that was not used for the longest time goes first."""


class Answerer:
    """Models by file and way of reading, and the answers about them."""

    def __init__(self) -> None:
        self._models: dict[tuple[object, ...], tuple[Any, tuple[Warning, ...]]] = {}

    def answer(self, task: Task) -> list[Result]:
        """The results of a task. Mistakes of the input are results too."""
        if task.memory is not None and _core.resident_memory() > task.memory / 2:
            self._forget_all_but(task.model)  # models of other tasks do not count against this one
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results = list(self._scanned(task) if task.scan else self._checked(task))
            except PigroError as error:
                results = [without_verdict(task, "error", render_error(error))]
            except TimeoutError as error:
                results = [without_verdict(task, "unknown", str(error))]
            except MemoryError as error:
                results = [without_verdict(task, "unknown", str(error) or "not enough memory")]
            except Exception as error:  # noqa: BLE001 - a result too: the batch goes on
                results = [
                    without_verdict(
                        task, "error", f"internal error: {type(error).__name__}: {error}"
                    )
                ]
        if len(results) == 1 and not results[0].seconds:
            spent = time.perf_counter() - began
            return [_with_seconds(results[0], spent)]
        return results

    def _checked(self, task: Task) -> Iterator[Result]:
        options: Any = {
            **_reading(task),
            "engine": task.engine,
            "starts": task.starts,
            "timeout": task.timeout,
            "memory": task.memory,
            "witness": task.witness,
            "certify": task.certify,
            "strict": task.strict,
        }
        formulas = () if task.formula is None else (task.formula,)  # or what the file states
        request = request_of(task.model, formulas, options)
        read: tuple[Warning, ...] = ()
        if formulas and how_given(request) == FILE:
            model, read = self._model(task)
            as_given = {"format": None, "semantics": None, "dead_ends": None}
            request = msgspec.structs.replace(request, subject=model, **as_given)
            wrong = [e.error for e in read if isinstance(e, UnknownKeyWarning) and e.error]
            if task.strict and wrong:
                raise wrong[0]
        outcome = outcome_of(request)
        notices = (each.text for each in outcome.question.notices)
        told = "\n".join(dict.fromkeys((*map(str, read), *notices, *outcome.missing)))
        for verdict in outcome.verdicts:
            yield _result(task, outcome, verdict, told)

    def _model(self, task: Task) -> tuple[Any, tuple[Warning, ...]]:
        """The model of a task, loaded now or kept from before, and warnings about its file."""
        seen: tuple[int, int, int] | None
        try:
            stat = os.stat(task.model)
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except OSError:
            seen = None
        key = (task.model, task.format, task.semantics, task.dead_ends, seen)
        kept = self._models.pop(key, None)
        if kept is None:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                model = load(task.model, **_reading(task))
            kept = model, tuple(cast("Warning", each.message) for each in caught)
        self._models[key] = kept
        while len(self._models) > _KEPT:
            del self._models[next(iter(self._models))]
        return kept

    def _forget_all_but(self, model: str) -> None:
        mine = {key: kept for key, kept in self._models.items() if key[0] == model}
        if len(mine) < len(self._models):
            self._models = mine
            gc.collect()
            _core.release_memory()

    def _scanned(self, task: Task) -> Iterator[Result]:
        from pigro.batch.scanning import scan_sources

        yield from scan_sources(task)


def _reading(task: Task) -> dict[str, Any]:
    """How to read the file of a task."""
    return {"format": task.format, "semantics": task.semantics, "dead_ends": task.dead_ends}


def _result(task: Task, outcome: CheckOutcome, verdict: Verdict, told: str) -> Result:
    evidence = None
    if task.witness and verdict.evidence is not None:
        evidence = document_of(outcome, verdict, EvidenceRoom())
    proof = verdict.certificate
    return Result(
        task=task,
        formula=str(verdict.formula),
        verdict=verdict.outcome,
        reason=verdict.reason,
        engine=verdict.engine,
        seconds=verdict.stats.seconds,
        warnings=told,
        evidence=evidence,
        certificate=None if proof is None else proof.to_bytes(),
    )


def _with_seconds(result: Result, seconds: float) -> Result:
    return msgspec.structs.replace(result, seconds=seconds)
