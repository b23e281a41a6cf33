"""Files of rules: what is right, and errors that say what is wrong."""

import pytest

from pigro.diagnostics import InputError, UsageError
from pigro.render.findings.explanation import explained
from pigro.rules import built_in, read_rules
from pigro.rules.choosing import chosen_rules, known_rules, listed
from pigro.rules.templates import TEMPLATES
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
        ("[rule.x]\ntemplate = 3", "P161", "template is not a text"),
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


def test_every_rule_is_explained_with_its_formula():
    known = known_rules()
    for name, rule in known.items():
        assert TEMPLATES[rule.template].formula in explained(known, name)
        assert name in listed(known)
        assert rule.message
        assert rule.help
