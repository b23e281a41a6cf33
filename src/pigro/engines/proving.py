"""Verdicts with certificates: who makes them, and that they are checked at once if one likes."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pigro.certificates.certificate import CertificateFile
from pigro.diagnostics import InternalError
from pigro.engines.auto import AutoEngine
from pigro.engines.engine import NO_LIMITS, Limits
from pigro.engines.native import DEMAND, NativeEngine
from pigro.engines.onthefly import OnTheFlyEngine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.engine import Engine
    from pigro.engines.verdict import Verdict
    from pigro.logic import Formula
    from pigro.model import RSM


class RejectedCertificate(InternalError):  # noqa: N818 - what it is about
    """Pigro does not believe its own verdict: the checker rejects the certificate."""

    def __init__(self, verdict: Verdict, problem: str) -> None:
        super().__init__(
            "P902",
            f"the certificate of a verdict was rejected, so the verdict may be wrong: {problem}",
            hint="this is a fault of Pigro; please report it",
        )
        self.verdict = verdict
        self.problem = problem


def certifying(engine: Engine, *, shortest: bool = False) -> Engine:
    """The same engine, with certificates where there are any: for CTL. Else it shows why.

    Certificates of the papers' engines are made by `demand`.
    """
    if isinstance(engine, AutoEngine):
        return replace(engine, prepare=partial(certifying, shortest=shortest))
    if isinstance(engine, NativeEngine):
        return replace(engine, certify=True, shortest=shortest)
    if isinstance(engine, OnTheFlyEngine):
        engine = replace(engine, show=True)
    return _ByDemand(engine, replace(DEMAND, certify=True, shortest=shortest))


@dataclass(frozen=True, slots=True)
class _ByDemand:
    """An engine without certificates of its own: `demand` proves the same verdicts."""

    engine: Engine
    prover: NativeEngine

    @property
    def name(self) -> str:
        """As on the command line."""
        return self.engine.name

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""
        return self.check_all(model, [formula])[0]

    def check_all(  # noqa: PLR0913 - how to run is said by name
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        limits: Limits = NO_LIMITS,
        on_verdict: Callable[[Verdict], None] | None = None,
        tick: Callable[[], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. A verdict whose proof is beyond the limits has no certificate."""
        began = time.perf_counter()
        verdicts: list[Verdict] = []

        def take(verdict: Verdict) -> None:
            if verdict.holds is not None and verdict.formula.is_ctl:
                left = limits.after(limits.spent + time.perf_counter() - began)
                [proved] = self.prover.check_all(model, [verdict.formula], limits=left, tick=tick)
                verdict = _with_proof(verdict, proved)
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)

        self.engine.check_all(model, formulas, jobs=jobs, limits=limits, on_verdict=take, tick=tick)
        return verdicts


def _with_proof(verdict: Verdict, proved: Verdict) -> Verdict:
    if proved.holds is None:
        return verdict
    if proved.holds != verdict.holds:
        raise InternalError(
            "P903",
            f"engine {verdict.engine} says that the formula {verdict.word}, "
            f"engine {proved.engine} that it {proved.word}: {verdict.formula}",
            hint="this is a fault of Pigro; please report it, with the command and its files",
        )
    spent = proved.stats.seconds + (proved.stats.certify_seconds or 0.0)
    stats = replace(verdict.stats, certify_seconds=spent)
    return replace(verdict, certificate=proved.certificate, stats=stats)


class Proofs:
    """The certificates of a run: takes verdicts as they come, checks them, makes the file."""

    def __init__(self, model: RSM, *, verify: bool, shortest: bool = False) -> None:
        self._file = CertificateFile(model, shortest=shortest)
        self._twin = None
        self.missing = 0
        """Verdicts without a certificate."""
        if verify:
            from pigro.certificates.twin import Twin  # noqa: PLC0415 - few need it

            self._twin = Twin(model)

    def take(self, verdict: Verdict) -> Verdict:
        """Adds the certificate of a verdict. `RejectedCertificate` if it is checked in vain."""
        if verdict.certificate is None:
            self.missing += verdict.holds is not None
            return verdict
        began = time.perf_counter()
        lemmas, body = self._file.add(verdict.certificate)
        added = time.perf_counter()
        stats = replace(
            verdict.stats,
            certify_seconds=(verdict.stats.certify_seconds or 0.0) + added - began,
            certificate_bytes=len(lemmas) + len(body),
        )
        if self._twin is not None:
            problem = self._twin.lemmas(lemmas) if lemmas else None
            problem = problem or self._twin.formula(body, verdict.formula)
            if problem is not None:
                raise RejectedCertificate(verdict, str(problem))
            stats = replace(stats, verify_seconds=time.perf_counter() - added)
        return replace(verdict, stats=stats)

    def to_bytes(self) -> bytes:
        """The file with the certificates so far."""
        return self._file.to_bytes()
