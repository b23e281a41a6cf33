"""Files of rules: what is right, and errors that say what is wrong."""

import re

import pytest

from pigro.diagnostics import InputError, UsageError
from pigro.render.findings.explanation import KEYS, explained
from pigro.rules import built_in, read_rules
from pigro.rules.choosing import chosen_rules, known_rules, listed
from pigro.rules.templates import TEMPLATES
from pigro.scan.project.settings import find_project
from pigro.scan.project.whole import RuleSet
from pigro.scan.scanning import scan_paths

OWN = """
[rule.no-shell]
template = "never-in"
message = "a shell"
context = "init"
bad = ["os.system"]

[rule.order]
template = "formula"
message = "bad order in {name}"
formula = "A [!use W make]"
[rule.order.events]
make = ["shelve.open"]
use = ["os.remove"]
"""


@pytest.mark.parametrize(
    "text, code, words",
    [
        ("[rule", "P160", "Expected"),
        ("a = 1", "P161", '"a" is not a rule'),
        ("[rule.x]\nseverity = 'error'", "P161", "no known template"),
        ("[rule.x]\ntemplate = 'must-release'", "P161", "lacks acquire"),
        (
            "[rule.x]\ntemplate = 'must-release'\nacquire = 'a'\nrelease = []",
            "P161",
            "list of texts",
        ),
        ("[rule.x]\ntemplate = 'use-def'\nseverity = 'bad'", "P161", "unknown severity"),
        ("[rule.x]\ntemplate = 'use-def'\naquire = []", "P161", 'unknown key "aquire"'),
        ("[rule.x]\ntemplate = 3", "P161", "template that is not a text"),
        ("rule = 3", "P161", "rule is not a table"),
        ("[rule]\nx = 3", "P161", "rule x is not a table"),
    ],
)
def test_wrong_files_are_told(text, code, words):
    with pytest.raises(InputError, match=words) as error:
        read_rules(text, "own.toml")
    assert error.value.code == code
    assert error.value.position.source == "own.toml"


def test_rules_of_a_file_are_on_and_found(tmp_path):
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    program = "import os, shelve\nclass A:\n    def __init__(self):\n        os.system('')\n"
    program += "def f():\n    os.remove('a')\n    x = shelve.open('a')\n"
    (tmp_path / "app.py").write_text(program, encoding="utf-8")
    known = known_rules([str(tmp_path / "own.toml")])
    rules = [rule for rule in chosen_rules(known) if rule.id not in built_in()]
    report = scan_paths([str(tmp_path / "app.py")], rules)
    assert [(each.rule, each.line) for each in report.findings] == [("no-shell", 4), ("order", 6)]


def test_rules_are_selected_and_ignored():
    known = known_rules()
    every = chosen_rules(known, ["ALL"], ["fd-leak"])
    assert {each.id for each in every} == known.keys() - {"fd-leak"}
    assert [each.id for each in chosen_rules(known, ["fd-leak,socket-leak"])] == [
        "fd-leak",
        "socket-leak",
    ]
    with pytest.raises(UsageError, match='no rule "fd-leek"'):
        chosen_rules(known, ["fd-leek"])


@pytest.mark.parametrize("word", ["ALL", "all", "All"])
def test_all_is_every_rule_in_any_case(word):
    known = known_rules()
    assert {each.id for each in chosen_rules(known, [word])} == known.keys()
    assert chosen_rules(known, ignore=[word]) == []


def test_a_rule_may_be_called_all(tmp_path):
    (tmp_path / "own.toml").write_text(OWN.replace("[rule.order", "[rule.all"), encoding="utf-8")
    known = known_rules([str(tmp_path / "own.toml")])
    assert [each.id for each in chosen_rules(known, ["all"])] == ["all"]
    assert {each.id for each in chosen_rules(known, ["ALL"])} == known.keys()


def test_every_template_is_explained_with_its_keys():
    used = {"on", "harm"}
    for name, template in TEMPLATES.items():
        told = explained({}, name)
        assert template.formula in told
        keys = {*template.events, *template.settings}
        assert all(f"\n  {each} " in told for each in keys)
        assert all(f"{{{each}}}" in told for each in template.placeholders)
        used |= keys
    assert used == KEYS.keys()


def test_every_rule_is_explained_with_its_formula():
    known = known_rules()
    for name, rule in known.items():
        assert TEMPLATES[rule.template].formula in explained(known, name)
        assert name in listed(known)
        assert rule.message
        assert rule.help


LEAK = """[rule.x]
template = "must-release"
message = "`{name}` is not ended"
acquire = ["bank.begin"]
release = [".end"]
"""
FORMULA = """[rule.x]
template = "formula"
formula = "AG !sleep"
[rule.x.events]
sleep = ["time.sleep"]
"""
UNDO = """[rule.x]
template = "undo"
do = [".push"]
undo = [".pop"]
"""
HELD = """[rule.x]
template = "never-while-held"
locks = ["threading.Lock"]
what = "yield"
"""


