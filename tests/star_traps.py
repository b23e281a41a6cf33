"""Small machines for CTL* on recursion; each is decided wrongly by an engine with the named mistake.

A machine is one text per component: its nodes by number (`>` entry, `!` exit, labels in brackets, one
letter each); the callees of its boxes b0, b1, ... (`-N`: exit N of the callee has no return node);
its edges, where `bI.N` is node N of the callee of box I. The first component's node 0 is the initial
node, unless others are given as component:node.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from oracle.machine import Box, Component, Machine, Node, problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.machine import Ref


class Trap(NamedTuple):
    """A formula on a machine, and whether it holds."""

    mistake: str
    formula: str
    holds: bool
    components: tuple[str, ...]
    options: str = ""

    @property
    def machine(self) -> Machine:
        """The machine, ready to be checked."""
        return machine_of(self.components, self.options)


def machine_of(components: Sequence[str], options: str = "") -> Machine:
    """Read the notation of the module's header."""
    nodes = [_nodes(text.split(";")[0]) for text in components]
    made = [_component(number, text, nodes) for number, text in enumerate(components)]
    starts = re.findall(r"(\d+):(\d+)", options) or [("0", "0")]
    machine = Machine(
        tuple(made),
        f"C{starts[0][0]}",
        tuple(f"n{node}" for _, node in starts),
        "stop" if "stop" in options else "stutter",
    )
    if problems(machine):
        raise ValueError(problems(machine))
    return machine


def _nodes(text: str) -> tuple[Node, ...]:
    found = re.findall(r"(\d+)(>?)(!?)(?:\[(\w+)\])?", text)
    return tuple(
        Node(f"n{number}", bool(entry), bool(leave), tuple(labels))
        for number, entry, leave, labels in found
    )


def _component(number: int, text: str, nodes: list[tuple[Node, ...]]) -> Component:
    _, callees, edges = text.split(";")
    boxes = tuple(_box(at, word, nodes) for at, word in enumerate(callees.split()))
    pairs = [word.split("->") for word in edges.split()]
    return Component(
        f"C{number}", nodes[number], boxes, tuple((_ref(one), _ref(two)) for one, two in pairs)
    )


def _box(number: int, word: str, nodes: list[tuple[Node, ...]]) -> Box:
    callee, *without = word.split("-")
    missing = {f"n{exit_}" for exit_ in without}
    there = nodes[int(callee)]
    return Box(
        f"b{number}",
        f"C{callee}",
        tuple(node.name for node in there if node.is_entry),
        tuple(node.name for node in there if node.is_exit and node.name not in missing),
    )


def _ref(word: str) -> Ref:
    box, dot, node = word.partition(".")
    return (box, f"n{node}") if dot else f"n{box}"


