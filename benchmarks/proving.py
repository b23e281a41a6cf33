"""Proves the correct verdict, and has an independent checker accept the proof.

Verdicts on CTL are proved by certificates. Formulas about Kripke structures beyond CTL are asked in
the mu-calculus as well, where a strategy proves the verdict.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.diagnostics import PigroError, render_error
from pigro.evidence import WrongEvidence, document, replay_strategy
from pigro.formats import rsm_json
from pigro.logic import read_formulas
from pigro.model.composition import Composition
from pigro.model.kripke_part import part_of
from pigro.session.api import check, compose_check

if TYPE_CHECKING:
    from pigro.engines import Limits
    from pigro.logic import Formula
    from pigro.model import RSM

NAME = "model"
"""Of files for models, by which strategies know them."""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """A way to read a model."""

    name: str
    semantics: str
    dead_ends: str
    said: str
    """For people, after `in`."""


OURS = ModelReading("standard", "standard", "stutter", "Pigro's semantics")
STOPPING = ModelReading("stop", "standard", "stop", "the reading that runs end at dead ends")
PUBLISHED = ModelReading(
    "rsmcheck", "rsmcheck", "stop", "the published reading of calls of entry-exit nodes"
)


@dataclass(frozen=True, slots=True)
class ProvedVerdict:
    """A verdict, and what it rests on."""

    reading: ModelReading
    word: str | None
    """The verdict, if it is proved."""
    proof: bytes | None = None
    suffix: str = "cert"
    """Of the file for the proof."""
    problem: str | None = None
    """Why it is not proved."""
    rejected: bool = False
    """Whether a proof was made that is wrong: a fault of Pigro's."""


def proved(
    model: bytes, formula: bytes, reading: ModelReading, limits: Limits, mu: str | None = None
) -> ProvedVerdict:
    """The verdict on the contents of a `.rsm` and a `.ctl` file. `mu` says what the latter does."""
    try:
        read = rsm_json.read(model, semantics=reading.semantics, dead_ends=reading.dead_ends)
        (_, asked), *_ = read_formulas(formula)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if mu is None:
                return _by_certificate(read, asked, reading, limits)
            return _by_strategy(read, mu, reading, limits)
    except PigroError as error:
        return ProvedVerdict(reading, None, problem=render_error(error))


def _by_certificate(
    model: RSM, formula: Formula, reading: ModelReading, limits: Limits
) -> ProvedVerdict:
    verdict = check(model, formula, timeout=limits.seconds, memory=limits.memory, certify=True)
    if verdict.certificate is None:
        return ProvedVerdict(reading, None, problem=verdict.remarks.gave_up)
    data = verdict.certificate.to_bytes()
    try:
        (checked,) = check_certificates(model, data)
    except (Malformed, Mismatch) as error:
        return ProvedVerdict(reading, None, data, problem=str(error), rejected=True)
    problem = None if checked.problem is None else str(checked.problem)
    if checked.formula != str(formula) or checked.holds is not verdict.holds:
        problem = problem or "the certificate proves something else"
    if problem is not None:
        return ProvedVerdict(reading, None, data, problem=problem, rejected=True)
    return ProvedVerdict(reading, verdict.outcome, data)


def _by_strategy(model: RSM, formula: str, reading: ModelReading, limits: Limits) -> ProvedVerdict:
    composition = Composition([part_of(model, NAME)])
    verdict = compose_check(composition, formula, limits=limits, witness=True)
    if verdict.shown is None:
        return ProvedVerdict(reading, None, problem=verdict.remarks.gave_up)
    data = document(verdict.shown)
    try:
        replay_strategy(composition, verdict.evidence)
    except WrongEvidence as error:
        return ProvedVerdict(reading, None, data, "json", str(error), rejected=True)
    return ProvedVerdict(reading, verdict.outcome, data, "json")
