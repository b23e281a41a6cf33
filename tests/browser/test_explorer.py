"""The explorer in a browser: map, component, asking, stepping, colours, and no complaints.

With PIGRO_SCREENSHOTS=FOLDER, a picture of each view is written there.
"""

from __future__ import annotations

import importlib.util
import os
import time
from pathlib import Path as File

import pytest

import pigro

from support.processes import chromium
from support.processes.explorer import Explorer

ROOT = File(__file__).parents[2]
BROWSER = chromium.find()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on PATH")

FAILS = "AG (request -> AF answer)"
HERE = "document.querySelector('#now .where .name')?.textContent"
STACK = "[...document.querySelectorAll('#stack li')].map(each => each.textContent)"
WORDS = "[...document.querySelectorAll('.question .word')].map(each => each.textContent)"
CAPTION = "document.querySelector('#caption').textContent"
PLACES = (
    "[...document.querySelectorAll('#picture .place text:first-of-type')].map(e => e.textContent)"
)
LEGEND = "document.querySelector('#legend').textContent"
WRONG = "document.querySelector('#wrong').textContent"
CURRENT = "document.querySelector('#run [aria-current] .name')?.textContent"
FIRST_FOUND = "document.querySelector('#found li .name')?.textContent"
TITLE = "document.querySelector('#run-title').textContent"
NOTICE = "document.querySelector('#notice').textContent"


@pytest.fixture(scope="module")
def browser():
    page = chromium.Page(BROWSER, 1280, 820)
    yield page
    page.close()


@pytest.fixture(scope="module")
def server():
    with Explorer("examples/server.rsm", cwd=ROOT) as explorer:
        yield explorer


@pytest.fixture
def page(browser):
    """The browser, which must not complain, and must ask the explorer only."""
    browser.errors.clear()
    browser.requests.clear()
    browser.scheme("light")
    yield browser
    ended = ("CONNECTION_REFUSED", "CONNECTION_RESET", "SOCKET_NOT_CONNECTED", "EMPTY_RESPONSE")
    fine = ("with a status of 400", *ended)  # a wrong formula, or the explorer ended
    assert [each for each in browser.errors if not any(one in each for one in fine)] == []
    assert all(each.startswith(("http://127.0.0.1:", "data:,")) for each in browser.requests)


def show(page, explorer, view=""):
    page.run("document.documentElement.removeAttribute('data-ready')")
    page._call("Page.navigate", url="about:blank")
    page.open(explorer.address + view)


def until(page, script, wanted):
    """Waits for a value. The page asks the server, which takes its time."""
    began = time.monotonic()
    while (found := page.run(script)) != wanted:
        assert time.monotonic() < began + 60, (script, found, wanted)
        time.sleep(0.02)


def ask(page, formula):
    page.press("a")
    page.run("document.querySelector('#formula').value = ''")
    page._call("Input.insertText", text=formula)
    page.press("Escape", "a", "Enter")
    page.run("document.activeElement.blur()")


def picture(page, name):
    folder = os.environ.get("PIGRO_SCREENSHOTS")
    if folder:
        page.run("Promise.all(document.getAnimations().map(each => each.finished))")
        (File(folder) / f"explore-{name}.png").write_bytes(page.screenshot())


def test_map_and_search(page, server):
    show(page, server)
    until(page, PLACES, ["main", "serve", "log"])
    assert page.run(CAPTION) == "Calls around main"
    page.press("/")
    page._call("Input.insertText", text="LO")
    until(page, FIRST_FOUND, "log")
    page.press("Enter")
    until(page, CAPTION, "Calls around log")
    assert page.run(HERE) == "log:in"
    page.run(
        "document.querySelectorAll('#picture .place')[1].dispatchEvent(new MouseEvent('click'))"
    )
    until(page, "document.querySelector('#picture .current text').textContent !== 'log'", True)
    picture(page, "map")


def test_nodes_and_labels_are_found(page, server):
    show(page, server)
    kinds = "[...document.querySelectorAll('#found li')].map(e => [e.className, e.textContent])"
    page.press("/")
    page._call("Input.insertText", text="serve:re")
    until(page, FIRST_FOUND, "serve:reply")
    page.press("ArrowDown", "Enter")
    until(page, HERE, "serve:refused")
    until(page, CAPTION, "Calls around serve")
    page.press("/")
    page._call("Input.insertText", text="answer")
    until(page, kinds, [["label", "serve:reply nodeanswer"]])
    page.press("Enter")
    until(page, HERE, "serve:reply")


