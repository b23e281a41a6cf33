"""What checks cost, in counts, which are the same on every machine: contexts, visits, allocations.

A change that makes an engine do more work is seen here without a clock. If it is meant, write the
new counts down with `PIGRO_COUNTS=write pytest tests/counts`, and say in the commit why.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXPECTED = HERE / "expected.json"
EXAMPLES = HERE.parents[1] / "examples"


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    pytest.importorskip("numpy")
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    if shutil.which("cc"):
        library = tmp_path_factory.mktemp("counts") / "allocations.so"
        compile_it = ["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / "allocations.c"]
        subprocess.run(compile_it, check=True)
        environment["LD_PRELOAD"] = str(library)
    command = [sys.executable, HERE / "counting.py", EXAMPLES]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found = json.loads(done.stdout)
    if os.environ.get("PIGRO_COUNTS") == "write":
        EXPECTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def expected(counted):
    return json.loads(EXPECTED.read_text(encoding="utf-8"))


def without_blocks(counts):
    return {
        question: {name: count for name, count in each.items() if name != "blocks"}
        for question, each in counts.items()
    }


def test_contexts_and_visits_are_what_they_were(counted, expected):
    assert without_blocks(counted) == without_blocks(expected)


def test_no_check_asks_for_more_blocks_of_memory(counted, expected):
    """Fewer are welcome: another compiler or library may need some less."""
    if not any(each["blocks"] for each in counted.values()):
        pytest.skip("blocks are not counted: there is no C compiler, or another allocator")
    more = {
        question: (each["blocks"], expected[question]["blocks"])
        for question, each in counted.items()
        if each["blocks"] > allowed(expected[question]["blocks"])
    }
    assert more == {}


def allowed(blocks):
    """A hundredth and a few more, for Python's own."""
    return blocks * 1.01 + 20
