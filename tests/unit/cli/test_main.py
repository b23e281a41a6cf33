"""The group: help, version, usage errors, completion."""

from __future__ import annotations

import re

import click
import pytest

from pigro import __version__
from pigro.cli.main import _COMMANDS, cli
from pigro.formats.registry import formats
from pigro.options import ENGINE_NAMES, GROUPS, RARE, options_of


def formats_that(function):
    return [each for each in formats() if each.offer(function) is not None]


def to_read():
    ways = [
        (each.name, *(f"{each.name}:{way}" for way in each.translations))
        for each in formats_that("read")
    ]
    return [name for names in ways for name in names]


def to_write():
    return [each.name for each in formats_that("write")]


def test_version(run):
    assert run("--version").stdout == f"pigro, version {__version__}\n"


@pytest.mark.parametrize("args", [[], *[[name] for name in _COMMANDS]], ids=str)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_fits_a_terminal(run, args, option):
    result = run(*args, option)
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", ["check", "compose"])
def test_help_fits_two_screens_and_shows_rare_options_on_request(run, name):
    first, whole = (run(name, option).stdout for option in ("--help", "--help-all"))
    assert len(first.splitlines()) <= 70
    listed, more = whole.split("\nRare options:\n")
    assert listed == first
    rows = {each.flag.split(" ")[-1].partition("/")[0]: each.group for each in options_of(name)}
    for flag, group in rows.items():
        assert bool(re.search(rf"^  (-\w, )?{flag}(?![\w-])", more, re.MULTILINE)) == (
            group is not None
        )
        assert bool(re.search(rf"^  (-\w, )?{flag}(?![\w-])", first, re.MULTILINE)) == (
            group is None
        )
    groups = re.findall(r"^(Options of .*):$", more, re.MULTILINE)
    assert groups == [each for each in GROUPS if each != RARE and each in rows.values()]


def test_help_of_check_tells_the_exit_codes(run):
    text = run("check", "--help").stdout
    for code in ("0  ", "1  ", "2  ", "3  ", "4  ", "130"):
        assert f"\n    {code}  " in text


def test_lines_of_the_commands_are_those_of_their_help():
    context = click.Context(cli)
    for name, line in _COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert (command.name, command.get_short_help_str(100)) == (name, line)


def test_without_arguments_there_is_help(run):
    result = run()
    assert "Usage: pigro" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("args", "message", "hint"),
    [
        (["chek"], "no such command 'chek'", 'did you mean "check"?'),
        (["--zzz"], "no such option", "see `pigro --help`"),
        (["check"], "missing argument 'MODEL'", "see `pigro check --help`"),
        (["check", "m", "p", "--zzz"], "no such option", "see `pigro check --help`"),
    ],
)
def test_usage_errors(run, args, message, hint):
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.endswith(f"\n  hint: {hint}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_PIGRO_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("pigro ", list(_COMMANDS)),
        ("pigro convert --from ", to_read()),
        ("pigro convert --to ", to_write()),
        ("pigro check --from ", to_read()),
        ("pigro check --engine ", list(ENGINE_NAMES)),
        ("pigro check --dead-ends ", ["stutter", "stop", "error"]),
        ("pigro check --format ", ["text", "json", "sarif", "junit"]),
        ("pigro completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_completion(run, monkeypatch, words, found):
    monkeypatch.setenv("_PIGRO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert run().stdout.splitlines() == [f"plain,{word}" for word in found]