TRAPS = (
    Trap(
        "no marks on summaries",
        "E [G (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.2->b0.0",
            "0> 1[p] 2!;; 0->1 1->2",
        ),
        "",
    ),
    Trap(
        "marks of first way only",
        "E [G (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.2->b0.0",
            "0> 1[p] 2!;; 0->1 0->2 1->2",
        ),
        "",
    ),
    Trap(
        "late marks do not return",
        "E [G (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.1->b0.0",
            "0> 1!; 2; 0->b0.0 b0.2->1",
            "0> 1[p] 2!;; 0->1 0->2 1->2",
        ),
        "",
    ),
    Trap(
        "late marks do not go on",
        "E [G (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.3->b0.0",
            "0> 1[p] 2 3!;; 0->1 0->2 1->2 2->3",
        ),
        "",
    ),
    Trap(
        "all marks of a pair",
        "E [G (F p)]",
        False,
        (
            "0> 1; 1 1; 0->b0.0 b0.3->b1.2 b1.3->b1.2",
            "0>[p] 1 2> 3!;; 0->1 1->3 2->1",
        ),
        "",
    ),
    Trap(
        "descent is local",
        "A [G (E [F (G q)])]",
        False,
        ("0> 1![q]; 0; 0->1 0->b0.0 b0.1->b0.0",),
        "",
    ),
    Trap(
        "root loop is a hit",
        "E [G (!p)]",
        False,
        ("0> 1! 2[p] 3; 0; 0->1 3->b0.0 b0.1->2",),
        "initial 0:0, 0:3",
    ),
    Trap(
        "reads exits",
        "E [X (X (X p))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1",
            "0> 1!;; 0->1",
        ),
        "",
    ),
    Trap("no descents", "E [G (!p)]", True, ("0> 1[p]; 0; 0->b0.0",), ""),
    Trap("every recursion is a hit", "E [G (F p)]", False, ("0> 1[p]; 0; 0->b0.0",), ""),
    Trap(
        "returns without calls",
        "E [G (!p)]",
        False,
        (
            "0> 1[p]; 1 1; 0->b0.0 b0.1->b1.0 b1.1->1",
            "0> 1! 2[p];; 0->1",
        ),
        "",
    ),
    Trap(
        "mask of first state only",
        "E [F ((q & (E [X p])))]",
        True,
        (
            "0> 1; 1; 0->b0.0 b0.1->1",
            "0>[q] 1![p];; 0->1",
        ),
        "",
    ),
    Trap(
        "letters by node",
        "E [F ((q & (A [G (!p)])))]",
        True,
        (
            "0> 1[p] 2; 1 1; 0->b0.0 b0.1->1 1->b1.0 b1.1->2",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "early no counts",
        "E [G (F p)]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.4->1 1->1",
            "0> 1 2 3 4! 5[p];; 0->1 1->2 2->3 3->4",
        ),
        "",
    ),
    Trap("root mask by any state", "E [F p]", False, ("0> 1!;; 0->1",), ""),
    Trap(
        "irrelevant without marks",
        "E [F p]",
        False,
        (
            "0>; 1; 0->b0.0",
            "0>;; 0->0",
        ),
        "",
    ),
    Trap(
        "irrelevant by own labels",
        "E [F p]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>; 2; 0->b0.0",
            "0>[p];; 0->0",
        ),
        "",
    ),
    Trap(
        "irrelevant after one letter",
        "E [X (X (X p))]",
        False,
        (
            "0> 1[p]; 1; 0->b0.0 b0.2->1",
            "0> 1 2!;; 0->1 1->2",
        ),
        "",
    ),
    Trap("next true is true", "E [X true]", False, ("0>;;",), "stop"),
    Trap("put off may end", "E [F p]", False, ("0>;;",), "stop"),
    Trap("kept may not end", "E [G (!p)]", True, ("0>;;",), "stop"),
    Trap("pruned without marks", "E [G (F (X p))]", True, ("0> 1[p];; 0->1 1->0",), ""),
    Trap("pruned without ends", "E [((X true) or (G q))]", True, ("0>[q];;",), "stop"),
    Trap("marked when true", "E [((F q) & (G (!p)))]", True, ("0>[q] 1;; 0->1 1->1",), ""),
    Trap("or takes the first", "E [((G p) or (G q))]", True, ("0>[pq] 1[q];; 0->1 1->1",), ""),
    Trap(
        "irrelevant for now",
        "E [X (X (F p))]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0> 1[p];; 0->1 1->1",
        ),
        "",
    ),
    Trap("none known", "E [G (((F p) or q))]", True, ("0> 1![p]; 0; 0->b0.0 0->1 b0.1->1",), ""),
    Trap("none known", "A [F (G (!p))]", False, ("0>[p]; 0; 0->b0.0",), ""),
    Trap(
        "none known",
        "E [((G (F p)) & (G (F q)))]",
        True,
        (
            "0>; 1; 0->b0.0 b0.3->b0.0",
            "0> 1[p] 2[q] 3!;; 0->1 0->2 1->3 2->3",
        ),
        "",
    ),
    Trap(
        "none known",
        "E [((G (F p)) & (F (G q)))]",
        False,
        (
            "0>; 1; 0->b0.0 b0.3->b0.0",
            "0>[q] 1[p] 2[q] 3![q];; 0->1 0->2 1->3 2->3",
        ),
        "",
    ),
    Trap(
        "none known",
        "E [G (F p)]",
        True,
        (
            "0> 1; 1; 0->b0.0 b0.1->1",
            "0> 1![p];; 0->1",
        ),
        "initial 1:0",
    ),
    Trap(
        "none known",
        "E [G (F p)]",
        False,
        (
            "0> 1; 1; 0->b0.0 b0.1->1",
            "0> 1![p];; 0->1",
        ),
        "",
    ),
    Trap(
        "none known",
        "E [G (F p)]",
        True,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1![p];; 0->1",
        ),
        "",
    ),
    Trap(
        "none known",
        "E [X (X (X true))]",
        False,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1![p];; 0->1",
        ),
        "stop",
    ),
    Trap("none known", "E [((X p) or (!(X p)))]", False, ("0>;;",), "stop"),
    Trap(
        "none known",
        "E [X (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.0->0",
            "0>![p];;",
        ),
        "",
    ),
    Trap(
        "none known",
        "A [((!(G (F p))) or (G (F q)))]",
        False,
        ("0> 1! 2![p]; 0; 0->b0.0 0->1 b0.1->2 b0.2->1",),
        "initial 0:0",
    ),
    Trap("none known", "A [(true U (A [G ((p or (!p)))]))]", True, ("0> 1; 0; 0->b0.0",), ""),
    Trap("none known", "A [G (((!p) or (!true)))]", True, ("0>; 0; 0->b0.0",), ""),
    Trap("no value at calls", "E [X (E [G (F p)])]", True, ("0>[p]; 0; 0->b0.0",), ""),
    Trap(
        "missing return hits callee",
        "E [F (G (!p))]",
        False,
        (
            "0> 1[p] 2; 1 1-1; 0->b0.0 b0.1->1 2->b1.0",
            "0> 1!;; 0->1",
        ),
        "initial 0:2, 0:0",
    ),
    Trap(
        "missing return is nothing",
        "E [G (F (!p))]",
        True,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "missing return only in masks",
        "E [G (F (!p))]",
        True,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "stop loops at missing return",
        "E [X (X (X true))]",
        False,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1![p];; 0->1",
        ),
        "stop",
    ),
    Trap(
        "mask of first state",
        "E [F ((q & (E [X (X p)])))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "context of path children only",
        "A [((E [F q]) U (X q))]",
        True,
        (
            "0>; 2 1; b0.2->b1.0 0->b0.0",
            "0> 1 2[q]; 2; b0.2->1 0->b0.0 1->2",
            "0> 1 2!; ; 0->1 1->2",
        ),
        "",
    ),
    Trap(
        "early yes not resumed",
        "((E [F (X p)]) & (E [X (E [F (X p)])]))",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>[p] 1 2[p];; 0->1 1->2",
        ),
        "",
    ),
    Trap(
        "needs not closed",
        "E [F ((q & (E [F (X p)])))]",
        True,
        (
            "0> 1 2[p]; 1; 0->b0.0 b0.1->1 1->2",
            "0> 1!; 2; 0->b0.0 b0.1->1",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "asked not at callers",
        "E [F ((q & (E [X (X (X p))])))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1",
            "0> 1!; 2; 0->b0.0 b0.1->1",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "refined under contexts",
        "E [F ((q & (E [X (((!p) & (E [F p])))])))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.2->1",
            "0>[q] 1 2!;; 0->1 1->2",
        ),
        "",
    ),
    Trap(
        "refined by first state",
        "E [F ((q & (E [X (X p)])))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "asks by first program",
        "E [((F p) & (X (A [X q])))]",
        True,
        ("0>[p] 1 2[q];; 0->1 1->2",),
        "",
    ),
    Trap(
        "asks by first state",
        "E [((F q) & (X (A [X q])))]",
        False,
        (
            "0>; 1; 0->b0.0",
            "0>[q]; 2; 0->b0.0",
            "0>;;",
        ),
        "",
    ),
    Trap(
        "irrelevant over children",
        "E [F (G (E [F p]))]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1 1->0",
            "0> 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "irrelevant missing return forgotten",
        "E [F (G (!p))]",
        True,
        (
            "0>[p]; 1-1; 0->b0.0",
            "0> 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "ways dead ends too",
        "E [F (G p)]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0> 1! 2![p];; 0->1 0->2",
        ),
        "",
    ),
    Trap(
        "ways dead ends too",
        "E [F (G (!q))]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0> 1! 2![p];; 0->1 0->2",
        ),
        "stop",
    ),
    Trap(
        "ways at the root too",
        "E [F (G p)]",
        True,
        ("0> 1! 2![p]; 0; 0->1 0->2 b0.1->0 b0.2->0",),
        "",
    ),
    Trap(
        "ways of one box",
        "E [F ((p & (X true)))]",
        True,
        (
            "0> 1[p]; 1 1; 0->b0.0 b0.1->b1.0 b0.2->b1.0 b1.1->0 b1.2->1",
            "0> 1! 2!;; 0->1 0->2",
        ),
        "",
    ),
    Trap(
        "ways without missing",
        "A [F (X p)]",
        False,
        (
            "0> 1[p]; 1-2 1; 0->b0.0 0->b1.0 b0.1->1 b1.1->1 b1.2->1",
            "0> 1! 2!;; 0->1 0->2",
        ),
        "",
    ),
    Trap(
        "ways by representative",
        "E [F ((p & (X true)))]",
        True,
        (
            "0>; 1; 0->b0.0 b0.1->0 b0.2->0",
            "0> 1! 2![p];; 0->1 0->2",
        ),
        "",
    ),
    Trap(
        "free at call is no hit",
        "E [X (E [((X true) & (F q))])]",
        True,
        (
            "0> 1[q]; 1; 0->1 1->b0.0",
            "0>;;",
        ),
        "",
    ),
    Trap(
        "context of one child",
        "E [F ((r & (((E [X (X p)]) & (E [X (X q)])))))]",
        True,
        (
            "0> 1[pq]; 1; 0->b0.0 b0.1->1",
            "0>[r] 1!;; 0->1",
        ),
        "",
    ),
    Trap("unfinished base kept", "A [F (X p)]", False, ("0>; 0; 0->b0.0",), ""),
    Trap(
        "static exits of stay",
        "E [G (F p)]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1 1->1",
            "0> 1! 2;; 0->1 0->2 2->2",
        ),
        "",
    ),
    Trap(
        "static exits of stay, which comes to the lasso first",
        "E [G (F p)]",
        True,
        (
            "0> 1[p]; 1; 0->b0.0 b0.2->1 1->1",
            "0> 1 2!;; 0->1 0->2 1->1",
        ),
        "",
    ),
    Trap(
        "asks not at calls",
        "E [X ((p & (E [F (G q)])))]",
        False,
        (
            "0> 1; 1; 0->b0.0 b0.1->1",
            "0>[p] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "asks not at calls",
        "E [X ((p & (E [F (G q)])))]",
        True,
        (
            "0> 1[q]; 1; 0->b0.0 b0.1->1",
            "0>[p] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "irrelevant without exit labels",
        "E [G (F p)]",
        True,
        (
            "0>; 1; 0->b0.0 b0.1->b0.0 b0.2->b0.0",
            "0> 1! 2![p];; 0->1 0->2",
        ),
        "",
    ),
    Trap(
        "sparse by one parent",
        "((E [F ((r & (E [X (X p)])))]) or (E [F ((q & (E [X (X p)])))]))",
        True,
        ("0>[q] 1[r] 2 3[p] 4;; 0->1 1->2 2->3 3->4",),
        "",
    ),
    Trap("asks not at exits", "E [F (G ((p & (E [X p]))))]", True, ("0> 1![p];; 0->1",), ""),
    Trap(
        "asks not at exits",
        "E [F (G ((p & (E [X p]))))]",
        True,
        (
            "0>; 1-1; 0->b0.0",
            "0> 1![p];; 0->1",
        ),
        "",
    ),
    Trap("asked without calls", "E [X (E [(p R (X q))])]", True, ("0>[q]; 0; 0->b0.0",), ""),
    Trap(
        "asked by one parent",
        "((E [F ((q & (E [X (X (X p))])))]) or (E [F ((p & (E [X (X (X p))])))]))",
        True,
        (
            "0> 1[p] 2; 1; 0->b0.0 b0.1->1 1->2",
            "0> 1!; 2; 0->b0.0 b0.1->1",
            "0>[q] 1!;; 0->1",
        ),
        "",
    ),
    Trap(
        "replay of some rounds only",
        "E [G (F ((q & (E [X (X p)]))))]",
        False,
        (
            "0> 1[p]; 1; 0->b0.0 b0.1->1",
            "0>[q] 1!; 1; 0->1 0->b0.0 b0.1->1",
        ),
        "",
    ),
    Trap(
        "no hit at calls in passes",
        "E [X (E [X true])]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>; 2; 0->b0.0",
            "0>;;",
        ),
        "",
    ),
    Trap(
        "departures are not closed over callers",
        "E [F ((p & (G (!q))))]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>; 2; 0->b0.0",
            "0> 1[p];; 0->1 1->1",
        ),
    ),
    Trap(
        "a letter that stops the first state is no departure",
        "E [((!r) U (p & (G (!q))))]",
        False,
        (
            "0> 1[p]; 1; 0->b0.0 b0.2->1 1->1",
            "0> 1[r] 2!;; 0->1 1->2",
        ),
    ),
    Trap(
        "a run that returns is in vain",
        "E [F ((p & (G (!q))))]",
        True,
        (
            "0> 1; 1; 0->b0.0 b0.1->1 1->1",
            "0> 1! 2[p];; 0->2 2->1",
        ),
    ),
    Trap(
        "an exit that is read in vain is a departure",
        "E [F ((p & (G (!q))))]",
        False,
        (
            "0> 1; 1; 0->b0.0 b0.1->1 1->1",
            "0> 1![q] 2[p];; 0->2 2->1",
        ),
    ),
    Trap(
        "an exit of the root does not stay where runs stop",
        "E [F ((p & (G (!q))))]",
        True,
        (
            "0> 1![p]; 1; 0->1 0->b0.0",
            "0>;; 0->0",
        ),
        "stop",
    ),
    Trap(
        "whoever waits is not accepted",
        "E [G (!p)]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>;; 0->0",
        ),
    ),
)
