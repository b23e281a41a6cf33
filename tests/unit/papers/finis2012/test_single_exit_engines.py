"""What `incremental` and `basic` must get right where they differ from the thesis."""

import time

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.engines import misfit_reason, require_fit
from pigro.limits import Budget, Limits
from pigro.logic import parse
from pigro.papers.finis2012 import INCREMENTAL
from pigro.papers.finis2012.basic import BASIC

from oracle import contexts
from oracle.notation import machine_from
from support.agreement.ctl import as_model, to_oracle


@pytest.fixture(params=[INCREMENTAL, BASIC], ids=lambda engine: engine.name)
def engine(request):
    return request.param


def expect(engine, text, cases, **reading):
    machine = machine_from(text, **reading)
    for formula, truth in cases.items():
        assert contexts.decide(machine, to_oracle(formula)) is truth, f"the oracle on {formula}"
        assert engine(as_model(machine), parse(formula)).holds is truth, formula


def test_models_with_two_exits_are_refused(engine):
    model = permutations(2)
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(model, "EF p", engine=engine.name)
    assert error.value.code == "P404"
    assert str(error.value) == (
        f"P404: engine {engine.name} does not fit the model: "
        'it needs one entry and one exit per component, but "only" has 2 exits'
    )
    assert "--engine demand" in error.value.hint


def test_models_with_two_called_entries_are_refused(engine):
    text = """
main >start
  box b = callee
  start -> b.one b.two
callee >one >two
"""
    model = as_model(machine_from(text))
    assert misfit_reason(engine, model) == (
        'it needs one entry and one exit per component, but "callee" is called at several entries'
    )
    with pytest.raises(pigro.CheckError):
        require_fit(engine, model)


def test_components_out_of_reach_do_not_matter(engine):
    text = """
main >start
  start -> start
other >one x> y>
"""
    model = as_model(machine_from(text))
    assert misfit_reason(engine, model) is None
    assert engine(model, parse("EG !p")).holds is True


def test_other_engines_fit_every_model():
    assert misfit_reason(pigro.engines.ENGINES["demand"], permutations(2)) is None


RETURNS = """
main >start after:p end
  box b = callee
  start -> b.in
  b.x -> after
  after -> end
  end -> end
callee >in x>:q
  in -> x
"""


def test_next_looks_one_step_past_the_return(engine):
    """Equation A.1 takes EX p at `after`, where it is false, for what `x` must know: p at `after`."""
    expect(engine, RETURNS, {"EX EX EX p": True, "EX EX (q & EX p)": True, "EX EX EX EX p": False})


def test_unlabelled_subformulas_of_a_context_are_asked_for(engine):
    """In `main`, p makes EG r irrelevant, yet in `callee` EG r decides, and what waits decides EG r.

    With m for EG r in the context (section 3.3.3), Alg. 3.6 would label EG r true in `callee`.
    """
    text = """
main >start:p after:p
  box b = callee
  start -> b.in
  b.x -> after
  after -> after
callee >in:r x>:r
  in -> x
"""
    expect(engine, text, {"EG (p | EG r)": False, "EX EG r": False})
    expect(engine, text.replace("after:p", "after:p,r"), {"EG (p | EG r)": True})


def test_only_relevant_locations_are_decided(engine):
    """`far` is not what the start depends on: it must not be labelled with it, and is asked for later."""
    text = """
main >start far
  box a = main
  box b = callee
  start -> a.start
  far -> b.in
callee >in:p
  in -> in
"""
    expect(engine, text, {"EF p": False})
    expect(engine, text, {"EF p": True}, initial=("far",))
    expect(engine, text, {"EF p": False, "EX EF p": False}, initial=("far", "start"))


@pytest.mark.parametrize("labels", ["ab", "ba"])
def test_what_was_not_asked_for_stays_undecided(engine, labels):
    """EF p is asked at one initial node, by recursion without end, and then at the other."""
    text = """
main >start:{} far:{}
  box r = main
  box c = callee
  start -> r.start
  far -> c.in
callee >in:p
  in -> in
""".format(*labels)
    formula = f"({labels[0]} & !EF p) | ({labels[1]} & EF p)"
    expect(engine, text, {formula: True}, initial=("start", "far"))


