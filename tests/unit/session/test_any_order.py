"""An answer depends on the arguments alone: not on what else was asked of the same subject, or when it is written.

Questions are asked in shuffled order, and each answer is compared with that of a fresh subject. The orders change from
day to day: `PIGRO_SEED` asks those of another day again.
"""

from __future__ import annotations

import json
import pickle
import random
import threading
import warnings

import msgspec
import pytest

import pigro
from pigro.engines import ENGINES, UnknownLabelWarning
from pigro.engines.explaining import explain_at
from pigro.explore.notebook import verdict_html
from pigro.formats import pds, smv
from pigro.formats.smv.composing import parts_of_modules
from pigro.formats.smv.space import ComponentSpace
from pigro.logic import parse
from pigro.render.text import CheckReport, TextStyle
from pigro.session.asking import ask
from pigro.session.prepare import prepare
from pigro.session.request import Request
from pigro.verdict import SubjectSummary, about

from support.selection.cases import START, seeds

ORDERS = seeds(3)

LARGE = """MODULE main
VAR n : 0..999; k : 3..400;
DEFINE high := n > 900;
ASSIGN init(n) := 0; init(k) := 3;
  next(n) := n < 999 ? n + 1 : n; next(k) := k < 400 ? k + 1 : k;
SPEC AG n >= 0
"""
"""400,000 combinations of values, 1,000 states."""
SMALL = LARGE.replace("999", "19").replace("400", "9").replace("900", "15")
MANY_STARTS = """MODULE main
VAR n : 0..999; k : 0..99; stopped : boolean;
INIT k = 0
TRANS !stopped & next(n) = (n + 1) mod 1000 & next(k) = k
"""
PDS = b"""(main)
a <p> --> b <q r>
a <p> --> b <q>
b <q> --> b <>
b <r> --> a <p>
"""


def told(verdict):
    """All that a verdict says, without seconds."""
    assert verdict.holds is not None
    stats = timeless(msgspec.to_builtins(verdict.stats))
    return (
        verdict.outcome,
        verdict.engine,
        verdict.reason,
        str(verdict.formula),
        stats,
        written(verdict),
    )


def evidence_document(verdict):
    """The verdict as `--witness --format json` writes it."""
    return CheckReport(verdict.subject, TextStyle(witness="full"), form="json").render([verdict])


def written(verdict):
    """The JSON of a verdict. None if there is no evidence."""
    if verdict.evidence is None:
        return None
    return timeless(json.loads(evidence_document(verdict)))


def timeless(document):
    """A document without times."""
    if isinstance(document, list):
        return [timeless(each) for each in document]
    if not isinstance(document, dict):
        return document
    return {key: timeless(each) for key, each in document.items() if not key.endswith("seconds")}


def shown(verdict):
    """The names of the states of a run."""
    return [
        verdict.evidence.nodes_of(verdict.subject).node_name(state.node)
        for state in verdict.evidence.path.states
    ]


def check(formula, **how):
    """A question about a model."""

    def asked(model):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            verdict = pigro.check(model, formula, **how)
        return verdict, [str(each.message) for each in found]

    return asked


MU = parse('mu X. "n = 4" | <> X')
OF_MODELS = {
    "CTL": check("EF n = 9"),
    "a run": check("AG n != 2", witness=True),
    "a longer run": check("AG n != 7", witness=True),
    "LTL": check("G n < 5", witness=True),
    "CTL*": check("E [F (n = 3 & X k = 7)]", witness=True),
    "mu-calculus": check(MU),
    "a strategy": check(MU, witness=True),
    "demand": check("EF n = 9", engine="demand", witness=True),
    "certificate": check("AG n != 2", certify=True),
    "a definition": check("EF high"),
    "misspelled": check(parse("EF hihg")),
    "a start": check("AX n = 4", starts=["3,6"]),
    "digest": lambda model: model.digest,
    "about": about,
    "repr": repr,
    "labels": lambda model: sorted(model.label_names),
    "pickled": lambda model: pickle.loads(pickle.dumps(model)).digest,
    "statistics": lambda model: model.listed().statistics.as_dict(),
    "explained": lambda model: [
        (str(e.formula), str(e.truth)) for e in explain_at(model, "EF (n = 3 & high)")
    ],
    "states": lambda model: pigro.satisfying(model, "n = 9").truth(
        "9,9" if "19" in model.document.text.text else "9,12"
    ),
}
COMPOSED = ("AG a.n >= 0", "EF v < 50")


def compared(fresh, questions, seed):
    """Asks in an order that the seed gives. Verdicts are written after all questions were asked."""
    print(f"seed {seed}")
    rng = random.Random(seed)
    subject, names = fresh(), list(questions) * 2
    rng.shuffle(names)
    answers = [(name, questions[name](subject)) for name in names]
    rng.shuffle(answers)
    for name, answer in answers:
        expected = questions[name](fresh())
        assert final(answer) == final(expected), (name, names)


def final(answer):
    if isinstance(answer, tuple) and isinstance(answer[0], pigro.Verdict):
        return told(answer[0]), *answer[1:]
    return answer


