"""A small recursive model in a file, and the command run on it in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.main import cli
from pigro.engines.game.checking import decide


def small_model():
    """`main` calls the recursive `helper`, or waits forever. Both have a node called `out`."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["def"])
    main.node("wait")
    main.exit("out", labels=["done"])
    box = main.box("call", calls="helper")
    main.edge("start", box.call("in"), "wait")
    main.edge(box.returned("out"), "out")
    main.edge("wait", "wait")
    helper = model.component("helper")
    helper.entry("in")
    helper.exit("out", labels=["use"])
    again = helper.box("again", calls="helper")
    helper.edge("in", "out", again.call("in"))
    helper.edge(again.returned("out"), "out")
    return model.build(initial="main:start")


@pytest.fixture
def app(run):
    """The name of the model's file, in the folder that the command runs in."""
    pigro.save(small_model(), "app.rsm")
    return "app.rsm"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command line in a folder of its own. The result has `exit_code`, `stdout`, `stderr`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PIGRO_DEBUG", raising=False)

    def invoke(*args, stdin=None):
        return CliRunner().invoke(cli, args, prog_name="pigro", input=stdin)

    return invoke


@pytest.fixture
def engine(monkeypatch):
    """Makes the engine do what the list says, formula by formula. Then it checks as always."""

    def install(*deeds):
        monkeypatch.setattr("pigro.engines.table.choose_engine", lambda *_: Acting(list(deeds)))

    return install


class Acting:
    """An engine that raises, or finds no memory, where told to."""

    name = "acting"

    def __init__(self, deeds):
        self.deeds = deeds

    def check_all(self, model, formulas, *, jobs, budget, on_verdict):
        from pigro.engines import CheckStats, Remarks, Verdict, choose_engine

        verdicts = []
        for formula in formulas:
            deed = self.deeds.pop(0) if self.deeds else None
            if isinstance(deed, MemoryError):
                why = "no verdict: the check needs more memory than there is"
                spent = CheckStats(0.001)
                verdict = Verdict(
                    model, formula, None, "acting", spent, remarks=Remarks(gave_up=why)
                )
            elif deed is not None:
                raise deed
            else:
                verdict = choose_engine("auto")(model, formula)
            verdicts.append(verdict)
            on_verdict(verdict)
        return verdicts


@pytest.fixture
def deeds(monkeypatch):
    """Makes checks do what the list says, formula by formula. Then they are as always."""

    def install(*listed):
        left = list(listed)

        def acting(*args, **options):
            deed = left.pop(0) if left else None
            if deed is not None:
                raise deed
            return decide(*args, **options)

        monkeypatch.setattr("pigro.engines.game.checking.decide", acting)

    return install


@pytest.fixture
def dense(run):
    """A file of parts that takes long to compose."""
    lines = []
    for part in range(6):
        lines += [f"part p{part}", f"  labels l{part}", "  state s0 {} initial"]
        lines += [f"  state s{state} {{ l{part} }}" for state in range(1, 8)]
        all_of_them = ", ".join(f"s{state}" for state in range(8))
        lines += [f"  s{state} -> {all_of_them}" for state in range(8)]
    Path("dense.parts").write_text("\n".join(lines))
    return "dense.parts", "--check", "AG (l0 | l1 | l2 | l3 | l4 | EF l5)"
