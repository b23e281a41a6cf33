"""The work of a scan grows with the sites of a function, not with their square. Counted in nodes."""

import pytest

from pigro.limits import Budget, Limits
from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan.scanning import scan_paths

OPENED = "    a{0} = open('x')\n"
SITES = {
    "left open": ("resource-leak", "def f():\n", (OPENED,)),
    "closed at the end": ("resource-leak", "def f():\n", (OPENED, "    a{0}.close()\n")),
    "one name": ("resource-leak", "def f():\n", ("    a = open('x')\n    a.close()\n",)),
    "through a helper": (
        "resource-leak",
        "def g(x):\n    x.read()\ndef f():\n",
        ("    a{0} = open('x')\n    g(a{0})\n",),
    ),
    "between calls that raise": (
        "resource-leak",
        "def g(x):\n    if x: raise ValueError\ndef f(x):\n",
        ("    a{0} = open('x')\n    g(x)\n",),
    ),
    "locks": (
        "lock-not-released",
        "def f(x):\n",
        ("    x.a{0}.acquire()\n", "    x.a{0}.release()\n"),
    ),
    "attributes": (
        "attribute-not-restored",
        "def f(x):\n",
        ("    o{0} = x.a{0}\n    x.a{0} = 1\n", "    x.a{0} = o{0}\n"),
    ),
}


def written(folder, head, parts, count):
    lines = "".join(part.format(number) for part in parts for number in range(count))
    (folder / "m.py").write_text(head + lines)
    return [str(folder)]


def work(folder, rule, *source, budget=None):
    """Polls of the exploration and nodes of the model."""
    looks = [0]

    def counted():
        looks[0] += 1
        return 0.0

    budget = Budget(clock=counted)
    report = scan_paths(
        written(folder, *source), chosen_rules(known_rules(), [rule]), budget=budget
    )
    assert report.statistics.sites[rule] == source[-1]
    return looks[0], report.statistics.model_nodes


@pytest.mark.parametrize("name", SITES)
def test_twice_the_sites_are_twice_the_work(name, tmp_path):
    few, many = (work(tmp_path, *SITES[name], count) for count in (40, 80))
    assert all(0 < more <= 2.1 * less for less, more in zip(few, many, strict=True))


def test_a_limit_ends_the_exploration_of_one_function(tmp_path):
    now = [0.0]

    def clock():
        now[0] += 1.0
        return now[0]

    head, line = "def f(x):\n", "    a{0} = open('x')\n    if x{0}: return\n"
    paths = written(tmp_path, head, (line,), 40)
    report = scan_paths(paths, chosen_rules(known_rules(), ["resource-leak"]),
                        budget=Budget(Limits(1000), clock=clock))  # fmt: skip
    assert report.unfinished == ["resource-leak"]
    assert now[0] < 1100


@pytest.mark.parametrize("name", ["left open", "closed at the end"])
def test_sites_that_share_a_function_keep_their_answers(name, tmp_path):
    rule, head, parts = SITES[name]
    rules = chosen_rules(known_rules(), [rule])
    found = scan_paths(written(tmp_path, head, parts, 40), rules).findings
    assert len(found) == (40 if name == "left open" else 0)
    for each in found:
        notes = [(step.at[0], step.note) for step in each.steps if step.note]
        assert notes[0] == (each.line, "acquired here")
        assert notes[-1][1] == "then it is not released"
