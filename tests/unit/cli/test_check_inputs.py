"""Reading models, formulas and start nodes: all errors are told at once, and nothing is checked."""

from __future__ import annotations

from pathlib import Path

import pytest


def verdicts(result):
    """(word, formula) of each verdict in the text."""
    rows = [row.split(maxsplit=1) for row in result.stdout.splitlines() if row[:1].isalpha()]
    return [(word, formula) for word, formula in rows if word in ("holds", "fails", "unknown")]


def assert_refused(result, stderr):
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", stderr)


def test_arguments_come_first_then_files_in_order(run, app):
    Path("one.ctl").write_text("# liveness\n\nEF use\n")
    Path("two.ctl").write_text("E F done\n")
    result = run("check", "-f", "two.ctl", app, "-f", "one.ctl", "AF done", "--formulas", "two.ctl")
    assert verdicts(result) == [
        ("fails", "AF done"),
        ("holds", "EF done"),
        ("holds", "EF use"),
        ("holds", "EF done"),
    ]


def test_model_from_standard_input(run, app):
    result = run("check", "-", "EF use", "--stats", stdin=Path(app).read_bytes())
    assert result.exit_code == 0
    assert result.stdout.startswith("model       <stdin>\n")


def test_formulas_from_standard_input(run, app):
    assert verdicts(run("check", app, "-f", "-", stdin="EF use\nAF done\n")) == [
        ("holds", "EF use"),
        ("fails", "AF done"),
    ]
    result = run("check", app, "-f", "-", stdin="EF (\n")
    assert result.stderr.splitlines()[1] == "  --> <stdin>:1:5"


def test_standard_input_only_once(run, app):
    refused = "error[P001]: standard input (-) can be read only once\n"
    assert_refused(run("check", "-", "-f", "-", stdin="{}"), refused)


def test_formula_after_two_dashes(run, app):
    assert run("check", "--", app, "EF use").exit_code == 0
    result = run("check", app, "--", "--stats")
    assert result.exit_code == 2
    assert result.stderr.startswith("error[P301]: unexpected character `-`\n")


def test_caret(run, app):
    assert_refused(
        run("check", app, "AG (def -> & use)"),
        "error[P301]: expected a formula after `->`, found `&`\n"
        "  --> line 1, column 12\n"
        "   | AG (def -> & use)\n"
        "   |            ^\n",
    )


def test_all_formula_errors_of_all_places(run, app):
    Path("one.ctl").write_text("EF use\nEF (use\nEF use\nAF\n")
    Path("two.ctl").write_bytes(b"A [F G use]\nEF \xff\n")
    assert_refused(
        run(
            *("check", app, "EF use", "p q", "--engine", "eager"),
            *("-f", "one.ctl", "-f", "none.ctl", "-f", "two.ctl"),
        ),
        "error[P301]: expected an operator or the end, found `q`\n"
        "  --> formula 2:1:3\n"
        "   | p q\n"
        "   |   ^\n"
        "error[P302]: this `(` is not closed\n"
        "  --> one.ctl:2:4\n"
        "   | EF (use\n"
        "   |    ^\n"
        "  hint: add a `)`\n"
        "error[P303]: expected a formula after the reserved word `AF`, found the end\n"
        "  --> one.ctl:4:1\n"
        "   | AF\n"
        "   | ^^\n"
        '  hint: to use it as a label, write "AF" with the quotes\n'
        "error[P001]: can't read none.ctl: No such file or directory\n"
        "error[P102]: the byte 0xff is not valid UTF-8 text\n"
        "  --> two.ctl:2:4\n"
        "  hint: save the file as UTF-8\n"
        "error[P401]: not a CTL formula: "
        "in `F G use` the G of `G use` is not directly under A or E\n"
        "  --> two.ctl:1\n"
        "  hint: in CTL each of X, F, G, U, W, R has its own A or E directly before it; "
        "or use --engine demand (or auto), which takes all of CTL*\n",
    )


@pytest.mark.parametrize(
    ("lines", "last"), [(21, "and 1 more error"), (2020, "and 2,000 more errors")]
)
def test_at_most_twenty_errors_are_shown(run, app, lines, last):
    Path("bad.ctl").write_text("p &\n" * lines)
    result = run("check", app, "-f", "bad.ctl")
    assert result.stderr.count("error[P301]") == 20
    assert result.stderr.splitlines()[-1] == last


def test_model_and_formula_errors_together(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("check", "none.rsm", "p &", "--output", "no/where")
    assert [line[:12] for line in result.stderr.splitlines() if line.startswith("error")] == [
        "error[P003]:",
        "error[P001]:",
        "error[P301]:",
    ]


def test_a_formula_that_is_a_file_gets_a_hint(run, app):
    Path("some-props.ctl").write_text("EF use\n")
    result = run("check", app, "some-props.ctl")
    hint = "  hint: this is a file: to read formulas from it, write -f before it"
    assert result.stderr.splitlines()[-1] == hint


def test_no_formula(run, app):
    assert run("check", app).stderr.startswith("error[P002]: no formula given\n  hint: ")
    Path("empty.ctl").write_text("# nothing\n")
    result = run("check", app, "-f", "empty.ctl")
    assert_refused(
        result, "error[P002]: no formula in empty.ctl\n  hint: write one formula per line\n"
    )


def test_model_errors_have_a_place(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cut.rsm").write_text('{"initial_component": "main",\n')
    result = run("check", "cut.rsm", "p")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P101]: not valid JSON: ")
    assert "  --> cut.rsm:2:1\n" in result.stderr


def test_start(run, app):
    assert verdicts(run("check", app, "AF done")) == [("fails", "AF done")]
    assert verdicts(run("check", app, "AF done", "--start", "main:out")) == [("holds", "AF done")]
    several = run("check", app, "AF done", "--start", "main:out", "--start", "wait")
    assert verdicts(several) == [("fails", "AF done")]
    assert "at main:wait, some run never reaches done" in several.stdout


def test_wrong_starts_are_all_told(run, app):
    result = run("check", app, "AF done", "--start", "out", "--start", "main:wiat")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        'error[P005]: "out" is ambiguous: "main:out", "helper:out"\n'
        "  hint: say which one by COMPONENT:NODE\n"
        'error[P004]: the model has no node "main:wiat"\n'
    )
