"""Verdicts with certificates, from Python."""

import math

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.certificates import CertificateFile, Mismatch, check_certificates, file_of
from pigro.certificates.native_checker import check_certificates_natively
from pigro.engines.native import DEMAND
from pigro.engines.proving import ProofOptions, check_and_prove
from pigro.limits import NO_LIMITS, Budget, Limits


@pytest.fixture
def model():
    return pigro.kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p"]}, initial="a")


def test_a_verdict_has_a_certificate_if_one_asks(model):
    assert pigro.check(model, "AG EF p").certificate is None
    verdict = pigro.check(model, "AG EF p", certify=True)
    certificate = verdict.certificate
    assert (certificate.holds, certificate.engine) == (True, "demand")
    assert verdict.stats.certify_seconds > 0
    assert verdict.stats.verify_seconds is None
    assert verdict.stats.certificate_bytes == len(certificate.body)
    for check in (check_certificates, check_certificates_natively):
        (checked,) = check(model, certificate.to_bytes())
        assert (checked.formula, checked.holds, checked.problem) == ("AG EF p", True, None)


def test_verify(model):
    for verdict in pigro.check_all(model, ["AG EF p", "AF p", "p"], verify=True, jobs=2):
        assert verdict.stats.verify_seconds > 0
        assert verdict.certificate is not None


def test_certificates_are_the_same_with_any_number_of_jobs():
    hole = permutations(4)
    formulas = ["EF EG p", "AG (EF EG p | EF EG !p)", "AF p", "EX EX p"] * 5
    data = [
        file_of(v.certificate for v in pigro.check_all(hole, formulas, certify=True, jobs=jobs))
        for jobs in (1, 2, 4)
    ]
    assert data[0] == data[1] == data[2]


def test_an_unknown_verdict_has_none():
    verdict = pigro.check(
        permutations(40), "AG (E [F G p] | E [F G !p])", timeout=0.05, certify=True
    )
    assert (verdict.holds, verdict.certificate) == (None, None)


def test_verdicts_and_counts_do_not_depend_on_certificates(model):
    for engine in ("demand", "exhaustive"):
        plain = pigro.check(model, "AG EF p", engine=engine)
        proved = pigro.check(model, "AG EF p", engine=engine, certify=True)
        assert plain.holds == proved.holds
        assert plain.stats.contexts == proved.stats.contexts


def test_a_file_is_about_one_model(model):
    other = pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    both = [pigro.check(each, "p", certify=True).certificate for each in (model, other)]
    with pytest.raises(ValueError, match="several models"):
        file_of(both)
    with pytest.raises(ValueError, match="at least one"):
        file_of([])
    with pytest.raises(Mismatch, match="another model"):
        list(check_certificates(other, both[0].to_bytes()))


def test_one_file_for_several_starts(model):
    file = CertificateFile(model)
    for start in ("a", "b"):
        started = model.with_initial([model.find(start)])
        file.add(pigro.check(started, "p", certify=True).certificate)
    found = list(check_certificates(model, file.to_bytes()))
    assert [(each.initial, each.holds, each.problem) for each in found] == [
        ((0,), False, None),
        ((1,), True, None),
    ]


def test_digests_tell_models_apart_but_not_names():
    graph, labels = {"a": ["b"], "b": ["a"]}, {"b": ["p"]}
    model = pigro.kripke(graph, labels=labels, initial="a")
    renamed = pigro.kripke({"x": ["y"], "y": ["x"]}, labels={"y": ["p"]}, initial="x")
    assert model.digest == renamed.digest
    others = [
        pigro.kripke({"a": ["b"], "b": ["b"]}, labels=labels, initial="a"),
        pigro.kripke(graph, labels={"a": ["p"]}, initial="a"),
        pigro.kripke(graph, labels={"b": ["q"]}, initial="a"),
        pigro.kripke(graph, labels={"b": ["p", "q"]}, initial="a"),
        pigro.kripke({**graph, "c": []}, labels=labels, initial="a"),
    ]
    assert len({each.digest for each in (model, *others)}) == 1 + len(others)


@pytest.mark.parametrize("formula, holds", [("EG !EX p", True), ("EG true & EG !p", True)])
def test_a_lasso_that_a_call_closes(formula, holds):
    """The path comes back to a return node of the call that it has just taken."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start")
    box = main.box("b", calls="callee")
    main.edge("start", box.call("far"))
    main.edge(box.returned("out"), box.call("near"))
    callee = model.component("callee")
    callee.entry("near")
    callee.entry("far")
    callee.node("mid")
    callee.exit("out")
    callee.path("far", "mid", "out")
    callee.edge("near", "out")
    machine = model.build(initial="main:start")
    with pytest.warns(pigro.engines.UnknownLabelWarning):
        verdict = pigro.check(machine, formula, verify=True)
    assert verdict.holds is holds
    assert [
        each.problem for each in check_certificates(machine, verdict.certificate.to_bytes())
    ] == [None]


@pytest.mark.parametrize(
    "limits", [Limits(seconds=1e6), Limits(seconds_each=1e6), Limits(memory=1e15)]
)
def test_with_a_limit_everything_is_decided_before_the_first_proof(model, limits):
    """A proof takes time and memory that a later formula may need."""
    assert _order(model, limits) == ["decided", "decided", "given", "given"]


@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(memory=math.inf)])
def test_without_limits_each_verdict_comes_with_its_proof(model, limits):
    assert _order(model, limits) == ["decided", "given", "decided", "given"]


def _order(model, limits):
    """What happens, when two formulas are checked and proved."""
    told = []

    class Spy:
        name = "spy"

        def check_all(self, model, formulas, *, on_verdict, budget, **_):
            def take(verdict):
                told.append("decided")
                on_verdict(verdict)

            return [*map(take, DEMAND.check_all(model, formulas, budget=budget))]

    formulas = [pigro.parse("AG EF p"), pigro.parse("EF p")]
    check_and_prove(
        Spy(),
        [(model, formulas)],
        wanted=ProofOptions(),
        jobs=1,
        budget=Budget(limits),
        on_verdict=lambda _: told.append("given"),
    )
    return told
