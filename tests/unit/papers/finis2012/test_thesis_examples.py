"""The examples of [Finis2012], rebuilt from its text: the figures are lost in our copy.

Labels and edges that the text states are as stated. The rest is chosen so that everything the text says
about the example is true. Asserted is only what the text states. Thesis calls become boxes of the same
name, and a thesis exit location is the exit. What follows the call follows the box's return node.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from pigro.logic import existential_normal_form, parse
from pigro.logic.normal import EG
from pigro.papers.finis2012 import INCREMENTAL
from pigro.papers.finis2012.basic import BASIC, BasicCheck
from pigro.papers.finis2012.context import RmvRequest
from pigro.papers.finis2012.engine import by_component
from pigro.papers.finis2012.fixpoint import label_by_fixpoint
from pigro.papers.finis2012.knowledge import KNOWLEDGE, KnowledgeCheck
from pigro.papers.finis2012.local import ContextLabels, F, M, T, check_locally
from pigro.papers.finis2012.refinement import RefinementCheck
from pigro.papers.finis2012.structure import structures_of

from oracle import contexts
from oracle.bounded import unfolded
from oracle.machine import TERMINATED, initial_states, labels, steps
from oracle.notation import machine_from
from support.agreement.ctl import as_model, to_oracle

CALL_CONTEXTS = """
A >a1 a5:p a6:p a7:p,q a8>
  box a2 = B
  box a3 = B
  box a4 = B
  a1 -> a2.b1 a3.b1 a4.b1
  a2.b3 -> a5
  a3.b3 -> a6
  a4.b3 -> a7
  a5 -> a5
  a6 -> a8
  a7 -> a7
B >b1 b3>:p
  box b2 = B
  b1 -> b2.b1 b3
  b2.b3 -> b3
"""
"""Fig. 3.1 (section 3.3.1). Reconstructed: that a1 leads to the three calls, b1 to b2 and b3, and that
b3 and a8 are the exits."""

THREE_ITERATIONS = """
A >a1:p a4:p a5>:p
  box a2 = B
  box a3 = B
  a1 -> a2.b1 a3.b1
  a2.b3 -> a5
  a3.b3 -> a4
  a4 -> a4
B >b1:p b3>:p
  box b2 = A
  b1 -> b2.a1 b3
  b2.a5 -> b3
"""
"""Fig. 3.3 and 3.5. Reconstructed: the edges out of a1 and b1."""

ENDLESS = """
A >a1:p a3>:q
  box a2 = A
  a1 -> a2.a1
  a2.a3 -> a3
"""
"""Fig. 3.6. Reconstructed: that a3 is the exit, with label q."""

LABELS_FIRST = """
A >a1:q a3>
  box a2 = B
  a1 -> a2.b1 a3
  a2.b3 -> a3
B >b1:p b3>
  box b2 = A
  b1 -> b2.a1 b3
  b2.a3 -> b3
"""
"""Fig. 3.7(a). Reconstructed: the edges from a1 to a3 and from b1 to b3, which table 3.1 needs."""

LABELS_LAST = """
C >c1 c3>:q
  box c2 = D
  c1 -> c2.d1 c3
  c2.d3 -> c3
D >d1 d3>:p
  box d2 = C
  d1 -> d2.c1 d3
  d2.c3 -> d3
"""
"""Fig. 3.7(b), likewise."""

INCREMENT = """
A >a1:p a3:p
  box a2 = B
  a1 -> a2.b1 a3
  a2.b3 -> a3
  a3 -> a3
B >b1:p b3>:q
  box b2 = C
  b1 -> b2.c1 b3
  b2.c4 -> b3
C >c1:p c2:p c4>
  box c3 = D
  c1 -> c1 c2
  c2 -> c3.d1
  c3.d2 -> c4
D >d1 d2>
  d1 -> d2
