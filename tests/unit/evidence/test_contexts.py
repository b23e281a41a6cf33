"""The contexts of witnesses: their values, their documents, and wrong ones."""

import json
from dataclasses import replace

import msgspec
import pytest

import pigro
from pigro.evidence import WrongEvidence, evidence_for, replay
from pigro.logic import existential_normal_form
from pigro.render.html import render_html

from oracle.notation import machine_from
from support.agreement.ctl import as_model
from support.evidence.documents import document_of, read_tree
from support.evidence.texts import evidence_text

TWICE = """
main  start  middle  after:q
  box b = f
  box c = f
  start -> b.in
  b.out -> middle
  middle -> c.in
  c.out -> after
  after -> after
f  >in  out>:p
  in -> out
"""


@pytest.fixture
def model():
    return as_model(machine_from(TWICE))


@pytest.fixture
def made(model):
    """The same procedure is called twice. After its second return it can't be called again."""
    verdict = pigro.check(model, "EF (p & !EX !q)", certify=True)
    data = verdict.certificate.to_bytes()
    return verdict, data, evidence_for(model, data)


def told(model, verdict, evidence):
    form = existential_normal_form(verdict.formula)
    return [
        (form.text(part), place, model.node_name(node), truth)
        for part, rows in evidence.contexts
        for place, node, truth in rows
    ]


def test_the_same_procedure_has_two_contexts(model, made):
    verdict, data, evidence = made
    [next_not_q, eventually] = [
        [row[1:] for row in told(model, verdict, evidence) if row[0] == text]
        for text in ("EX !q", "EF (p & AX q)")
    ]
    assert next_not_q == [(1, "f:out", True), (4, "f:out", False)]
    assert (1, "f:out", True) in eventually
    replay(model, data, evidence)


def test_contexts_in_text_stand_where_the_call_begins(model, made):
    verdict, _, evidence = made
    full = evidence_text(model, verdict.formula, evidence, 0, full=True).splitlines()
    assert full[2].endswith("(called by b)   (at exit out: EX !q, EF (p & AX q))")
    assert "(at exit out: !EX !q" in full[5]
    assert sum("at exit" in line for line in full) == 2
    short = evidence_text(model, verdict.formula, evidence, 0, full=False)
    assert "at exit" not in short


def test_contexts_in_a_document_are_read_back(model, made):
    verdict, _, evidence = made
    text = document_of(verdict, evidence)
    assert read_tree(model, text) == evidence
    [path] = [item for item in json.loads(text)["evidence"] if item["path"]]
    assert path["contexts"][0]["states"] == [1, 4]
    assert path["contexts"][0]["truths"] == [True, False]


def test_documents_without_contexts_are_read(model, made):
    verdict, data, evidence = made
    bare = replace(evidence, contexts=())
    text = document_of(verdict, bare)
    assert b'"states"' not in text
    assert read_tree(model, text) == bare
    replay(model, data, bare)


def test_contexts_in_html_go_by_the_stack(model, made):
    verdict, _, evidence = made
    page = render_html(model, [replace(verdict, evidence=evidence)]).decode()
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    path = data["verdicts"][0]["evidence"][0]["path"]
    first, second = (path["contexts"][str(path["frames"][at])] for at in (1, 4))
    assert first.startswith("at exit out: EX !q")
    assert second.startswith("at exit out: !EX !q")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda part, row: (part, (row[0], row[1], not row[2])), "does not prove a context"),
        (lambda part, row: (part, (0, row[1], row[2])), "of no stack"),
        (lambda part, row: (part, (2, row[1], row[2])), "of no stack"),
        (lambda part, row: (part, (99, row[1], row[2])), "of no stack"),
        (lambda part, row: (part, (row[0], row[1] - 1, row[2])), "not at an exit"),
        (lambda part, row: (part, (row[0], -1, row[2])), "not at an exit"),
        (lambda _, row: (0, row), "about no operator"),
        (lambda _, row: (99, row), "about no operator"),
    ],
)
def test_wrong_contexts_are_refused(model, made, change, said):
    _, data, evidence = made
    part, [row, *_] = evidence.contexts[0]
    part, row = change(part, row)
    with pytest.raises(WrongEvidence, match=said):
        replay(model, data, replace(evidence, contexts=((part, (row,)),)))


def test_a_context_that_is_told_twice_is_refused(model, made):
    _, data, evidence = made
    part, rows = evidence.contexts[0]
    with pytest.raises(WrongEvidence, match="twice"):
        replay(model, data, replace(evidence, contexts=((part, rows + rows),)))
    with pytest.raises(WrongEvidence, match="about no operator"):
        replay(model, data, replace(evidence, contexts=((part, rows), (part, rows))))


def test_wrong_columns_are_refused(model, made):
    verdict, _, evidence = made
    whole = json.loads(document_of(verdict, evidence))
    [path] = [item for item in whole["evidence"] if item["path"]]
    path["contexts"][0]["truths"].pop()
    with pytest.raises(WrongEvidence, match="different numbers"):
        read_tree(model, msgspec.json.encode(whole))
    path["contexts"][0]["truths"].append(True)
    path["contexts"][0]["exits"][0] = 999
    with pytest.raises(WrongEvidence, match="not in the tables"):
        read_tree(model, msgspec.json.encode(whole))
