"""Starting Pigro costs little: the best of several runs, since machines are noisy."""

import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.timing

LIMIT = 0.1
RUNS = 12


@pytest.mark.parametrize(
    "command",
    [
        ["-c", "import pigro"],
        ["-m", "pigro", "--help"],
        ["-m", "pigro", "check", "--help"],
    ],
    ids=["import pigro", "pigro --help", "pigro check --help"],
)
def test_under_100_ms(command):
    best = min(seconds([sys.executable, *command]) for _ in range(RUNS))
    assert best < LIMIT, f"{best * 1000:.0f} ms"


def seconds(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began
