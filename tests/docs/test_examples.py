"""examples/: the formulas say their verdicts, and the demo shows each command with its output."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pigro

from support.processes.children import PATIENCE

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
        assert pigro.check(model, formula).outcome == said[1], formula


def test_every_model_has_formulas():
    assert sorted(MODELS) == NAMES


def test_the_demo_shows_each_command_with_its_output(root, environment):
    command = shutil.which("pigro", path=environment["PATH"])
    done = run_demo(root, command, environment)
    assert (done.returncode, done.stderr) == (0, "")
    commands = re.findall(
        r"^run \d .*", (root / "examples/demo.sh").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert done.stdout.count(f"\n$ {command} check ") == len(commands) == 5
    assert f'export PATH="{Path(command).parent}:$PATH"' in done.stdout.splitlines()[-1]
    for line in ("fails    AG (def_i -> EF use_i)", "holds    EF EG black", '"verdict": "holds"'):
        assert line in done.stdout


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
