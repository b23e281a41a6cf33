"""Figure 3 of [Bhat1995]: numbers, valid sets, starting points, and components that fail late."""

import pytest

from pigro.engines.onthefly.search import OPTIMISTIC, AssertionProof, ProofSearch, StackAssertion
from pigro.engines.onthefly.system import ExploredSystem
from pigro.logic import parse
from pigro.logic.positive import positive_form

from support.agreement.systems import Graph

PAPER_IS_WRONG = "i:p,q > a; a:p,q > b d e; b:p,q > c a; c:p,q > b; d:p > c; e:q > a"
"""d and e can be visited again and again. So neither F G q nor F G p holds on every run."""


def search_of(graph, formula):
    form = positive_form(parse(formula))
    return ProofSearch(ExploredSystem(Graph(graph)), form, lambda: None)


def verdict(graph, formula):
    search = search_of(graph, formula)
    return search.holds(search.form.root)


class Traced(AssertionProof):
    """Notes the valid set of each assertion when it is entered, and what later happens to it."""

    def __init__(self, *args):
        self.log = []
        super().__init__(*args)

    def _enter(self, goal, inherited):
        super()._enter(goal, inherited)
        self.note("enter", self.path[-1])

    def _follow(self, top, goal):
        before = self.visited.get(goal)
        follows = super()._follow(top, goal)
        if isinstance(before, StackAssertion):
            kind = "back" if before in self.path else "cross"
            self.note(f"{kind} edge to {before.dfsn} from", top)
        return follows

    def _leave(self):
        done = self.path[-1]
        before = len(self.stack)
        super()._leave()
        self.note("leave" if len(self.stack) == before else "pop", done)

    def note(self, what, at):
        state = self.search.explored.states[at.goal[0]]
        self.log.append((what, at.dfsn, state, at.low, sorted(at.valid.values())))


def trace(graph, formula):
    search = search_of(graph, formula)
    proof = Traced(search, (0, search.rules.body(search.form.root)), OPTIMISTIC, {})
    assert proof.advance() is None
    return proof.log, not proof.path


def test_a_starting_point_is_inherited():
    """G p on a loop of two states: valid since number 1, and so the component is successful."""
    log, holds = trace("a:p > b; b:p > a", "A [G p]")
    assert holds
    assert log == [
        ("enter", 1, "a", 1, [1]),  # {G p}
        ("enter", 2, "a", 2, []),  # {p}, true by Bhat1
        ("pop", 2, "a", 2, []),
        ("enter", 3, "a", 3, [1]),  # {X G p}
        ("enter", 4, "b", 4, [1]),
        ("enter", 5, "b", 5, []),
        ("pop", 5, "b", 5, []),
        ("enter", 6, "b", 6, [1]),
        ("back edge to 1 from", 6, "b", 1, [1]),
        ("leave", 6, "b", 1, [1]),
        ("leave", 4, "b", 1, [1]),
        ("leave", 3, "a", 1, [1]),
        ("pop", 1, "a", 1, [1]),
    ]


def test_a_starting_point_begins_anew_where_the_formula_was_not_valid():
    """F G p: each state begins with a new G p, so what was valid at its beginning is not around it."""
    log, holds = trace("a > a", "A [F G p]")
    assert not holds
    assert log == [
        ("enter", 1, "a", 1, []),  # {F G p}
        ("enter", 2, "a", 2, [2]),  # {G p, X F G p}
        ("enter", 3, "a", 3, []),  # {p, X F G p}
        ("enter", 4, "a", 4, []),  # {X F G p}
        ("back edge to 1 from", 4, "a", 1, []),
    ]
    log, holds = trace("a > b; b:p > b", "A [F G p]")
    assert holds
    assert ("enter", 5, "b", 5, []) in log, "with {F G p}"
    assert ("enter", 6, "b", 6, [6]) in log


def test_a_component_without_release_formulas_fails_at_its_first_edge_back():
    log, holds = trace("a > a b; b:p > b", "A [F p]")
    assert not holds
    assert log == [
        ("enter", 1, "a", 1, []),
        ("enter", 2, "a", 2, []),
        ("enter", 3, "a", 3, []),
        ("back edge to 1 from", 3, "a", 1, []),
    ]


