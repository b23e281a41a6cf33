"""For scripts that use the native core in odd ways: how to run them, a model that takes long, a batch on it."""

import os
import subprocess
import sys
import textwrap
from array import array
from pathlib import Path

from pigro import RSM, ModelBuilder, _core
from pigro.logic import parse
from pigro.logic.normal import existential_normal_form

LIMIT = 300
"""Seconds, for a script that hangs."""


def run(script):
    """Runs a script in a process of its own, which must end well and in silence. Returns its output."""
    here = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), here)))
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def slow_calls(size):
    """A chain of which every node is called: what each reaches is searched anew."""
    builder = ModelBuilder()
    nodes = [f"n{i}" for i in range(size)]
    chain = builder.component("chain")
    for node in nodes:
        chain.entry(node)
    chain.exit("out")
    chain.path(*nodes, "out")
    main = builder.component("main")
    main.entry("start")
    main.node("goal", labels=["goal"])
    box = main.box("b", calls="chain")
    for node in nodes:
        main.edge("start", box.call(node))
    main.edge(box.returned("out"), "goal")
    return builder.build(initial="main:start")


def long_chain(size):
    """A graph without calls: one path, to the goal."""
    return RSM.from_arrays(
        component_offsets=[0, size],
        node_flags=bytes([1]) + bytes(size - 1),
        edge_sources=array("i", range(size)),
        edge_targets=array("i", [*range(1, size), size - 1]),
        labels={"goal": [size - 1]},
        initial=[0],
    )


def flat(model, text):
    """The arguments of `Batch.add`."""
    normal = existential_normal_form(parse(text))
    arrays = (memoryview(each) for each in (normal.ops, normal.left, normal.right))
    return (*arrays, [model.label_ids.get(atom, -1) for atom in normal.atoms])


def batch_of(model, *texts):
    """A batch of these formulas."""
    batch = _core.Batch(model.core, model.initial, _core.DeadEnds.STUTTER, _core.Engine.DEMAND)
    for text in texts:
        batch.add(*flat(model, text))
    return batch
