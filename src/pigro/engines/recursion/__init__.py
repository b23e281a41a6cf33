"""Evidence for CTL* on recursive models: runs whose stacks may grow for ever.

`showing.py` makes it from the tables of the native engine, and `again.py` decides for a replay what
runs rely on. Both ask about states with any stack, through a model that leads to them (leading.py).
"""