"""
"""Fig. 4.1 (section 4.3). Reconstructed: the exits, c4, and D, which the thesis leaves out."""

NESTED = [
    "EF p",
    "EF (q & EF p)",
    "EF (p & EF (q & EF p))",
    "EF (q & EF (p & EF (q & EF p)))",
    "EF (p & EF (q & EF (p & EF (q & EF p))))",
]


def basic_on(text, formula):
    model = as_model(machine_from(text))
    structures = structures_of(model)
    question = RmvRequest(model, existential_normal_form(parse(formula)))
    first = model.core.component(model.initial[0])
    return model, BasicCheck(structures, [first], question, tick=lambda: None)


def names(model, shape):
    return [model.names.components[each.component] for each in shape.structures]


def last_summary(text, formula):
    """What `basic` finds out about the outermost operator, and the components that it labels."""
    model, basic = basic_on(text, formula)
    basic.label_all()
    summary = basic.summaries[max(basic.summaries)]
    return summary, names(model, summary.shape)


def column(pair):
    """The labels of the declared nodes, which come first."""
    letters = {F: "f", M: "m", T: "t"}
    count = min(pair.structure.calls)
    return "".join(letters[label] for label in pair.row[:count])


def holds(text, formula):
    machine = machine_from(text)
    model, asked = as_model(machine), parse(formula)
    found = {engine(model, asked).holds for engine in (INCREMENTAL, BASIC)}
    found.add(contexts.decide(machine, to_oracle(formula)))
    assert len(found) == 1
    return found.pop()


def test_call_contexts_of_one_formula():
    """Section 3.3.1: three equivalence classes of call stacks for EG p, one of A, two of B."""
    model, basic = basic_on(CALL_CONTEXTS, "EG p")
    assert Counter(names(model, basic.label_all().shape)) == {"A": 1, "B": 2}


def test_call_contexts_of_a_nested_formula():
    """Section 3.3.1: five classes, of which theta_3 and theta_5 differ in the assumption about q alone.

    Assumptions about labels are left out here, as section 5.4 of the thesis suggests: these two are one.
    """
    model, basic = basic_on(CALL_CONTEXTS, "E [(EG p) U q]")
    assert Counter(names(model, basic.label_all().shape)) == {"A": 1, "B": 3}


def test_three_iterations():
    """Section 3.5: in the first, seven locations get labels, then a1, then b1 under f."""
    summary, components = last_summary(THREE_ITERATIONS, "EG p")
    assert components == ["A", "B"]
    assert len(summary.checks) == 3
    assert [column(pair) for pair in (*summary.low, *summary.high)] == ["ttf", "tf", "ttt", "tt"]


def test_remaining_maybes():
    """Section 3.5: endless recursion; a1 is labelled by the last step, t for EG p and f for E[p U q]."""
    assert holds(ENDLESS, "EG p") is True
    assert holds(ENDLESS, "E [p U q]") is False


def test_nested_formulas_hold():
    """Section 3.6: the formula holds in both, and so do its temporal subformulas."""
    for formula in NESTED:
        assert holds(LABELS_FIRST, formula) is True
        assert holds(LABELS_LAST, formula) is True


def test_table_3_1_and_3_2():
    for formula in NESTED[:2]:
        summary, components = last_summary(LABELS_FIRST, formula)
        assert components == ["A", "B"]
        assert [column(pair) for pair in summary.low] == ["tf", "tf"]
        assert [column(pair) for pair in summary.high] == ["tt", "tt"]
        assert len(summary.checks) == 2


def test_contexts_do_not_grow_when_labels_come_first():
    assert [len(last_summary(LABELS_FIRST, formula)[0].low) for formula in NESTED] == [2] * 5


def test_table_3_3():
    summary, components = last_summary(LABELS_LAST, NESTED[0])
    assert components == ["C", "D"]
    assert [column(pair) for pair in summary.low] == ["tf", "tt"]
    assert [column(pair) for pair in summary.high] == ["tt", "tt"]
    assert len(summary.checks) == 2


def test_table_3_4():
    """Four pairs of sub-structure and lower context are visited, in this order: f, f, t, t."""
    summary, components = last_summary(LABELS_LAST, NESTED[1])
    assert components == ["C", "D", "C", "D"]
    assert [column(pair) for pair in summary.low] == ["tf", "tf", "tt", "tf"]
    assert [column(pair) for pair in summary.high] == ["tt"] * 4
    assert len(summary.checks) == 3


def test_table_5_1():
    """Tables 3.5 and 5.1: visited are (C, ff), (D, ff), (C, ft), (D, tt), (C, tt). Ten pairs.

    Four iterations, and 10 + 2 + 1 + 1 = 14 local checks with back-pointers instead of 40.
    """
    summary, components = last_summary(LABELS_LAST, NESTED[2])
    assert components == ["C", "D", "C", "D", "C"]
    assert [column(pair) for pair in summary.low] == ["tf", "tf", "tf", "tt", "tf"]
    assert [column(pair) for pair in summary.high] == ["tt"] * 5
    assert summary.checks == [10, 2, 1, 1]


def test_contexts_and_iterations_grow_linearly_when_labels_come_last():
    """Section 3.6: the chain of contexts gets one step longer with each further EF."""
    found = [last_summary(LABELS_LAST, formula)[0] for formula in NESTED[2:]]
    assert [len(summary.low) for summary in found] == [5, 6, 7]
    assert [len(summary.checks) for summary in found] == [4, 5, 6]


def test_order_of_incremental_checking():
    """Section 4.3, figure 4.2: arrows 1 to 9 (the text uses number 9 twice); D is never visited."""
    model = as_model(machine_from(INCREMENT))
    structures = structures_of(model)
    normal = existential_normal_form(parse("E [(EG p) U q]"))
    seen = []
    refinement = RefinementCheck(structures, RmvRequest(model, normal), lambda: None, seen.append)
    root = structures[model.core.component(model.initial[0])]
    assert refinement.decide(root, [model.initial[0] - root.first]) == [True]

    def words(visit):
        formula = str(normal.to_formula(visit.formula))
        component = model.names.components[visit.component]
        return visit.how, component, formula, "fully" if visit.fully else "partly"

    assert [words(visit) for visit in seen] == [
        ("start", "A", "E [EG p U q]", "partly"),
        ("vertical", "A", "EG p", "fully"),
        ("vertical", "A", "p", "fully"),
        ("vertical", "A", "q", "fully"),
        ("horizontal", "B", "E [EG p U q]", "partly"),
        ("vertical", "B", "EG p", "fully"),
        ("vertical", "B", "p", "fully"),
        ("horizontal", "C", "EG p", "partly"),
        ("vertical", "C", "p", "fully"),
        ("vertical", "B", "q", "fully"),
    ]


@pytest.mark.parametrize("engine", [INCREMENTAL, BASIC], ids=lambda engine: engine.name)
def test_what_the_incremental_example_says(engine):
    model = as_model(machine_from(INCREMENT))
    assert engine(model, parse("E [(EG p) U q]")).holds is True


# --- The same in the semantics of the thesis, by the algorithm of chapter 3 ---------------------------


def knowledge_on(text, formula):
    """The components, calls and all that is known about a formula, in the semantics `rmv`."""
    model = as_model(machine_from(text, semantics="rmv"))
    knowledge = KnowledgeCheck(
        structures_of(model),
        RmvRequest(model, existential_normal_form(parse(formula))),
        lambda: None,
    )
    knowledge.decide(by_component(model))
    return model, knowledge


def classes(text, formula):
    """The classes of call stacks: component, and the assumptions from the formula down, as t and f."""
    model, knowledge = knowledge_on(text, formula)
    found = []
    for pair in knowledge.classes(by_component(model)):
        name = model.names.components[pair.structure.component]
        assumed = sorted(knowledge.assumed(pair).items(), reverse=True)
        found.append((name, "".join("t" if value else "f" for _, value in assumed)))
    return found


def trace(engine, text, formula, semantics="rmv"):
    model = as_model(machine_from(text, semantics=semantics))
    verdict = replace(engine, trace=True)(model, parse(formula))
    return verdict.details.steps


def sequence(text, formula):
    """The visited pairs of the whole formula. Assumptions in the order of the thesis, without m."""
    whole = str(existential_normal_form(parse(formula)).to_formula())
    return [
        (step.instance, "".join(value[0] for _, _, value in step.context))
        for step in trace(KNOWLEDGE, text, formula)
        if step.action == "visit" and step.formula == whole
    ]


def iterations(text, formula, kept):
    """The last table: (component, assumptions about `kept`, location) to label and iteration."""
    whole = str(existential_normal_form(parse(formula)).to_formula())
    found = {}
    for step in trace(KNOWLEDGE, text, formula):
        if step.action == "label" and step.formula == whole:
            assumed = {part: value[0] for _, part, value in step.context}
            context = "".join(assumed[part] for part in kept if part in assumed)
            for node in step.nodes:
                found[context, node] = f"{step.value[0]}({step.reason.removeprefix('iteration ')})"
    return found


def test_figure_3_1_has_three_and_five_classes():
    """Section 3.3.1: three for EG p. Five for E[(EG p) U q], whose theta_3 and theta_5 differ in q alone."""
    assert classes(CALL_CONTEXTS, "EG p") == [("A", "ff"), ("B", "tt"), ("B", "ft")]
    found = classes(CALL_CONTEXTS, "E [(EG p) U q]")  # assumptions: the whole, q, EG p, p
    assert sorted(found) == sorted(
        [("A", "ffff"), ("B", "fftt"), ("B", "ffft"), ("B", "tttt"), ("B", "tftt")]
    )


def test_figure_3_3_has_five_context_pairs():
    """Section 3.4: (A, ff), (A, ft), (A, tt), (B, ft), (B, tt). The first is that of the initial call."""
    assert sorted(classes(THREE_ITERATIONS, "EG p")) == [
        ("A", "ft"),
        ("A", "tt"),
        ("A_initial", "ff"),
        ("B", "ft"),
        ("B", "tt"),
    ]


def test_eg_p_is_false_at_a5_in_the_initial_context():
    model, knowledge = knowledge_on(THREE_ITERATIONS, "EG p")
    [root, *_] = knowledge.classes(by_component(model))
    at = {
        name: root.row[model.find(f"A_initial:{name}") - root.structure.first]
        for name in ("a1", "a4", "a5")
    }
    assert at == {"a1": T, "a4": T, "a5": F}


def test_collected_contexts():
    """Section 3.4: (A, tff) -> (B, mft) -> (A, mft) -> (B, mtt) -> (A, mtt) for !EG p.

    The initial call of A has no return here, so it has no assumptions.
    """
    assert sequence(THREE_ITERATIONS, "!EG p") == [
        ("A_initial", ""),
        ("B", "ft"),
        ("A", "ft"),
        ("B", "tt"),
        ("A", "tt"),
    ]


def test_iterations_of_figure_3_5():
    """Section 3.5: b1 and a1 under f are labelled last; in A, that is a matter of the initial call too."""
    found = iterations(THREE_ITERATIONS, "EG p", ["EG p"])
    assert {found[context, node] for context in "ft" for node in ("A:a1",)} == {"t(2)"}
    assert found["f", "B:b1"] == "t(3)"
    assert found["t", "B:b1"] == "t(1)"
    assert found["f", "A:a5"] == "f(1)"


@pytest.mark.parametrize(
    ("formula", "kept", "table"),
    [
        (NESTED[0], 1, {"d1": "t(1)", "d3": "t(1)", "c1": "t(2)", "c3": "f(1)"}),
        (NESTED[1], 2, {"d1": "t(2)", "d3": "f(1)", "c1": "t(3)", "c3": "f(1)"}),
        (NESTED[2], 3, {"d1": "t(3)", "d3": "f(1)", "c1": "t(4)", "c3": "f(1)"}),
    ],
    ids=["table 3.3", "table 3.4", "table 3.5"],
)
def test_iterations_of_the_tables(formula, kept, table):
    """The first column of each table: all assumptions are false. C is labelled for the initial call."""
    parts = [str(existential_normal_form(parse(each)).to_formula()) for each in NESTED[:kept]]
    found = iterations(LABELS_LAST, formula, parts[::-1])
    for node, label in table.items():
        context, name = ("", f"C_initial:{node}") if node[0] == "c" else ("f" * kept, f"D:{node}")
        assert found[context, name] == label, node


def test_iterations_of_tables_3_1_and_3_2():
    """Table 3.2 prints the numbers of table 3.1 again. The text below it says the opposite of a1 and b1.

    q and EF p hold in a1, consequently the formula holds in b1 by the call of A: b1 comes second.
    """
    outer, inner = (
        str(existential_normal_form(parse(each)).to_formula()) for each in NESTED[1::-1]
    )
    first = iterations(LABELS_FIRST, NESTED[0], [inner])
    assert [first["", f"A_initial:{node}"] for node in ("a1", "a3")] == ["t(2)", "f(1)"]
    assert [first["f", f"B:{node}"] for node in ("b1", "b3")] == ["t(1)", "f(1)"]
    assert [first["t", f"B:{node}"] for node in ("b1", "b3")] == ["t(1)", "t(1)"]
    second = iterations(LABELS_FIRST, NESTED[1], [outer, inner])
    assert [second["", f"A_initial:{node}"] for node in ("a1", "a3")] == ["t(1)", "f(1)"]
    assert [second["ff", f"B:{node}"] for node in ("b1", "b3")] == ["t(2)", "f(1)"]
    assert [second["tf", f"B:{node}"] for node in ("b1", "b3")] == ["t(1)", "t(1)"]


def test_the_whole_of_table_3_5():
    """All columns that are collected for called components."""
    parts = [str(existential_normal_form(parse(each)).to_formula()) for each in NESTED[:3]]
    found = iterations(LABELS_LAST, NESTED[2], parts[::-1])
    expected = {
        "C:c1": {"fft": "t(2)", "ftt": "t(2)", "tft": "t(1)", "ttt": "t(1)"},
        "C:c3": {"fft": "f(1)", "ftt": "f(1)", "tft": "t(1)", "ttt": "t(1)"},
        "D:d1": {"fff": "t(3)", "ftt": "t(1)", "tff": "t(1)", "ttt": "t(1)"},
        "D:d3": {"fff": "f(1)", "ftt": "t(1)", "tff": "t(1)", "ttt": "t(1)"},
    }
    for node, columns in expected.items():
        assert {context: label for (context, at), label in found.items() if at == node} == columns


def test_trace_of_figure_4_2():
    """The order of visits of `incremental`, as `--trace` tells it."""
    found = [
        (step.reason, step.instance, step.formula)
        for step in trace(INCREMENTAL, INCREMENT, "E [(EG p) U q]")
        if step.action == "visit"
    ]
    assert found == [
        ("start, partly", "A", "E [EG p U q]"),
        ("vertical, fully", "A", "EG p"),
        ("vertical, fully", "A", "p"),
        ("vertical, fully", "A", "q"),
        ("horizontal, partly", "B", "E [EG p U q]"),
        ("vertical, fully", "B", "EG p"),
        ("vertical, fully", "B", "p"),
        ("horizontal, partly", "C", "EG p"),
        ("vertical, fully", "C", "p"),
        ("vertical, fully", "B", "q"),
    ]


def test_trace_of_basic():
    """Table 3.3 again, in the standard semantics: c1 under f is labelled in iteration 2."""
    found = {
        (step.nodes, step.value, step.reason, step.context[0][2])
        for step in trace(BASIC, LABELS_LAST, NESTED[0], semantics="standard")
        if step.action == "label"
    }
    assert (("C:c1",), "true", "iteration 2", "false") in found
    assert (("C:c3",), "false", "iteration 1", "false") in found


@pytest.mark.parametrize("engine", [INCREMENTAL, BASIC, KNOWLEDGE], ids=lambda engine: engine.name)
def test_all_examples_in_the_semantics_of_the_thesis(engine):
    for text in (CALL_CONTEXTS, THREE_ITERATIONS, ENDLESS, LABELS_FIRST, LABELS_LAST, INCREMENT):
        machine = machine_from(text, semantics="rmv")
        model = as_model(machine)
        for formula in ("EG p", "E [(EG p) U q]", "!EG p", "AF !p", "EX EX !p", *NESTED):
            assert engine(model, parse(formula)).holds is contexts.decide(
                machine, to_oracle(formula)
            )


# --- Other figures ------------------------------------------------------------------------------------

CTL_EXAMPLE = """
K top:p,r left:p,r middle:p bottom:q,r right:s
  top -> left middle
  left -> bottom
  middle -> bottom
  bottom -> bottom right
  right -> right