@pytest.mark.parametrize(
    "text, old, new, words, line, under",
    [
        (LEAK, "{name}", "{nme}", "unknown placeholder {nme}", 3, "{nme}"),
        (LEAK, "{name}", "{", "unknown placeholder {", 3, "{` is not ended"),
        (LEAK, "{name}", "{0}", "unknown placeholder {0}", 3, "{0}"),
        (LEAK, "{name}", "{name:d}", "unknown placeholder {name:d}", 3, "{name:d}"),
        (LEAK, "{name}", "{name!r}", "unknown placeholder {name!r}", 3, "{name!r}"),
        (LEAK, "{name}", "{name.x}", "unknown placeholder {name.x}", 3, "{name.x}"),
        (LEAK, "{name}", "{}", "unknown placeholder {}", 3, "{}"),
        (LEAK, "{name}", "name}", "unknown placeholder }", 3, "}"),
        (LEAK, "{name}", "{cls}", "unknown placeholder {cls}", 3, "{cls}"),
        (LEAK, "{name}", "{name:>900000000}", "unknown placeholder {name:>9", 3, "{name:>900000000}"),
        (LEAK, '"bank.begin"', '".begin"', 'never matches: ".begin"', 4, ".begin"),
        (LEAK, '"bank.begin"', '\n"a.b",\n  "c d",\n', 'never matches: "c d"', 6, "c d"),
        (LEAK, '".end"', '"bank.end"', 'never matches: "bank.end"', 5, "bank.end"),
        (LEAK, '".end"', '".a.b"', 'never matches: ".a.b"', 5, ".a.b"),
        (LEAK, "acquire", 'on = ["rase"]\nacquire', 'unknown on "rase"', 4, "rase"),
        (LEAK, "acquire", "default = 1\nacquire", "neither true nor false", 4, "default = 1"),
        (LEAK, "acquire", "aquire", 'unknown key "aquire"', 4, 'aquire = ["bank.begin"]'),
        (LEAK, "must-release", "must-relese", "no known template", 2, 'template = "must-relese"'),
        (FORMULA, "!sleep", "!slep", 'no event gives: "slep"', 3, "slep"),
        (FORMULA, "!sleep", "(sleep", "wrong formula: ", 3, "("),
        (FORMULA, "AG", "G", "not in CTL", 3, "G !sleep"),
        (FORMULA, "AG !sleep", "AG !sleep & EX Z", 'no event gives: "Z"', 3, "Z"),
        (FORMULA, "time.sleep", "time.sleep()", "never matches", 5, "time.sleep()"),
        (UNDO, ".push", '.push", ".start', "2 methods in do and 1 in undo", 3, None),
        (UNDO, 'do = [".push"]\nundo = [".pop"]', "", "nothing to undo", 1, "[rule.x]"),
        (UNDO, '".pop"', '"pop"', 'never matches: "pop"', 4, "pop"),
        (HELD, '"yield"', '"yeild"', 'unknown what "yeild"', 4, "yeild"),
        (HELD, '"yield"', '"call"', "lacks bad", 1, "[rule.x]"),
        (LEAK, "[rule.x]", "[rule.x", "Expected", 1, None),
    ],
)  # fmt: skip
def test_a_rule_that_can_report_nothing_is_wrong_and_the_caret_is_under_it(
    text, old, new, words, line, under
):
    with pytest.raises(InputError, match=re.escape(words)) as error:
        read_rules(f"# rules\n\n{text.replace(old, new, 1)}", "own.toml")
    place = error.value.position
    assert (place.source, place.line) == ("own.toml", line + 2)
    if under is not None:
        assert place.text[place.column - 1 :][: max(place.width, len(under))] == under


def test_rules_in_the_settings_have_places_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = LEAK.replace("[rule.x]", "[tool.pigro.rule.x]").replace("{name}", "{nme}")
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'a'\n{text}")
    [error] = RuleSet(find_project(tmp_path), ()).errors
    assert (error.position.line, error.position.column, error.position.width) == (5, 13, 5)


@pytest.mark.parametrize(
    "message, told",
    [
        ("`{name}` by {call}", "`a` by open"),
        ("{{name}} {name}", "{name} a"),
        ("100 % {name}", "100 % a"),
        ("{name}{name}", "aa"),
    ],
)
def test_messages_name_what_they_may(message, told):
    rule = read_rules(LEAK.replace("`{name}` is not ended", message), "own.toml")["x"]
    assert rule.said(name="a", call="open") == told


def test_names_in_messages_are_not_read_again():
    rule = read_rules(LEAK, "own.toml")["x"]
    assert rule.said(name="{call}", call="open") == "`{call}` is not ended"


def test_each_rule_that_is_on_says_its_harm():
    assert [each.id for each in known_rules().values() if each.default and not each.harm] == []


@pytest.mark.parametrize(
    "more, severity",
    [
        ("", "warning"),
        ('harm = "stays"', "warning"),
        ('harm = "until collected"', "note"),
        ('harm = "until collected"\nseverity = "error"', "error"),
    ],
)
def test_the_harm_of_a_rule_gives_its_severity(more, severity):
    [rule] = read_rules(LEAK + more, "r.toml").values()
    assert rule.severity == severity


def test_an_unknown_harm_is_an_error():
    with pytest.raises(InputError, match='unknown harm "stay"'):
        read_rules(LEAK + 'harm = "stay"', "r.toml")
