"""Models that are small as files and large in some other way: a verdict after little work, in little memory.

Each runs in a process of its own, so that its time and memory are its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

from support.processes.children import PATIENCE, SANITIZED

SOURCES = Path(pigro.__file__).resolve().parents[1]
RUN = """
import pathlib, re, sys, time, warnings
warnings.simplefilter("ignore")
import pigro
def peak():  # not ru_maxrss, which a child inherits
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
before = peak()
began = time.process_time()
try:
    model = pigro.load(sys.argv[1])
    words = [pigro.check(model, formula).outcome for formula in sys.argv[2:]]
    model.statistics
except pigro.PigroError as error:
    words = [error.code]
seconds = time.process_time() - began
print(",".join(words), round(seconds, 3), (peak() - before) // 1024)
"""
DEEP = 100_000


def node(name: str, **more: object) -> dict[str, object]:
    return {"name": name, **more}


def ref(name: str) -> dict[str, str]:
    return {"type": "node", "name": name}


def box_ref(box: str, name: str) -> dict[str, str]:
    return {"type": "box_node", "box_name": box, "node_name": name}


def edge(source: dict[str, str], *targets: dict[str, str]) -> dict[str, object]:
    return {"source": source, "targets": list(targets)}


def box(name: str, callee: str, calls: list[str], returns: list[str]) -> dict[str, object]:
    return {"name": name, "component": callee, "call_nodes": calls, "return_nodes": returns}


def model_of(*components: dict[str, object], start: str = "in") -> bytes:
    first = components[0]["name"] if components else "m"
    return json.dumps(
        {"initial_component": first, "initial_node": start, "components": list(components)}
    ).encode()


def call_chain(length: int) -> bytes:
    """c0 calls c1, which calls c2, and so on. The last one has the label `bottom`."""
    components = []
    for number in range(length):
        last = number == length - 1
        components.append(
            {
                "name": f"c{number}",
                "nodes": [
                    node("in", is_entry=True),
                    node("out", is_exit=True, labels=["bottom"] if last else []),
                ],
                "boxes": [] if last else [box("b", f"c{number + 1}", ["in"], ["out"])],
                "transitions": [edge(ref("in"), ref("out"))]
                if last
                else [edge(ref("in"), box_ref("b", "in")), edge(box_ref("b", "out"), ref("out"))],
            }
        )
    return model_of(*components)


def endless(*names: str) -> bytes:
    """Each component calls the next, the last the first, and none has an exit."""
    return model_of(
        *(
            {
                "name": name,
                "nodes": [node("in", is_entry=True, labels=["p"])],
                "boxes": [box("b", names[(i + 1) % len(names)], ["in"], [])],
                "transitions": [edge(ref("in"), box_ref("b", "in"))],
            }
            for i, name in enumerate(names)
        )
    )


def many_exits(exits: int, boxes: int, listed: int = 0) -> bytes:
    """`boxes` calls of a component with `exits` exits, each box listing the first few of them."""
    names = [f"x{number}" for number in range(exits)]
    main = {
        "name": "m",
        "nodes": [node("in", is_entry=True), node("end")],
        "boxes": [box(f"b{number}", "s", ["in"], names[:listed]) for number in range(boxes)],
        "transitions": [edge(ref("in"), *(box_ref(f"b{number}", "in") for number in range(boxes)))],
    }
    sub = {
        "name": "s",
        "nodes": [
            node("in", is_entry=True, labels=["p"]),
            *(node(name, is_exit=True, labels=["q"]) for name in names),
        ],
        "transitions": [edge(ref("in"), *(ref(name) for name in names))],
    }
    return model_of(main, sub)


def one_liners(count: int) -> bytes:
    """A box that calls `count` nodes that are entry and exit at once, and lists them all."""
    names = [f"x{number}" for number in range(count)]
    main = {
        "name": "m",
        "nodes": [node("in")],
        "boxes": [box("b", "s", names, names)],
        "transitions": [
            edge(ref("in"), *(box_ref("b", name) for name in names)),
            *(edge(box_ref("b", name), ref("in")) for name in names),
        ],
    }
    sub = {"name": "s", "nodes": [node(name, is_entry=True, is_exit=True) for name in names]}
    return model_of(main, sub)


def wide(count: int, key: str = "name") -> bytes:
    """One node with `count` successors, referred to by "name" or by "node"."""
    names = [f"n{number}" for number in range(count)]
    nodes = [node("in"), *(node(name, labels=["p"]) for name in names)]
    targets = [{"type": "node", key: name} for name in names]
    transition = {"source": {"type": "node", key: "in"}, "targets": targets}
    return model_of({"name": "m", "nodes": nodes, "transitions": [transition]})


def labelled(count: int, *, repeat: bool = False) -> bytes:
    labels = ["p"] + ["p" if repeat else f"l{number}" for number in range(count)]
    return model_of({"name": "m", "nodes": [node("in", labels=labels)]})


def boxes_of_nothing(count: int) -> bytes:
    """Boxes that call a component without nodes."""
    boxes = [box(f"b{number}", "empty", [], []) for number in range(count)]
    main = {"name": "m", "nodes": [node("in", labels=["p"])], "boxes": boxes}
    return model_of(main, {"name": "empty"})


def fibonacci(depth: int) -> bytes:
    """c_n calls c_(n-1), then c_(n-2): exponentially many calls in a run."""
    components = []
    for number in reversed(range(depth)):
        calls = [f"c{number - back}" for back in (1, 2) if number >= back]
        boxes = [box(f"b{i}", callee, ["in"], ["out"]) for i, callee in enumerate(calls)]
        places = [
            ref("in"),
            *(
                each
                for i in range(len(calls))
                for each in (box_ref(f"b{i}", "in"), box_ref(f"b{i}", "out"))
            ),
            ref("out"),
        ]
        components.append(
            {
                "name": f"c{number}",
                "nodes": [node("in", is_entry=True), node("out", is_exit=True, labels=["p"])],
                "boxes": boxes,
                "transitions": [edge(a, b) for a, b in zip(places[::2], places[1::2], strict=True)],
            }
        )
    return model_of(*components)


CASES = {
    # name: content, formulas, outcome
    "call chain": (lambda: call_chain(DEEP), ["AF bottom", "EG !bottom", "AG EF bottom"], "holds,fails,fails"),
    "self-call": (lambda: endless("m"), ["AG p", "EG p", "AF EX p"], "holds,holds,holds"),
    "mutual": (lambda: endless("m", "n", "o"), ["AG p", "EF !p", "A [p U !p]"], "holds,fails,fails"),
    "long cycle": (lambda: endless(*map(str, range(20_000))), ["AG p", "EG EX p"], "holds,holds"),
    "exits": (lambda: many_exits(10_000, 1_000), ["AF q", "AG EF q"], "holds,holds"),
    "many boxes": (lambda: many_exits(10_000, 10_000), ["AF q", "AG (p -> EX q)"], "holds,holds"),
    "some listed": (lambda: many_exits(10_000, 1_000, 3), ["AF q", "EF EG q"], "holds,holds"),
    "one-liners": (lambda: one_liners(20_000), ["EG true", "AX EX true"], "holds,holds"),
    "labels": (lambda: labelled(DEEP), ["AG p", "AG l77"], "holds,holds"),
    "repeated label": (lambda: labelled(DEEP, repeat=True), ["AG p"], "holds"),
    "successors": (lambda: wide(DEEP), ["AX p", "EX !p"], "holds,fails"),
    "successors by node": (lambda: wide(DEEP, "node"), ["AX p"], "holds"),
    "no components": (model_of, ["p"], "P202"),
    "no nodes": (lambda: model_of({"name": "m"}), ["p"], "P203"),
    "boxes of nothing": (lambda: boxes_of_nothing(50_000), ["AG p"], "holds"),
    "fibonacci": (lambda: fibonacci(2_000), ["AF p", "AG EF p"], "holds,holds"),
    "deep": (lambda: b'{"x":' + b"[" * 5_000_000, ["p"], "P104"),
    "spaces": (lambda: b" " * 20_000_000, ["p"], "P101"),
    "a long string": (lambda: b'{"initial_component": 5, "x": "' + b"\\n" * 5_000_000, ["p"], "P103"),
    "a long name": (
        lambda: wide(1).replace(b"n0", b"n" * 3_000_000, 1).replace(b"n0", b"n" * 2_999_999),
        ["p"],
        "P203",
    ),
}  # fmt: skip
SECONDS = 20
"""Of CPU time. All of these take less than two where nothing else runs."""
MEGABYTES = 200
SMALL = 10_000_000  # bytes. Larger files get more in proportion


LARGEST = {"call chain", "successors", "many boxes", "boxes of nothing", "a long name", "spaces"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.long) if each in LARGEST else each for each in CASES],
)
def test_a_verdict_after_little_work_and_in_little_memory(name: str, tmp_path):
    content, formulas, expected = CASES[name]
    data = content()
    file = tmp_path / "hostile.rsm"
    file.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(file), *formulas],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    words, seconds, megabytes = done.stdout.split()
    print(f"{name}: {len(data):,} bytes, {words}, {seconds} s, {megabytes} MB")
    assert words == expected
    share = max(1, len(data) / SMALL)
    assert float(seconds) < SECONDS * share
    assert SANITIZED or int(megabytes) < MEGABYTES * share
