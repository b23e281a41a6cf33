"""What the native verifier has of its own: it can be stopped, and it outlives what it refuses."""

import threading
import time
from array import array

import pytest

from pigro import _core

from support.certificates.drafts import LemmaDrafts, Places, graph, lemma_bytes, numbers, program
from support.processes.interrupts import ctrl_c_after

ALWAYS = (array("B", [1, 7]), array("i", [0, 0]), array("i", [-1, -1]))
"""EG of the only atom."""
EMPTY = b"\0" * 6
"""A level that says nothing."""


def verifier_of(model):
    return _core.Verifier(model.core, _core.DeadEnds.STUTTER)


def long_body():
    """Claims at node 0, four thousand times eight thousand: a tenth of a second of work or more."""
    block = numbers(0, 0, 0, 0, 8000) + bytes(8000)
    level = numbers(1, 0, 0, 0, 0, 0, 4000) + block * 4000
    return numbers(0, 1, 1, 0) + level + b"\0"


def test_ctrl_c():
    verifier, body = verifier_of(graph("a>a")), long_body()
    whole = work(lambda: verifier.formula(body, *ALWAYS, [-1]))

    def interrupted():
        with pytest.raises(KeyboardInterrupt), ctrl_c_after(whole / 20):
            verifier.formula(body, *ALWAYS, [-1])

    # The first of two measurements may be slower than the other. So one early end of several is enough.
    assert any(work(interrupted) < whole / 2 for _ in range(10))
    told = verifier.formula(numbers(0, 1, 1, 0) + EMPTY + b"\0", *ALWAYS, [-1])
    assert told == "R8: level 2, initial node 0"


def work(task):
    """CPU seconds of a task."""
    began = time.process_time()
    task()
    return time.process_time() - began


def test_one_thread_at_a_time():
    verifier, body = verifier_of(graph("a>a")), long_body()
    refused = []

    def ask(question):
        try:
            verifier.formula(question, *ALWAYS, [-1])
        except RuntimeError as error:
            refused.append(str(error))
        except ValueError:
            pass  # the short question is no certificate

    thread = threading.Thread(target=ask, args=(body,))
    thread.start()
    while thread.is_alive() and not refused:
        ask(b"")
    thread.join()
    assert "another thread" in refused[0]


@pytest.mark.parametrize(
    ("ops", "left", "right", "labels"),
    [
        ([], [], [], []),
        ([8], [-1], [-1], []),
        ([1], [0], [-1], []),
        ([1], [0], [-1], [0]),
        ([1], [0], [-1], [-2]),
        ([2], [0], [-1], []),
        ([0, 3], [-1, 0], [-1, 1], []),
        ([0, 3], [-1, 0], [-1], []),
    ],
)
def test_arrays_that_are_no_formula(ops, left, right, labels):
    verifier = verifier_of(graph("a>a"))
    arrays = array("B", ops), array("i", left), array("i", right)
    with pytest.raises(ValueError, match="no formula"):
        verifier.formula(b"", *arrays, labels)


def test_malformed_says_where():
    verifier = verifier_of(graph("a>a"))
    with pytest.raises(_core.Malformed, match="byte 0: the section ends too early"):
        verifier.formula(b"", *ALWAYS, [-1])
    with pytest.raises(_core.Malformed, match="byte 5: more things than bytes"):
        verifier.formula(numbers(0, 1, 1, 0, 100), *ALWAYS, [-1])
    with pytest.raises(_core.Malformed, match="byte 5: the number is too large"):
        verifier.formula(b"\xff\xff\xff\xff\x08", *ALWAYS, [-1])


def test_rejected_lemmas_do_not_count():
    model = program("main:a", main="a > b.in; b.out > a; b calls f", f="in > out; out")
    verifier = verifier_of(model)
    until = (array("B", [0, 1, 6]), array("i", [-1, 0, 0]), array("i", [-1, -1, 1]))
    nodes = sorted(Places(model).node(0, name) for name in ("a", "b.out"))
    block = numbers(0, 0, 0, 0, 4, nodes[0], nodes[1] - nodes[0] - 1)
    body = numbers(0, 0, 1, 0) + numbers(1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1) + block + numbers(1, 0, 1)

    def told(exits):
        drafts = LemmaDrafts(model)
        operands = drafts.until.operands("f")
        drafts.until.bound(operands, "in out", exits, entry="in")
        return verifier.lemmas(lemma_bytes(drafts.lemmas()))

    assert verifier.formula(body, *until, [-1]) == "R5: level 1, block 0, node 0"
    assert told("") == "R5: lemmas, level 1, block 0, node 1"
    assert verifier.formula(body, *until, [-1]) == "R5: level 1, block 0, node 0"
    assert told("out") is None
    assert verifier.formula(body, *until, [-1]) is None
