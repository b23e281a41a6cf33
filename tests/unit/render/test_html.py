"""The report as HTML: what it holds, and that nothing of a model becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path as File

import pytest
from msgspec.structs import replace

import pigro
from pigro.engines import CheckStats, Remarks, Verdict
from pigro.evidence import Path, State, evidence_for
from pigro.evidence.truths import formula_rows
from pigro.render.html import render_html

from support.samples.deep_calls import deep_calls

EXAMPLES = File(__file__).parents[3] / "examples"
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "</ScRiPt ><script>alert(1)</script>",
    "<!--<script>",
    "</noscript><b>",
    "]]>&lt;\"'`&quot;{title}{}",
    "\x00\x07\x1b[31m\x7f\r\n",
    "\u202egnp.exe\u202c\u200f\u2066",
    "\u2028\u2029",
    "\ud800",
    "__proto__",
]


def item(model, formula):
    verdict = pigro.check(model, formula, certify=True)
    return replace(verdict, evidence=evidence_for(model, verdict.certificate.to_bytes()))


def report(model, *formulas):
    return render_html(model, [item(model, formula) for formula in formulas]).decode()


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


class Reader(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


@pytest.fixture
def server():
    return pigro.load(EXAMPLES / "server.rsm")


def test_verdicts(server):
    data = data_of(report(server, "AG (request -> AF answer)", "EF request"))
    first, second = data["verdicts"]
    assert first["word"] == "fails"
    assert first["formula"] == "AG (request -> AF answer)"
    assert first["reason"] == "some reachable state violates (request -> AF answer)"
    assert second["word"] == "holds"


def test_evidence(server):
    (verdict,) = data_of(report(server, "AG (request -> AF answer)"))["verdicts"]
    kinds = [(each["depth"], each["kind"]) for each in verdict["evidence"]]
    assert [kind for _, kind in kinds].count("path") == 1
    [path] = [each["path"] for each in verdict["evidence"] if each["kind"] == "path"]
    assert (path["ends"], path["start"]) == ("pump", 5)
    assert path["end"].startswith("and so on from state 5, ever deeper")
    assert path["calls"] == [1, 4, 5, 6]
    assert path["marks"] == {"4": "EG !answer"}


def test_stacks_are_shared_chains(server):
    data = data_of(report(server, "AG (request -> AF answer)"))
    below, boxes = data["frames"]
    path = [each["path"] for each in data["verdicts"][0]["evidence"] if each.get("path")][-1]
    stack, at = [], path["frames"][-1]
    while at:
        stack.append(data["boxes"][str(boxes[at])][1])
        at = below[at]
    assert stack == ["again", "l2", "s"]


def test_truths(server):
    (verdict,) = data_of(report(server, "AG (request -> AF answer)"))["verdicts"]
    assert [tuple(row) for row in verdict["tree"]] == [
        (0, "AG (request -> AF answer)"),
        (1, "request -> AF answer"),
        (2, "request"),
        (2, "AF answer"),
        (3, "answer"),
    ]
    [path] = [each["path"] for each in verdict["evidence"] if each.get("path")]
    assert verdict["truths"][path["truths"][4]] == "fftff"
    assert verdict["truths"][path["truths"][0]][0] == "f"
    assert {verdict["truths"][at][3] for at in path["truths"][4:]} == {"f"}


@pytest.mark.parametrize("name", ["choices", "dataflow", "permutations", "server", "walk"])
def test_truths_are_those_of_separate_checks(name):
    """Where the stack is empty, a check that starts there agrees."""
    model, compared = pigro.load(EXAMPLES / f"{name}.rsm"), 0
    lines = (EXAMPLES / f"{name}.ctl").read_text().splitlines()
    for formula in [line for line in lines if line and not line.startswith("#")]:
        (told,) = data_of(report(model, formula))["verdicts"]
        for path in [each["path"] for each in told["evidence"] if "path" in each]:
            for node, frame, at in zip(path["nodes"], path["frames"], path["truths"], strict=True):
                if frame or model.core.box(node) >= 0:
                    continue
                for (_, text), truth in zip(told["tree"], told["truths"][at], strict=True):
                    if truth != "?":
                        there = pigro.check(model.with_initial([node]), text)
                        assert there.holds is (truth == "t"), (text, model.node_name(node))
                        compared += 1
    assert compared


def test_claims_are_sentences():
    model = pigro.load(EXAMPLES / "dataflow.rsm")
    (verdict,) = data_of(report(model, "AG (def_i -> EF use_i)"))["verdicts"]
    claim = verdict["evidence"][-1]
    assert claim["kind"] == "claim"
    assert claim["sentence"].startswith("no run from here reaches use_i (proved at ")


def test_components(server):
    data = data_of(report(server, "AG (request -> AF answer)"))
    log = next(each for each in data["components"].values() if each["name"] == "log")
    assert log["whole"]
    assert len(log["edges"]) == 3
    main = next(each for each in data["components"].values() if each["name"] == "main")
    assert {text for _, _, text in main["edges"]} == {"", "done", "refused"}


def test_without_evidence():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    stats = CheckStats(0.1)
    verdict = Verdict(
        model,
        pigro.parse("AF p"),
        None,
        "demand",
        stats,
        remarks=Remarks(gave_up="it took too long"),
    )
    page = render_html(model, [verdict]).decode()
    (told,) = data_of(page)["verdicts"]
    assert (told["word"], told["reason"], told["evidence"]) == ("unknown", "it took too long", [])
    assert "unknown  AF p\n" in page


def test_no_verdicts():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    assert data_of(render_html(model, []).decode())["verdicts"] == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(name):
    plain = Reader(page := report(named("x"), "AG EF p"))
    hostile = Reader(bad := report(named(name), "AG EF p"))
    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert "<" not in re.search(r'id="data">(.*?)</script>', bad, re.DOTALL)[1]
    assert len(data_of(bad)["nodes"]) == len(data_of(page)["nodes"])
    shown = [each for each in bad if not each.isprintable() and each != "\n"]
    assert not shown, "control and direction characters are written as escapes"


def named(name):
    model = pigro.ModelBuilder()
    main = model.component(name)
    main.entry(name, labels=[name, "p"])
    main.exit(name + "2")
    box = main.box(name, calls=name)
    main.edge(name, box.call(name))
    main.edge(name, name + "2")
    main.edge(box.returned(name + "2"), name + "2")
    return model.build(initial=f"{name}:{name}")


def test_hostile_formula():
    name = "</script><img src=x>"
    page = report(named(name), f'EF "{name}"')
    assert "<img" not in page
    assert Reader(page).tags == Reader(report(named("x"), "EF x")).tags


def test_policy_has_the_hashes_of_the_parts(server):
    page = report(server, "EF request")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_no_addresses_and_no_markup_from_data(server):
    page = report(server, "EF request")
    addresses = set(re.findall(r"https?://[^\s\"'`]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in page


def test_ten_thousand_states():
    size = 10_000
    after = {f"s{at}": [f"s{min(at + 1, size - 1)}"] for at in range(size)}
    model = pigro.kripke(after, labels={f"s{size - 1}": ["goal"]}, initial="s0")
    began = time.process_time()
    page = report(model, "EF (goal & EG goal)")
    assert time.process_time() - began < 120
    assert len(page) < 2_000_000
    data = data_of(page)
    assert len(data["verdicts"][0]["evidence"][0]["path"]["nodes"]) == size
    assert not data["components"]["0"]["whole"]


def test_deep_stacks_are_small():
    depth = 2_000
    page = report(deep_calls(depth), "EF goal")
    assert len(page) < 1_000_000
    assert len(data_of(page)["frames"][0]) == depth


def test_large_components_are_told_around_the_states():
    after = {f"s{at}": [f"s{(at + 1) % 5000}"] for at in range(5000)}
    model = pigro.kripke(after, labels={"s3": ["p"]}, initial="s0")
    data = data_of(report(model, "EF p"))
    names = {each[1] for each in data["nodes"].values()}
    assert names == {"s4998", "s4999", "s0", "s1", "s2", "s3", "s4", "s5"}


def test_formulas_too_large_for_a_tree():
    formula = pigro.parse(" & ".join(f"p{at}" for at in range(100)))
    assert formula_rows(formula) == []
    doubled = pigro.parse("p")
    for _ in range(60):
        doubled = doubled.iff(doubled)
    assert formula_rows(doubled) == []


def test_returns_that_call_at_once_begin_calls():
    """A return and the next call are one step: the new call is told as one."""
    model = pigro.ModelBuilder()
    main, sub = model.component("main"), model.component("sub")
    main.entry("in")
    main.exit("out", labels=["p"])
    sub.entry("in")
    sub.exit("out")
    sub.edge("in", "out")
    one, two = main.box("one", calls="sub"), main.box("two", calls="sub")
    main.edge("in", one.call("in"))
    main.edge(one.returned("out"), two.call("in"))
    main.edge(two.returned("out"), "out")
    path = data_of(report(model.build(initial="main:in"), "EF p"))["verdicts"][0]["evidence"][0]
    assert path["path"]["calls"] == [1, 3]


def test_evidence_of_others_may_jump():
    """Stacks that have little in common are told all the same."""
    model = pigro.load(EXAMPLES / "server.rsm")
    verdict = item(model, "EF request")
    evidence = verdict.evidence
    states = evidence.path.states
    assert isinstance(states[0], State)
    again = type(evidence)(
        evidence.part,
        evidence.truth,
        evidence.state,
        evidence.kind,
        Path((*states, *reversed(states), *states)),
        evidence.parts,
    )
    assert render_html(model, [replace(verdict, evidence=again)])
