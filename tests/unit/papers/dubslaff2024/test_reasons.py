"""What is known survives from one expansion to the next, and nothing else is found than anew."""

import sys

import pytest

from benchmarks.generators.models import permutations
from pigro.engines import with_options
from pigro.formats import rsm_json
from pigro.logic import parse, read_formulas
from pigro.logic.simplify import EG, EU, EX
from pigro.papers.dubslaff2024 import (
    EAGER,
    LAZY,
    expansion,
    fixpoints,
    instances,
    refine,
)
from pigro.papers.dubslaff2024.shape import bits

from oracle.formula import to_text
from oracle.generate import random_case
from support.agreement.ctl import as_model
from support.samples.shared_files import java


def program(name):
    model = rsm_json.read(java(name, ".rsm"))
    return model, read_formulas(java(name, "_single_usedef.ctl"))[0][1]


def random_questions(count):
    for seed in range(count):
        case = random_case(seed)
        yield as_model(case.machine), parse(to_text(case.formula))


def calls_made(engine, model, formula):
    """How many functions Python has called."""
    made = 0

    def count(_frame, event, _argument):
        nonlocal made
        made += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        engine(model, formula)
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize("name", ["avroraReg", "avroraELF"])
def test_lazy_does_less_than_eager(name):
    """2.9 and 1.9 times as many calls when each search and each run began anew."""
    model, formula = program(name)
    LAZY(model, formula)  # so that the shape is read
    assert calls_made(LAZY, model, formula) < calls_made(EAGER, model, formula)


def test_counts_are_those_of_searches_that_begin_anew():
    verdict = LAZY(*program("avroraReg"))
    assert verdict.holds is False
    assert (verdict.stats.contexts, verdict.stats.passes) == (141, 1971)


def is_unknown(instance, node, formula):
    return instance.unknown(formula) >> node & 1


def returns_of(each, exit_):
    """For each caller that counts its return node. None: it has none."""
    for caller, site in each.callers:
        if site.reached:
            listed = site.listed >> exit_ & 1
            yield caller, site, site.start + site.exits.index(exit_) if listed else None


def is_reason(graph, pair):
    """Whether a caller knows more at the exit than a cycle would give."""
    each, node, formula = pair
    cycle = {EU: False, EG: True}.get(graph.question.form.ops[formula])
    for caller, site, _ in returns_of(each, node):
        sure, may = graph.returned(caller, site, formula)
        truth = True if sure >> node & 1 else None if may >> node & 1 else False
        if truth is not None and truth is not cycle:
            return True
    return False


def hangs_on(graph, pair):
    """The table of expansion.py, one step for each pair."""
    each, node, formula = pair
    form, body = graph.question.form, each.body
    op, left, right = form.ops[formula], form.left[formula], form.right[formula]
    if op >= EX and body.exits >> node & 1:
        found = [(caller, at, formula) for caller, _, at in returns_of(each, node) if at]
    elif op >= EX and body.calls >> node & 1:
        slot, entry = body.called[node]
        found = [(each.callee[slot], entry, formula)]
    elif op == EX:
        found = [(each, to, left) for to in body.successors[node] or [node]]
    elif op < EX:
        found = [(each, node, operand) for operand in (left, right) if operand >= 0]
    else:
        operands = [operand for operand in (right, left) if operand >= 0]
        found = [(each, node, one) for one in operands if is_unknown(each, node, one)][:1]
        found = found or [(each, to, formula) for to in body.successors[node]]
    return [one for one in found if is_unknown(*one)]


def search_anew(graph):
    """The pairs that the initial nodes hang on, and those of them that are reasons."""
    last = len(graph.question.form) - 1
    starts = [(graph.roots[root], node, last) for root, node in graph.starts]
    waiting = [pair for pair in starts if is_unknown(*pair)]
    seen = dict.fromkeys(waiting)
    exits = []
    for pair in waiting:  # grows while we walk
        each, node, formula = pair
        if graph.question.form.ops[formula] >= EX and each.body.exits >> node & 1:
            exits.append(pair)
        for other in hangs_on(graph, pair):
            if other not in seen:
                seen[other] = None
                waiting.append(other)
    return seen, [pair for pair in exits if is_reason(graph, pair)]


