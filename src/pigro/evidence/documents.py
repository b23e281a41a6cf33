"""Evidence as JSON documents, and back; data.py has their types.

A document has all that is needed to check it. For CTL that is the certificate. For LTL and CTL*,
which have none, how the model was read and where it starts, so that facts and claims can be decided
again. States go by numbers, whose meaning is in tables (tables.py). Among results, certificates and
tables are shared by all of them (bundle.py).

A tree is a list: parents before their parts, which go by their places in the list. Nothing
recurses.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from msgspec import UNSET

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, ModelError
from pigro.diagnostics.json_keys import require_distinct_keys
from pigro.evidence.data import (
    EVIDENCE,
    RUN,
    ContextData,
    Document,
    FactData,
    ItemData,
    NotEvidence,
    PathData,
    RunDocument,
    RunItemData,
    TreeData,
    WrongEvidence,
    need,
)
from pigro.evidence.states import Evidence, Path
from pigro.evidence.tables import (
    Numbered,
    Tables,
    configurations_of,
    ending_of,
    inputs_of,
    places_of,
)
from pigro.logic import existential_normal_form, parse
from pigro.logic.printer import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence.data import Decided
    from pigro.evidence.tree.contexts import Context
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict

    Text = Callable[[int], str]

_Item = TypeVar("_Item", bound=TreeData)


def document(verdict: Verdict, certificate: bytes, evidence: Evidence) -> bytes:
    """The document for a verdict, as ASCII."""
    tables = Tables()
    made = piece(tables, verdict, base64.b64encode(certificate).decode(), evidence)
    made.tables = tables.data(verdict.model.showing(verdict.formula.atoms))
    return in_ascii(made)


def piece(tables: Tables, verdict: Verdict, certificate: str | int, evidence: Evidence) -> Document:
    """The document for a verdict, its states in other tables."""
    form = existential_normal_form(verdict.formula)
    word: Decided = "holds" if verdict.holds else "fails"
    items = put(verdict.model, tables, evidence, form.text, ItemData)
    return Document(EVIDENCE, str(verdict.formula), word, certificate, items)


def run_document(verdict: Verdict, evidence: Evidence) -> bytes:
    """The document for a verdict on a formula outside of CTL, as ASCII."""
    tables = Tables()
    made = run_piece(tables, verdict, verdict.shown, evidence)
    made.tables = tables.data(verdict.shown.showing(verdict.formula.atoms))
    return in_ascii(made)


def run_piece(tables: Tables, verdict: Verdict, shown: RSM, evidence: Evidence) -> RunDocument:
    """The document for a verdict, its states in other tables. They are nodes of `shown`."""
    model, formula = verdict.model, verdict.formula
    initial = [evidence.state.node] if shown.is_partial else list(shown.initial)
    return RunDocument(
        schema=RUN,
        formula=str(formula),
        verdict="holds" if verdict.holds else "fails",
        semantics=model.semantics.value,
        dead_ends=model.dead_ends.value,
        initial=initial,
        depth=verdict.depth,
        digest=model.digest.hex(),
        evidence=put(shown, tables, evidence, lambda part: text_of(formula, part), RunItemData),
    )


def put(
    model: RSM, tables: Tables, evidence: Evidence, text: Text, kind: type[_Item]
) -> list[_Item]:
    """A tree for a document. `text` says its parts for people."""
    items: list[_Item] = []
    pending: list[tuple[Evidence, list[int]]] = [(evidence, [])]
    while pending:
        at, siblings = pending.pop()
        siblings.append(len(items))
        path = None
        if at.path is not None:
            nodes, stacks = tables.columns(at.path.states)
            how = ending_of(model, at.path), at.path.start, at.path.shortest
            given, places = inputs_of(model, at.path), places_of(model, at.path)
            told = configurations_of(model, at.path)
            path = PathData(nodes, stacks, *how, given, places, told)
        [node], [stack] = tables.columns((at.state,))
        parts: list[int] = []
        more: list[Any] = [at.truth, at.kind, node, stack, path, parts, at.explored]
        if kind is RunItemData:
            more.append([FactData(each, text(each), list(truths)) for each, truths in at.facts])
        elif at.contexts:
            more.append(_contexts(tables, at, text))
        items.append(kind(at.part, text(at.part), *more))
        pending += [(each, parts) for each in reversed(at.parts)]
    return items


def _contexts(tables: Tables, at: Evidence, text: Text) -> list[ContextData]:
    made = []
    for part, told in at.contexts:
        states, exits, truths = (list(column) for column in zip(*told, strict=True))
        tables.add_nodes(exits)
        made.append(ContextData(part, text(part), states, exits, truths))
    return made


def in_ascii(made: msgspec.Struct) -> bytes:
    """A document as JSON in ASCII: names may be no text, and then have lone surrogates."""
    return json_text(msgspec.to_builtins(made)).encode()


_PLAIN = (str, int, float, bool, type(None))


def json_text(value: object, *, ascii_only: bool = True, margin: str = "") -> str:
    """The text, without a line end. Values are dicts, lists and tuples, and plain ones.

    `margin` stands before each line.

    >>> print(json_text({"name": "a", "nodes": [1, 2], "stacks": [[0, 1], []]}))
    {
      "name": "a",
      "nodes": [1, 2],
      "stacks": [
        [0, 1],
        []
      ]
    }
    """
    encode = json.JSONEncoder(ensure_ascii=ascii_only, check_circular=False).encode
    pieces: list[str] = [margin]
    pending: list[str | tuple[object, str]] = [(value, f"\n{margin}")]
    while pending:
        at = pending.pop()
        if isinstance(at, str):
            pieces.append(at)
            continue
        each, indent = at
        if isinstance(each, dict):
            heads = [f"{encode(key)}: " for key in each]
            inner = list(zip(heads, each.values(), strict=True))
        elif isinstance(each, list | tuple) and not all(type(one) in _PLAIN for one in each):
            inner = [("", one) for one in each]
        else:
            pieces.append(encode(each))
            continue
        opened, closed = "{}" if isinstance(each, dict) else "[]"
        deeper = indent + "  "
        pending.append((indent if inner else "") + closed)
        for place in range(len(inner) - 1, -1, -1):
            head, one = inner[place]
            pending.append((one, deeper))
            pending.append((deeper if place == 0 else "," + deeper) + head)
        pieces.append(opened)
    return "".join(pieces)


class _Tabled(Protocol):
    """A document that has tables, unless it is a part of results."""

    @property
    def tables(self) -> object: ...


Whole = TypeVar("Whole", bound=_Tabled)


def whole_document(data: bytes, kind: type[Whole]) -> Whole:
    """A document of this kind, unread. `NotEvidence` if it is none, or is a part of results."""
    require_distinct_keys(data, None)
    try:
        found = msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotEvidence(str(error)) from None
    if found.tables is UNSET:
        raise NotEvidence("this is a part of results")
    return found


def head_of(data: bytes) -> Document:
    """The document, unread. `NotEvidence` if it is none."""
    found = whole_document(data, Document)
    if isinstance(found.certificate, int):
        raise NotEvidence("this is a part of results")
    return found


def certificate_of(found: Document) -> bytes:
    """The certificate in a document. `NotEvidence` if it is none."""
    try:
        return base64.b64decode(str(found.certificate), validate=True)
    except binascii.Error as error:
        raise NotEvidence(str(error)) from None


def read(model: RSM, data: bytes) -> tuple[Document, bytes, Evidence]:
    """The document, its certificate and its tree.

    `NotEvidence` if it is none, `WrongEvidence` if its states or the texts of its subformulas are
    not those of the model and the formula.
    """
    found = head_of(data)
    assert found.tables is not UNSET, "it was looked at"
    atoms = _formula(found).atoms
    numbered = Numbered(model.about(atoms).showing(atoms), found.tables)
    return found, certificate_of(found), read_piece(numbered, found)


def _formula(found: Document) -> Formula:
    try:
        return parse(found.formula).require_ctl()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None


def read_piece(numbered: Numbered, found: Document) -> Evidence:
    """The tree of a document, with states in these tables."""
    form = existential_normal_form(_formula(found))

    def text(part: int) -> str:
        if not 0 <= part < len(form):
            raise WrongEvidence("a subformula is not there")
        return form.text(part)

    return take(numbered, found.evidence, text)


def run_head(data: bytes) -> RunDocument:
    """The document, unread. `NotEvidence` if it is none."""
    return whole_document(data, RunDocument)


def read_run(
    model: RSM,
    found: RunDocument,
    numbered: Numbered | None = None,
    *,
    digest: bytes | None = None,
) -> tuple[RSM, Formula, Evidence]:
    """The model as it starts for the document, the formula, and the tree.

    `numbered` has the states, if the document has no tables of its own. `digest` is by what the
    model is known, if not by its own. `NotEvidence` if it is no
    evidence, `Mismatch` if it is about another model, `WrongEvidence` if its states or subformulas
    are not those of the model and the formula.
    """
    if found.digest != (model.digest if digest is None else digest).hex():
        raise Mismatch("the evidence is about another model")
    try:
        formula = parse(found.formula).refuse_mu()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    try:
        model = model.with_initial(found.initial)
    except ModelError:
        raise WrongEvidence("the initial nodes are not nodes of the model") from None
    need(list(model.initial) == found.initial, "an initial node is named twice")
    model = model.about(formula.atoms)
    if numbered is None:
        assert found.tables is not UNSET, "it was looked at"
        numbered = Numbered(model.showing(formula.atoms), found.tables)

    def text(part: int) -> str:
        if not 0 <= part < len(formula):
            raise WrongEvidence("a subformula is not there")
        return text_of(formula, part)

    return model, formula, take(numbered, found.evidence, text)


def take(numbered: Numbered, items: Sequence[TreeData], text: Text) -> Evidence:
    """The tree of a document.

    `NotEvidence` if it is no tree. `WrongEvidence` if its states are not in
    the tables, or its subformulas are not what `text` says of them.
    """
    if sorted(each for item in items for each in item.parts) != list(range(1, len(items))):
        raise NotEvidence("its parts are not a tree")
    made: dict[int, Evidence] = {}
    for at in reversed(range(len(items))):
        item = items[at]
        if any(each <= at for each in item.parts):
            raise NotEvidence("its parts are not a tree")
        made[at] = _taken(numbered, item, tuple([made.pop(each) for each in item.parts]), text)
    if not made:
        raise NotEvidence("there is nothing in it")
    return made[0]


def _agree(told: object, known: object) -> bool:
    """Whether a document is right. A model that was converted may not know what its file said."""
    return told is UNSET or known is UNSET or told == known


def _taken(numbered: Numbered, item: TreeData, parts: tuple[Evidence, ...], text: Text) -> Evidence:
    facts = item.facts if isinstance(item, RunItemData) else []
    contexts = item.contexts if isinstance(item, ItemData) else []
    contexts = [] if contexts is UNSET else contexts
    told = [(item.part, item.formula)]
    told += [(each.part, each.formula) for each in facts]
    told += [(each.part, each.formula) for each in contexts]
    for part, said in told:
        need(text(part) == said, f"the text of a subformula is not that of number {part}")
    path = None
    if item.path is not None:
        states = numbered.states(item.path.nodes, item.path.stacks)
        ends = "stays" if item.path.ends == "stops" else item.path.ends
        start = item.path.start
        need(start is None or 0 <= start < len(states), "a loop begins outside of its path")
        path = Path(states, ends, start, item.path.shortest)
        need(ending_of(numbered.model, path) == item.path.ends, "a path does not end as it says")
        given = inputs_of(numbered.model, path)
        need(given == item.path.inputs, "the inputs are not those of the steps of a path")
        fine = _agree(item.path.places, places_of(numbered.model, path))
        need(fine, "the places are not those of the steps of a path")
        fine = _agree(item.path.configurations, configurations_of(numbered.model, path))
        need(fine, "the configurations are not those of the states of a path")
    return Evidence(
        item.part,
        item.truth,
        numbered.state(item.node, item.stack),
        item.kind,
        path,
        parts,
        item.explored,
        tuple([(each.part, tuple(each.truths)) for each in facts]),
        tuple([_context(numbered, each) for each in contexts]),
    )


def _context(numbered: Numbered, data: ContextData) -> tuple[int, tuple[Context, ...]]:
    counts = {len(data.states), len(data.exits), len(data.truths)}
    need(len(counts) == 1, "a context has different numbers of states, exits and truths")
    numbered.need_nodes(data.exits)
    return data.part, tuple(zip(data.states, data.exits, data.truths, strict=True))