"""
"""Fig. 2.2. Reconstructed from the nine formulas that the text decides."""

THREE_FUNCTIONS = """
M >m2 m3 m4 m5>
  box m2c = A
  box m4c = A
  m2 -> m2c.a2
  m2c.a4 -> m3
  m3 -> m4
  m4 -> m4c.a2
  m4c.a4 -> m5
A >a2 a3 a4>
  box a3c = B
  a2 -> a3
  a3 -> a3c.b2
  a3c.b5 -> a4
B >b2 b3 b5>
  b2 -> b3 b5
  b3 -> b5
"""
"""Fig. 2.5, as its text lists it."""

CONTEXT_OF_A_CALL = """
X >x1 x2:{} x3
  box x = A
  x1 -> x.a1
  x.a3 -> x2
  x2 -> {}
  x3 -> x3
A >a1 a3>:p
  box a2 = B
  a1 -> a2.b1
  a2.b2 -> a3
B >b1 b2>
  b1 -> b2
"""
"""Fig. 3.2: A, which the imaginary X calls; {} are the label of x2 and what follows it."""


def test_figure_2_2():
    formulas = {
        "AX p": True, "EX p": True, "A [p U q]": True, "EG r": True, "EG p": False,
        "AF q": True, "AF s": False, "AX AX EG q": True, "A [p U E [q U s]]": True,
    }  # fmt: skip
    machine = machine_from(CTL_EXAMPLE)
    assert {each: contexts.decide(machine, to_oracle(each)) for each in formulas} == formulas
    for engine in (INCREMENTAL, BASIC, KNOWLEDGE):
        assert {each: engine(as_model(machine), parse(each)).holds for each in formulas} == formulas


PROGRAM = {
    "M": ["int main(){", "int x = a(2);", "x += 2;", "x = a(x);", 'printf("%d", x);', "}"],
    "A": ["int a(int i){", "int x = 3 + i;", "x = b(x);", "return x;", "}"],
    "B": ["int b(int i){", "if(i > 3){", "i = 0;", "}", "return i;", "}"],
}
"""Fig. 2.3, by lines."""


@pytest.mark.parametrize("name", PROGRAM)
def test_the_program_of_figure_2_3(name):
    """States are named after statements (section 2.4), calls after the location before them."""
    component = machine_from(THREE_FUNCTIONS).component[name]
    lines = {f"{name.lower()}{number}": line for number, line in enumerate(PROGRAM[name], 1)}
    statements = [at for at, line in lines.items() if line != "}"]
    assert [node.name for node in component.nodes] == statements[1:]
    calls = {
        f"{at}c": text[1] for at, line in lines.items() if (text := re.search(r"= ([ab])\(", line))
    }
    assert {box.name: box.component.lower() for box in component.boxes} == calls


def test_the_unfolding_of_figure_2_4():
    """The second call of a repeats all states of a, and of b, which it calls."""
    machine = machine_from(THREE_FUNCTIONS, semantics="rmv")
    numbers, _ = unfolded(machine, initial_states(machine), 100)
    found = Counter(node for _, node in numbers)
    once = dict.fromkeys(["m2", "m3", "m4", "m5", TERMINATED[1]], 1)
    assert found == once | dict.fromkeys(["a2", "a3", "a4", "b2", "b3", "b5"], 2)


def test_the_path_of_figure_2_5():
    """Section 2.4: a complete path, with the stacks in the thesis but for c_in, and the end."""
    machine = machine_from(THREE_FUNCTIONS, semantics="rmv")
    first, second = ("M", "m2c"), ("M", "m4c")
    inner = ("A", "a3c")
    path = [
        ((), "m2"), ((first,), "a2"), ((first,), "a3"), ((first, inner), "b2"),
        ((first, inner), "b5"), ((first,), "a4"), ((), "m3"), ((), "m4"),
        ((second,), "a2"), ((second,), "a3"), ((second, inner), "b2"), ((second, inner), "b3"),
        ((second, inner), "b5"), ((second,), "a4"), ((), "m5"), TERMINATED, TERMINATED,
    ]  # fmt: skip
    assert all(after in steps(machine, state) for state, after in pairwise(path))
    assert steps(machine, TERMINATED) == [TERMINATED]
    assert labels(machine, TERMINATED) == ()


@pytest.mark.parametrize(
    ("label", "follows", "formula", "given", "found"),
    [
        ("p", "x2", "EG p", "tt", "tt"),
        ("p", "x3", "EG p", "ft", "ft"),
        ("q", "x2", "EG q", "tt", "ff"),
    ],
)
def test_contexts_of_the_call_in_figure_3_2(label, follows, formula, given, found):
    """Section 3.3.3: cc for <t>EG<t>p, <f>EG<t>p and <t>EG<t>q."""
    all_classes = classes(CONTEXT_OF_A_CALL.format(label, follows), formula)
    assert ("A", given) in all_classes
    assert ("B", found) in all_classes


ASSOCIATED = """
X >x1:p x3>:p
  box x2 = X
  x1 -> x2.x1
  x2.x3 -> x3
"""
"""Fig. 3.4. Reconstructed: the edges, and that both locations carry p."""


@pytest.mark.parametrize(("psi", "entry"), [("p", M), ("EG p", F)])
def test_the_associated_structure_of_figure_3_4(psi, entry):
    """Section 3.5.1: x1 and x3 keep the labels of psi. The call and omega, eta here, are open.

    For psi = EG p, the text assumes that EG p is false at x1.
    """
    model = as_model(machine_from(ASSOCIATED))
    structure = structures_of(model)[0]
    x1, x3 = structure.entry, structure.exit
    (call,) = structure.calls
    given = bytearray([M]) * structure.width
    given[x1], given[x3] = T if psi == "p" else F, T
    low, high = (ContextLabels(structure, EG, eta) for eta in (F, T))
    for pair in (low, high):
        pair.psi = given[:]
        pair.aim(call, low, high)
        check_locally(pair, lambda: None)
        assert (pair.row[x1], pair.row[call], pair.row[x3]) == (entry, M, pair.eta)
    label_by_fixpoint(dict.fromkeys((low, high), (x1, call, x3)), lambda: None)
    for pair in (low, high):
        assert pair.row[call] == pair.row[x1] == (T if psi == "p" else F)
        assert pair.psi == given
