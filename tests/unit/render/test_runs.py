"""Evidence of LTL and CTL* for people: as text, and in the HTML report."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import pigro
from pigro.engines.onthefly import ONTHEFLY
from pigro.evidence import Path, RunEvidence, State
from pigro.logic import parse
from pigro.render.html import render_html

from oracle.notation import machine_from
from support.agreement.ctl import as_model
from support.evidence.texts import evidence_text

HOSTILE = "</script><img src=x>"
CALLS = """
main  start:p  after:q
  box b = f
  start -> b.in
  b.out -> after
  after -> start
f  >in  out>:r
  in -> out in
"""


@pytest.fixture
def model():
    after = {"a": ["b"], "b": ["a", "c"], "c": ["c"]}
    return pigro.kripke(after, labels={"a": ["p"], "c": ["q"]}, initial="a")


def show(model, text):
    return replace(ONTHEFLY, show=True)(model, parse(text))


def lines(model, text, *, full=True):
    verdict = show(model, text)
    return evidence_text(model, verdict.formula, verdict.evidence, 0, full=full).splitlines()


# --- text -------------------------------------------------------------------------------------------


def test_a_run_that_stays(model):
    assert lines(model, "G F p") == [
        "a run of 3 states on which G F p fails:",
        "     0  kripke:a   [p]",
        "     1  kripke:b   [none of the labels]",
        "     2  kripke:c",
        "  and there it stays",
    ]


def test_a_run_round_a_loop(model):
    assert lines(model, "E [G F p]") == [
        "a run of 2 states with G F p:",
        "     0  kripke:a   [p]",
        "     1  kripke:b   [none of the labels]",
        "  and on from state 0 again, forever",
    ]


def test_a_bad_beginning(model):
    assert lines(model, "X X p & F q")[-2:] == ["     2  kripke:c   [q]", "  however it goes on"]


def test_facts_are_told_like_labels(model):
    assert lines(model, "G (p -> X !E [G F p])") == [
        "a run of 2 states on which G (p -> X !E [G F p]) fails:",
        "     0  kripke:a   [p]",
        "     1  kripke:b   [E [G F p]]",
        "  however it goes on",
    ]
    assert lines(model, "F (q & E [F G p])") == [
        "a run of 2 states on which F (q & E [F G p]) fails:",
        "     0  kripke:a   [p]",
        "     1  kripke:b   [none of the labels]",
        "  and on from state 0 again, forever",
    ]
    assert "[q, !E [F G p]]" in "".join(lines(model, "E [F (q & !E [F G p])]"))


@pytest.mark.parametrize(
    "text, claim",
    [
        ("F p", "every run from here satisfies F p"),
        ("A [F G !p | G F p]", "every run from here satisfies F G !p | G F p"),
        ("E [G F p & F G q]", "no run from here satisfies G F p & F G q"),
    ],
)
def test_claims(model, text, claim):
    assert lines(model, text) == [f"{claim} (decided by the search, not proved)"]


def test_booleans(model):
    told = lines(model, "p & A [F G !p | G F p] & E [F G q]")
    assert told[0] == "p holds"
    assert told[1].startswith("every run from here")
    assert told[2] == "a run of 3 states with F G q:"


@pytest.mark.parametrize(
    "text, end",
    [
        ("main  a  b:p\n  a -> b", "and there it ends"),
        ("main  a  x>:p\n  a -> x", "and there it stays"),
        ("main  a  b:p\n  a -> b\n  b -> b", "and there it stays"),
        ("main  a\n  box b = f\n  a -> b.e\nf  >e  x>:p\n  e -> x", "and there it ends"),
    ],
)
def test_where_runs_stop(text, end):
    model = as_model(machine_from(text, dead_ends="stop"))
    assert lines(model, "E [F G p]")[-1] == f"  {end}"


def test_calls():
    model = as_model(machine_from(CALLS))
    assert lines(model, "E [G F q]") == [
        "a run of 4 states with G F q:",
        "     0  main:start",
        "     1  | f:in   (called by b)",
        "     2  | f:out",
        "     3  main:after   [q]",
        "  and on from state 0 again, forever",
    ]
    short = lines(model, "E [F (q & X X X F q)]", full=False)
    assert "... 2 states inside a call" in short[2]


AFTER_RETURN = """
main  start  end:q
  box b = f
  box c = f
  start -> b.in
  b.out -> b.in c.in
  c.out -> end
