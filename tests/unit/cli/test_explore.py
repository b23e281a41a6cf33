"""The command `pigro explore`: what it prints, when it ends, and what is wrong."""

from __future__ import annotations

import importlib.util
import re
import signal
import socket
import time
from pathlib import Path

import pytest

import pigro

from support.processes.explorer import Explorer

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_prints_its_address(app, tmp_path):
    with Explorer(app, "AG (def -> EF use)", cwd=tmp_path) as served:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", served.address)
        assert served.get("model")["formulas"] == ["AG (def -> EF use)"]
        assert served.end() == (0, "")


def test_ends_by_a_signal(app, tmp_path):
    with Explorer(app, cwd=tmp_path) as served:
        assert served.end(signal.SIGTERM) == (0, "")


def test_ends_when_the_file_is_gone(app, tmp_path):
    with Explorer(app, cwd=tmp_path) as served:
        (tmp_path / app).unlink()
        _, told = served.process.communicate(timeout=120)
        assert served.process.returncode == 0
        assert told == "the file is gone, so the explorer ends\n"


def test_tokens_differ(app, tmp_path):
    with Explorer(app, cwd=tmp_path) as one, Explorer(app, cwd=tmp_path) as other:
        assert one.token != other.token
        assert one.send("GET", f"/{other.token}/")[0] == 403


def test_reads_a_changed_file(app, tmp_path):
    model = pigro.kripke({"a": ["a"]}, labels={"a": ["fresh"]}, initial="a")
    with Explorer(app, "--watch", cwd=tmp_path) as served:
        assert "fresh" not in served.get("model")["labels"]
        pigro.save(model, tmp_path / app)
        wait(lambda: served.get("model")["number"] == 2)
        assert served.get("model")["labels"] == ["fresh"]
        (tmp_path / app).write_text("{", encoding="utf-8")
        wait(lambda: served.get("model")["problem"])
        assert "error[P101]" in served.get("model")["problem"]
        assert served.work("ask", formula="AG fresh")["report"]["verdicts"][0]["word"] == "holds"


def wait(condition):
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + 120
        time.sleep(0.05)


def test_formulas_of_files(app, tmp_path):
    (tmp_path / "f.ctl").write_text("EF use\n# a comment\nAG def\n", encoding="utf-8")
    with Explorer(app, "-f", "f.ctl", "EF def", cwd=tmp_path) as served:
        assert served.get("model")["formulas"] == ["EF def", "EF use", "AG def"]


def test_programs(tmp_path):
    (tmp_path / "fact.py").write_text(
        "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n", encoding="utf-8"
    )
    with Explorer("fact.py", cwd=tmp_path) as served:
        [found, *_] = served.get("search", text="fact.fact")["found"]
        told = served.get("component", component=found["number"])
        told = served.get("state", **told["state"])
        assert told["next"][0]["position"].startswith("fact.py:2")
        assert told["next"][0]["line"].startswith("return 1 if n < 2")


def test_wrong_input(run, app):
    for wrong, code in (
        (["gone.rsm"], "P001"),
        ([app, "AG ("], "P301"),
        ([app, "-f", "x"], "P001"),
    ):
        done = run("explore", *wrong, "--no-browser")
        assert done.exit_code == 2
        assert f"error[{code}]" in done.stderr
        assert done.stdout == ""


def test_parts_are_refused_with_a_hint(run):
    done = run("explore", str(EXAMPLES / "handshake.parts"), "--no-browser")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[P007]" in done.stderr
    assert "has parts of a composition, and this needs a model" in done.stderr
    assert "hint: a file of parts is checked by `pigro compose`" in done.stderr


def test_port_that_is_taken(run, app):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("explore", app, "--no-browser", "--port", str(taken.getsockname()[1]))
    assert done.exit_code == 2
    assert "error[P020]" in done.stderr


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra(run, app, monkeypatch, missing):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *more: None if name == missing else find(name, *more),
    )
    done = run("explore", app, "--no-browser")
    assert done.exit_code == 2
    assert f"error[P020]: the explorer needs the package {missing}" in done.stderr
    assert "pip install '.[explore]'" in done.stderr
