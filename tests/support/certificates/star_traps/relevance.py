"""Mistakes with relevance: what components ask for, need, and may leave out."""

from __future__ import annotations

from support.certificates.star_traps.notation import Trap

TRAPS = (
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
)
