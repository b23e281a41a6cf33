"""Evidence for verdicts on small models: the very states, and how paths end."""

from dataclasses import replace

import pytest

from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.evidence.replaying import WrongEvidence, replay
from pigro.evidence.states import Evidence, Path, State
from pigro.evidence.tree.following import evidence_for
from pigro.evidence.tree.proved import open_certificate
from pigro.logic import parse
from pigro.logic.normal import EG

from oracle.notation import machine_from
from support.agreement.ctl import as_model


class Case:
    """A model, a formula, and the evidence, which replays."""

    def __init__(self, text, formula, engine=DEMAND, **reading):
        self.model = as_model(machine_from(text, **reading))
        verdict = replace(engine, certify=True)(self.model, parse(formula))
        self.holds = verdict.holds
        self.data = verdict.certificate.to_bytes()
        self.evidence = evidence_for(self.model, self.data)
        self.replay(self.evidence)

    def replay(self, evidence):
        replay(self.model, self.data, evidence)

    def state(self, state):
        """`main:start`, or `b c callee:in` inside calls."""
        boxes = [self.model.names.boxes[box] for box in state.stack]
        return " ".join([*boxes, self.model.node_name(state.node)])

    def path(self, evidence=None):
        path = (evidence or self.evidence).path
        return [self.state(each) for each in path.states], path.ends, path.start

    def find(self, text):
        """The state told like this."""
        *boxes, node = text.split()
        names = list(self.model.names.boxes)
        return State(tuple(names.index(box) for box in boxes), self.model.find(node))


CALL = """
main  start:p  after:p,q
  box b = callee
  start -> b.in
  b.out -> after
  after -> {after}
callee  >in:p  out>:p
  in -> out
"""


def test_a_plain_lasso():
    case = Case("main  a:p  b:p  c:p  d\n  a -> b\n  b -> c d\n  c -> b", "EG p")
    assert case.holds
    assert case.path() == (["main:a", "main:b", "main:c"], "loop", 1)
    assert case.evidence.kind == "path"
    assert case.evidence.parts == ()


def test_the_counterexample_of_a_universal_formula_is_a_path_below_the_root():
    case = Case("main  a:p  b:p  c:p  d\n  a -> b\n  b -> c d\n  c -> b", "AF !p")
    assert not case.holds
    assert (case.evidence.kind, case.evidence.truth) == ("boolean", False)
    [part] = case.evidence.parts
    assert case.path(part) == (["main:a", "main:b", "main:c"], "loop", 1)


def test_a_lasso_through_a_call():
    case = Case(CALL.format(after="start"), "EG p")
    states = ["main:start", "b callee:in", "b callee:out", "main:after"]
    assert case.path() == (states, "loop", 0)


def test_a_lasso_inside_a_call():
    case = Case("main  a:p\n  box b = c\n  a -> b.e\nc  >e:p  m:p\n  e -> m\n  m -> e", "EG p")
    assert case.path() == (["main:a", "b c:e", "b c:m"], "loop", 1)


def test_a_lasso_that_a_return_closes():
    """The path comes back to a return node: the state is the exit, with the box on the stack."""
    text = "main  a:p  x>\n  box b = c\n  a -> b.e\n  b.x -> b.e x\nc  >e:p  x>:p\n  e -> x"
    case = Case(text, "EG p")
    assert case.path() in (
        (["main:a", "b c:e", "b c:x"], "loop", 1),
        (["main:a", "b c:e", "b c:x", "b c:e"], "loop", 2),  # a state more than it needs
    )


def test_a_pump():
    case = Case(
        "main  a:p\n  box b = f\n  a -> b.e\nf  >e:p  m:p\n  box r = f\n  e -> m\n  m -> r.e",
        "EG p",
    )
    assert case.path() == (["main:a", "b f:e", "b f:m", "b r f:e"], "pump", 1)


def test_a_pump_with_a_call_that_returns_in_each_round():
    text = """
main  >a:p
  box g = h
  box r = main
  a -> g.e
  g.x -> r.a
h  >e:p  x>:p
  e -> x
"""
    case = Case(text, "EG p")
    assert case.path() == (["main:a", "g h:e", "g h:x", "r main:a"], "pump", 0)


def test_next():
    case = Case("main  a  b  c:p  d:p\n  a -> b c\n  b -> d\n  c -> c\n  d -> d", "EX p")
    assert case.path() == (["main:a", "main:c"], "here", None)
    [part] = case.evidence.parts
    assert (part.kind, part.truth, case.state(part.state)) == ("label", True, "main:c")


