"""The report in a browser: stepping, folding, drawing. No complaints, and quick with long runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File

import pytest

import pigro
from pigro.engines.onthefly import ONTHEFLY
from pigro.evidence import evidence_for
from pigro.render.html import render_html

from support.processes import chromium

EXAMPLES = File(__file__).parents[2] / "examples"
BROWSER = chromium.find()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on PATH")

SELECTED = "document.querySelector('.row[aria-selected]').textContent"
ROWS = "[...document.querySelectorAll('.row')].map(each => each.textContent)"
CURRENT = "document.querySelector('.place.current text').textContent"
CAPTION = "document.querySelector('.caption').textContent"
HERE = "document.querySelector('.where .name').textContent"
STACK = "[...document.querySelectorAll('.stack li')].map(each => each.textContent)"
TREE = "[...document.querySelectorAll('.formula li')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def browser():
    page = chromium.Page(BROWSER)
    yield page
    page.close()


@pytest.fixture
def page(browser):
    """The browser, of which nothing is remembered, and which must not complain."""
    browser.errors.clear()
    browser.requests.clear()
    yield browser
    assert browser.errors == []
    assert all(each.startswith("file:") for each in browser.requests)
    assert len(browser.requests) == 1


def show(page, tmp_path, model, *formulas):
    items = []
    for formula in formulas:
        verdict = pigro.check(model, formula, certify=True)
        shown = evidence_for(model, verdict.certificate.to_bytes())
        items.append(replace(verdict, evidence=shown))
    file = tmp_path / "report.html"
    file.write_bytes(render_html(model, items))
    return page.open(file.as_uri())


@pytest.fixture
def server():
    return pigro.load(EXAMPLES / "server.rsm")


FAILS = "AG (request -> AF answer)"


def test_steps(page, tmp_path, server):
    show(page, tmp_path, server, FAILS)
    assert page.run(HERE) == "main:start"
    page.press("ArrowRight", "j")
    assert page.run(HERE) == "main:wait"
    page.press("ArrowLeft")
    assert "call l1 of log" in page.run(SELECTED)
    page.press("k", "k", "k")
    assert page.run(HERE) == "main:start"
    page.press("End")
    assert page.run(HERE) == "log:in"
    assert page.run(STACK) == ["log at in", "log in box again", "serve in box l2", "main in box s"]
    page.press("Home")
    assert page.run(HERE) == "main:start"


def test_folds(page, tmp_path, server):
    show(page, tmp_path, server, FAILS)
    folded = page.run(ROWS)
    assert not any("log:out" in each for each in folded)
    page.press("j", "Enter")
    assert any("log:out" in each for each in page.run(ROWS))
    expanded = "document.querySelector('.row.fold').getAttribute('aria-expanded')"
    assert page.run(expanded) == "true"
    page.press("j", "j")
    assert page.run(HERE) == "log:out"
    page.press("Enter")
    assert page.run(ROWS) == folded
    page.press("+")
    assert len(page.run(ROWS)) == len(folded) + 2
    page.press("-")
    assert page.run(ROWS) == folded
    page.run("document.querySelector('.row.fold').click()")
    assert len(page.run(ROWS)) == len(folded) + 2


def test_recursion_leads_back(page, tmp_path, server):
    show(page, tmp_path, server, FAILS)
    rows = page.run(ROWS)
    assert "ever deeper" in rows[-1]
    assert sum("recursion starts" in each for each in rows) == 1
    page.press("End")
    page.run("document.querySelector('.row.end button').click()")
    assert "recursion starts" in page.run(SELECTED)
    page.press("Home", "End", "l")
    assert "recursion starts" in page.run(SELECTED)


def test_runs_of_compositions(page, tmp_path):
    """States are composed, steps are of parts, and there is a game where there is a strategy."""
    system = pigro.load(EXAMPLES / "handshake.parts")
    formulas = ["E [G F busy]", "AG (request -> busy)", "AG (busy -> AF !busy)"]
    verdicts = pigro.check_all(system, formulas, witness=True)
    (tmp_path / "parts.html").write_bytes(render_html(system, verdicts))
    page.open((tmp_path / "parts.html").as_uri())
    assert page.run(HERE) == "client=idle, server=free"
    assert "loop starts" in page.run(SELECTED)
    assert page.run("document.querySelectorAll('.edge.seen').length") == 3
    assert page.run("document.querySelector('.calls').hidden")
    page.press("j", "j")
    assert "+busy" in page.run(SELECTED)
    assert page.run("document.querySelector('.variables h2').textContent") == "Parts by step"
    assert page.run("document.querySelector('.variables th.here').textContent") == "2"
    page.press("n")
    assert page.run(HERE) == "client=idle, server=free"
    assert page.run("document.querySelectorAll('.choice').length") == 2
    page.press("n")
    assert page.run("document.querySelector('.body').hidden")
    page.run("document.querySelector('.choice').click()")
    assert page.run("document.querySelectorAll('.log li').length") > 3


def test_loop(page, tmp_path):
    model = pigro.kripke({"a": ["b"], "b": ["c"], "c": ["b"]}, labels={"a": ["p"]}, initial="a")
    show(page, tmp_path, model, "EX EG !p")
    rows = page.run(ROWS)
    assert "and on from state 1 again, forever" in rows[-1]  # the two paths are one run
    assert sum("loop starts" in each for each in rows) == 1
    page.press("End")
    assert page.run("document.querySelectorAll('.edge.seen').length") == 3
    page.press("l")
    assert "loop starts" in page.run(SELECTED)


def test_runs_of_ltl(page, tmp_path):
    """Path formulas are told on the run. How it goes on is told as well."""
    after = {"a": ["b"], "b": ["a", "c"], "c": ["c"]}
    model = pigro.kripke(after, labels={"a": ["p"], "c": ["q"]}, initial="a")
    engine = replace(ONTHEFLY, show=True)
    texts = ("G F p", "G (p -> X !E [G F p])", "F p", "E [G F p] & !q")
    verdicts = [engine(model, pigro.parse(text)) for text in texts]
    file = tmp_path / "report.html"
    file.write_bytes(render_html(model, verdicts))
    page.open(file.as_uri())
    why = "document.querySelector('.why').textContent"
    assert page.run(why) == "a run of 3 states on which G F p fails"
    assert "and there it stays" in page.run(ROWS)[-1]
    assert page.run(TREE) == ["✗G F p", "✓F p", "✓p"]
    title = "document.querySelector('.formula li').title"
    assert page.run(title) == "G F p: fails on the run from this state"
    page.press("j")
    assert page.run(TREE) == ["✗G F p", "✗F p", "✗p"]
    page.press("n")
    assert "however it goes on" in page.run(ROWS)[-1]
    page.press("End")
    assert "✓E [G F p]" in page.run(TREE)
    page.press("n")
    assert "every run from here satisfies F p" in page.run(why)
    assert page.run(CURRENT) == "a"
    page.press("n")
    assert "a run of 2 states with G F p" in page.run(why)


def test_parts_are_reached_from_the_top(page, tmp_path, server):
    """Two paths that begin at one state are not joined to the path that leads there."""
    show(page, tmp_path, server, "EF (request & EF answer & EF sent)")
    page.run("document.querySelectorAll('.why button')[1].click()")
    assert page.run(HERE) == "serve:ask"
    assert page.run(TREE)[0] == "✓EF (request & EF answer & EF sent)"


def test_drawing_follows(page, tmp_path, server):
    show(page, tmp_path, server, FAILS)
    assert page.run(CURRENT) == "start"
    assert page.run(CAPTION) == "Component main"
    page.press("End")
    assert page.run(CAPTION) == "Component log"
    page.run("document.querySelectorAll('.stack button')[3].click()")
    assert page.run(CAPTION) == "Component main"
    assert page.run(CURRENT) == "s"


def test_claims_alone(page, tmp_path, server):
    show(page, tmp_path, server, "AG !(request & answer)", FAILS)
    assert "no run from here reaches" in page.run("document.querySelector('.why').textContent")
    assert page.run("getComputedStyle(document.querySelector('.run')).display") == "none"
    assert page.run(CURRENT) == "start"
    page.press("n")
    assert page.run("document.querySelector('h1 .word').textContent") == "fails"
    page.press("p")
    assert page.run("document.querySelector('h1 .word').textContent") == "holds"


def test_keys_and_theme(page, tmp_path, server):
    page.scheme("light")
    show(page, tmp_path, server, FAILS)
    page.press("?")
    assert page.run("document.querySelector('dialog').open") is True
    page.press("j")
    assert page.run(HERE) == "main:start"
    page.press("?")
    assert page.run("document.querySelector('dialog').open") is False
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.run(back)
    page.press("t")
    dark = page.run(back)
    assert dark != light
    page.press("t")
    assert page.run(back) == light
    page.scheme("dark")
    page.run("document.documentElement.removeAttribute('data-theme')")
    assert page.run(back) == dark


def test_hostile_names_stay_text(page, tmp_path):
    name = "</script><img src=x onerror=document.title='bad'>\u202e"
    model = pigro.ModelBuilder()
    main = model.component(name)
    main.entry(name, labels=[name, "p"])
    main.edge(name, main.box(name, calls=name).call(name))
    show(page, tmp_path, model.build(initial=f"{name}:{name}"), "EG p")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert "bad" not in page.run("document.title.replace(/'bad'/g, '')")
    assert "<img src=x" in page.run(HERE)
    assert "\\u202e" in page.run(HERE)


def test_ten_thousand_states_open(page, tmp_path):
    size = 10_000
    after = {f"s{at}": [f"s{min(at + 1, size - 1)}"] for at in range(size)}
    model = pigro.kripke(after, labels={f"s{size - 1}": ["goal"]}, initial="s0")
    show(page, tmp_path, model, "EF goal")
    assert page.run("document.querySelectorAll('.row').length") < 100
    page.press("End")
    assert page.run(HERE) == f"kripke:s{size - 1}"
    page.press("k")
    assert page.run(HERE) == f"kripke:s{size - 2}"
    assert "10,000 nodes" in page.run(CAPTION)


def test_many_folded_calls(page, tmp_path):
    model = pigro.ModelBuilder()
    for at in range(13):
        each = model.component(f"c{at}")
        each.entry("in")
        each.exit("out", labels=["done"] if at == 0 else [])
        if at == 12:
            each.edge("in", "out")
            continue
        one, two = (each.box(name, calls=f"c{at + 1}") for name in ("one", "two"))
        each.edge("in", one.call("in"))
        each.edge(one.returned("out"), two.call("in"))
        each.edge(two.returned("out"), "out")
    show(page, tmp_path, model.build(initial="c0:in"), "EF done")
    assert len(page.run(ROWS)) == 6
    page.press("+", "End")
    assert page.run(HERE) == "c0:out"


def test_variables_by_step(page, tmp_path):
    """In a window as narrow as a phone the page stays at its top, and only the table moves."""
    model = pigro.load(EXAMPLES / "smv" / "semaphore.smv")
    verdict = pigro.check(model, "AG !(a.state = critical & b.state = critical)", witness=True)
    about = model.about(verdict.formula.atoms)
    file = tmp_path / "variables.html"
    file.write_bytes(render_html(about, [verdict]))
    page._call(
        "Emulation.setDeviceMetricsOverride",
        width=400,
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )
    try:
        page.open(file.as_uri())
        assert page.run("[window.scrollY, document.documentElement.scrollWidth <= 400]") == [
            0,
            True,
        ]
        assert not any("before: " in each for each in page.run(ROWS))
        page.press("End")
        assert page.run(
            "[window.scrollY, document.querySelector('.variables').scrollLeft > 0]"
        ) == [0, True]
        told = "[...document.querySelectorAll('.values .here')].map(each => each.textContent)"
        assert page.run(told) == ["8", "TRUE", "idle", "idle", "b"]
    finally:
        page._call("Emulation.clearDeviceMetricsOverride")
