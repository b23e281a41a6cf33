"""`make demo` shows that it is alive while the native core is compiled, and says why a build failed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STEPS = "for i in (1, 2): print(f'  [{i}/2] Building CXX object {\"x\" * 1000}', flush=True)"


def install(program):
    return subprocess.run(
        [sys.executable, ROOT / "tools/install.py", sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_steps_are_shown_and_the_rest_is_not():
    done = install(f"print('Collecting things', flush=True)\n{STEPS}")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0].startswith("Building Pigro.")
    assert lines[1:3] == ["  step 1 of 2", "  step 2 of 2"]
    assert "Collecting" not in done.stdout
    assert len(done.stdout) < 500


def test_silence_is_broken(capsys):
    spec = importlib.util.spec_from_file_location("install", ROOT / "tools/install.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.PATIENCE = 0.01
    assert module.run((sys.executable, "-c", "import time; time.sleep(1)")) == 0
    assert "  still building, " in capsys.readouterr().out


def test_a_failure_shows_everything():
    done = install(f"{STEPS}\nprint('error: no such type', flush=True)\nraise SystemExit(3)")
    assert done.returncode == 3
    assert "error: no such type" in done.stdout
    assert "x" * 1000 in done.stdout
    assert "The build failed: " in done.stderr


def test_the_makefile_installs_with_it():
    assert "tools/install.py\n" in (ROOT / "Makefile").read_text(encoding="utf-8")
