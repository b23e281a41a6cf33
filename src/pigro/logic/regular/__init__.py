"""Path operators given by regular expressions and automata: ECTL* [Thomas1988, Vardi1984].

`automata.py` makes an automaton of an expression. `threads.py` says what the automaton asks of a
run, state by state, in formulas that the searches have. `reading.py` is their part of the grammar.
"""
