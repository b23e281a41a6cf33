"""A certificate as plain tuples, to be changed: from and to the bodies of its sections."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pigro.certificates.reading import (
    FORMULA,
    LEMMAS,
    ClaimLevel,
    OperandContext,
    SectionReader,
)
from pigro.logic import parse
from pigro.logic.levels import levels_of
from pigro.logic.path_normal import path_normal_form
from pigro.model.plain import PlainModel

from support.certificates import drafts

if TYPE_CHECKING:
    from pigro.model import RSM


class Proof(NamedTuple):
    """The lemmas' two levels, if there are any, and the section about a formula."""

    lemmas: tuple[ClaimLevel, ...]
    formula: str
    holds: bool
    initial: tuple[int, ...]
    levels: tuple[ClaimLevel, ...]
    top: tuple[OperandContext, ...]


@lru_cache(maxsize=64)
def shape_of(formula: str) -> list[tuple[int, tuple[int, ...]]]:
    """The operators of the levels, each with its children. The top comes last."""
    return [(each.op, each.children) for each in levels_of(path_normal_form(parse(formula)))]


def read_proof(model: RSM, lemmas: bytes, body: bytes) -> Proof:
    """From the bodies of a section of lemmas, perhaps empty, and of the one about the formula."""
    plain = PlainModel(model)
    known = SectionReader(lemmas, plain).section(LEMMAS).levels if lemmas else ()
    found = SectionReader(body, plain).section(FORMULA)
    proof = Proof(known, found.formula, found.holds, found.initial, found.levels, found.top)
    assert read_again(plain, proof) == proof
    return proof


def read_again(plain: PlainModel, proof: Proof) -> Proof:
    """Written and read: nothing is lost."""
    lemmas = SectionReader(lemma_bytes(proof), plain).section(LEMMAS).levels if proof.lemmas else ()
    found = SectionReader(formula_bytes(proof), plain).section(FORMULA)
    return Proof(lemmas, found.formula, found.holds, found.initial, found.levels, found.top)


def lemma_bytes(proof: Proof) -> bytes:
    """The body of the section of lemmas. Empty if there are none."""
    return drafts.lemma_bytes(drafts.Lemmas(proof.lemmas)) if proof.lemmas else b""


def formula_bytes(proof: Proof) -> bytes:
    """The body of the section about the formula."""
    return drafts.proof_bytes(drafts.Proof(*proof[1:]))
