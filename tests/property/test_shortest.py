"""Runs that are called shortest are: a plain search over states, level by level, finds none before."""

from dataclasses import replace
from random import Random

from pigro.engines.native import DEMAND
from pigro.evidence import State, Steps, evidence_of
from pigro.logic import parse

from oracle.generate import PROFILES, random_machine
from support.agreement.ctl import as_model
from support.selection.cases import FEW_CASES, number_of_cases, seeds

PROVING = replace(DEMAND, certify=True, shortest=True)
FORMULAS = {
    "EF p": (None, {"p"}),
    "E [p U q]": ({"p"}, {"q"}),
    "E [r U (p & q)]": ({"r"}, {"p", "q"}),
    "EF (p & q)": (None, {"p", "q"}),
    "EF rare": (None, {"rare"}),
}
CASES = number_of_cases("PIGRO_SHORTEST_CASES", 600)


def test_shortest_runs_are_shortest():
    compared = longer = 0
    for seed in seeds(CASES):
        shape = PROFILES[sorted(PROFILES)[seed % len(PROFILES)]]
        model = as_model(random_machine(Random(seed), shape))
        carried = labels_of(model)
        verdicts = PROVING.check_all(model, [parse(text) for text in FORMULAS])
        for verdict, (through, goal) in zip(verdicts, FORMULAS.values(), strict=True):
            evidence = evidence_of(verdict.certificate)
            if evidence.path is None:
                continue
            assert evidence.path.shortest
            length = len(evidence.path.states)
            start = evidence.state
            assert distance(Steps(model), carried, start, through, goal, length) == length - 1
            compared += 1
            longer += length > 4
    assert FEW_CASES or (compared, longer) > (500, 100)


def labels_of(model):
    found = {}
    for label, number in model.label_ids.items():
        for node in model.core.labelled(number):
            found.setdefault(node, set()).add(label)
    return lambda state: found.get(model.core.subject(state.node), set())


def distance(steps, labels, start, through, goal, limit):
    """The fewest steps to a state with all labels of `goal`, by states with those of `through`."""
    level = {State((), start.node)}
    seen = set(level)
    for length in range(limit):
        if any(goal <= labels(state) for state in level):
            return length
        allowed = [state for state in level if through is None or through <= labels(state)]
        level = {after for state in allowed for after in steps.next(state)} - seen
        seen |= level
    return None