def test_next_looks_into_a_call_and_out_of_it():
    case = Case(CALL.format(after="after"), "EX EX EX q")
    told, at = [], case.evidence
    while at.path is not None:
        told.append(case.path(at)[0])
        [at] = at.parts
    states = ["main:start", "b callee:in", "b callee:out", "main:after"]
    assert told == [states[:2], states[1:3], states[2:]]


def test_next_of_an_empty_procedure_is_at_the_return_node():
    text = "main  a  z:p\n  box b = f\n  a -> b.e\n  b.e -> z\n  z -> z\nf  >e>:q"
    case = Case(text, "EX (q & EX p)")
    assert case.path()[0] == ["main:a", "main:b.e"]


def test_until_through_a_call():
    case = Case(CALL.format(after="after"), "E [p U q]")
    states = ["main:start", "b callee:in", "b callee:out", "main:after"]
    assert case.path() == (states, "here", None)
    [part] = case.evidence.parts
    assert case.state(part.state) == "main:after"


def test_until_inside_of_a_call():
    case = Case("main  a:p\n  box b = f\n  a -> b.e\nf  >e:p  m:q\n  e -> m\n  m -> m", "E [p U q]")
    assert case.path() == (["main:a", "b f:e", "b f:m"], "here", None)


def test_until_out_of_a_call_to_the_caller():
    """`E [p U q]` is shown inside the call, and its path goes back to the caller of that state."""
    text = """
main  start  after:q
  box b = f
  start -> b.in
  b.out -> after
  after -> after
f  >in  mark:r,p  out>:p
  in -> mark
  mark -> out
"""
    case = Case(text, "EF (r & E [p U q])")
    assert case.path() == (["main:start", "b f:in", "b f:mark"], "here", None)
    [both] = case.evidence.parts
    assert both.kind == "boolean"
    label, until = both.parts
    assert (label.kind, label.truth) == ("label", True)
    assert case.path(until) == (["b f:mark", "b f:out", "main:after"], "here", None)


def test_always_out_of_a_call_to_the_caller():
    text = """
main  start  after:p
  box b = f
  start -> b.in
  b.out -> after
  after -> after
f  >in  mark:r,p  out>:p
  in -> mark
  mark -> out
"""
    case = Case(text, "EF (r & EG p)")
    [both] = case.evidence.parts
    always = both.parts[-1]
    assert case.path(always) == (["b f:mark", "b f:out", "main:after"], "loop", 2)


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_a_dead_end_stays(dead_ends):
    case = Case("main  a:p  b:p\n  a -> b", "EG p", dead_ends=dead_ends)
    assert case.path() == (["main:a", "main:b"], "stays", None)


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_a_return_node_without_successors_stays(dead_ends):
    text = "main  a:p\n  box b = f\n  a -> b.e\nf  >e:p  x>:p\n  e -> x"
    case = Case(text, "EG p", dead_ends=dead_ends)
    assert case.path() == (["main:a", "b f:e", "b f:x"], "stays", None)


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_an_exit_without_a_caller_stays(dead_ends):
    text = "main  a:p\n  box b = f without x>\n  a -> b.e\nf  >e:p  x>:p\n  e -> x"
    case = Case(text, "EG p", dead_ends=dead_ends)
    assert case.path() == (["main:a", "b f:e", "b f:x"], "stays", None)


def test_next_in_a_dead_end_that_stutters():
    case = Case("main  a:p", "EX p")
    assert case.path() == (["main:a", "main:a"], "here", None)


def test_there_is_no_next_state_in_a_dead_end_that_stops():
    case = Case("main  a:p", "EX p", dead_ends="stop")
    assert not case.holds
    assert (case.evidence.kind, case.evidence.truth) == ("claim", False)


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_an_exit_with_the_empty_stack_stays(dead_ends):
    """It loops: there is a next state, also under `stop`."""
    text = "main  a:p  x>:p\n  a -> x"
    assert Case(text, "EG p", dead_ends=dead_ends).path() == (["main:a", "main:x"], "stays", None)
    case = Case(text, "EX EX p", dead_ends=dead_ends)
    assert case.path(case.evidence.parts[0]) == (["main:x", "main:x"], "here", None)


