"""What became of evidence: a finding for each thing that a file says, and all of them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pigro.lazy_names import type_names

if TYPE_CHECKING:
    from pigro.session.certificate_evidence import ProofJudge
else:
    type_names(globals(), {"pigro.session.certificate_evidence": "ProofJudge"})

Word = Literal["accepted", "rejected", "no evidence", "not judged", "not proved"]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """The judgement of one result of a file, or of another text in it."""

    word: Word
    about: str
    """The verdict with the formula, or which other text it is."""
    problem: str | None = None
    """The fault, as a sentence."""
    counts_against: bool = False
    """Whether the file says something that is wrong or not shown."""


def rejected(about: str, problem: str) -> JudgedItem:
    """The finding that something which is no result is wrong."""
    return JudgedItem("rejected", about, problem, counts_against=True)


def not_judged(what: str, results: int) -> Iterator[JudgedItem]:
    """The finding that some results tell what can't be judged, if some do."""
    if results:
        yield JudgedItem("not judged", f"{what}, in {results:,} of the results")


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of `validate`.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> proof = pigro.check(model, "AF use_i", certify=True).certificate.to_bytes()
    >>> pigro.validate(model, proof).counts
    {'accepted': 1, 'rejected': 0, 'not proved': 0}
    """

    kind: Literal["certificates", "model", "composition", "refinement"]
    """What the file is: certificates, or evidence about a model, a composition or two of them."""
    findings: tuple[JudgedItem, ...]
    """In the order of the file."""
    warnings: tuple[str, ...] = ()
    """Such as labels that no node carries."""
    proofs: ProofJudge | None = None
    """Of certificates: what each says, and which formulas must be proved."""

    @property
    def accepted(self) -> bool:
        """Whether all that can be judged is right, and all verdicts are shown."""
        return not any(each.counts_against for each in self.findings)

    @property
    def counts(self) -> dict[Word, int]:
        """How many findings there are of each kind that matters."""
        last: Word = "not proved" if self.kind == "certificates" else "no evidence"
        own: tuple[Word, ...] = ("accepted", "rejected", last)
        return {word: sum(each.word == word for each in self.findings) for word in own}
