"""The client takes no more memory for many tasks than for few."""

import subprocess
import sys

import pytest

from support.processes.children import PATIENCE, counts_memory

CLIENT = """
import sys
from pigro.batch import Result, Task, run
from pigro.batch.pool import Pool, TaskResults

def answer_all(self, entries):
    for entry in entries:
        if entry is None:
            yield None
            continue
        task = entry.task
        result = Result(task=task, formula=task.formula, verdict="holds", reason="because")
        yield TaskResults(entry, [result])

Pool.run = answer_all  # what workers do is not the client's memory
for store in ("s.sqlite", "s.sqlite"):  # the second time all results are in the store
    tasks = (Task(model=sys.argv[1], formula=f"EF p{at}") for at in range(int(sys.argv[2])))
    assert sum(1 for _ in run(tasks, store=store)) == int(sys.argv[2])
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0])  # that of `resource` counts the parent of the process too
"""


def peak(model, tasks, folder):
    folder.mkdir()
    command = [sys.executable, "-c", CLIENT, model, str(tasks)]
    ended = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE, check=True
    )
    return int(ended.stdout) / 1000


@pytest.mark.long
@counts_memory
def test_memory_does_not_grow_with_the_number_of_tasks(light, tmp_path):
    model = str(tmp_path / light)
    few, many = (peak(model, count, tmp_path / str(count)) for count in (5_000, 40_000))
    assert many < 300
    assert many < few + 25
