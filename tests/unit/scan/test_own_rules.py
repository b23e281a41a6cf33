"""Templates that no built-in rule uses: no-use-after, call-order and formula."""

import textwrap

import pytest

from pigro.rules.reading import read_rules
from pigro.scan.scanning import scan_paths

RULES = """
[rule.closed]
template = "no-use-after"
message = "`{name}` is used after it was closed"
acquire = ["bank.open"]
release = [".close"]
use = [".read", ".write"]

[rule.order]
template = "call-order"
message = "`{name}` sends before it greets"
acquire = ["bank.open"]
early = [".hello"]
late = [".send"]

[rule.check-first]
template = "formula"
message = "{name} pays before it checks"
formula = "A [!pay W check]"

[rule.check-first.events]
check = ["bank.check"]
pay = ["bank.pay", ".pay"]

[rule.closes]
template = "formula"
message = "{name} opens and can return without closing"
formula = "AG (open -> !E [!close U return])"

[rule.closes.events]
open = ["bank.open"]
close = [".close"]
"""
CASES = [
    ("closed", "a.close(); a.read()", True),
    ("closed", "a.read(); a.close()", False),
    ("closed", "a.close(); a = bank.open(); a.read()", False),
    ("closed", "a.close() if x else None; a.write(1)", True),
    ("closed", "b = a; b.close(); a.read()", True),
    ("closed", "a.close(); a.name()", False),
    ("closed", "helper(a); a.close()", False),
    ("order", "a.send()", True),
    ("order", "a.hello(); a.send()", False),
    ("order", "a.hello() if x else None; a.send()", True),
    ("order", "unknown(a); a.send()", False),
    ("order", "a.name()", False),
    ("check-first", "bank.pay(x)", True),
    ("check-first", "bank.check(x); bank.pay(x)", False),
    ("check-first", "checked(x); bank.pay(x)", False),
    ("check-first", "x.pay()", True),
    ("check-first", "bank.check(x) if x else None; bank.pay(x)", True),
    ("closes", "print(a)", True),
    ("closes", "a.close()", False),
    ("closes", "a.close() if x else None", True),
]


@pytest.mark.parametrize(("rule", "body", "is_bad"), CASES)
def test_the_order_of_calls_decides(rule, body, is_bad, tmp_path):
    rules = read_rules(RULES, "rules.toml")
    text = f"""
        import bank
        def helper(y):
            return y.read()
        def checked(y):
            bank.check(y)
        def f(x):
            a = bank.open()
            {body}
        """
    (tmp_path / "app.py").write_text(textwrap.dedent(text), encoding="utf-8")
    found = scan_paths([str(tmp_path / "app.py")], [rules[rule]]).findings
    found = [each for each in found if each.function == "app.f"]
    assert [each.rule for each in found] == [rule] * is_bad


def test_the_run_of_a_use_after_the_end(tmp_path):
    (tmp_path / "app.py").write_text(
        "import bank\ndef f():\n    a = bank.open()\n    a.close()\n    a.read()\n",
        encoding="utf-8",
    )
    rule = read_rules(RULES, "rules.toml")["closed"]
    [finding] = scan_paths([str(tmp_path / "app.py")], [rule]).findings
    notes = [(step.at[0], step.note) for step in finding.steps if step.note]
    assert notes == [(3, "made here"), (4, "released here"), (5, "used here")]
