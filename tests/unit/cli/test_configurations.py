"""Runs of `.pds` and `.pdmu` files: the configuration of each state, and the rule of each step."""

import json
from pathlib import Path

import pytest

SYSTEM = """\
(q <f e>)
ATOMS z deep
q <f> --> q <h>
q <f> --> q <g n>
q <f> --> q <g x y>
q <g> --> q <k>
q <g> --> r <k>
q <k> --> q <>
r <k> --> r <>
r <k> --> q <>
q <x> --> q <>
q <y> --> q <z>
"""
RUN = """\
<q, f e>
<q, g x y e>   s.pds:5: q <f> --> q <g x y>
<q, k x y e>   s.pds:6: q <g> --> q <k>
<q, x y e>   s.pds:8: q <k> --> q <>
<q, y e>   s.pds:11: q <x> --> q <>
<q, z e>   [deep]   s.pds:12: q <y> --> q <z>
"""


@pytest.fixture
def system(run):
    Path("s.pds").write_text(SYSTEM, encoding="utf-8")
    return "s.pds"


@pytest.mark.parametrize("translation", ["split", "general", "single"])
def test_runs_show_configurations_and_the_rules_that_are_taken(run, system, translation):
    result = run("check", system, "--from", f"pds:{translation}", "AG !deep", "--witness")
    rows = [each.split("  (at exit")[0].rstrip() for each in result.stdout.split("\n")[3:-1]]
    told = [each.partition("<")[1] + each.partition("<")[2] for each in rows]
    assert "\n".join(told) + "\n" == RUN


def test_a_rule_is_shown_at_each_step_that_takes_it(run):
    Path("p.pds").write_text("(q <f f g>)\nATOMS g over\nq <f> --> q <>\n", encoding="utf-8")
    result = run("check", "p.pds", "AG !over", "--witness")
    assert result.stdout.count("p.pds:3: q <f> --> q <>") == 2


def test_json_has_configurations_and_lines_and_they_are_judged(run, system):
    for formula in ("AG !deep", "A [G !deep]"):
        result = run("check", system, formula, "--witness", "--format", "json")
        document = json.loads(result.stdout)
        rows = document["results"][0]["evidence"]["evidence"]
        [path] = [each["path"] for each in rows if each["path"]]
        assert path["configurations"][0] == "<q, f e>"
        assert path["configurations"][-1] == "<q, z e>"
        assert [each["line"] for each in path["places"]] == [5, 6, 8, 11, 12]
        Path("e.json").write_text(json.dumps(document), encoding="utf-8")
        assert run("validate-witness", system, "e.json").exit_code == 0
        path["configurations"][1] = "<q, g n e>"
        Path("e.json").write_text(json.dumps(document), encoding="utf-8")
        judged = run("validate-witness", system, "e.json")
        assert judged.exit_code == 1
        assert "the configurations are not those of the states of a path" in judged.stdout


def test_html_has_configurations_and_rules(run, system):
    run("check", system, "AG !deep", "--html", "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    assert '"configurations":["\\u003cq, f e>"' in page
    assert '"1":["s.pds:5","q \\u003cf> --> q \\u003cg x y>"]' in page


def test_pdmu_files_too(run):
    rules = (
        "Rules:\n\na # -> q main #;\nq main -> q set;\nq set -> q helper get;\nq helper -> q _;\n"
    )
    labels = "\nPropositions:\n\nq get q get read;\n"
    Path("c.pdmu").write_text(rules + labels, encoding="utf-8")
    told = run("check", "c.pdmu", "AG !read", "--witness").stdout
    assert "<q, helper get #>   c.pdmu:5: q set -> q helper get;" in told
    assert "<q, get #>   [read]   c.pdmu:6: q helper -> q _;" in told
