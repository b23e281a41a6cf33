"""The two listings of [Finis2012], chapter 5, with all their formulas.

The text states the initial state and two successors of the first one, and which module each formula
starts in. It states no verdicts. Those here follow by hand:

- First listing: the counter runs 0, 1, 2, 0, ...; s2 is entered from (0, s1) only, so at counter 1.
  in_state2 -> cr_reset fails there; at the start cr_reset holds, so E [in_state2 U cr_reset] does.
- Second listing: foo always calls bar, and bar always calls foo, so nobody ever exits: what holds
  only at exits (p, x) is out of reach.
"""

import pytest

import pigro
from pigro.formats import smv

COUNTER = """\
MODULE main VAR
  counter : 0..6;
  state   : {s1,s2,s3};
  ready   : boolean;
DEFINE
  in_state2 := state in {s2};
  cr_reset  := counter = 0;
ASSIGN
  init(state) := s1;
  next(state) :=
    case
      counter = 2 : {s1};
    TRUE :
      case
        state = s1 : {s2,s3};
        state = s2 : {s2};
        state = s3 : {s3,s1};
      esac;
    esac;
  init(counter) := 0;
  next(counter) := (counter + 1) mod 3;
  init(ready) := FALSE;
  next(ready) := case
    counter = 2 : !ready;
    TRUE : ready;
  esac;
SPEC AG (in_state2 -> cr_reset)
SPEC E [ in_state2 U cr_reset ]
"""
CALLS = """\
MODULE foo
VAR
  state : {f1,f2};
DEFINE
  p := state in {EXIT};
  q := state in {f1};
CALL
  bar := state in {f2};
ASSIGN
  init(state) := f1;
  next(state) := case
    state = f1 : {f2};
    state = f2 : {EXIT};
  esac;
SPEC E [q U p]
SPEC EF q
SPEC EF p

MODULE bar
VAR
  state : {b1,b2,b3,b4,b5};
DEFINE
  q := state in {b1,b2,EXIT};
  x := state in {EXIT};
  y := state in {b1};
CALL
  foo := state in {b2,b4};
ASSIGN
  init(state) := b1;
  next(state) := case
    state = b1 : {b2,b4};
    state = b2 : {b3};
    state = b3 : {EXIT};
    state = b4 : {b5};
    state = b5 : {EXIT};
  esac;
SPEC EF x
SPEC y
"""


def endings(text):
    """The same file with other line ends."""
    return [text, text.replace("\n", "\r\n"), text.rstrip("\n"), "\ufeff" + text]


def answers(text):
    document = smv.SmvDocument(text.encode())
    model = document.model()
    return [
        (each.module, each.line, each.text, pigro.check(model.with_initial(each.initial), each.formula).holds)
        for each in document.requirements(model)
    ]  # fmt: skip


@pytest.mark.parametrize("text", endings(COUNTER), ids=("lf", "crlf", "no end", "bom"))
def test_first_listing(text):
    assert answers(text) == [
        ("main", 27, "AG (in_state2 -> cr_reset)", False),
        ("main", 28, "E [ in_state2 U cr_reset ]", True),
    ]


def test_states_of_the_first_listing():
    model = smv.read(COUNTER.encode())
    core = model.core
    assert [model.node_name(node) for node in model.initial] == ["main:0,s1,FALSE"]
    assert {model.node_name(node) for node in core.successors(model.initial[0])} == {
        "main:1,s2,FALSE",
        "main:1,s3,FALSE",
    }
    assert model.statistics.dead_ends == 0
    labels = {name: {model.node_name(n) for n in core.labelled(i)} for name, i in model.label_ids.items()}  # fmt: skip
    assert labels["cr_reset"] == {"main:0,s1,FALSE", "main:0,s1,TRUE"}
    assert labels["in_state2"] == {f"main:{c},s2,{r}" for c in "12" for r in ("FALSE", "TRUE")}


@pytest.mark.parametrize("text", endings(CALLS), ids=("lf", "crlf", "no end", "bom"))
def test_second_listing(text):
    assert answers(text) == [
        ("foo", 15, "E [q U p]", False),
        ("foo", 16, "EF q", True),
        ("foo", 17, "EF p", False),
        ("bar", 37, "EF x", False),
        ("bar", 38, "y", True),
    ]


def test_every_engine_agrees_on_the_second_listing():
    document = smv.SmvDocument(CALLS.encode())
    model = document.model()
    for each in document.requirements(model):
        started = model.with_initial(each.initial)
        found = {
            name: pigro.check(started, each.formula, engine=name).holds
            for name in ("demand", "exhaustive", "incremental", "basic")
        }
        assert len(set(found.values())) == 1, found


def test_the_second_listing_breaks_a_rule_of_its_text():
    """b2 calls and carries q, which the text forbids: it is a node with q, then a box."""
    model = smv.read(CALLS.encode())
    assert model.names.components == ("foo", "bar")
    assert model.names.nodes == ("f1", "EXIT", "b1", "b2", "b3", "b5", "EXIT")
    assert model.names.boxes == ("f2", "b2", "b4")
    (call,) = model.core.successors(model.find("bar:b2"))
    assert model.node_name(call) == "bar:b2.f1"


def test_a_way_out_of_the_second_listing():
    """With a step past the call, everything is reached."""
    text = CALLS.replace("state = b1 : {b2,b4};", "state = b1 : {b2,b4,EXIT};")
    assert [holds for *_, holds in answers(text)] == [True, True, True, True, True]
