"""Limits hold while files are listed, shown and written, and nothing is half-written."""

from __future__ import annotations

import pytest

import pigro
from pigro.formats import registry, write_subject
from pigro.formats.smv.composing import parts_of_modules
from pigro.limits import OutOfTime
from pigro.render.drawing import draw_dot
from pigro.render.summary import component_text, summary

COUNTER = "MODULE main\nVAR x : 0..{most};\nASSIGN init(x) := 0; next(x) := (x + 1) mod 50;\n"
STATES = 50
AT_ONCE = "0.001ms"
WRITTEN = [each.name for each in registry.formats() if each.offer("write") and each.name != "svg"]


class Polls:
    """Counts. Raises at the last one that it lets be."""

    def __init__(self, most: int | None = None) -> None:
        self.count, self.most = 0, most

    def __call__(self) -> None:
        self.count += 1
        if self.most is not None and self.count >= self.most:
            raise OutOfTime


@pytest.fixture
def counter(tmp_path):
    path = tmp_path / "counter.smv"
    path.write_text(COUNTER.format(most=99_999))
    return path


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_polls_while_it_writes(counter, name):
    model, kind = pigro.load(counter).listed(), registry.format_named(name)
    polls = Polls()
    written = write_subject(kind, model, poll=polls)
    assert polls.count >= (1 if name == "pigro" else STATES)
    assert written == write_subject(kind, model)
    with pytest.raises(OutOfTime):
        write_subject(kind, model, poll=Polls(polls.count))


SHOWN = {
    "summary": lambda model, poll: summary(model, poll=poll),
    "component": lambda model, poll: component_text(model, 0, poll),
    "drawing": lambda model, poll: draw_dot(model, [0], everything=False, poll=poll),
}


@pytest.mark.parametrize("what", SHOWN)
def test_every_description_polls(counter, what):
    model, polls = pigro.load(counter).listed(), Polls()
    SHOWN[what](model, polls)
    assert polls.count >= STATES


@pytest.mark.parametrize("limit", [("--timeout", AT_ONCE), ("--memory", "1M")])
@pytest.mark.parametrize("out", ["new.rsm", "new.json", "new.smv", "new.dot", "-"])
def test_convert_writes_nothing_beyond_a_limit(run, counter, tmp_path, limit, out):
    options = ["--to", "rsm"] if out == "-" else []
    found = run("convert", str(counter), out, *options, *limit)
    assert found.exit_code == 3
    assert found.stdout == ""
    assert "error: nothing was written: stopped at the " in found.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["counter.smv"]


@pytest.mark.parametrize("limit", [("--timeout", AT_ONCE), ("--memory", "1M")])
@pytest.mark.parametrize("option", [(), ("--component", "main"), ("--draw", "new.dot")])
def test_show_shows_nothing_beyond_a_limit(run, counter, tmp_path, limit, option):
    found = run("show", str(counter), *option, *limit)
    assert found.exit_code == 3
    assert found.stdout == ""
    assert "error: nothing was shown: stopped at the " in found.stderr
    assert not (tmp_path / "new.dot").exists()


def test_within_the_limits_all_is_as_without(run, counter):
    for command in (("show",), ("show", "--component", "main")):
        limited = run(*command, str(counter), "--timeout", "1h", "--memory", "none")
        assert limited.exit_code == 0
        assert limited.stdout == run(*command, str(counter)).stdout
    assert run("convert", str(counter), "a.rsm", "--timeout", "1h").exit_code == 0


def test_variables_are_listed_within_the_limits(run, counter):
    found = run("check", str(counter), "--list-variables", "--timeout", AT_ONCE)
    assert found.exit_code == 3
    assert found.stdout == ""
    assert "time limit" in found.stderr


def test_parts_of_modules_poll_for_labels_and_states():
    data, polls = COUNTER.format(most=400).encode(), Polls()
    (part,) = parts_of_modules(data, poll=polls).parts
    assert len(part.states) == STATES
    assert polls.count >= 401 + STATES
    with pytest.raises(OutOfTime):
        parts_of_modules(data, poll=Polls(polls.count - STATES))
