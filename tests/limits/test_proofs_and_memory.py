"""A proof takes more memory than its verdict: then the verdict stays without it."""

import gc
import subprocess
import sys

import pytest

import pigro
from pigro import _core

from support.processes.children import counts_memory

PROGRAM = """
import gc, sys
import pigro
from pigro import _core

def chain(count):
    model = pigro.ModelBuilder()
    for i in range(count):
        here, last = model.component(f"c{i}"), i == count - 1
        here.entry("in", labels=["bottom"] if last else [])
        here.exit("x", labels=["top"] if i == 0 else [])
        if last:
            here.edge("in", "x")
        else:
            box = here.box("b", calls=f"c{i + 1}")
            here.edge("in", box.call("in"))
            here.edge(box.returned("x"), "x")
    return model.build(initial="c0:in")

model = chain(30_000)
for certify in (False, True):  # what all checks of a model share stays
    pigro.check(model, "AG (bottom -> AF top)", certify=certify)
gc.collect()
_core.release_memory()
used, more, told = _core.resident_memory(), 0, []

def check(more, **how):
    gc.collect()
    _core.release_memory()  # else what the last check has freed counts as well
    return pigro.check(model, "AG (bottom -> AF top)", memory=used + more * 1_000_000, **how)

while not all(check(more).holds for _ in range(3)):
    assert more < 300
    more += 1
more += 4  # the memory of the process differs from check to check, by some pages of 2 MB
for _ in range(30):
    assert check(more).holds is True
    proved = check(more + 3, certify=True)
    assert proved.holds is True, more
    told.append(proved.certificate is not None)
    del proved  # the next check needs its memory
    more += 1
print(told)
"""


@pytest.mark.long
@counts_memory
def test_a_deep_stack():
    """In a process of its own, whose memory nothing else uses."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr
    assert "False" in done.stdout, "else nothing was tried"
    assert "True" in done.stdout


def test_the_checker_of_certificates_has_no_memory(monkeypatch):
    """A failed allocation says nothing about the certificate."""
    from pigro.certificates.native_checker import check_certificates_natively

    model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
    data = pigro.check(model, "EF p", certify=True).certificate.to_bytes()

    class Full:
        def __init__(self, *_):
            pass

        def lemmas(self, *_):
            raise MemoryError

        formula = lemmas

    monkeypatch.setattr(_core, "Verifier", Full)
    with pytest.raises(MemoryError):
        list(check_certificates_natively(model, data))
    gc.collect()
