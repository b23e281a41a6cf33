"""The words of evidence mean what is true, on all small structures."""

from __future__ import annotations

import re
from itertools import chain, islice

import pytest

from pigro import check, compose_check
from pigro.evidence import Evidence, RunEvidence, State
from pigro.evidence.kinds import ShownEvidence
from pigro.evidence.lines import words_for
from pigro.evidence.strategy.lines import strategy_lines
from pigro.logic import existential_normal_form, parse
from pigro.logic.normal import EX
from pigro.render.html import render_html

from oracle.star_lasso import holds_on, lassos
from oracle.star_structures import all_structures
from oracle.star_tableau import decide
from support.agreement.ctl import as_kripke
from support.judges.sentences import is_true
from support.judges.star_decider import as_oracle

CTL = [f"{one} {two} p" for one in "AE" for two in "XFG"]
CTL += [f"{one} [p {two} q]" for one in "AE" for two in "UWR"]
PATHS = ["G F p", "F G p", "p U (q U p)", "F p & G q", "(F p) R q"]
LONGEST = 1000


def small(dead_ends):
    """All structures of up to two states."""
    return chain(*(all_structures(count, ("p", "q"), dead_ends) for count in (1, 2)))


def with_all_labels(structures):
    """Those with every label: others would give a warning."""
    return (each for each in structures if {"p", "q"} <= set().union(*each.labels))


def wording(formula, kind):
    return words_for(ShownEvidence(None, formula, True, kind), LONGEST)


def words_of(claim):
    """A claim without what is said about its proof."""
    return re.sub(r" \((proved|decided).*", "", claim)


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("text", CTL)
def test_a_claim_is_true_just_where_its_operator_is_false(text, dead_ends):
    form, words = existential_normal_form(parse(text)), wording(parse(text), Evidence)
    parts = [part for part, op in enumerate(form.ops) if op >= EX]
    some_of_three = islice(all_structures(3, ("p", "q"), dead_ends), 0, None, 197)
    structures = [*small(dead_ends), *some_of_three]
    for part in parts:
        claim = words_of(words.claim(Evidence(part, False, State((), 0), "claim")))
        asked = as_oracle(form.to_formula(part))[-1]
        for structure in structures:
            assert is_true(claim, structure) is (0 not in decide(structure, asked)), claim


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("quantifier", ["A", "E"])
@pytest.mark.parametrize("path", PATHS)
def test_a_claim_about_path_formulas(path, quantifier, dead_ends):
    formula = parse(f"{quantifier} [{path}]")
    at = RunEvidence(len(formula) - 1, quantifier == "A", State((), 0), "claim")
    claim = words_of(wording(formula, RunEvidence).claim(at))
    for structure in small(dead_ends):
        holds = 0 in decide(structure, as_oracle(formula)[-1])
        assert is_true(claim, structure) is (holds is at.truth), claim


def every(evidence):
    """A tree of evidence as a list."""
    found = [evidence]
    for each in found:  # grows while we walk
        found += each.parts
    return found


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("text", CTL)
def test_sentences_about_real_verdicts_are_true(text, dead_ends):
    """Claims in text and in HTML, and what runs are said to be for."""
    for structure in islice(with_all_labels(small(dead_ends)), 0, None, 7):
        model = as_kripke(structure)
        verdict = check(model, text, certify=True)
        words = words_for(verdict.shown, LONGEST)
        page = render_html(model, [verdict]).decode()
        for each in every(verdict.evidence):
            state = structure.names.index(model.node_name(each.state.node).partition(":")[2])
            if each.kind == "claim":
                assert is_true(words_of(words.claim(each)), structure, state)
                assert words.claim(each).replace('"', '\\"') in page
            elif each.kind == "path":
                before, told, after = words.purpose(each)
                assert (before, after) == (" for ", "")
                assert state in decide(structure, as_oracle(parse(told))[-1])


@pytest.mark.parametrize("quantifier", ["A", "E"])
@pytest.mark.parametrize("path", PATHS)
def test_a_run_does_what_it_is_said_to_do(path, quantifier):
    for structure in islice(with_all_labels(small("stutter")), 0, None, 3):
        model = as_kripke(structure)
        verdict = check(model, f"{quantifier} [{path}]", witness=True)
        for each in every(verdict.evidence):
            if each.path is None:
                continue
            before, told, after = words_for(verdict.shown, LONGEST).purpose(each)
            body = as_oracle(parse(told))[-1]
            wanted = {(" with ", ""): body, (" on which ", " fails"): ("not", body)}[before, after]
            for states, loop in told_runs(structure, model, each.path):
                assert holds_on(wanted, [set(structure.labels[state]) for state in states], loop)


def told_runs(structure, model, path):
    """The run that a path tells. Where it is cut short, all that begin so."""
    names = [model.node_name(state.node).partition(":")[2] for state in path.states]
    states = tuple(structure.names.index(name) for name in names)
    if path.ends == "here":
        runs = lassos(structure, states[0], len(states) + 2)
        return [run for run in runs if run[0][: len(states)] == states]
    return [(states, len(states) - 1 if path.ends == "stays" else path.start)]


@pytest.mark.parametrize("text", CTL)
def test_lines_of_strategies_are_true(text):
    from pigro.model.kripke_part import part_of

    for structure in islice(with_all_labels(small("stutter")), 0, None, 9):
        model = as_kripke(structure)
        part = part_of(model, stutter=True)
        verdict = compose_check([part], text, witness=True)
        for line in strategy_lines(verdict.subject, verdict.evidence, None)[1:]:
            found = re.match(r"kripke=(\S+?): (.+?) (?:(holds|fails)(?:,|$)|is (true|false))", line)
            assert found, line
            there = model.with_initial([model.find(found[1])])
            true = (found[3] or found[4]) in ("holds", "true")
            assert check(there, found[2]).holds is true, line
