"""Machines that random tests found. Their mistakes are not known any more."""

from __future__ import annotations

from support.certificates.star_traps.notation import Trap

TRAPS = (
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
)
