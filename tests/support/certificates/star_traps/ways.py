"""Mistakes with ways through calls, and with departures in vain."""

from __future__ import annotations

from support.certificates.star_traps.notation import Trap

TRAPS = (
    Trap("every recursion is a hit", "E [G (F p)]", False, ("0> 1[p]; 0; 0->b0.0",), ""),
    Trap("next true is true", "E [X true]", False, ("0>;;",), "stop"),
    Trap("put off may end", "E [F p]", False, ("0>;;",), "stop"),
    Trap("kept may not end", "E [G (!p)]", True, ("0>;;",), "stop"),
    Trap("pruned without ends", "E [((X true) or (G q))]", True, ("0>[q];;",), "stop"),
    Trap("or takes the first", "E [((G p) or (G q))]", True, ("0>[pq] 1[q];; 0->1 1->1",), ""),
    Trap("no value at calls", "E [X (E [G (F p)])]", True, ("0>[p]; 0; 0->b0.0",), ""),
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
    Trap("unfinished base kept", "A [F (X p)]", False, ("0>; 0; 0->b0.0",), ""),
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
        "a caller that waits is not accepted",
        "E [G (!p)]",
        True,
        (
            "0>; 1; 0->b0.0",
            "0>;; 0->0",
        ),
    ),
)
