"""Kills workers and clients of batches at random moments: `make batchsoak TASKS=2000`.

The tasks are random models with formulas of CTL, CTL* and the mu-calculus. A batch that was killed is
started again. At the end every task has exactly one result, equal to the one of a sequential run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import pigro
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model

from oracle import mu_formula, star_formula

FORMULAS = 60
"""Of each model, a third of each kind."""
WORKERS = (b"pigro.batch.worker", b"spawn_main")
"""What command lines of workers have: of ours, and of Dask's."""


class Killed(NamedTuple):
    """How many processes of each kind were killed."""

    workers: int
    clients: int


def make_plan(folder: Path, tasks: int, seed: int) -> tuple[Path, dict[tuple[str, str], str]]:
    """The file of a plan, and the verdicts of a sequential run by model and formula."""
    verdicts: dict[tuple[str, str], str] = {}
    lines = []
    shape = ModelShape(components=3, boxes=1, nodes=8)
    while len(verdicts) < tasks:
        name = str(folder / f"{len(lines)}.rsm")
        pigro.save(random_model(shape, seed + len(lines)), name)
        wanted = min(FORMULAS, tasks - len(verdicts))
        formulas = random_formulas(random.Random(seed + len(lines)), wanted)
        model = pigro.load(name)
        verdicts |= {(name, each): pigro.check(model, each).outcome for each in formulas}
        lines.append(json.dumps({"model": name, "formulas": formulas}))
    plan = folder / "plan.jsonl"
    plan.write_text("\n".join(lines))
    return plan, verdicts


def random_formulas(rng: random.Random, count: int) -> list[str]:
    """Different formulas, of three kinds by turns."""
    found: dict[str, None] = {}
    while len(found) < count:
        kind = len(found) % 3
        if kind == 0:
            text = str(random_formula(FormulaShape(), rng.randrange(10**6)))
        elif kind == 1:
            made = star_formula.random_star(rng, "abc", 4)
            text = star_formula.to_text(star_formula.closed(made))
        else:
            text = mu_formula.text(mu_formula.random_mu(rng, "abc", 5))
        found[text] = None
    return list(found)


def descendants(pid: int) -> dict[int, bytes]:
    """The processes below one, with their command lines."""
    parents: dict[int, int] = {}
    for each in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            fields = (each / "stat").read_text().rpartition(")")[2].split()
            parents[int(each.name)] = int(fields[1])
    found: dict[int, bytes] = {}
    for each in sorted(parents):
        at = each
        while at in parents and at != pid:
            at = parents[at]
        if at == pid and each != pid:
            with suppress(OSError):
                found[each] = Path(f"/proc/{each}/cmdline").read_bytes()
    return found


def count(store: Path) -> int:
    """Results so far."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file,
    ):
        return file.execute("SELECT count(*) FROM results").fetchone()[0]
    return 0


def survive(command: list[str], store: Path, moments: list[tuple[int, str]]) -> Killed:
    """Runs a command to its end. At so many results a worker or the client is killed."""
    done: Counter[str] = Counter()
    waiting = sorted(moments)
    while True:
        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
            try:
                while child.poll() is None:
                    if waiting and count(store) >= waiting[0][0] and kill(child.pid, waiting[0][1]):
                        done[waiting.pop(0)[1]] += 1
                    time.sleep(0.02)
            finally:
                child.kill()
                child.wait()
            if child.returncode != -signal.SIGKILL:
                said.seek(0)
                assert child.returncode in {0, 1}, said.read().decode()
                return Killed(done["worker"], done["client"])


def kill(client: int, kind: str) -> bool:
    """Kills the client or one of its workers. False if there is none now."""
    if kind == "worker":
        processes = descendants(client).items()
        pids = [pid for pid, line in processes if any(each in line for each in WORKERS)]
        if not pids:
            return False
        victim = random.choice(pids)
    else:
        victim = client
    with suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
        return True
    return False


def differences(store: Path, verdicts: dict[tuple[str, str], str]) -> list[str]:
    """Tasks that do not have exactly one result, or another verdict than the sequential run."""
    with closing(sqlite3.connect(store)) as file:
        rows = file.execute("SELECT asked, verdict, reason FROM results").fetchall()
    found: dict[tuple[str, str], list[str]] = {key: [] for key in verdicts}
    reasons = {}
    for asked, verdict, reason in rows:
        task = json.loads(asked)
        found.setdefault((task["model"], task["formula"]), []).append(verdict)
        reasons[task["model"], task["formula"]] = reason
    return [
        f"{key}: {words} in the store ({reasons.get(key)}), sequentially {verdicts.get(key)}"
        for key, words in found.items()
        if words != [verdicts.get(key)]
    ]


def soak(
    tasks: int, workers: list[str], kills: tuple[int, int], seed: int
) -> tuple[Killed, list[str]]:
    """How many processes were killed, and the faults afterwards."""
    rng = random.Random(seed)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        plan, verdicts = make_plan(Path(folder), tasks, seed)
        print(f"{tasks:,} tasks: {dict(Counter(verdicts.values()))}", flush=True)
        store = Path(folder, "store.sqlite")
        kinds = ["worker"] * kills[0] + ["client"] * kills[1]
        moments = [(rng.randrange(int(0.9 * tasks)), kind) for kind in kinds]
        command = [sys.executable, "-m", "pigro", "batch", str(plan), "--store", str(store)]
        killed = survive([*command, *workers], store, moments)
        return killed, differences(store, verdicts)


def main() -> int:
    """Prints the number of killed processes and the faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--workers", default="--jobs 2", help="options of the batch")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    began = time.monotonic()
    killed, wrong = soak(given.tasks, given.workers.split(), (10, 2), given.seed)
    print("\n".join(wrong[:20]))
    spent = time.monotonic() - began
    print(
        f"{killed.workers} workers and {killed.clients} clients killed, {len(wrong)} wrong, {spent:.0f} s"
    )
    return 1 if wrong or killed != (10, 2) else 0


if __name__ == "__main__":
    sys.exit(main())
