"""The formats of findings: what others read must be what they expect.

The schema of SARIF is not ours to ship, and no package on PyPI has it. So tests/support/judges/sarif.py has a
schema of the part that we write. If PIGRO_SARIF_SCHEMA names a copy of sarif-schema-2.1.0.json of
OASIS, that one is used too.
"""

import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

import pigro
from pigro.limits import Budget
from pigro.render.findings import github, html, junit, sarif
from pigro.render.findings import json as as_json
from pigro.render.findings.text import coloured, findings_text
from pigro.scan.project.settings import Project, ScanSettings
from pigro.scan.project.whole import RuleSet, ScanOptions, scan_project

from support.judges.sarif import LOG
from support.samples.leaks import HELPERS, LEAK

HOSTILE = "<script>alert(1)</script>\n::error::x%0A\x1b[31m]]>&\"'"


@pytest.fixture
def outcome(tmp_path, monkeypatch):
    """Two findings, one of them with a call, and a file that can't be read."""
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(LEAK)
    Path("b c.py").write_text(HELPERS)
    Path("d.py").write_text("def f(:\n")
    project = Project(tmp_path, ScanSettings())
    return scan_project(
        ScanOptions(project), RuleSet(project, ()), Budget(), lambda _: lambda: None
    )


@pytest.fixture
def hostile(outcome):
    """The same with names and messages that try to be more than text."""
    report = outcome.report
    report.findings = [
        replace(each, message=HOSTILE, function=HOSTILE, file=HOSTILE,
                steps=tuple(replace(step, note=HOSTILE, file=HOSTILE) for step in each.steps))
        for each in report.findings
    ]  # fmt: skip
    return outcome


def schema(name):
    home = Path(pigro.__file__).parent / "schemas"
    return json.loads((home / f"{name}.schema.json").read_text())


def test_json_has_the_documented_form(outcome):
    data = json.loads(as_json.render(outcome))
    jsonschema.validate(data, schema("scan"), cls=jsonschema.Draft202012Validator)
    first, second = data["findings"]
    assert (first["file"], first["line"], first["column"], first["end_column"]) == (
        "a.py",
        5,
        10,
        36,
    )
    assert first["steps"][-1]["decisive"]
    assert {each["depth"] for each in second["steps"]} == {0, 1}
    assert data["errors"][0]["code"] == "P150"


