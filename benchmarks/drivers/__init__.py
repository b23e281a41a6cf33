"""Other tools: where they are, how they are run, and the scripts `ask_*.py` that other Pythons run.

Those scripts import nothing of Pigro.
"""
