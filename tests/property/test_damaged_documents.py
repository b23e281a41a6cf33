"""No damaged document is accepted that says something false.

There are five kinds of documents: evidence of CTL with its certificate, runs of LTL and CTL*, strategies of
compositions, and the results of `check` and of `compose`. Each is damaged as JSON (tests/support/changes/documents.py), and
mostly what is easy to see is mended afterwards: names, texts, lists of subformulas. Judges
that know only the definitions decide whether it still says only true things (tests/support/judges/model_documents.py,
tests/support/judges/strategy_documents.py). At least PIGRO_DAMAGED false ones of each kind are made. PIGRO_DAMAGED_SEED gives
others. How many true ones are refused is printed: they lack a reason.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro import compose_check
from pigro.diagnostics import PigroError
from pigro.engines import ENGINES
from pigro.engines.onthefly import ONTHEFLY
from pigro.engines.proving import ProofOptions, with_evidence
from pigro.evidence.tree.following import evidence_of
from pigro.logic import existential_normal_form, parse
from pigro.logic.modal_text import modal_texts
from pigro.logic.printer import text_of
from pigro.render.text import CheckReport, TextStyle
from pigro.session.validating import validate

from oracle.bounded import TooLarge
from oracle.formula import to_text
from oracle.generate import LABELS, random_case, random_formula
from oracle.machine import to_json_dict
from oracle.mu_formula import Shape, random_mu, text
from oracle.mu_structures import KMTS, KRIPKE, THREE, names_in, random_lts, random_parts
from oracle.star_formula import random_star
from oracle.star_formula import to_text as star_text
from support.agreement.compositions import Case, composition_of
from support.agreement.ctl import as_model
from support.changes.documents import damaged, places
from support.evidence.documents import document_of, strategy_document
from support.judges.model_documents import ModelJudge
from support.judges.strategy_documents import StrategyJudge
from support.selection.cases import FEW_CASES, first_seed, number_of_cases

WANTED = number_of_cases("PIGRO_DAMAGED", 300)
FIRST = first_seed("PIGRO_DAMAGED_SEED")
OF_EACH = 40
POOL = 12
LARGEST = 30
"""Machines with more nodes are slow to judge."""

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


class Tally:
    """What became of the documents of one kind."""

    def __init__(self):
        self.false, self.accepted, self.crashes = 0, [], []
        self.other, self.why, self.alone = Counter(), Counter(), Counter()

    def take(self, wrong, said, kinds, where):
        """`wrong` is what the judge says, `said` what the replay does. None: nothing is wrong."""
        if said is not None and said.startswith("crash"):
            self.crashes.append(f"{where()}: {said}")
        if wrong is None:
            self.other["true, accepted" if said is None else "true, refused"] += 1
            return
        if wrong == "unreadable" or wrong.startswith("malformed"):
            self.other["unreadable, accepted" if said is None else "unreadable"] += 1
            if said is not None:
                return
        self.false += 1
        self.why[wrong] += 1
        if len(kinds) == 1:
            self.alone[kinds[0]] += 1
        if said is None:
            self.accepted.append(f"{kinds}, {wrong}: {where()}")

    def finish(self, kind):
        print(f"{kind}: {self.false} false, {len(self.accepted)} accepted; {dict(self.other)}")
        print(f"  what is false: {dict(self.why.most_common())}")
        print(f"  by one change: {dict(self.alone.most_common())}")
        assert not self.accepted, "\n".join(self.accepted[:3])
        assert not self.crashes, "\n".join(self.crashes[:3])
        assert FEW_CASES or self.other["true, accepted"], "the judge calls everything false"


def said_of(subject, file):
    """What the command says: None if it ends with 0."""
    try:
        found = validate(subject, file)
        against = [each.problem or each.word for each in found.findings if each.counts_against]
    except PigroError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - all are told
        return f"crash: {type(error).__name__}: {error}"
    return against[0] if against else None


# --- models -----------------------------------------------------------------------------------------


def mended(rng, model, whole):
    """Faults that are easy to see are put right: names of states, texts of subformulas, reasons."""
    if rng.random() < 0.3:
        return
    for at in [whole, *(place.value for place in places(whole))]:
        if not isinstance(at, dict):
            continue
        try:
            _mend(model, at)
        except (
            PigroError,
            KeyError,
            TypeError,
            IndexError,
            ValueError,
            AttributeError,
            OverflowError,
        ):
            continue


def _mend(model, at):
    core = model.core
    if {"number", "name", "labels"} <= set(at) and 0 <= at["number"] < core.nodes:
        at["name"] = model.node_name(at["number"])
        subject = core.subject(at["number"])
        at["labels"] = [
            name for name, label in model.label_ids.items() if subject in core.labelled(label)
        ]
    elif {"number", "name"} <= set(at):
        names, box = model.names, at["number"]
        at["name"] = f"{names.components[core.box_component(box)]}:{names.boxes[box]}"
    if at.get("schema") in ("pigro.evidence/2", "pigro.run/2"):
        formula = parse(at["formula"])
        form = existential_normal_form(formula) if formula.is_ctl else None
        for place in places(at["evidence"], "evidence"):
            if place.key == "formula":
                part = place.holder["part"]
                place.put(str(form.readable(part)) if form else text_of(formula, part))


def of_ctl(model, formulas):
    engine = with_evidence(ENGINES["demand"], ProofOptions(shortest=True))
    verdicts = [engine(model, parse(each)) for each in formulas]
    return [replace(each, evidence=evidence_of(each.certificate)) for each in verdicts]


def of_runs(model, formulas):
    engine = replace(ONTHEFLY, show=True)
    return [engine(model, parse(each)) for each in formulas]


def as_document(verdict):
    return json.loads(document_of(verdict))


def star_formulas(rng, count):
    found = []
    while len(found) < count:
        asked = star_text(random_star(rng, LABELS, rng.randint(2, 5)))
        if not parse(asked).is_ctl:
            found.append(asked)
    return found


def machine_of(rng, seed):
    case = random_case(seed)
    if sum(len(part.nodes) for part in case.machine.components) > LARGEST:
        return None
    return case.machine


def evidence_of_ctl(rng, seed):
    machine = machine_of(rng, seed)
    if machine is None:
        return None
    formulas = [to_text(random_formula(rng)) for _ in range(3)]
    return machine, [as_document(each) for each in of_ctl(as_model(machine), formulas)], ()


def evidence_of_runs(rng, seed):
    machine = machine_of(rng, seed)
    model = None if machine is None else as_model(machine)
    if model is None or model.statistics.recursive:
        return None
    verdicts = of_runs(model, star_formulas(rng, 3))
    return machine, [as_document(each) for each in verdicts], ()


def results(rng, seed):
    """Of formulas of both kinds, one of them maybe from elsewhere, and maybe one unknown."""
    machine = machine_of(rng, seed)
    if machine is None:
        return None
    model = as_model(machine)
    found = of_ctl(model, [to_text(random_formula(rng)) for _ in range(2)])
    core = model.core
    declared = [core.node_of_declared(number) for number in range(core.declared_nodes)]
    if rng.random() < 0.4:
        elsewhere = model.with_initial(rng.sample(declared, min(len(declared), rng.randint(1, 3))))
        found += of_ctl(elsewhere, [to_text(random_formula(rng))])
    if not model.statistics.recursive:
        found += of_runs(model, star_formulas(rng, 1))
    style = TextStyle(statistics=rng.random() < 0.3, witness="full")
    whole = json.loads(CheckReport(model, style, form="json").render(found))
    if rng.random() < 0.2:
        row = rng.choice(whole["results"])
        if len(whole["results"]) > 1:
            row.pop("evidence")
            row.update(verdict="unknown", reason="no verdict within 1 s")
    return machine, [whole], RESULT_CHANGES


def without_evidence(rng, whole):
    row = rng.choice(whole["results"])
    row.pop("evidence", None)
    if rng.random() < 0.7:
        row["verdict"] = "fails" if row["verdict"] == "holds" else "holds"
    return True


def other_verdict(rng, whole):
    """In a result and in its evidence."""
    row = rng.choice(whole["results"])
    row["verdict"] = "fails" if row["verdict"] == "holds" else "holds"
    row["evidence"]["verdict"] = row["verdict"]
    return True


def evidence_of_another(rng, whole):
    one, other = rng.choice(whole["results"]), rng.choice(whole["results"])
    one["evidence"] = json.loads(json.dumps(other["evidence"]))
    if rng.random() < 0.5:
        one.update({key: other[key] for key in ("formula", "verdict") if rng.random() < 0.5})
    return one is not other


def other_initial(rng, whole):
    names = [
        place.value for place in places(whole) if place.key == "name" and ":" in str(place.value)
    ]
    if not names:
        return False
    holder = whole["model"] if rng.random() < 0.7 else rng.choice(whole["results"])
    holder["initial"] = rng.sample(names, min(len(names), rng.randint(1, 2)))
    return True


def other_reading(rng, whole):
    key, words = rng.choice(
        (("semantics", ("standard", "rsmcheck")), ("dead_ends", ("stutter", "stop", "error")))
    )
    whole["model"][key] = rng.choice([word for word in words if word != whole["model"][key]])
    return True


def _safe(change):
    def safe(rng, whole):
        try:
            return change(rng, whole)
        except (KeyError, TypeError, IndexError, AttributeError):
            return False

    safe.__name__ = change.__name__
    return safe


RESULT_CHANGES = tuple(
    map(_safe, (without_evidence, other_verdict, evidence_of_another, other_initial, other_reading))
)


@pytest.mark.parametrize("kind", [evidence_of_ctl, evidence_of_runs, results])
def test_documents_about_models(kind, tmp_path):
    tally, pool, seed = Tally(), [], FIRST
    model_file, file = tmp_path / "model.rsm", tmp_path / "why.json"
    while tally.false < WANTED:
        seed += 1
        rng = Random(seed)
        made = kind(rng, seed)
        if made is None:
            continue
        machine, documents, changes = made
        model, judge = as_model(machine), ModelJudge(machine)
        model_file.write_text(json.dumps(to_json_dict(machine)))
        try:
            for each in documents:
                assert judge.wrong(each) is None, f"seed {seed}: {judge.wrong(each)}"
                file.write_text(json.dumps(each))
                said = said_of(model_file, file)
                assert said is None, f"seed {seed}: {said}"
            pool = (pool + documents)[-POOL:]
            for _ in range(OF_EACH):
                spoiled, kinds = damaged(rng, rng.choice(documents), pool, changes)
                mended(rng, model, spoiled)
                if spoiled in documents:
                    continue
                wrong = judge.wrong(spoiled)
                file.write_text(json.dumps(spoiled))
                said = said_of(model_file, file)
                told = lambda: f"seed {seed}: {json.dumps(spoiled)[:3000]}"  # noqa: B023, E731
                tally.take(wrong, said, kinds, told)
        except TooLarge:
            continue
    tally.finish(kind.__name__)


# --- compositions -----------------------------------------------------------------------------------

SHAPES = (KRIPKE, KMTS, THREE)
MOST_STATES = 40


def composition_case(rng, seed):
    parts = (random_lts if seed % 2 else random_parts)(rng, SHAPES[seed % len(SHAPES)])
    system = composition_of(parts)
    if system.states > MOST_STATES:
        return None
    atoms, actions = names_in(parts)
    formulas = [
        random_mu(
            rng, atoms, rng.randint(1, 9), actions=actions, shape=Shape(ctl=rng.choice((0, 0.3)))
        )
        for _ in range(2)
    ]
    methods = ("concrete", "full", "refine", "refine-one")[: 4 if system.is_concrete else 2]
    found = [
        compose_check(system, parse(text(each)), method=rng.choice(methods), witness=True)
        for each in formulas
    ]
    return Case(parts, formulas[0]), system, found


def strategies(rng, seed):
    made = composition_case(rng, seed)
    if made is None:
        return None
    case, system, found = made
    shown = [each.evidence for each in found if each.evidence is not None]
    return case, system, [json.loads(strategy_document(system, each)) for each in shown]


def results_of_compositions(rng, seed):
    made = composition_case(rng, seed)
    if made is None or all(each.evidence is None for each in made[2]):
        return None
    case, system, found = made
    report = CheckReport(system, TextStyle(witness="full"), form="json")
    return case, system, [json.loads(report.render(found))]


def mended_strategies(rng, whole):
    """The list of subformulas is what claims and moves speak of, with their texts."""
    if rng.random() < 0.3:
        return
    for at in [whole, *(place.value for place in places(whole))]:
        if isinstance(at, dict) and at.get("schema") == "pigro.strategy/1":
            try:
                claims = [claim for layer in at["layers"] for claim in layer["claims"]]
                used = {claim["formula"] for claim in claims}
                used |= {claim["move"]["formula"] for claim in claims if claim["move"]}
                texts = modal_texts(parse(at["formula"]), dead_ends=at["dead_ends"])
                at["subformulas"] = [{"number": each, "text": texts[each]} for each in sorted(used)]
            except (PigroError, KeyError, TypeError, IndexError, AttributeError, AssertionError):
                continue


@pytest.mark.parametrize("kind", [strategies, results_of_compositions])
def test_documents_about_compositions(kind, tmp_path):
    tally, pool, seed = Tally(), [], FIRST
    file = tmp_path / "why.json"
    while tally.false < WANTED:
        seed += 1
        rng = Random(seed)
        made = kind(rng, seed)
        if made is None or not made[2]:
            continue
        case, system, documents = made
        judge = StrategyJudge(case.parts)
        for each in documents:
            assert judge.wrong(each) is None, f"seed {seed}: {judge.wrong(each)}"
            file.write_text(json.dumps(each))
            said = said_of(system, file)
            shown = all(
                "evidence" in row for row in each.get("results", ()) if row["verdict"] != "unknown"
            )
            assert (said is None) is shown, f"seed {seed}: {said}"
        pool = (pool + documents)[-POOL:]
        changes = RESULT_CHANGES[:3] if kind is results_of_compositions else ()
        for _ in range(OF_EACH):
            spoiled, kinds = damaged(rng, rng.choice(documents), pool, changes)
            mended_strategies(rng, spoiled)
            if spoiled in documents:
                continue
            wrong = judge.wrong(spoiled)
            file.write_text(json.dumps(spoiled))
            said = said_of(system, file)
            told = lambda: f"seed {seed}: {json.dumps(spoiled)[:3000]}"  # noqa: B023, E731
            tally.take(wrong, said, kinds, told)
    tally.finish(kind.__name__)
