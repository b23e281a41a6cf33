"""Does a composition satisfy an alternation-free formula? Sets of states as decision diagrams.

After [Shoham2010], section 6.2. First each part is checked alone, as a model of the whole whose
steps all may be and none must, and whose labels of other parts are unknown. A definite value there
is right in each composed state that the part's state is in. If that does not decide the formula,
the composition is checked, but only where no part has a definite value, and only as far as the
initial states need it.

    paper                   here
    [[psi]]tt, [[psi]]ff    `SetEvaluation.values`, by `sense` True and False
    TS, FS, US              `Knowledge.true`, `.false`, `.unknown`. For any number of parts
    RS                      `Knowledge.relevant`
    ComputeRelevant         `find_relevant`
    R+, R-                  `Moves.must`, `Moves.may`
    fp(Z)                   the fixpoint whose `left` is the node Z

A subformula with a free variable Z stands for the one where Z is its fixpoint: its sets in a part
are those of the last round, when Z had its final value. So theorem 2.3 holds for its sets as well.

Deviations:
 - Figure 10 calls itself. Here the relevant sets go down the subformulas in one pass, each fixpoint
   repeated until nothing is new. Line 9 hands on all of newRS. Here only unknown states
   are handed on, because a fixpoint and its body are unknown in the same states. Line 10 must hand
   on all of newRS, as it does.
 - Line 6 says R: with parts that are abstract (remark 6.2) it must be R-, the steps that may be.
 - Joint labels may be unknown. Then a composed state may exist or not: steps to it are none that
   must be, and a formula that is false there is not yet false at the start.
 - The paper joins what it computes with TS, within RS. Here known values are kept as they are, and
   only the rest of RS is computed: values at known states, whose successors are perhaps not
   relevant, are not right before TS is added, and need not be computed.
 - Among Kripke structures only [[psi]]tt is computed in the second step: all else is false.
 - Parts may have actions (section 6.1): there is a relation for each action. Alone, a part also
   has steps by actions of the others. They may be there, and lead to the same state.
 - There may be several initial states: parts can decide different ones, and no second step follows.

A label that no part sees is false, as everywhere in Pigro.

Invariants:
 SY1  no composed state is in TS and FS of a subformula.
 SY2  a relevant unknown state of a subformula has all states that its value depends on in the
      relevant sets of the operands.
 SY3  along the claims of a strategy, the bounds of a fixpoint never grow, and go down at its
      variable.

Cost: a round of a fixpoint is one step back for each modality in its body. There are at most as
many rounds as relevant unknown states, and it is the longest path that counts, not the number of
states: counters that run for a million steps take a million rounds.
"""
