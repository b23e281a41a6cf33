"""The test oracle: plain, slow, independent of `pigro`, written from the semantics
(docs/semantics.md) alone.

machine    what a recursive state machine is, and THE definition of its Kripke structure
formula    CTL as nested tuples
unfold     bounded three-valued unfolding: answers True, False or None
contexts   the binary-context procedure: answers always
inline     what is true under a given stack: the claims of certificates
generate   random machines, formulas and cases
exhaustive all machines up to a small size
bounded    machines without recursion, from any
pushdown   pushdown systems: their steps, bounded unfolding, random ones

For CTL* on finite Kripke structures:

star_formula    CTL* as nested tuples, random formulas
star_structures Kripke structures: all small ones, random ones
star_lasso      does a path formula hold on one path?
star_tableau    where does a formula hold? Answers always
star_questions  a fixed list of formulas

For CTL* on recursive machines:

star_pushdown   does a formula hold? Repeating heads, pre-star, regular valuations. Answers always

For the mu-calculus on compositions, where labels and steps may be unknown:

mu_formula    the mu-calculus as nested tuples, random formulas
mu_structures structures with unknown labels and steps, their composition, random ones
mu_semantics  where is a formula true, false or unknown? By the definition
mu_graphs     game graphs of parts, what they leave open, and the product of that
parity        three-valued parity games: all strategies tried, and the game of a formula
"""