@pytest.mark.parametrize("seed", ORDERS)
@pytest.mark.parametrize("text", [SMALL, LARGE], ids=["small", "large"])
def test_modules(text, seed):
    compared(lambda: smv.read(text.encode()), OF_MODELS, seed)


@pytest.mark.parametrize("seed", ORDERS)
def test_models_of_one_document(seed):
    """Each question is asked of a model of its own, and all models are of one document."""

    def fresh():
        document = smv.SmvDocument(LARGE.encode())
        return document.model

    questions = {name: lambda model, ask=ask: ask(model()) for name, ask in OF_MODELS.items()}
    compared(fresh, questions, seed)


@pytest.mark.parametrize("seed", ORDERS)
def test_pushdown_systems(seed):
    formulas = ["EF b", "AG (a -> EX b)", "G F a", "E [G F b]", "nu X. <> X"]
    questions = {each: check(each, witness=True) for each in formulas}
    questions |= {f"plain {each}": check(each) for each in formulas}
    questions |= {
        "digest": lambda model: model.digest,
        "about": about,
        "labels": lambda model: list(model.label_ids),
    }
    compared(lambda: pds.read(PDS), questions, seed)


class Counter:
    """A Python object."""

    initial = 0

    def successors(self, state):
        return [(state + 1) % 50, (state + 7) % 50]

    def labels(self, state):
        return ["big"] if state > 30 else []


@pytest.mark.parametrize("seed", ORDERS)
def test_python_objects(seed):
    formulas = ["EF big", "AG !big", "G F big", "F big", "E [F (big & X !big)]", "AG EF big"]

    def asked(formula):
        def answer(system):
            verdict = pigro.check(system, formula)
            return verdict.outcome, verdict.reason, str(verdict.trace()), verdict.stats.states

        return answer

    compared(Counter, {each: asked(each) for each in formulas}, seed)


PARTS = """MODULE tank(d) VAR v : 0..300; ASSIGN init(v) := 0; next(v) := v < 300 ? v + 1 : 0;
MODULE main VAR v : 0..300; ASSIGN init(v) := 0; next(v) := v < 300 ? v + 1 : 0; SPEC AG v >= 0
"""


@pytest.mark.parametrize("seed", ORDERS)
def test_parts(seed):
    def asked(formula, **how):
        def answer(parts):
            verdict = pigro.compose_check(parts, formula, **how)
            return verdict.outcome, verdict.reason, verdict.details.decided_by

        return answer

    questions = {
        "CTL": asked('EF "v = 50"'),
        "mu-calculus": asked('mu X. "v = 7" | <> X'),
        "symbolic": asked('EF "v = 50"', method="symbolic"),
        "labels": lambda parts: parts.parts[0].atoms,
        "about": about,
        "states": lambda parts: parts.states,
    }
    compared(lambda: pigro.Composition(parts_of_modules(PARTS.encode()).parts), questions, seed)


# The rows of the table in the design of state spaces: each was different after another question.


@pytest.fixture
def model():
    return smv.read(LARGE.encode())


def test_the_engine_is_the_same_after_states_were_listed(model):
    _ = model.listed()
    assert pigro.check(model, "EF n = 9").engine == "onthefly"
    assert pigro.check(model, MU).engine == "game"
    assert pigro.check(model, "EF n = 9").engine == "onthefly"


def test_the_digest_is_that_of_the_text(model):
    before = model.digest
    _ = model.listed()
    assert model.digest == before


def test_node_numbers_are_those_of_the_verdict():
    model = smv.read(LARGE.replace("? n + 1", "? {n + 1, (n + 2) mod 1000}").encode())
    pigro.check(model, "E [X n = 2 & F n = 4]", witness=True)
    verdict = pigro.check(model, "AX n != 1", witness=True)
    assert [state.node for state in verdict.evidence.path.states] == [1, 2]


RUN = ["main:0,3", "main:1,4", "main:2,5"]


def test_the_json_of_a_verdict_is_the_same_whenever_it_is_written(model):
    verdict = pigro.check(model, "AG n != 2", witness=True)
    before = written(verdict)
    pigro.check(model, MU, witness=True)
    assert written(verdict) == before
    assert [row["name"] for row in before["tables"]["nodes"]] == RUN
    assert pigro.validate(model, evidence_document(verdict)).accepted