f  >in  out>:r
  in -> out
"""


def test_a_call_right_after_a_return():
    """The stack is as deep as before, and may be the same."""
    model = as_model(machine_from(AFTER_RETURN))
    assert lines(model, "E [X X X (!r & X X (!r & X X q))]") == [
        "a run of 8 states with X X X (!r & X X (!r & X X q)):",
        "     0  main:start",
        "     1  | f:in   (called by b)",
        "     2  | f:out   [r]",
        "     3  | f:in   (called by b)   [none of the labels]",
        "     4  | f:out   [r]",
        "     5  | f:in   (called by c)   [none of the labels]",
        "     6  | f:out   [r]",
        "     7  main:end   [q]",
        "  however it goes on",
    ]
    assert lines(model, "E [X X X (!r & X X (!r & X X q))]", full=False) == [
        "a run of 8 states with X X X (!r & X X (!r & X X q)):",
        "     0  main:start",
        "        ... 2 states inside a call, some with r",
        "        ... 2 states inside a call, some with r",
        "        ... 2 states inside a call, some with r",
        "     7  main:end   [q]",
        "  however it goes on",
    ]


def test_the_short_form_shows_where_a_run_begins_and_what_calls_have():
    """A call where another run begins is never folded."""
    model = as_model(machine_from(AFTER_RETURN))
    verdict = pigro.check(model, "EX EX (r & EX (!r & EX EX q))", certify=True)
    told = evidence_text(model, verdict.formula, verdict.evidence, 0, full=False).splitlines()
    assert told == [
        "a run of 6 states for EX EX (r & EX (!r & EX EX q)):",
        "     0  main:start",
        "     1  | f:in   (called by b)   from here: EX (r & EX (!r & EX EX q))",
        "     2  | f:out   [r]   from here: EX (!r & EX EX q)",
        "     3  | f:in   (called by c)   [none of the labels]   from here: EX EX q",
        "     4  | f:out   [r]   from here: EX q",
        "     5  main:end   [q]",
    ]
    model = as_model(
        machine_from(
            """
        main  start  end:q
          box b = f
          start -> b.in
          b.out -> end
        f  >in:p  mid  out>
          box c = g
          in -> mid
          mid -> c.go
          c.done -> out
        g  >go:r  done>
          go -> done
    """.replace("\n        ", "\n")
        )
    )
    verdict = pigro.check(model, "EF (p & EX EF q)", certify=True)
    told = evidence_text(model, verdict.formula, verdict.evidence, 0, full=False).splitlines()
    assert told[-5:] == [
        "     2  | f:mid   [none of the labels]   from here: EF q",
        "     3  | | g:go   (called by c)",
        "     4  | | g:done",
        "     5  | f:out",
        "     6  main:end   [q]",
    ]


def test_long_formulas_are_cut(model):
    text = " & ".join(["G F p"] + [f"F X label{at}" for at in range(100)])
    assert len(lines(model, text)[0]) < 120


def test_shared_subformulas_are_not_written_out(model):
    formula = parse("F p")
    for _ in range(60):
        formula = formula.iff(formula)
    state = State((), model.initial[0])
    root = len(formula) - 1
    evidence = RunEvidence(root, False, state, "run", Path((state,)))
    assert len(evidence_text(model, formula, evidence, 0, full=True)) < 300


# --- HTML -------------------------------------------------------------------------------------------


def page_of(model, *texts):
    verdicts = [show(model, text) for text in texts]
    return render_html(model, verdicts).decode()


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def told(model, text):
    [verdict] = data_of(page_of(model, text))["verdicts"]
    return verdict


def truths(verdict, item=0):
    """For each state of a run, the truth of each subformula."""
    strings = [verdict["truths"][at] for at in verdict["evidence"][item]["path"]["truths"]]
    return {row[1]: [each[at] for each in strings] for at, row in enumerate(verdict["tree"])}


def test_a_report(model):
    verdict = told(model, "G F p")
    assert (verdict["word"], verdict["formula"]) == ("fails", "G F p")
    [item] = verdict["evidence"]
    assert (item["kind"], item["truth"]) == ("run", False)
    assert item["shows"] == [" on which ", "G F p", " fails"]
    assert (item["path"]["ends"], item["path"]["end"]) == ("stays", "and there it stays")


def test_path_formulas_are_read_on_the_run(model):
    verdict = told(model, "G F p")
    assert verdict["tree"] == [[0, "G F p", True], [1, "F p", True], [2, "p"]]
    assert truths(verdict) == {
        "G F p": ["f", "f", "f"],
        "F p": ["t", "f", "f"],
        "p": ["t", "f", "f"],
    }


def test_what_one_run_shows_of_all(model):
    """E f is true where the run does f, A f false where it does not. The rest is not known."""
    assert truths(told(model, "E [G F p]"))["E [G F p]"] == ["t", "t"]
    verdict = told(model, "A [G F p]")
    assert truths(verdict)["A [G F p]"] == ["f", "f", "f"]
    verdict = told(model, "G (p -> X A [F G q])")
    assert truths(verdict) == {
        "G (p -> X A [F G q])": ["f", "?"],
        "p -> X A [F G q]": ["f", "t"],
        "p": ["t", "f"],
        "X A [F G q]": ["f", "?"],
        "A [F G q]": ["?", "f"],
        "F G q": ["?", "?"],
        "G q": ["f", "f"],
        "q": ["f", "f"],
    }


def test_claims_have_a_state(model):
    verdict = told(model, "p & A [F G !p | G F p]")
    claim = verdict["evidence"][-1]
    assert claim["sentence"].startswith("every run from here")
    known = dict(zip([row[1] for row in verdict["tree"]], verdict["truths"][0], strict=True))
    assert known["p & A [F G !p | G F p]"] == "t"
    assert known["A [F G !p | G F p]"] == "t"
    assert known["F G !p"] == "?"


def test_labels_of_the_formula(model):
    data = data_of(page_of(model, "G F p"))
    [verdict] = data["verdicts"]
    assert [data["labels"][at] for at in verdict["atoms"]] == ["p"]


def test_large_formulas_have_no_tree(model):
    verdict = told(model, " & ".join(f"G F l{at}" for at in range(100)))
    assert (verdict["tree"], verdict["truths"]) == ([], [""])


def test_without_scripts_there_is_text(model):
    page = page_of(model, "G F p")
    assert "a run of 3 states on which G F p fails:" in page.split("<noscript>")[1]


def test_hostile_names():
    model = pigro.kripke({HOSTILE: [HOSTILE]}, labels={HOSTILE: [HOSTILE]}, initial=HOSTILE)
    page = page_of(model, f'E [F G "{HOSTILE}"]')
    assert "<img" not in page


def test_long_runs():
    size = 5_000
    after = {f"s{at}": [f"s{min(at + 1, size - 1)}"] for at in range(size)}
    model = pigro.kripke(after, labels={f"s{size - 1}": ["goal"]}, initial="s0")
    verdict = told(model, "E [F G goal]")
    assert len(verdict["evidence"][0]["path"]["nodes"]) == size
    assert sorted(verdict["truths"]) == ["t?ff", "ttff", "tttt"]
