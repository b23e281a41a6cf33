"""Compositions of parts against the mu-calculus, part by part first, after [Shoham2010]."""