@pytest.mark.parametrize("form", [as_json, sarif, github, junit, html, None])
def test_two_names_that_are_not_utf_8_stay_two(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [os.fsdecode(each) for each in (b"a\xfe.py", b"a\xff.py")]
    for each in names:
        Path(each).write_text(LEAK)
    Path(os.fsdecode(b"b\xff.py")).write_text("def f(:\n")
    project = Project(tmp_path, ScanSettings())
    outcome = scan_project(
        ScanOptions(project), RuleSet(project, ()), Budget(), lambda _: lambda: None
    )
    text = (form.render(outcome) if form else findings_text(outcome).encode()).decode()
    assert "\ufffd" not in text
    if form is as_json:
        data = json.loads(text)
        assert [each["file"] for each in data["findings"]] == names
        assert [each["steps"][0]["file"] for each in data["findings"]] == names
        assert [os.fsencode(each["file"]) for each in data["errors"]] == [b"b\xff.py"]
    else:
        shown = ("a%FE.py", "a%FF.py") if form is sarif else (r"a\udcfe.py", r"a\udcff.py")
        assert all(each in text for each in shown)


class TestSarif:
    @pytest.mark.parametrize("which", ["outcome", "hostile"])
    def test_has_the_properties_of_the_standard_and_no_others(self, which, request):
        made = json.loads(sarif.render(request.getfixturevalue(which)))
        checker = jsonschema.Draft202012Validator(LOG)
        checker.validate(made)
        del made["runs"][0]["results"][0]["message"]
        made["runs"][0]["results"][1]["codeFlow"] = []
        assert len(list(checker.iter_errors(made))) == 2

    @pytest.mark.skipif("PIGRO_SARIF_SCHEMA" not in os.environ, reason="no copy of the schema")
    @pytest.mark.parametrize("which", ["outcome", "hostile"])
    def test_is_valid(self, which, request):
        rules = json.loads(Path(os.environ["PIGRO_SARIF_SCHEMA"]).read_text())
        kind = jsonschema.validators.validator_for(rules)
        made = json.loads(sarif.render(request.getfixturevalue(which)))
        kind(rules, format_checker=kind.FORMAT_CHECKER).validate(made)

    def test_the_log(self, outcome):
        log = json.loads(sarif.render(outcome))
        assert set(log) == {"$schema", "version", "runs"}
        assert log["version"] == "2.1.0"
        [run] = log["runs"]
        assert set(run) == {"tool", "columnKind", "invocations", "results"}
        assert run["columnKind"] == "unicodeCodePoints"
        [invocation] = run["invocations"]
        assert invocation["executionSuccessful"] is False
        [told] = invocation["toolExecutionNotifications"]
        assert told["message"]["text"].startswith("P150: ")
        rules = run["tool"]["driver"]["rules"]
        assert len({each["id"] for each in rules}) == len(rules)
        for each in rules:
            assert each["shortDescription"]["text"]
            assert each["fullDescription"]["text"]
            assert each["defaultConfiguration"]["level"] in {"error", "warning", "note"}

    @pytest.mark.parametrize("which", ["outcome", "hostile"])
    def test_results(self, which, request):
        [run] = json.loads(sarif.render(request.getfixturevalue(which)))["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert len(run["results"]) == 2
        for each in run["results"]:
            assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
            assert each["level"] in {"error", "warning", "note"}
            assert each["message"]["text"]
            assert re.fullmatch("[0-9a-f]{32}", each["partialFingerprints"]["pigro/v1"])
            [place] = each["locations"]
            check_place(place)
            [flow] = each["codeFlows"]
            [thread] = flow["threadFlows"]
            for step in thread["locations"]:
                assert set(step) == {"location", "nestingLevel", "importance"}
                assert step["nestingLevel"] >= 0
                check_place(step["location"])
            assert thread["locations"][-1]["importance"] == "essential"

    def test_calls_are_nested_and_names_quoted(self, outcome):
        [run] = json.loads(sarif.render(outcome))["runs"]
        second = run["results"][1]
        steps = second["codeFlows"][0]["threadFlows"][0]["locations"]
        assert {each["nestingLevel"] for each in steps} == {0, 1}
        place = second["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "b%20c.py", "uriBaseId": "%SRCROOT%"}


def check_place(place):
    physical = place["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9%/._~:-]+", uri), uri
    region = physical["region"]
    assert region["startLine"] >= 1
    assert region["startColumn"] >= 1
    assert region["endColumn"] >= region["startColumn"] or region["endLine"] > region["startLine"]


def test_github_lines(outcome):
    first, second, third = github.render(outcome).decode().splitlines()
    assert first == (
        "::warning file=a.py,line=5,col=10,endColumn=35,title=pigro fd-leak::`fd` from `os.open` is "
        "not released%0Aa.py:5: acquired here%0Aa.py:8: then it is not released"
    )
    assert second.startswith("::warning file=b c.py,line=5")
    assert third.startswith("::error file=d.py,line=1,title=pigro::P150: ")


def test_github_lines_of_hostile_names_stay_commands_of_their_own(hostile):
    lines = github.render(hostile).decode().splitlines()
    assert len(lines) == 3
    for each in lines[:2]:
        head, _, _ = each.removeprefix("::warning ").partition("::")
        assert re.fullmatch(r"file=[^:,]*,line=5,(col=\d+,endColumn=\d+),title=pigro fd-leak", head)


@pytest.mark.parametrize("which", ["outcome", "hostile"])
def test_junit(which, request):
    made = request.getfixturevalue(which)
    root = ET.fromstring(junit.render(made))
    [suite] = root
    assert suite.get("failures") == "2"
    assert suite.get("errors") == "1"
    assert int(suite.get("tests")) == len(suite)
    failed = [each for each in suite if each.find("failure") is not None]
    assert [each.get("classname") for each in failed] == ["pigro.fd-leak", "pigro.fd-leak"]


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.ids, self.links, self.policy = set(), [], [], ""

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.add(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.policy += found.get("content", "") if found.get("http-equiv") else ""
        assert not any(name.startswith("on") or name == "style" for name in found)


@pytest.mark.parametrize("which", ["outcome", "hostile"])
def test_html_is_safe_and_its_links_lead_somewhere(which, request):
    page = html.render(request.getfixturevalue(which)).decode()
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.tags
    assert tags.tags <= set(
        "html head meta title style body header b span main ul li a section h1 h2 p div ol".split()
    )
    assert tags.policy.startswith("default-src 'none'; style-src 'sha256-")
    if which == "outcome":
        assert {each.removeprefix("#") for each in tags.links} <= set(tags.ids)
        assert "<b>8</b>        return None</div>" in page
    assert len(tags.ids) == len(set(tags.ids))


def test_text_of_hostile_names_sets_no_colours(hostile):
    text = findings_text(hostile, paint=coloured)
    codes = set(re.findall(r"\x1b\[([0-9;]*)m", text))
    assert codes <= {"0", "1", "2", "31;1", "33;1", "36;1"}
    assert len(re.findall("\x1b", text)) == len(re.findall(r"\x1b\[[0-9;]*m", text))
    assert "\x1b[31m]" not in text
