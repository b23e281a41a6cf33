"""examples/: the formulas say their verdicts, and the demo prints what the README shows."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pigro

from children import PATIENCE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.ctl"))
MODELS = {path.stem: path for path in EXAMPLES.iterdir() if path.suffix in {".rsm", ".smv"}}


@pytest.mark.parametrize("name", NAMES)
def test_formulas_have_the_verdicts_that_their_comments_say(name):
    """The line before each formula is `# holds` or `# fails`, maybe with the reason after it."""
    model = pigro.load(MODELS[name])
    text = (EXAMPLES / f"{name}.ctl").read_text(encoding="utf-8")
    lines = text.split("\n")
    formulas = pigro.read_formulas(text)
    assert formulas
    for number, formula in formulas:
        said = re.match(r"# (holds|fails)\b", lines[number - 2])
        assert said, f"{name}.ctl:{number}: no verdict in the comment before it"
        assert pigro.check(model, formula).word == said[1], formula


def test_every_model_has_formulas():
    assert sorted(MODELS) == NAMES


def test_the_demo_prints_what_the_readme_shows(root, environment, timeless):
    command = shutil.which("pigro", path=environment["PATH"])
    done = run_demo(root, command, environment)
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.replace(command, ".venv/bin/pigro")
    assert timeless(shown) in timeless((root / "README.md").read_text(encoding="utf-8"))


def test_the_demo_fails_when_a_command_ends_differently(root, environment):
    done = run_demo(root, "false", environment)
    assert done.returncode == 1
    assert "ended with exit code 1, not 0" in done.stderr


def run_demo(root, command, environment):
    return subprocess.run(
        ["bash", root / "examples" / "demo.sh", command],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