def test_news_of_a_call_reach_the_call_before_it(engine):
    """In `p`, `a` waits for `b`, whose entry is labelled in the second round. `main` waits for `p`."""
    text = """
main >start
  box p = p
  start -> p.in
p >in x>
  box a = a
  box b = b
  in -> a.in
  a.x -> b.in
  b.x -> x
a >in x>
  in -> x
b >in x>
  box c = c
  in -> c.in
  c.x -> x
c >in:q x>
  in -> x
"""
    expect(engine, text, {"EF q": True, "AF q": True, "EG !q": False, "EX EX EF q": True})


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_missing_returns_are_dead_ends(engine, dead_ends):
    text = """
main >start
  box b = callee without x>
  start -> b.in
callee >in:p x>:p
  in -> x
"""
    stutter = dead_ends == "stutter"
    cases = {"EX EG p": True, "AG EX true": stutter, "EX EX EX p": stutter, "EF !EX p": not stutter}
    expect(engine, text, cases, dead_ends=dead_ends)
    expect(engine, text.replace("without x>", ""), cases, dead_ends=dead_ends)


def test_exits_loop_with_the_empty_stack(engine):
    text = """
main >in:p x>:p
  in -> x
"""
    expect(engine, text, {"EG p": True, "AX EX p": True}, dead_ends="stop")


def test_a_call_after_a_call(engine):
    text = """
main >start end:q
  box a = callee
  box b = callee
  start -> a.in
  a.x -> b.in
  b.x -> end
  end -> end
callee >in x>:p
  in -> x
"""
    expect(engine, text, {"EF q": True, "AF q": True, "EF (p & EX EF p)": True, "EG !q": False})


@pytest.mark.long
def test_only_what_is_asked_for_is_visited():
    """The start decides; of ten thousand components below it, none is looked at."""
    verdict = INCREMENTAL(as_chain(10_000), parse("EG !zzz | top"))
    assert verdict.holds is True
    verdict = INCREMENTAL(as_chain(10_000), parse("EF top"))
    assert (verdict.holds, verdict.stats.contexts, verdict.stats.passes) == (True, 1, 2)


@pytest.mark.long
def test_calls_do_not_nest_on_the_stack(engine):
    count = 5_000
    began = time.process_time()
    assert engine(as_chain(count), parse("EF (bottom & AF top)")).holds is True
    assert time.process_time() - began < 120


def test_many_calls_in_a_row_are_no_quadratic_work(engine):
    """Each call is false only when the next one is. Labels run backwards through all of them."""
    model = pigro.ModelBuilder()
    main, callee = model.component("main"), model.component("callee")
    callee.entry("in")
    callee.exit("x")
    callee.edge("in", "x")
    main.entry("n0")
    count = 3_000
    for i in range(count):
        main.node(f"n{i + 1}", labels=["p"] if i < 0 else [])
        box = main.box(f"b{i}", calls="callee")
        main.edge(f"n{i}", box.call("in"))
        main.edge(box.returned("x"), f"n{i + 1}")
    main.edge(f"n{count}", f"n{count}")
    asked = model.build(initial="main:n0")
    began = time.process_time()
    verdict = engine(asked, parse("AG !p"))
    assert verdict.holds is True
    assert verdict.stats.passes < 120
    assert time.process_time() - began < 60


def test_time_limit(engine):
    verdicts = engine.check_all(
        as_chain(3_000), [parse("EF (bottom & AF top)")] * 2, budget=Budget(Limits(seconds=0.001))
    )
    assert [verdict.holds for verdict in verdicts] == [None, None]
    assert "time limit" in verdicts[0].reason


def as_chain(count):
    """c0 calls c1, c1 calls c2, ...: `top` labels the first exit's successor and the start, `bottom` the last."""
    model = pigro.ModelBuilder()
    for i in range(count):
        here = model.component(f"c{i}")
        last = i == count - 1
        here.entry("in", labels=["top"] if i == 0 else ["bottom"] if last else [])
        here.exit("x", labels=["top"] if i == 0 else [])
        if last:
            here.edge("in", "x")
        else:
            box = here.box("b", calls=f"c{i + 1}")
            here.edge("in", box.call("in"))
            here.edge(box.returned("x"), "x")
    return model.build(initial="c0:in")
