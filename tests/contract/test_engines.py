"""What every engine must do alike."""

import random
from itertools import count

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.engines import ENGINES, misfit_reason
from pigro.limits import Budget
from pigro.logic import parse

from oracle.formula import to_text
from oracle.generate import random_case, random_formula, random_machine
from support.agreement.ctl import as_model
from support.selection.cases import number_of_cases, seeds


@pytest.fixture(params=sorted(ENGINES))
def name(request):
    return request.param


def fits(name, model):
    """Some engines check models of one kind only."""
    return misfit_reason(ENGINES[name], model) is None


@pytest.fixture
def model():
    return pigro.kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p"]}, initial="a")


@pytest.mark.random
def test_many_formulas_together_are_each_alone_in_any_order(name):
    for seed in seeds(number_of_cases("PIGRO_CONTRACT", 60)):
        rng = random.Random(seed)
        machine = random_machine(rng)
        model = as_model(machine)
        if not fits(name, model):
            continue
        formulas = [parse(to_text(random_formula(rng))) for _ in range(12)]
        together = pigro.check_all(model, formulas, engine=name) if _known(model, formulas) else []
        alone = [ENGINES[name](as_model(machine), formula) for formula in formulas]
        backwards = [ENGINES[name](model, formula) for formula in reversed(formulas)][::-1]
        for one, two in zip(alone, backwards, strict=True):
            assert (
                one.holds,
                one.reason,
                one.stats.contexts,
                one.stats.visited,
                one.stats.passes,
            ) == (
                two.holds,
                two.reason,
                two.stats.contexts,
                two.stats.visited,
                two.stats.passes,
            )
        assert [v.holds for v in together] in ([], [v.holds for v in alone])


def _known(model, formulas):
    return not pigro.engines.unknown_labels(model, formulas)


def test_the_verdict_is_complete(name, model):
    verdict = pigro.check(model, "AG EF p", engine=name)
    assert verdict.holds is True
    assert verdict.outcome == "holds"
    assert verdict.engine == name
    assert verdict.formula == parse("AG EF p")
    assert verdict.reason == "every reachable state satisfies EF p"
    assert verdict.starts == ((model.initial[0], True),)
    assert verdict.stats.seconds > 0


def test_a_verdict_is_no_boolean(name, model):
    with pytest.raises(TypeError, match="ask for .holds"):
        bool(pigro.check(model, "p", engine=name))


def test_constants(name, model):
    assert pigro.check(model, "true", engine=name).holds is True
    assert pigro.check(model, "EX true & !false", engine=name).holds is True
    assert pigro.check(model, "ff", engine=name).holds is False


def test_every_initial_node_counts(name, model):
    both = model.with_initial([model.find("a"), model.find("b")])
    verdict = pigro.check(both, "p", engine=name)
    assert verdict.holds is False
    assert [truth for _, truth in verdict.starts] == [False, True]
    assert verdict.reason == "at kripke:a, the initial state does not carry p"
    assert (
        pigro.check(both, "EX p", engine=name).reason
        == "at all 2 initial nodes, some next state satisfies p"
    )


@pytest.mark.random
def test_initial_nodes_in_several_components(name):
    for seed in seeds(number_of_cases("PIGRO_CONTRACT", 200)):
        case = random_case(seed)
        model = as_model(case.machine)
        formula = parse(to_text(case.formula))
        nodes = [model.core.nodes_of(c)[0] for c in range(model.core.components)]
        nodes = [n for n in nodes if model.core.box(n) < 0]
        if not fits(name, model.with_initial(nodes)):
            continue
        single = [ENGINES[name](model.with_initial([n]), formula).holds for n in nodes]
        together = ENGINES[name](model.with_initial(nodes), formula)
        assert [truth for _, truth in together.starts] == single


def test_not_ctl_is_refused(name, model):
    if name in ("onthefly", "demand", "exhaustive"):
        assert pigro.check(model, "A (G F p)", engine=name).holds is True
        return
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(model, "A (G F p)", engine=name)
    assert error.value.code == "P401"


def test_unknown_labels_warn_once_and_are_false(name, model):
    with pytest.warns(
        pigro.engines.UnknownLabelWarning, match='^1 label is on no node .*: "pp"'
    ) as seen:
        verdicts = list(pigro.check_all(model, ["EF pp", "AG !pp"], engine=name))
    assert len(seen) == 1
    assert [v.holds for v in verdicts] == [False, True]
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(model, "EF pp", engine=name, strict=True)
    assert error.value.code == "P402"


def test_tick_can_stop_a_check(name, model):
    class Enough(Exception):
        pass

    def tick():
        raise Enough

    hard = permutations(24)
    with pytest.raises(Enough):
        ENGINES[name].check_all(
            hard if fits(name, hard) else model,
            [
                parse(
                    "AG (E [F G p] | E [F G !p])"
                    if name in {"auto", "demand"}
                    else "AG (EF EG p | EF EG !p)"
                )
            ],
            budget=Budget(tick=tick),
        )


def test_unknown_engine():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    with pytest.raises(pigro.CheckError) as error:
        pigro.check(model, "true", engine="exhaustiv")
    assert error.value.code == "P403"
    assert error.value.hint == 'did you mean "exhaustive"?'


@pytest.mark.random
def test_the_same_for_any_number_of_jobs(name):
    for seed in seeds(number_of_cases("PIGRO_CONTRACT", 12, least=3)):
        rng = random.Random(seed)
        model = as_model(random_machine(rng))
        if not fits(name, model):
            continue
        formulas = [parse(to_text(random_formula(rng))) for _ in range(60)]
        runs = [ENGINES[name].check_all(model, formulas, jobs=jobs) for jobs in (1, 2, 5)]
        told = [[(v.formula, v.holds, v.reason, v.stats.contexts) for v in run] for run in runs]
        assert told[0] == told[1] == told[2]


def test_verdicts_are_told_in_order(name):
    models = (as_model(random_machine(random.Random(seed))) for seed in count(1))
    model = next(model for model in models if fits(name, model))
    formulas = [parse(to_text(random_formula(random.Random(i)))) for i in range(200)]
    for jobs in (1, 3):
        told = []
        verdicts = ENGINES[name].check_all(model, formulas, jobs=jobs, on_verdict=told.append)
        assert told == verdicts
        assert [verdict.formula for verdict in verdicts] == formulas


@pytest.mark.parametrize("wrong", [{"timeout": 0}, {"timeout": -1.0}, {"memory": 0}, {"jobs": 0}])
def test_limits_that_allow_nothing_are_refused(model, wrong):
    with pytest.raises(pigro.UsageError) as error:
        pigro.check_all(model, ["EF p"], **wrong)
    assert error.value.code == "P006"
