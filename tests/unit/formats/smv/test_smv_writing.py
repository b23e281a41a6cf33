"""Models written as `.smv` files."""

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.formats import smv

from oracle.notation import machine_from
from support.agreement.ctl import as_model


def model_from(text, **reading):
    return as_model(machine_from(text, **reading))


CALL = """
main >start:p after end>
  box b = callee
  start -> b.in
  b.x -> after
  after -> end
callee >in:q x>
  in -> x
"""
WRITTEN = """\
MODULE main
VAR
  state : {start, after, b};
DEFINE
  p := state in {start};
CALL
  callee := state in {b};
ASSIGN
  init(state) := {start};
  next(state) := case
    state = start : {b};
    state = after : {EXIT};
    state = b : {after};
  esac;

MODULE callee
VAR
  state : {s0};
DEFINE
  q := state in {s0};
ASSIGN
  init(state) := {s0};
  next(state) := case
    state = s0 : {EXIT};
  esac;
"""


def test_a_call():
    """`in` is a word of SMV, so the node gets another name."""
    written = smv.write(model_from(CALL)).decode()
    assert written == WRITTEN
    again = smv.read(written.encode())
    assert again.statistics == model_from(CALL).statistics
    assert pigro.check(again, "p & AX (q & AX AX AG !p)").holds is True


def test_names_that_smv_lacks_are_replaced():
    model = pigro.kripke(
        {"a b": ["AG", "p"], "AG": ["p"], "p": ["a b"]}, labels={"p": ["p"]}, initial="a b"
    )
    again = smv.read(smv.write(model))
    assert again.names.nodes == ("s0", "s1", "s2")  # p is the label
    assert pigro.check(again, "EX p & EX AX p & !p").holds is True


def test_the_start_is_kept():
    text = CALL.replace("main ", "other ").replace("callee", "main")
    again = smv.read(smv.write(model_from(text)))
    assert again.names.components == ("other", "module0")
    assert pigro.check(again, "p").holds is True


def test_dead_ends_loop():
    text = "main >start end:p\n  start -> end\n"
    assert pigro.check(smv.read(smv.write(model_from(text))), "AF AG p").holds is True
    with pytest.raises(pigro.ModelError) as caught:
        smv.write(model_from(text, dead_ends="stop"))
    assert caught.value.code == "P120"


def test_a_node_that_is_entry_and_exit():
    text = CALL.replace(">in:q x>\n  in -> x", ">x>:q").replace("b.in", "b.x")
    again = smv.read(smv.write(model_from(text)))
    assert pigro.check(again, "AX (q & AX (!q & AX AG !q))").holds is True


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CALL.replace("in:q x>", "in:q x> y>"), 'component "callee" has several exits'),
        (CALL.replace("in:q x>", "in:q >j x>").replace("start -> b.in", "start -> b.in b.j"), 'component "callee" is called at several entries'),
        (CALL.replace("  b.x -> after\n", ""), 'nothing follows box "b" of component "main"'),
        (CALL.replace(":p", ":AG"), 'label "AG" can\'t be a name'),
        (CALL.replace(":p", ":state"), 'label "state" can\'t be a name'),
    ],
)  # fmt: skip
def test_what_can_not_be_written(text, why):
    with pytest.raises(pigro.ModelError) as caught:
        smv.write(model_from(text))
    assert caught.value.message == f"the model can't be written as SMV: {why}"


def test_starts_that_can_not_be_written():
    with pytest.raises(pigro.ModelError):
        smv.write(permutations(3))
    text = "main >start mid\n  box b = main\n  start -> b.start\n  mid -> mid\n"
    with pytest.raises(pigro.ModelError) as caught:
        smv.write(model_from(text, initial=("mid",)))
    assert "another node" in caught.value.message


def test_formulas_about_fair_paths_are_written_as_they_are_read():
    """`AG p` under fairness is a formula of LTL, whose quantifier LTLSPEC does not have."""
    text = b"MODULE main VAR p : boolean; q : boolean; FAIRNESS q SPEC AG p SPEC AF q SPEC AG !q"
    document = smv.SmvDocument(text)
    model = document.model()
    asked = smv.statable(model, document.requirements(model))
    again = smv.SmvDocument(smv.write(model, asked))
    read = again.model()
    verdicts = [
        [each.holds for each in pigro.check_all(of, [each.formula for each in listed])]
        for of, listed in ((model, asked), (read, again.requirements(read)))
    ]
    assert verdicts == [[False, True, False]] * 2
