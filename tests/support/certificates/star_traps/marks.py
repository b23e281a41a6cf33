"""Mistakes with marks, letters and passes over summaries."""

from __future__ import annotations

from support.certificates.star_traps.notation import Trap

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
    Trap("pruned without marks", "E [G (F (X p))]", True, ("0> 1[p];; 0->1 1->0",), ""),
    Trap("marked when true", "E [((F q) & (G (!p)))]", True, ("0>[q] 1;; 0->1 1->1",), ""),
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
)
