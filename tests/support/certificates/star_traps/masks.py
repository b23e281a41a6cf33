"""Mistakes with masks, contexts and missing return nodes."""

from __future__ import annotations

from support.certificates.star_traps.notation import Trap

TRAPS = (
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
    Trap("root mask by any state", "E [F p]", False, ("0> 1!;; 0->1",), ""),
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
        "context of one child",
        "E [F ((r & (((E [X (X p)]) & (E [X (X q)])))))]",
        True,
        (
            "0> 1[pq]; 1; 0->b0.0 b0.1->1",
            "0>[r] 1!;; 0->1",
        ),
        "",
    ),
)
