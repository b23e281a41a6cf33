"""Evidence for CTL* on recursive models: runs whose stacks may grow forever.

`evidence.py` makes it from the tables of the native engine, and `recheck.py` decides for a replay
the formulas that runs rely on. Both decide formulas in states with any stack, on a model that
leads to these states (probe_model.py).
"""
