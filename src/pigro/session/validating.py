"""Checks evidence of every kind: certificates, paths and runs, strategies, whole files of results.

The file itself says which kind it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from pigro.certificates import Malformed, Mismatch
from pigro.certificates.reading import MAGIC
from pigro.diagnostics import InputError, InputProblems, Position, UsageError, printable
from pigro.diagnostics.json_keys import require_distinct_keys
from pigro.evidence.data import NotEvidence
from pigro.evidence.kinds import KINDS
from pigro.formats.files import STDIN, read_content
from pigro.logic import Formula
from pigro.model.composition import Composition
from pigro.model.part import Part
from pigro.model.space import Model
from pigro.session import certificate_evidence, composition_evidence, model_evidence
from pigro.session.certificate_evidence import RequiredProofs
from pigro.session.findings import Validation
from pigro.session.formulas import not_a_formula
from pigro.session.judge import judge
from pigro.session.results import COMPOSITION as OF_COMPOSITIONS
from pigro.session.results import MODEL as RESULTS
from pigro.session.subject import EvidenceSubject

if TYPE_CHECKING:
    from pigro.session.judge import EvidenceCase

Path = str | os.PathLike[str]
Subject = Path | Model | Composition | Part | Sequence[Path] | Sequence[Part]
Sort = Literal["certificates", "model", "composition", "refinement"]


class _DocumentSort(NamedTuple):
    """What documents are about one sort of subject."""

    made_by: str
    needs: str
    open_case: Callable[[EvidenceSubject, dict[str, Any]], EvidenceCase] | None
    """None: they are no JSON."""


_SORTS = {
    "certificates": _DocumentSort(
        "certificates are written by `pigro check ... --certificate FILE`",
        "give the model file that the certificates were made with",
        None,
    ),
    "model": _DocumentSort(
        "evidence is written by `pigro check ... --witness --format json`",
        "give the model file that the evidence was made with",
        model_evidence.case_of,
    ),
    "composition": _DocumentSort(
        "evidence is written by `pigro compose ... --witness --format json`",
        "give the parts that the evidence was made with",
        composition_evidence.case_of,
    ),
    "refinement": _DocumentSort(
        "evidence is written by `pigro compose --refines ... --format json`",
        "give the files that the evidence was made with, the abstract one first",
        composition_evidence.case_of_refinement,
    ),
}
_SORT_OF = {
    RESULTS: "model",
    OF_COMPOSITIONS: "composition",
    **{row.schema: row.subject for row in KINDS.values() if row.schema is not None},
}
"""What documents are about, by their schema."""
_WORDS = {
    "checker": ("native", "python", "both"),
    "semantics": ("standard", "rsmcheck"),
    "dead_ends": ("stutter", "stop"),
}


def _silent(_: int) -> None:
    """Progress that is not shown."""


def validate(  # noqa: PLR0913 - by name
    subject: Subject,
    evidence: Path | bytes,
    formulas: Sequence[str] = (),
    *,
    files: Sequence[Path] = (),
    format: str | None = None,  # noqa: A002 - as in `load`
    semantics: str | None = None,
    dead_ends: str | None = None,
    checker: Literal["native", "python", "both"] | None = None,
    advance: Callable[[int], None] = _silent,
) -> Validation:
    """Checks evidence that `pigro check` or `pigro compose` wrote.

    `subject` is the model or its file, or the composition, its parts or their files. `evidence` is
    a file, or its bytes: certificates, results with evidence, or one piece of evidence.

    - `format` is the format of the model file.
    - For certificates, `formulas` and the formulas in `files` must be proved to hold, with the
      `semantics` and `dead_ends` that you give.
    - For certificates, `checker` is `native`, `python` or `both`. `advance` is called for each
      certificate with the number of all.

    Raises `InputError` P501 or P503 if there is no evidence, and P502 if it is about another model.
    If there are several errors, the first is raised, and its cause is `InputProblems` with all.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> proof = pigro.check(model, "AF use_i", certify=True).certificate.to_bytes()
    >>> pigro.validate(model, proof).accepted
    True
    """
    _refuse_words(checker=checker, semantics=semantics, dead_ends=dead_ends)
    for several, what in ((formulas, "formula"), (files, "name")):
        if isinstance(several, (str, os.PathLike, Formula)):
            raise UsageError("P006", f"a list of {what}s can't be one {what}")
    for each in formulas:
        if not isinstance(each, (str, Formula)):
            raise not_a_formula(each)
    wanted = RequiredProofs(
        tuple(formulas), tuple([os.fspath(each) for each in files]), semantics, dead_ends
    )
    _refuse_no_file(evidence)
    given = EvidenceSubject(subject, format)
    _read_once(given, evidence, wanted)
    data, name = _content(evidence)
    with _as_errors(name, "model"):
        sort, whole = _recognized(data, name)
    with _as_errors(name, sort):
        _refuse_options(sort, wanted, checker)
        opens = _SORTS[sort].open_case
        if opens is None:
            case = certificate_evidence.case_of(given, data, wanted, checker or "native", advance)
        else:
            case = opens(given, whole)
        return Validation(sort, tuple(judge(case)), tuple(case.warnings), case.proofs)


def _refuse_words(**said: str | None) -> None:
    """`UsageError` P006 for a word that an option does not know."""
    for name, word in said.items():
        if word is not None and word not in _WORDS[name]:
            hint = f"one of {', '.join(_WORDS[name])}"
            raise UsageError("P006", f"{name} can't be {word!r}", hint=hint)


def _refuse_no_file(evidence: object) -> None:
    """`UsageError` P006 for a value that is neither a file nor bytes."""
    if not isinstance(evidence, (str, bytes, os.PathLike)):
        what = type(evidence).__name__
        raise UsageError("P006", f"evidence can't be of type {what}", hint="give a file, or bytes")


def _refuse_options(sort: Sort, wanted: RequiredProofs, checker: str | None) -> None:
    """`UsageError` P006 for options that say nothing of this kind of evidence."""
    reading = wanted.semantics or wanted.dead_ends
    if sort == "certificates":
        if reading and not wanted:
            hint = "give the formulas too; without them, certificates of any reading are accepted"
            raise UsageError("P006", "--semantics and --dead-ends are for formulas", hint=hint)
    elif wanted or reading or checker:
        message = "formulas, their reading and the checker are for certificates"
        hint = "leave them out: the evidence says how its model is read, and what it shows"
        raise UsageError("P006", message, hint=hint)


def _recognized(data: bytes, name: str) -> tuple[Sort, dict[str, Any]]:
    """What a file is, and its document if it is JSON. `NotEvidence` if it is nothing known."""
    if data.startswith(MAGIC[:-2]):
        return "certificates", {}
    require_distinct_keys(data, name)
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise NotEvidence("this is not JSON") from None
    schema = whole.get("schema") if isinstance(whole, dict) else None
    if not isinstance(schema, str):
        raise NotEvidence(f"the schema is not {RESULTS}")
    if schema in _SORT_OF:
        return cast("Sort", _SORT_OF[schema]), whole
    if schema.partition("/")[0] in {each.partition("/")[0] for each in _SORT_OF}:
        raise NotEvidence(f"this is {printable(schema)}, made by another version of Pigro")
    raise NotEvidence(f"the schema is not {RESULTS}")


@contextmanager
def _as_errors(name: str, sort: Sort) -> Iterator[None]:
    """The fault of a file, as an error about it."""
    position = Position(name)
    try:
        yield
    except InputProblems as problems:
        raise problems.errors[0] from problems
    except Mismatch as error:
        raise InputError("P502", str(error), position=position, hint=_SORTS[sort].needs) from None
    except (NotEvidence, Malformed) as error:
        message = str(error) if sort == "certificates" else f"no evidence here: {error}"
        code = "P501" if sort == "certificates" else "P503"
        raise InputError(code, message, position=position, hint=_SORTS[sort].made_by) from None


def _read_once(given: EvidenceSubject, evidence: Path | bytes, wanted: RequiredProofs) -> None:
    inputs = [*given.paths, *wanted.files]
    if not isinstance(evidence, bytes):
        inputs.append(os.fspath(evidence))
    if inputs.count(STDIN) > 1:
        raise UsageError("P001", "standard input (-) can be read only once")


def _content(evidence: Path | bytes) -> tuple[bytes, str]:
    if isinstance(evidence, bytes):
        return evidence, "<evidence>"
    return read_content(os.fspath(evidence))