def test_initial_states_are_those_of_the_verdict():
    model = smv.read(MANY_STARTS.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = pigro.check(model, "AG n != 2", witness=True)
        before, description = written(first), about(model)
        pigro.check(model, "n != 999", witness=True)
        pigro.check(model, "EG n != 100", witness=True)
        assert (written(first), about(model)) == (before, description)
    assert len(before["model"]["initial"]) == 1


def test_labels_of_parts_are_those_of_the_file():
    document = smv.SmvDocument(PARTS.encode(), lists=False)
    before = smv.formulas.ModuleFormulas(document, "main").labels
    document.formula("EF v < 50")
    assert smv.formulas.ModuleFormulas(document, "main").labels == before


def test_warnings_are_about_what_the_question_met():
    model = smv.read(MANY_STARTS.encode())
    _, quiet = check("k = 0")(model)
    _, loud = check("EG n < 1000")(model)
    _, again = check("k = 0")(model)
    assert (quiet, len(loud), again) == ([], 1, [])
    assert "no successor" in loud[0]


def test_a_verdict_that_travelled_names_the_same_states(model):
    for formula in ("AG n != 2", "G n != 2"):
        verdict = pigro.check(model, formula, witness=True)
        pigro.check(model, "AG n != 7", witness=True)
        copy = pickle.loads(pickle.dumps(verdict))
        assert isinstance(copy.subject, SubjectSummary)
        assert shown(copy) == RUN, "also without its model"
        again = copy.on(smv.read(LARGE.encode()))
        assert again == verdict
        assert shown(again) == RUN
        assert told(again) == told(verdict)


def test_a_verdict_about_the_list_travels_too(model):
    verdict = pigro.check(model, MU, witness=True)
    again = pickle.loads(pickle.dumps(verdict)).on(smv.read(LARGE.encode()))
    assert again == verdict
    assert told(again) == told(verdict)


def test_a_verdict_about_another_model_is_refused(model):
    other = smv.read(LARGE.replace("n > 900", "n > 901").encode())
    for formula in ("AG n != 2", MU):
        with pytest.raises(pigro.UsageError, match="about another model"):
            pigro.check(model, formula).on(other)


def test_a_misspelled_label_lists_no_states(model, monkeypatch):
    monkeypatch.setattr(ComponentSpace, "__init__", None)  # which lists them
    with pytest.warns(UnknownLabelWarning, match='did you mean "high"'):
        verdict = pigro.check(model, parse("EF hihg"))
    assert verdict.engine == "onthefly"


@pytest.mark.parametrize("text", [SMALL, LARGE], ids=["small", "large"])
def test_faults_of_the_file_do_not_depend_on_its_model(text):
    """A condition without a value in some state."""
    document = smv.SmvDocument(f"{text}SPEC AG 5 / n < 9\n".encode())
    before = [str(each) for each in document.faults]
    model = document.model()
    assert [str(each) for each in document.faults] == before
    assert len(model.listed().core.successors(0)) == 1, "the states are listed"
    assert [str(each) for each in document.faults] == before
    with pytest.raises(pigro.InputError, match="division by zero"):
        pigro.check(model, parse('EF "5 / n < 9"'), engine="demand")


# Verdicts on a list of the states were about labels that the list did not have.


@pytest.mark.parametrize(
    "how",
    [{"engine": name} for name in ENGINES if name != "random"]
    + [{"certify": True, "verify": True}, {"starts": ["main:2,5"]}],
    ids=str,
)
def test_the_list_of_states_has_the_conditions_of_formulas(model, how):
    assert pigro.check(model, "EF n = 9", **how).holds is True
    assert pigro.check(model, "EF n = 9 & n = 10", **how).holds is False


def test_other_questions_about_the_list(model):
    assert pigro.check(model, MU).holds
    found = pigro.satisfying(model, "n = 9")
    assert ([], "9,12") in found
    assert str(explain_at(model, "n = 9", "9,12")[0].truth) == "holds"


def test_all_formulas_of_a_question_are_about_the_same_states(model):
    verdicts = pigro.check_all(model, ["EF n = 9", MU, "AG n != 2"], witness=True)
    assert [each.engine for each in verdicts] == ["demand", "game", "demand"]
    assert all(each.subject.is_listed for each in verdicts)


def test_a_page_of_several_verdicts_names_the_states_of_each(model):
    """In one document, a state that two runs share has one number."""
    outcome = ask(
        prepare(Request(model, ("AG n != 2", "AG n != 4", "E [F n = 3]"), witness="full"))
    )
    for verdict in outcome.verdicts:
        assert shown(verdict)[:3] == RUN
        assert "0,3" in verdict_html(verdict)


# Threads


def test_threads_share_a_document():
    """Four threads ask one document 1,000 questions: the answers are those of one after the other."""
    rng = random.Random(START)
    print(f"seed {START}")
    text = LARGE.replace("999", "499").replace("900", "400")
    pool = [
        f"{path} {condition}"
        for path in ("AG", "EF", "AF", "EG", "E G", "F", "G")
        for condition in ("n < 30", "k != 9", "high", "n + k = 25", "n * 2 > k", "(n = 4 | k = 5)")
    ]
    pool += [parse(f'mu X. "{each}" | <> X') for each in ("n = 4", "n + k = 9", "k = 8")]
    asked = [(rng.choice(pool), rng.random() < 0.3) for _ in range(1000)]
    single = smv.SmvDocument(text.encode())
    known = {each: answered(single, each) for each in set(asked)}
    document = smv.SmvDocument(text.encode())
    found, errors = {}, []

    def work(mine):
        try:
            for at in range(mine, len(asked), 4):
                found[at] = answered(document, asked[at])
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert len(found) == len(asked)
    for at, each in enumerate(asked):
        assert found[at] == known[each], each


def answered(document, asked):
    formula, witness = asked
    verdict = pigro.check(document.model(), formula, witness=witness)
    return told(verdict)