def test_a_component_is_found_unsuccessful_only_at_the_second_edge_back():
    """The loop by b refutes F G q alone, the one by c F G p alone. Both together refute both."""
    graph = "i:p,q > a; a:p,q > b c; b:p > a; c:q > a"
    assert verdict(graph, "A [F G p | F G q]") is False
    assert verdict(graph.replace("b c", "b"), "A [F G p | F G q]") is True
    assert verdict(graph.replace("b c", "c"), "A [F G p | F G q]") is True
    log, _ = trace(graph, "A [F G p | F G q]")
    edges = [valid for what, *_, valid in log if " edge " in what]
    assert edges[-1] == []
    assert all(edges[:-1])
    assert len(edges) > 1


def test_a_cross_edge_into_an_open_component_closes_a_cycle():
    """c leads back to a by way of b, which was left before."""
    graph = "i:p,q > a; a:p,q > b c; b:p > a; c:q > b"
    assert verdict(graph, "A [F G p | F G q]") is False
    log, _ = trace(graph, "A [F G p | F G q]")
    assert log[-1][0].startswith("cross edge to ")
    assert log[-1][-1] == []


def test_a_cross_edge_into_a_complete_component_is_no_cycle():
    graph = "a:p > b c; b:p > b; c > b"
    assert verdict(graph, "A [F G p]") is True
    log, _ = trace(graph, "A [F G p]")
    assert not any(" edge " in what and state == "c" for what, _, state, *_ in log)


def test_what_a_part_of_the_component_refutes_is_not_valid_further_on():
    """The loop by b takes F G q away from a, before c inherits what is valid there."""
    log, holds = trace("i:p,q > a; a:p,q > b c; b:p > a; c:p,q > a", "A [F G p | F G q]")
    assert holds
    last = [valid for what, _, state, _, valid in log if " edge " in what and state == "c"]
    assert all(len(valid) == 1 for valid in last)


def test_a_valid_set_is_taken_over_in_the_whole_component():
    """Of d, and its cross edge to c, figure 3 takes nothing over to a: c has a higher low number."""
    assert verdict(PAPER_IS_WRONG, "A [F G p | F G q]") is False


def test_figure_3_as_printed_would_be_wrong(monkeypatch):
    def as_printed(self):
        done = self.path.pop()
        if self.path and done.low <= self.path[-1].dfsn:
            self.path[-1].low = min(self.path[-1].low, done.low)
            self.path[-1].valid = done.valid
        while done.low == done.dfsn:
            proved = self.stack.pop()
            self.visited[proved.goal] = True
            if proved is done:
                return

    monkeypatch.setattr(AssertionProof, "_leave", as_printed)
    assert verdict(PAPER_IS_WRONG, "A [F G p | F G q]") is True


def test_all_on_the_stack_is_false_when_a_proof_fails():
    """And known to be so: what is asked about these states later is found in F."""
    search = search_of("a:p > b; b:p > a c; c", "A [G p]")
    root = search.form.root
    assert search.holds(root) is False
    visited = search.assertions
    assert search.holds(root, 1) is False
    assert search.holds(root, 2) is False
    assert search.assertions == visited


def test_what_was_proved_is_known():
    search = search_of("a:p > b; b:p > a", "A [G p]")
    assert search.holds(search.form.root) is True
    visited = search.assertions
    assert search.holds(search.form.root, 1) is True
    assert search.assertions == visited


@pytest.mark.parametrize(
    "graph, formula, holds",
    [
        ("a:p > b; b > a", "A [G F p]", True),
        ("a:p > b; b > a b", "A [G F p]", False),
        ("a:p > b; b > a b", "E [G F p]", True),
        ("a > b; b:p > b", "A [F G p]", True),
        ("a > a b; b:p > b", "A [F G p]", False),
        ("a > a b; b:p > b", "AF AG p", False),
        ("a:p > a b; b > c; c:p > c", "A [F G p]", True),
        ("a:p > a b; b > c; c:p > c", "AF AG p", False),
        ("a > b; b:p > a c; c:q > c", "A [G F p | F q]", True),
        ("a > b; b:p > a c; c:q > c", "A [G F p | G F q]", True),
        ("a > b; b:p > a c; c:q > c a", "E [G F p & G F q]", True),
        ("a:p > b; b:q > a", "A [p U q | G p]", True),
        ("a:p > a b; b:q > a", "A [p W q]", True),
        ("a:p > a b; b:q > a", "A [p U q]", False),
        ("a:p > b; b:p,q > c; c > c", "A [q R p]", True),
        ("a:p > b; b:p > c; c:q > c", "A [q R p]", False),
    ],
)
def test_verdict(graph, formula, holds):
    assert verdict(graph, formula) is holds
    assert verdict(graph, f"!({formula})") is not holds