def test_drawings_by_graphviz_and_by_the_page(page, server):
    """Places don't overlap, and edges end at places, whoever arranges them."""
    overlaps = """(() => { const all = [...document.querySelectorAll('#picture .place rect:not(.inner)')]
      .map(each => each.getBBox());
      return all.some((a, n) => all.some((b, m) => n < m && a.x < b.x + b.width && b.x < a.x + a.width
        && a.y < b.y + b.height && b.y < a.y + a.height)); })()"""
    loose = """(() => { const all = [...document.querySelectorAll('#picture .place rect:not(.inner)')].map(e => e.getBBox());
      return [...document.querySelectorAll('#picture .edge path:not(.head)')].filter(each => {
        const {x, y} = each.getPointAtLength(each.getTotalLength());
        return !all.some(b => x > b.x - 4 && x < b.x + b.width + 4 && y > b.y - 4 && y < b.y + b.height + 4); }).length; })()"""
    show(page, server)
    has_graphviz = importlib.util.find_spec("pygraphviz") is not None
    assert (
        page.run("fetch('api/model', {method: 'POST'}).then(e => e.json()).then(e => e.graphviz)")
        is has_graphviz
    )
    drawings = []
    for own in (False, True):
        if own:
            page.run(
                "import('./page/view.js').then(e => { e.view.model.graphviz = false; e.view.opened = [99]; })"
            )
        for tab in ("m", "c"):
            done = page.run("document.querySelector('#picture').dataset.drawn")
            page.press("m" if tab == "c" else "c", tab)
            until(page, f"document.querySelector('#picture').dataset.drawn > {done}", True)
            until(page, CAPTION, "Calls around main" if tab == "m" else "Component main")
            assert page.run(overlaps) is False
            assert page.run(loose) == 0
            drawings.append(page.run("document.querySelector('#picture svg').outerHTML"))
    assert (drawings[0] != drawings[2]) is has_graphviz


def test_asking(page, server):
    show(page, server)
    ask(page, FAILS)
    until(page, WORDS, ["fails"])
    until(page, HERE, "main:start")
    ask(page, "EF answer")
    until(page, WORDS, ["fails", "holds"])
    command = "document.querySelector('.command').textContent"
    assert page.run(command).endswith("server.rsm 'EF answer' --witness")
    page.press("p")
    assert page.run("document.querySelector('.chosen .word').textContent") == "fails"
    until(page, "document.querySelector('.parts .code')?.textContent", FAILS)
    picture(page, "asking")
    ask(page, "E [F answer & G F request]")
    until(page, f"{WORDS}[2]", "holds")
    ask(page, "mu Z. (answer | <> Z)")
    until(page, f"{WORDS}[3]", "holds")


def test_errors_have_carets(page, server):
    show(page, server)
    page.press("a")
    page._call("Input.insertText", text="AG (request -> ")
    until(page, f"{WRONG}.includes('error[P301]')", True)
    assert "   | AG (request ->" in page.run(WRONG)
    assert "^" in page.run(WRONG)
    page.press("Enter")
    until(page, WORDS, ["error"])


def test_completion(page, server):
    show(page, server)
    page.press("a")
    page._call("Input.insertText", text="AG (req")
    until(page, "document.querySelector('#words li')?.textContent", "request")
    page.press("Tab")
    assert page.run("document.querySelector('#formula').value") == "AG (request "


def test_stepping_by_hand(page, server):
    show(page, server)
    until(page, HERE, "main:start")
    page.press("1")
    until(page, HERE, "log:in")
    assert page.run(STACK) == ["log:in", "main in box l1"]
    page.press("b")
    until(page, HERE, "main:start")
    page.press("o")
    until(page, HERE, "log:out")
    page.press("1")
    until(page, HERE, "main:wait")
    page.press("2")
    until(page, HERE, "serve:ask")
    page.press("u")
    until(page, "document.querySelectorAll('#now .next .out').length", 2)
    page.press("1")
    until(page, f"{HERE}.startsWith('serve:')", True)
    page.press("i")
    until(page, HERE, "main:start")


def test_along_a_run(page, server):
    show(page, server)
    ask(page, FAILS)
    until(page, WORDS, ["fails"])
    until(page, CURRENT, "main:start")
    page.press("j")
    until(page, HERE, "log:in")
    page.press("k")
    until(page, HERE, "main:start")
    tags = "[...document.querySelectorAll('#run .tag')].map(each => each.textContent)"
    assert "recursion starts" in page.run(tags)
    page.press("l", "c")
    until(page, "document.querySelector('#run [aria-current] .tag') !== null", True)
    until(page, CAPTION, "Component log")
    assert "ever deeper" in page.run("document.querySelector('#run .end').textContent")
    picture(page, "stepping")