def test_a_path_through_irrelevant_components():
    """`f` and `g` have nothing to do with the formula: that they return is a lemma."""
    text = """
main  a  b  c:p
  box k = f
  a -> k.e
  k.x -> b
  b -> c
  c -> c
f  >e  x>
  box k = g
  e -> k.e
  k.x -> x
g  >e  m  x>
  e -> m
  m -> x
"""
    case = Case(text, "EF p")
    assert open_certificate(case.model, case.data).stages[0].is_irrelevant(1)
    told = ["main:a", "k f:e", "k k g:e", "k k g:m", "k k g:x", "k f:x", "main:b", "main:c"]
    assert case.path() == (told, "here", None)


def test_an_irrelevant_component_for_ever():
    text = """
main  a  b:p
  box k = f
  a -> k.e b
  b -> b
f  >e
  box r = f
  e -> r.e
"""
    case = Case(text, "EG !p")
    assert open_certificate(case.model, case.data).stages[0].is_irrelevant(1)
    assert case.path() == (["main:a", "k f:e", "k r f:e"], "pump", 1)


def test_what_no_run_does_is_a_claim():
    case = Case("main  a:p  b:p\n  a -> b\n  b -> a", "AG p")
    assert case.holds
    [claim] = case.evidence.parts
    assert (claim.kind, claim.truth, claim.path) == ("claim", False, None)
    assert claim.explored == 2


def test_evidence_starts_at_an_initial_node_that_decides():
    text = "main  a:p  b\n  a -> a\n  b -> b"
    case = Case(text, "EF p", initial=("a", "b"))
    assert not case.holds
    assert case.state(case.evidence.state) == "main:b"
    with pytest.raises(WrongEvidence, match="initial"):
        case.replay(replace(case.evidence, state=State((), 7)))


def test_a_pump_needs_every_round():
    """`phi` is true in the first two rounds, which the certificate proves, and false in the third."""
    text = """
main  start:s  after:p,s
  box m = f
  start -> m.e
  m.x -> after
  after -> after
f  >e:k  y  x>
  box c = f
  e -> x c.e
  c.x -> y
  y -> x
"""
    phi = "(s | EX EX (p | EX EX p))"
    deeper = f"E [{phi} U (k & {phi} & !EX EX p)]"
    assert not Case(text, f"EG ({phi} & !p)", engine=EXHAUSTIVE).holds
    case = Case(text, f"{deeper} | EG {phi}", engine=EXHAUSTIVE)
    states = [case.find(each) for each in ("main:start", "m f:e", "m c f:e")]
    proved = open_certificate(case.model, case.data)
    always = max(at for at, op in enumerate(proved.form.ops) if op == EG)
    inner = proved.form.left[always]
    assert [proved.value(inner, each) for each in states] == [True, True, True]
    path = Path(tuple(states), "pump", 1)
    false = Evidence(always, truth=True, state=states[0], kind="path", path=path)
    with pytest.raises(WrongEvidence, match="every round"):
        case.replay(replace(case.evidence, parts=(false,)))


def test_a_pump_does_not_return():
    """The next round would begin higher, and return to another caller."""
    text = """
main  start  after
  box m = f
  start -> m.e
  m.x -> after
  after -> m.e
f  >e  x>
  box c = f
  e -> x c.e
"""
    case = Case(text, "EG !p")
    round_ = ["m f:e", "m f:x", "main:after", "m f:e", "m c f:e"]
    states = tuple([case.find(each) for each in ["main:start", *round_]])
    case.replay(replace(case.evidence, path=Path(states, "pump", 4)))
    with pytest.raises(WrongEvidence, match="returns"):
        case.replay(replace(case.evidence, path=Path(states, "pump", 1)))


# --- mistakes that have been found ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "semantics", "dead_ends"),
    [
        ("EF E [p U E [rare U p]]", "standard", "stop"),
        ("EF EG E [q U p]", "rsmcheck", "stutter"),
    ],
)
def test_what_is_proved_at_a_return_node_is_proved_at_the_exit(formula, semantics, dead_ends):
    """They are one moment, but the certificate may speak of one of them only."""
    text = "main  a\n  box b = f\n  a -> b.e\nf  >e  n  x>:p\n  e -> n\n  n -> x"
    case = Case(text, formula, semantics=semantics, dead_ends=dead_ends)
    assert case.holds


@pytest.mark.parametrize(
    "part",
    [-1, 1000],
)
def test_a_subformula_that_is_not_there_is_wrong(part):
    case = Case("main  a:p\n  a -> a", "AG p")
    [claim] = case.evidence.parts
    with pytest.raises(WrongEvidence):
        case.replay(replace(case.evidence, parts=(replace(claim, part=part),)))
