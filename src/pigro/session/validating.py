"""Checks evidence of every kind: certificates, paths and runs, strategies, whole files of results.

The file itself says which kind it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, cast

from pigro.certificates import Malformed, Mismatch
from pigro.certificates.reading import MAGIC
from pigro.diagnostics import InputError, Position, Problems, UsageError, printable
from pigro.diagnostics.json_keys import require_distinct_keys
from pigro.evidence.data import NotEvidence
from pigro.evidence.kinds import KINDS
from pigro.formats.files import STDIN, read_content
from pigro.formats.registry import MODEL
from pigro.formats.source import open_source
from pigro.logic import Formula
from pigro.model.composition import Composition, as_composition
from pigro.model.part import Part
from pigro.model.space import Model
from pigro.session import composition_evidence, model_evidence
from pigro.session.certificate_evidence import Wanted, judge_certificates, unknown_in
from pigro.session.findings import Validation
from pigro.session.formulas import not_a_formula
from pigro.session.judge import judge
from pigro.session.results import COMPOSITION as OF_COMPOSITIONS
from pigro.session.results import MODEL as RESULTS
from pigro.session.subject import Given, OfFile, OfProgram, composition_of

if TYPE_CHECKING:
    from pigro.session.programs import Program
    from pigro.session.subject import Readable

Path = str | os.PathLike[str]
Subject = Path | Model | Composition | Part | Sequence[Path] | Sequence[Part]
Kind = Literal["certificates", "model", "composition", "refinement"]
_DOCUMENTS = {
    RESULTS: "model",
    OF_COMPOSITIONS: "composition",
    **{row.schema: row.subject for row in KINDS.values() if row.schema is not None},
}
"""What documents are about, by their schema."""
_MADE_BY = {
    "certificates": "certificates are written by `pigro check ... --certificate FILE`",
    "model": "evidence is written by `pigro check ... --witness --format json`",
    "composition": "evidence is written by `pigro compose ... --witness --format json`",
    "refinement": "evidence is written by `pigro compose --refines ... --format json`",
}
_WORDS = {
    "checker": ("native", "python", "both"),
    "kind": tuple(_MADE_BY),
    "semantics": ("standard", "rsmcheck"),
    "dead_ends": ("stutter", "stop"),
}
_GIVE = {
    "certificates": "give the model file that the certificates were made with",
    "model": "give the model file that the evidence was made with",
    "composition": "give the parts that the evidence was made with",
    "refinement": "give the files that the evidence was made with, the abstract one first",
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
    kind: Kind | None = None,
    advance: Callable[[int], None] = _silent,
) -> Validation:
    """Checks evidence that `pigro check` or `pigro compose` wrote.

    `subject` is the model or its file, or the composition, its parts or their files. `evidence` is
    a file, or its bytes: certificates, results with evidence, or one piece of evidence.

    - `format` is the format of the model file.
    - `kind` refuses evidence of other kinds: `certificates`, `model` or `composition`.
    - For certificates, `formulas` and the formulas in `files` must be proved to hold, with the
      `semantics` and `dead_ends` that you give.
    - For certificates, `checker` is `native`, `python` or `both`. `advance` is called for each
      certificate with the number of all.

    Raises `InputError` P501 or P503 if there is no evidence, and P502 if it is about another model.
    If there are several errors, the first is raised, and its cause is `Problems` with all.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> proof = pigro.check(model, "AF use_i", certify=True).certificate.to_bytes()
    >>> pigro.validate(model, proof).accepted
    True
    """
    _refuse_words(checker=checker, kind=kind, semantics=semantics, dead_ends=dead_ends)
    for given, what in ((formulas, "formula"), (files, "name")):
        if isinstance(given, (str, os.PathLike, Formula)):
            raise UsageError("P006", f"a list of {what}s can't be one {what}")
    for each in formulas:
        if not isinstance(each, (str, Formula)):
            raise not_a_formula(each)
    wanted = Wanted(
        tuple(formulas), tuple([os.fspath(each) for each in files]), semantics, dead_ends
    )
    _refuse_types(subject, evidence)
    _read_once(subject, evidence, wanted)
    data, name = _content(evidence)
    with _told(name, kind or "model"):
        found, whole = _recognised(data, name, kind)
    with _told(name, found):
        _refuse_options(found, wanted, checker)
        if found == "certificates":
            model = _model(subject, format)
            proofs = judge_certificates(model, data, wanted, checker or "native", advance)
            unknown = unknown_in(proofs)
            told = () if unknown is None else (unknown,)
            return Validation(found, tuple(proofs.findings()), told, proofs)
        if found == "refinement":
            case = composition_evidence.case_of_refinement(*_sides(subject), whole)
        elif found == "composition":
            case = composition_evidence.case_of(_composition(subject), whole)
        else:
            case = model_evidence.case_of(_model(subject, format), whole)
        return Validation(found, tuple(judge(case)), tuple(case.warnings))


def _refuse_words(**said: str | None) -> None:
    """`UsageError` P006 for a word that an option does not know."""
    for name, word in said.items():
        if word is not None and word not in _WORDS[name]:
            hint = f"one of {', '.join(_WORDS[name])}"
            raise UsageError("P006", f"{name} can't be {word!r}", hint=hint)


def _refuse_types(subject: object, evidence: object) -> None:
    """`UsageError` P006 for a value that is not evidence, or a subject that has none."""
    if not isinstance(evidence, (str, bytes, os.PathLike)):
        what = type(evidence).__name__
        raise UsageError("P006", f"evidence can't be of type {what}", hint="give a file, or bytes")
    if isinstance(subject, (str, os.PathLike, Model, Composition, Part)):
        return
    rows = subject if isinstance(subject, (list, tuple)) else (subject,)
    files = [isinstance(each, (str, os.PathLike)) for each in rows]
    if all(files) or all(isinstance(each, Part) for each in rows):
        return
    raise UsageError("P006", "evidence is about a model, or parts, or their files")


def _refuse_options(kind: Kind, wanted: Wanted, checker: str | None) -> None:
    """`UsageError` P006 for options that say nothing of this kind of evidence."""
    reading = wanted.semantics or wanted.dead_ends
    if kind == "certificates":
        if reading and not wanted:
            hint = "give the formulas too; without them, certificates of any reading are accepted"
            raise UsageError("P006", "--semantics and --dead-ends are for formulas", hint=hint)
    elif wanted or reading or checker:
        message = "formulas, their reading and the checker are for certificates"
        hint = "leave them out: the evidence says how its model is read, and what it shows"
        raise UsageError("P006", message, hint=hint)


def _recognised(data: bytes, name: str, kind: Kind | None) -> tuple[Kind, dict[str, Any]]:
    """What a file is, and its document if it is JSON. `NotEvidence` if it is nothing known."""
    if kind == "certificates" or (kind is None and data.startswith(MAGIC[:-2])):
        return "certificates", {}
    require_distinct_keys(data, name)
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise NotEvidence("this is not JSON") from None
    schema = whole.get("schema") if isinstance(whole, dict) else None
    expected = OF_COMPOSITIONS if kind == "composition" else RESULTS
    if not isinstance(whole, dict) or not isinstance(schema, str):
        raise NotEvidence(f"the schema is not {expected}")
    found = cast("Kind | None", _DOCUMENTS.get(schema))
    if found is not None and kind in {None, found}:
        return found, whole
    families = {each.partition("/")[0] for each, its in _DOCUMENTS.items() if kind in {None, its}}
    if found is None and schema.partition("/")[0] in families:
        raise NotEvidence(f"this is {printable(schema)}, made by another version of Pigro")
    raise NotEvidence(f"the schema is not {expected}")


@contextmanager
def _told(name: str, kind: Kind) -> Iterator[None]:
    """The fault of a file, as an error about it."""
    position = Position(name)
    try:
        yield
    except Problems as problems:
        raise problems.errors[0] from problems
    except Mismatch as error:
        raise InputError("P502", str(error), position=position, hint=_GIVE[kind]) from None
    except (NotEvidence, Malformed) as error:
        message = str(error) if kind == "certificates" else f"no evidence here: {error}"
        code = "P501" if kind == "certificates" else "P503"
        raise InputError(code, message, position=position, hint=_MADE_BY[kind]) from None


def _read_once(subject: Subject, evidence: Path | bytes, wanted: Wanted) -> None:
    inputs = [*_paths(subject), *wanted.files]
    if not isinstance(evidence, bytes):
        inputs.append(os.fspath(evidence))
    if inputs.count(STDIN) > 1:
        raise UsageError("P001", "standard input (-) can be read only once")


def _content(evidence: Path | bytes) -> tuple[bytes, str]:
    if isinstance(evidence, bytes):
        return evidence, "<evidence>"
    return read_content(os.fspath(evidence))


def _paths(subject: Subject) -> list[str]:
    """The files of a subject. None if it has none."""
    if isinstance(subject, (Model, Composition, Part)):
        return []
    if isinstance(subject, (str, os.PathLike)):
        return [os.fspath(subject)]
    return [os.fspath(each) for each in subject if not isinstance(each, Part)]


def _model(subject: Subject, format_name: str | None) -> Readable:
    if isinstance(subject, Model):
        return Given(subject)
    paths = _paths(subject)
    if len(paths) != 1:
        raise Mismatch("this is about one model")
    program = _program(paths[0])
    if program is not None:
        return OfProgram(program)
    source = open_source(paths[0], format_name)
    if MODEL not in source.format.holds:
        raise Mismatch("this is about one model")
    return OfFile(source)


def _program(path: str) -> Program | None:
    """The program that an argument names. None if it names a file."""
    if ":" not in path:
        return None
    from pigro.session.programs import program_of

    return program_of(path)


def _sides(subject: Subject) -> tuple[Composition, Composition]:
    """The abstract composition, whose file comes first, and the concrete one."""
    if isinstance(subject, (list, tuple)) and len(subject) > 1:
        first, rest = subject[0], subject[1:]
        if isinstance(first, Part):
            return as_composition(first), as_composition(cast("Sequence[Part]", rest))
        return composition_of([os.fspath(first)]), composition_of([os.fspath(at) for at in rest])
    raise Mismatch("this is about abstract parts, and about others that refine them")


def _composition(subject: Subject) -> Composition:
    if isinstance(subject, Composition):
        return subject
    paths = _paths(subject)
    if paths:
        return composition_of(paths, lists=False)
    if isinstance(subject, Model):
        raise Mismatch("this is about a composition of parts")
    return as_composition(cast("Part | Sequence[Part]", subject))