def test_ask_from_a_state_under_calls(page, server):
    show(page, server)
    until(page, HERE, "main:start")
    page.press("1")
    until(page, HERE, "log:in")
    page.press("h")
    ask(page, "EF answer")
    until(page, WORDS, ["holds"])
    assert "under 1 calls" in page.run("document.querySelector('.question').textContent")


def test_runs_of_ltl_under_calls(page, server):
    """A loop leads back to its start, and a pump goes one round deeper each time."""
    show(page, server)
    until(page, HERE, "main:start")
    page.press("o")
    until(page, HERE, "log:out")
    page.press("1")
    until(page, HERE, "main:wait")
    page.press("2")
    until(page, HERE, "serve:ask")
    page.press("h")
    ask(page, "E [G F request]")
    until(page, WORDS, ["holds"])
    until(page, CURRENT, "serve:ask")
    assert page.run("document.querySelector('#run .tag').textContent") == "loop starts"
    states = page.run("document.querySelectorAll('#run li:not(.end)').length")
    for _ in range(states):
        page.press("j")
    until(page, TITLE, f"Run of {states} states, round 2")
    until(page, CURRENT, "serve:ask")
    page.press("h")
    ask(page, "G F request")
    until(page, WORDS, ["holds", "fails"])
    until(page, "document.querySelector('#run .tag')?.textContent", "recursion starts")
    page.press("l")
    until(page, f"{STACK}.length", 4)
    for depth in (5, 6, 7):
        page.press("j")
        until(page, f"{STACK}.length", depth)
    until(page, TITLE, "Run of 4 states, round 3")
    for depth in (6, 5, 4):
        page.press("k")
        until(page, f"{STACK}.length", depth)
    until(page, TITLE, "Run of 4 states")


def test_colours_of_the_mu_calculus(page):
    """As those of CTL: exact under a stack, and with a stack for each side."""
    with Explorer("examples/walk.rsm", cwd=ROOT) as walk:
        show(page, walk)
        ask(page, "nu Z. <> closed | [] Z")
        until(page, f"{WORDS}.length", 1)
        page.press("/")
        page._call("Input.insertText", text="visit:leave")
        until(page, FIRST_FOUND, "visit:leave")
        page.press("Enter", "c")
        until(page, CAPTION, "Component visit")
        parts = "[...document.querySelectorAll('.parts li .code')].map(e => e.textContent)"
        assert page.run(parts)[2:4] == ["<> closed", "closed"]
        page.run("document.querySelectorAll('input[name=colour]')[2].click()")
        until(page, f"{LEGEND}.includes('depends on the caller')", True)
        page.run("document.activeElement.blur()")
        page.press("e")
        until(page, "document.querySelectorAll('.parts .link').length", 2)
        page.run("document.querySelectorAll('.parts .link')[1].click()")
        until(page, STACK, ["visit:leave", "visit in box child", "main in box walk"])
        page.press("s")
        until(page, f"{LEGEND}.includes('under this stack:')", True)
        current = "document.querySelector('#picture .current').className.baseVal"
        until(page, f"{current}.includes('truth-fails')", True)
        assert "depends" not in page.run(LEGEND)


def test_colours(page, server):
    show(page, server)
    ask(page, "EF answer")
    until(page, WORDS, ["holds"])
    page.press("c")
    until(page, CAPTION, "Component main")
    page.run("document.querySelector('input[name=colour]').click()")
    until(page, f"{LEGEND}.includes('whoever calls: holds')", True)
    false = "[...document.querySelectorAll('#picture .truth-fails text:first-of-type')].map(e => e.textContent)"
    assert page.run(false) == ["end"]
    page.run("document.activeElement.blur()")
    page.press("s")
    until(page, f"{LEGEND}.includes('under this stack:')", True)
    page.press("e")
    until(page, "document.querySelector('.parts .key')?.textContent", "holds")
    picture(page, "colours")


def test_depends_on_the_caller(page):
    """Colours say so, and explaining leads to a state of each kind."""
    with Explorer("examples/walk.rsm", cwd=ROOT) as walk:
        show(page, walk)
        ask(page, "EX closed")
        until(page, f"{WORDS}.length", 1)
        page.press("/")
        page._call("Input.insertText", text="visit")
        until(page, FIRST_FOUND, "visit")
        page.press("Enter")
        page.press("c")
        until(page, CAPTION, "Component visit")
        page.run("document.querySelector('input[name=colour]').click()")
        until(page, f"{LEGEND}.includes('depends on the caller')", True)
        page.run(
            "document.querySelector('#picture .truth-depends').dispatchEvent(new MouseEvent('click'))"
        )
        until(page, "document.querySelector('#picture .current.truth-depends') !== null", True)
        page.run("document.activeElement.blur()")
        page.press("e")
        until(page, "document.querySelectorAll('.parts .link').length >= 2", True)
        picture(page, "component")


