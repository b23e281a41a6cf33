"""A fixed list of formulas of CTL*, to ask of all small structures: every operator, every mix.

Each is true in some structures of up to three states and false in others.
"""

from __future__ import annotations

from oracle.star_formula import TRUE, A, E, F, Formula, G, R, U, W, X, atom, both, either, no

P = atom("p")
Q = atom("q")
NOT_P = no(P)
FORMULAS: tuple[Formula, ...] = (
    # CTL, each operator under each quantifier
    E(X(P)),
    A(X(P)),
    E(F(both(P, Q))),
    A(F(P)),
    E(G(P)),
    A(G(either(P, Q))),
    E(U(P, Q)),
    A(U(P, Q)),
    E(W(P, both(Q, NOT_P))),
    A(W(P, Q)),
    E(R(P, Q)),
    A(R(Q, P)),
    A(G(E(F(P)))),
    E(F(A(G(Q)))),
    A(F(E(G(P)))),
    A(G(("implies", P, A(F(Q))))),
    E(F(no(E(X(TRUE))))),
    # LTL, without a quantifier and with one
    G(F(P)),
    F(G(P)),
    X(U(P, Q)),
    U(X(P), Q),
    R(F(P), either(Q, X(P))),
    W(no(X(P)), G(Q)),
    A(G(("implies", P, F(Q)))),
    A(G(("implies", P, X(Q)))),
    A(("implies", G(F(P)), G(F(Q)))),
    A(either(F(G(P)), F(G(Q)))),
    A(F(both(P, X(P)))),
    A(F(("xor", X(P), X(Q)))),
    both(P, X(Q)),
    # one E over a path formula that is no CTL
    E(G(F(P))),
    E(F(G(P))),
    E(both(G(F(P)), G(F(Q)))),
    E(both(G(F(P)), F(G(Q)))),
    E(both(F(P), F(Q))),
    E(both(X(P), X(Q))),
    E(both(G(either(P, Q)), F(both(P, X(Q))))),
    E(U(F(P), G(Q))),
    E(U(P, U(Q, both(P, Q)))),
    E(U(U(P, Q), G(P))),
    E(R(X(P), F(Q))),
    E(W(X(NOT_P), both(P, X(X(P))))),
    E(X(X(both(P, X(Q))))),
    E(no(U(P, R(Q, P)))),
    E(("xor", F(P), G(Q))),
    E(("iff", X(P), F(Q))),
    A(("iff", P, X(Q))),
    E(G(either(X(P), X(NOT_P)))),
    no(E(("implies", F(P), X(F(P))))),
    # path formulas about what is possible on other paths
    E(G(both(E(X(P)), E(X(NOT_P))))),
    A(F(both(P, E(G(F(Q)))))),
    A(G(("implies", P, E(both(X(Q), F(G(P))))))),
    E(G(F(both(P, A(X(F(Q))))))),
    E(both(F(A(G(P))), G(E(F(Q))))),
    A(U(E(X(Q)), either(P, A(F(G(Q)))))),
    A(G(F(E(U(P, X(Q)))))),
    E(U(no(A(F(P))), G(E(F(Q))))),
    either(A(G(F(P))), E(F(G(Q)))),
    ("iff", A(F(G(P))), A(F(A(G(P))))),
    ("xor", E(F(P)), X(Q)),
    both(A(F(P)), U(E(X(P)), Q)),
    E(X(A(R(P, E(F(G(Q))))))),
    A(E(G(F(P)))),
    E(both(P, A(F(Q)))),
    # f or not f, and f iff f, which need not hold where a path ends
    A(G(E(either(X(P), no(X(P)))))),
    E(X(("iff", X(Q), X(Q)))),
)