@pytest.fixture
def compared(monkeypatch):
    """Compares each search with one that begins anew, in Python. Returns what was found."""
    next_box = expansion.ExpansionSearch.next_box
    found = []

    def checked(self):
        graph = self._instances
        seen, reasons = search_anew(graph)
        box = next_box(self)
        found.append(box)
        if box is None:
            assert reasons == []
            assert seen.keys() == {
                (each, node, formula)
                for formula, nodes in self.pairs.items()
                for each, visited in nodes.items()
                for node in bits(visited)
            }
        else:
            callee = box.caller.callee[box.site.slot]
            assert is_reason(graph, (callee, box.exits.bit_length() - 1, box.formula))
        return box

    monkeypatch.setattr(expansion.ExpansionSearch, "next_box", checked)
    return found


def test_searches_find_reasons_exactly_if_there_are_any(compared):
    for model, formula in random_questions(150):
        LAZY(model, formula)
    assert sum(each is None for each in compared) > 10
    for exits in (3, 4, 5):
        LAZY(permutations(exits), parse("AG (EF EG p | EF EG !p)"))
    assert sum(each is not None for each in compared) > 20


def test_searches_of_a_program(compared):
    LAZY(*program("avroraMedTest"))
    assert None in compared
    compared.clear()
    model, formula = program("dataflow")
    LAZY(model, formula)


def holds_now(graph, formula, pair, found, values):
    """Whether the formula holds at an unknown node by `found`. Values are `sure` or `may`."""
    (each, node), form = pair, graph.question.form
    left = values(each, form.left[formula]) >> node & 1
    right = values(each, form.right[formula]) >> node & 1
    if each.body.calls >> node & 1:
        slot, entry = each.body.called[node]
        callee = each.callee[slot]
        if callee in found:
            return found[callee] >> entry & 1
        return values(callee, formula) >> entry & 1
    if each.body.exits >> node & 1:
        given = (each.given_sure if values is sure_of else each.given_may)[formula] >> node & 1
        if values is sure_of:
            return given or (right and not graph.printed)
        return given and (left or right or not graph.improved)
    return right or (left and any(found[each] >> to & 1 for to in each.body.successors[node]))


def sure_of(each, formula):
    return each.sure[formula]


def may_of(each, formula):
    return each.may[formula]


def least(graph, formula, values, unknown, found):
    """Adds unknown nodes to `found` until none is missing."""
    missing = True
    while missing:
        missing = [
            (each, node)
            for each, nodes in unknown.items()
            for node in bits(nodes & ~found[each])
            if holds_now(graph, formula, (each, node), found, values)
        ]
        for each, node in missing:
            found[each] |= 1 << node


def until_anew(graph, formula, group):
    """What the pessimistic and the optimistic run find, node by node."""
    unknown = {each: each.unknown(formula) for each in group}
    sure = {each: each.sure[formula] for each in group}
    least(graph, formula, sure_of, unknown, sure)
    unknown = {each: nodes & ~sure[each] for each, nodes in unknown.items()}
    may = dict(sure)
    least(graph, formula, may_of, unknown, may)
    return [(sure[each], may[each]) for each in group]


@pytest.fixture
def repeated(monkeypatch):
    """Compares each run for EU with one that begins anew, in Python."""
    until = fixpoints.until
    runs = []

    def checked(graph, formula, group):
        expected = until_anew(graph, formula, group)
        until(graph, formula, group)
        assert [(each.sure[formula], each.may[formula]) for each in group] == expected
        runs.append(len(group))

    monkeypatch.setattr(refine, "until", checked)
    return runs


@pytest.mark.parametrize("engine", [EAGER, LAZY], ids=lambda engine: engine.name)
@pytest.mark.parametrize("variant", ["improved", "printed", "tool"])
def test_runs_find_what_plain_ones_find(repeated, engine, variant):
    run = with_options(engine, variant=variant)
    for model, formula in random_questions(100):
        run(model, formula)
    if variant == "improved":
        assert run(*program("avroraReg")).holds is False
    assert max(repeated) > 1


def test_instances_that_nothing_calls_are_dropped(monkeypatch):
    drop = instances.InstanceStore.drop_unreachable
    dropped = []

    def checked(self):
        before = len(self.live)
        drop(self)
        dropped.append(before - len(self.live))
        seen = dict.fromkeys(self.roots)
        waiting = list(seen)
        for each in waiting:
            new = [callee for callee in each.callee if callee not in seen]
            seen.update(dict.fromkeys(new))
            waiting += new
        assert seen.keys() == self.live.keys()

    monkeypatch.setattr(instances.InstanceStore, "drop_unreachable", checked)
    LAZY(*program("avroraReg"))
    for model, formula in random_questions(100):
        LAZY(model, formula)
    assert sum(dropped) > 20