def test_links_restore_the_view(page, server):
    show(page, server)
    ask(page, "EF answer")
    until(page, WORDS, ["holds"])
    page.press("c", "1")
    until(page, HERE, "log:in")
    until(page, CAPTION, "Component log")
    link = page.run("location.href")
    assert link.startswith(server.address)
    show(page, server, link.removeprefix(server.address))
    until(page, WORDS, ["holds"])
    until(page, HERE, "log:in")
    until(page, CAPTION, "Component log")
    assert page.run(STACK) == ["log:in", "main in box l1"]


def test_keys_theme_and_small_screens(page, server):
    show(page, server)
    page.press("?")
    assert page.run("document.querySelector('#keys').open") is True
    page.press("?")
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.run(back)
    page.press("t")
    assert page.run(back) != light
    page.press("t")
    assert page.run(back) == light
    ask(page, FAILS)
    until(page, WORDS, ["fails"])
    size = {"height": 1600, "deviceScaleFactor": 1, "mobile": False}
    page._call("Emulation.setDeviceMetricsOverride", width=400, **size)
    try:
        wide = "document.documentElement.scrollWidth"
        until(page, f"{wide} <= 400", True)
    finally:
        page._call("Emulation.setDeviceMetricsOverride", width=1280, **size | {"height": 820})


def test_everything_has_a_name(page, server):
    """Buttons, fields and places of drawings are labelled for screen readers."""
    show(page, server)
    ask(page, FAILS)
    until(page, WORDS, ["fails"])
    page.press("c")
    until(page, CAPTION, "Component main")
    nameless = """[...document.querySelectorAll('button, input, textarea, [role=button]')].filter(each =>
      !(each.textContent.trim() || each.getAttribute('aria-label') || each.title || each.labels?.length
        || each.closest('label'))).length"""
    assert page.run(nameless) == 0
    unreachable = "[...document.querySelectorAll('#picture [role=button]')].filter(e => e.tabIndex < 0).length"
    assert page.run(unreachable) == 0


def test_source_beside_the_component(page, tmp_path):
    code = "def fact(n):\n    if n < 2:\n        return 1\n    return n * fact(n - 1)\n"
    (tmp_path / "fact.py").write_text(code, encoding="utf-8")
    with Explorer("fact.py", cwd=tmp_path) as explorer:
        show(page, explorer)
        page.press("/")
        page._call("Input.insertText", text="fact.fact")
        until(page, FIRST_FOUND, "fact.fact")
        page.press("Enter")
        page.press("c")
        until(page, CAPTION, "Component fact.fact")
        lines = "[...document.querySelectorAll('#lines li')].map(each => each.textContent)"
        until(page, f"{lines}.includes('4return n * fact(n - 1)')", True)
        assert "2if n < 2:" in page.run(lines)
        page.run("document.querySelector('#lines button').click()")
        until(page, "document.querySelector('#lines [aria-current]') !== null", True)
        picture(page, "source")


def test_hostile_names_stay_text(page, tmp_path):
    name = "</script><img src=x onerror=document.title='bad'>\u202e"
    model = pigro.ModelBuilder()
    main = model.component(name)
    main.entry(name, labels=[name, "p"])
    main.edge(name, main.box(name, calls=name).call(name))
    file = tmp_path / "hostile.rsm"
    pigro.save(model.build(initial=f"{name}:{name}"), file)
    with Explorer(file) as explorer:
        show(page, explorer)
        ask(page, "EG p")
        until(page, WORDS, ["holds"])
        page.press("c")
        until(page, "document.querySelector('#picture .current') !== null", True)
        assert page.run("document.querySelectorAll('img').length") == 0
        assert page.run("document.title").endswith("- Pigro")
        assert "<img src=x" in page.run(HERE)


def test_a_changed_file_is_shown(page, tmp_path):
    file = tmp_path / "model.rsm"
    pigro.save(pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a"), file)
    with Explorer(file, "--watch") as explorer:
        show(page, explorer)
        ask(page, "AG p")
        until(page, WORDS, ["holds"])
        after = {"a": ["b"], "b": ["b"]}
        pigro.save(pigro.kripke(after, labels={"a": ["p"]}, initial="a"), file)
        until(page, WORDS, ["fails"])


def test_the_browser_may_close_in_the_middle():
    with Explorer("examples/server.rsm", cwd=ROOT) as explorer:
        other = chromium.Page(BROWSER)
        other.open(explorer.address)
        other.run(
            "void fetch('api/ask', {method: 'POST', body: JSON.stringify({formula: 'EF answer'})})"
        )
        other.close()
        assert explorer.get("model")["number"] == 1
        assert explorer.end()[0] == 0
