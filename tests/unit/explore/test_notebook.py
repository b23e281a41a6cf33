"""What notebooks show: drawings and reports, harmless and without a server."""

from __future__ import annotations

import ast
import html
import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import pigro
from pigro.formats import svg

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def shown(value):
    return value._repr_html_()


def test_models_are_drawn():
    pytest.importorskip("pygraphviz")
    text = shown(pigro.load(EXAMPLES / "server.rsm"))
    assert "3 components, 11 nodes, 4 boxes" in text
    assert 'src="data:image/svg+xml;base64,' in text


def test_without_graphviz(monkeypatch):
    monkeypatch.setattr(svg, "has_graphviz", lambda: False)
    text = shown(pigro.load(EXAMPLES / "server.rsm"))
    assert "3 components, 11 nodes, 4 boxes</p><p>not drawn: " in text
    assert ".[draw]" in text


def test_verdicts_are_reports():
    model = pigro.load(EXAMPLES / "server.rsm")
    text = shown(pigro.check(model, "AG (request -> AF answer)", witness=True))
    assert text.startswith('<iframe sandbox="allow-scripts"')
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', text)[1])
    assert page.startswith("<!doctype html>")
    assert '"word":"fails"' in page


def page_in(text):
    return html.unescape(re.search(r'srcdoc="([^"]*)"', text)[1])


def test_strategies_are_reports():
    verdict = pigro.check(pigro.load(EXAMPLES / "server.rsm"), "mu Z. answer | <> Z", witness=True)
    assert 'height="560"' in shown(verdict)
    assert '"word":"holds"' in page_in(shown(verdict))


def test_verdicts_on_other_subjects():
    parts = EXAMPLES / "handshake.parts"
    [verdict] = pigro.check_all(parts, ["AG true"])
    assert '"word":"holds"' in page_in(shown(verdict))
    [verdict] = pigro.check_all(parts, ["AG (request -> busy)"], witness=True)
    assert "client=asking, server=noticed" in page_in(shown(verdict))


def test_hostile_names():
    name = '"></iframe><script>alert(1)</script>'
    model = pigro.kripke({name: [name]}, labels={name: [name, "p"]}, initial=name)
    text = shown(pigro.check(model, "EG p", witness=True)) + shown(model)
    assert "<script>" not in text
    assert text.count("</iframe>") == 1


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda file: file.name)
def test_notebooks_run(file, monkeypatch):
    """Each cell is run, and its last value shows itself."""
    monkeypatch.chdir(EXAMPLES)
    names = {}
    cells = json.loads(file.read_text("utf-8"))["cells"]
    values = []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file.name, "exec"), names)
        if last is not None:
            values.append(eval(compile(ast.Expression(last.value), file.name, "eval"), names))
    model, verdict, evidence, truths = values
    assert "components" in shown(model)
    assert "iframe" in shown(verdict)
    assert "iframe" in shown(evidence)
    depends = {name for name, truth in truths.items() if truth == "depends"}
    assert depends == {"log:in", "log:out"}
    assert (truths["serve:look"], truths["main:wait"]) == ("holds", "fails")
    if find_spec("pygraphviz") is not None:
        assert "<img" in shown(model)
