"""A chain of procedures, each called by the one before, for tests of deep stacks."""

import pigro


def deep_calls(depth):
    """The last procedure has the label `goal`, and none returns."""
    model = pigro.ModelBuilder()
    for at in range(depth):
        each = model.component(f"c{at}")
        each.entry("in", labels=["goal"] if at == depth - 1 else [])
        each.exit("out")
        if at < depth - 1:
            each.edge("in", each.box("go", calls=f"c{at + 1}").call("in"))
    return model.build(initial="c0:in")
