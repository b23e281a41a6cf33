"""The commands and their options, from click."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import click

from pigro.cli.main import cli
from pigro.options import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def commands() -> dict[str, click.Command]:
    """Each command by its name, subcommands of `generate` too, in the order of the help."""
    return dict(_walk(cli, ""))


def _walk(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group, **group.context_settings)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield prefix + name, found
        if isinstance(found, click.Group):
            yield from _walk(found, f"{prefix}{name} ")


def command(name: str) -> str:
    """The section of one command, and those of its subcommands."""
    return "\n".join(_section(each) for each in commands() if each.split()[0] == name)


def _section(name: str) -> str:
    """What the command does, and the options that it does not share."""
    found = commands()[name]
    parent = click.Context(cli, **cli.context_settings)
    context = click.Context(found, parent, name, **found.context_settings)
    usage = " ".join(found.collect_usage_pieces(context))
    anchor = f"pigro-{name.replace(' ', '-')}"
    parts = [f"({anchor})=", f"{'###' if ' ' in name else '##'} {name}\n"]
    parts += [f"    pigro {name} {usage}\n", *_paragraphs(found)]
    own = [each for each in _options(found) if _key(each) not in _shared()]
    for group in (None, *GROUPS):
        of_group = [_described(each) for each in own if getattr(each, "group", None) == group]
        parts += [f"{group}, with `--help-all`:\n"] if group and of_group else []
        parts += of_group
    shared = [f"`{_flag(each)}`" for each in _options(found) if _key(each) in _shared()]
    if shared:
        parts.append(f"[Shared options](#shared-options): {', '.join(shared)}.\n")
    return "\n".join(parts)


def shared_options() -> str:
    """The options that several commands have."""
    return "\n".join(_described(each) for each in _shared().values())


@cache
def _shared() -> dict[tuple[str, str], click.Option]:
    """By name and text: for each name, the text that most commands have."""
    every = [each for found in commands().values() for each in _options(found)]
    counts = Counter(_key(each) for each in every)
    most: dict[str, tuple[str, str]] = {}
    for key, count in counts.items():
        if count > max(1, counts[most.get(key[0], ("", ""))]):
            most[key[0]] = key
    options = {_key(each): each for each in every}
    return {key: options[key] for key in sorted(most.values(), key=lambda key: -counts[key])}


def _options(found: click.Command) -> list[click.Option]:
    return [each for each in found.params if isinstance(each, click.Option)]


def _key(option: click.Option) -> tuple[str, str]:
    return _flag(option), option.help or ""


def _flag(option: click.Option) -> str:
    return max(option.opts, key=len)


def _described(option: click.Option) -> str:
    """An option as a row of a list of definitions."""
    record = option.get_help_record(click.Context(cli, **cli.context_settings))
    assert record is not None
    flags, text = record
    text = re.sub(r"\s*\[[^\]]*[<>]=?[^\]]*\]$", "", text)
    return f"`{flags}`\n: {_escaped(' '.join(text.split()))}\n"


def _paragraphs(found: click.Command) -> list[str]:
    """What the command does, in two paragraphs. The rest is in its help."""
    parts = inspect.cleandoc(found.help or "").split("\n\n")
    told = [part for part in parts if not part.startswith("\x08")]
    return [f"{_escaped(part).strip()}\n" for part in told[:2]]


def _escaped(text: str) -> str:
    """Signs that Markdown would read, outside of code."""
    pieces = re.split(r"(`[^`]*`)", text)
    pieces[::2] = [re.sub(r"([*<\[\]])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
