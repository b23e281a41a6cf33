"""The generators are reproducible, well-formed and make what they promise. The text and JSON
forms are as specified."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice, permutations

import pytest

from oracle import contexts, exhaustive, unfold
from oracle.exhaustive import FORMULAS, Size, all_machines
from oracle.formula import TEMPORAL, subformulas, to_text
from oracle.generate import PROFILES, RARE, random_case
from oracle.machine import Component, Machine, Ref, component_of, problems, to_json_dict
from oracle.notation import machine_from


def test_cases_are_reproducible() -> None:
    for seed in range(50):
        assert random_case(seed) == random_case(seed)
    assert random_case(0) != random_case(1)


@pytest.mark.parametrize("profile", PROFILES)
def test_random_machines_are_well_formed(profile: str) -> None:
    for seed in range(100):
        assert problems(random_case(seed, profile).machine) == []


def features(machine: Machine) -> set[str]:
    found = {machine.dead_ends, machine.semantics, f"components {len(machine.components)}"}
    initial = machine.component[machine.initial_component]
    start = [initial.node[name] for name in machine.initial_nodes]
    found |= (
        {"several initial"}
        if len(start) > 1
        else {"non-entry initial"}
        if not start[0].is_entry
        else set()
    )
    if any(n.is_entry and n.is_exit for n in initial.nodes):
        found.add("one-line initial")
    for c in machine.components:
        found |= {
            f"exits {sum(n.is_exit for n in c.nodes)}",
            f"entries {sum(n.is_entry for n in c.nodes)}",
        }
        targets = {target for _, target in c.edges}
        found |= {"rare"} if any(RARE in n.labels for n in c.nodes) else set()
        found |= (
            {"plain dead end"}
            if any(n.name not in c.targets and not n.is_exit for n in c.nodes)
            else set()
        )
        found |= {"into entry"} if any(n.is_entry and n.name in targets for n in c.nodes) else set()
        if any(isinstance(s, tuple) and isinstance(t, tuple) for s, t in c.edges):
            found.add("two calls in a row")
        for box in c.boxes:
            found |= box_features(machine, c, box.name, targets)
    graph = unfold.explore(machine, 6, 200)
    visited = {component_of(machine, stack).name for stack, _ in graph.states}
    if len(visited) < len(machine.components):
        found.add("unreached component")
    if any(isinstance(node, tuple) for _, node in graph.states):
        found.add("rsmcheck call")
    for i, (stack, node) in enumerate(graph.states):
        exit_below = (
            stack and isinstance(node, str) and component_of(machine, stack).node[node].is_exit
        )
        if exit_below and graph.next[i] in ([], [i]):
            found.add("stuck at an exit")
        found |= {"deep"} if len(stack) > 5 else set()
    return found


def box_features(machine: Machine, c: Component, name: str, targets: set[Ref]) -> set[str]:
    box, found = c.box[name], set()
    callee = machine.component[box.component]
    entries = {n.name for n in callee.nodes if n.is_entry}
    exits = {n.name for n in callee.nodes if n.is_exit}
    called = {e for e in box.call_nodes if (name, e) in targets}
    found |= {"self call"} if callee is c and called else set()
    found |= {"missing return"} if called and exits - set(box.return_nodes) else set()
    found |= (
        {"return dead end"}
        if called and any((name, e) not in c.targets for e in box.return_nodes)
        else set()
    )
    found |= {"fewer entries"} if entries - set(box.call_nodes) else set()
    found |= {"untargeted call"} if called and set(box.call_nodes) - called else set()
    found |= {"never called"} if not called else set()
    found |= {"one-line call"} if called & exits else set()
    return found


@pytest.mark.long
def test_random_cases_cover_what_they_promise() -> None:
    count: Counter[str] = Counter()
    for seed in range(1_500):
        case = random_case(seed)
        count.update(features(case.machine))
        count.update({f[0] for f in subformulas([case.formula])})
    wanted = [
        *TEMPORAL,
        "not",
        "and",
        "or",
        "implies",
        "true",
        "stop",
        "stutter",
        "standard",
        "rsmcheck",
        "rare",
    ]
    wanted += (
        [f"components {n}" for n in range(1, 13)] + [f"exits {n}" for n in range(9)] + ["entries 3"]
    )
    wanted += [
        "several initial",
        "non-entry initial",
        "one-line initial",
        "plain dead end",
        "into entry",
        "deep",
    ]
    wanted += [
        "two calls in a row",
        "unreached component",
        "rsmcheck call",
        "stuck at an exit",
        "self call",
    ]
    wanted += [
        "missing return",
        "return dead end",
        "fewer entries",
        "untargeted call",
        "never called",
        "one-line call",
    ]
    assert [name for name in wanted if count[name] < 5] == []


def test_formula_text() -> None:
    p, q = ("atom", "p"), ("atom", "q")
    assert to_text(("AU", p, ("not", q))) == "(A [p U (!q)])"
    assert to_text(("implies", ("EX", p), ("ER", ("true",), q))) == "((EX p) -> (E [true R q]))"
    assert to_text(("and", ("atom", "AX"), ("atom", 'a "b\\'))) == '("AX" & "a \\"b\\\\")'
    assert to_text(("or", ("atom", "a."), ("atom", "a.b#"))) == '("a." | a.b#)'


def test_json_form() -> None:
    machine = machine_from(
        "main  a:p  x>\n  box b = sub\n  a -> b.e x\n  b.m -> a\nsub  >e  >m>:q,r\n  e -> m\n"
    )
    data = to_json_dict(machine)
    assert json.loads(json.dumps(data)) == data
    assert (data["initial_component"], data["initial_node"]) == ("main", "a")
    main = data["components"][0]
    assert main["nodes"][0] == {"name": "a", "is_entry": False, "is_exit": False, "labels": ["p"]}
    assert main["boxes"] == [
        {"name": "b", "component": "sub", "call_nodes": ["e", "m"], "return_nodes": ["m"]}
    ]
    call, back = (
        {"type": "box_node", "node_name": "e", "box_name": "b"},
        {"type": "box_node", "node_name": "m", "box_name": "b"},
    )
    a, x = {"type": "node", "name": "a"}, {"type": "node", "name": "x"}
    assert main["transitions"] == [
        {"source": a, "targets": [call, x]},
        {"source": back, "targets": [a]},
    ]
    several = machine_from("main  a  b\n", initial=("a", "b"))
    assert to_json_dict(several)["initial_node"] == ["a", "b"]


@pytest.mark.parametrize(
    ("size", "count"),
    [
        (Size(components=1, nodes=2, exits=1, boxes=1, edges=4), 1_564),
        (Size(components=1, nodes=2, exits=2, boxes=1, edges=8), 2_892),
        (Size(components=1, nodes=2, exits=2, boxes=2, edges=4), 10_136),
    ],
)
def test_exhaustive_counts(size: Size, count: int) -> None:
    machines = list(all_machines(size))
    assert len(machines) == count
    assert all(problems(machine) == [] for machine in machines[::17])


def shape_key(machine: Machine, order: tuple[int, ...]) -> object:
    """The one component of the machine with its nodes renamed by `order`, box and entry listings
    left out.
    """
    c = machine.components[0]
    new = {f"n{i}": j for i, j in enumerate(order)}

    def ref(r: Ref) -> tuple[object, ...]:
        return (new[r],) if isinstance(r, str) else (r[0], new[r[1]])

    nodes = sorted((new[n.name], n.is_exit, n.labels) for n in c.nodes)
    edges = sorted((repr(ref(s)), repr(ref(t))) for s, t in c.edges)
    return repr(
        (
            nodes,
            edges,
            len(c.boxes),
            new[machine.initial_nodes[0]],
            machine.dead_ends,
            machine.semantics,
        )
    )


@pytest.mark.long
def test_exhaustive_machines_differ_up_to_renaming() -> None:
    keys = set()
    machines = list(all_machines(Size(components=1, nodes=3, exits=2, boxes=1, edges=3)))
    for machine in machines:
        orders = permutations(range(len(machine.components[0].nodes)))
        keys.add(min(str(shape_key(machine, order)) for order in orders))
    assert len(keys) == len(machines)


def test_exhaustive_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without breaking symmetries there are more machines, but up to renaming the same."""
    size = Size(components=1, nodes=3, exits=2, boxes=1, edges=2)

    def keys() -> list[str]:
        found = []
        for machine in all_machines(size):
            orders = permutations(range(len(machine.components[0].nodes)))
            found.append(min(str(shape_key(machine, order)) for order in orders))
        return found

    broken = keys()
    monkeypatch.setattr(exhaustive, "_renamings", lambda _skeleton, _start: [])
    everything = keys()
    assert len(everything) > len(broken)
    assert set(everything) == set(broken)


@pytest.mark.long
def test_exhaustive_agreement_sample() -> None:
    """Every 500th machine of two components: both procedures, all formulas of the list."""
    for machine in islice(
        all_machines(Size(components=2, nodes=2, exits=2, boxes=1, edges=4)), 0, None, 500
    ):
        verdicts = contexts.decide_many(machine, FORMULAS)
        for formula, verdict in zip(FORMULAS, verdicts, strict=True):
            assert unfold.decide(machine, formula, 6, 60) in (verdict, None), (machine, formula)
