"""Options that several commands have, and the amounts in them, such as `30s` and `4G`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pigro.amounts import BYTES, SECONDS, read_amount
from pigro.forms import FORMS, forms_in_words
from pigro.options import BY_NAME, GROUPS, RARE, options_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from pigro.options import Option

F = TypeVar("F", bound="Callable[..., Any]")
_LARGEST = 2**31 - 1


class GroupedOption(click.Option):
    """An option of a group that `--help-all` shows."""

    def __init__(self, *args: Any, group: str | None = None, **details: Any) -> None:
        super().__init__(*args, **details)
        self.group = group


class GroupedCommand(click.Command):
    """A command with options that only `--help-all` shows: those of a group."""

    def __init__(self, *args: Any, **details: Any) -> None:
        super().__init__(*args, **details)
        more = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options, also rare ones, and exit.",
        )
        self.params.append(more)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options, and of those of each group if all are asked for."""
        listed: dict[str | None, list[tuple[str, str]]] = {None: []}
        groups = (None, *GROUPS) if ctx.meta.get(_ALL) else (None,)
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                listed.setdefault(getattr(param, "group", None), []).append(record)
        for group in groups:
            if listed.get(group):
                with formatter.section(group or "Options"):
                    formatter.write_dl(listed[group])


_ALL = "pigro.help_all"


def _show_all(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


class AmountType(click.ParamType[float]):
    """A positive number with a unit."""

    def __init__(
        self, name: str, units: dict[str, float], example: str, none: str | None = None
    ) -> None:
        self.name = name
        self._none = none
        self._units = units
        self._example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The amount in seconds or bytes."""
        if isinstance(value, float):
            return value
        if self._none and str(value).strip().lower() == self._none:
            return math.inf
        amount = read_amount(str(value), self._units)
        if amount is None:
            message = f"{value!r} is not a {self.name}. For example, write {self._example}"
            self.fail(message, param, ctx)
        return amount


DURATION = AmountType("duration", SECONDS, "500ms, 30s or 2m")
SIZE = AmountType("size", BYTES, "500M, 4G or none", "none")


def complete_format(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,
    incomplete: str,
) -> list[CompletionItem]:
    """The names of formats that can be read, or for `--to` written."""
    from click.shell_completion import CompletionItem

    from pigro.formats.registry import formats

    function = "write" if param.name == "to" else "read"
    return [
        CompletionItem(name, help=each.description)
        for each in formats()
        if each.offer(function) is not None
        for name in (each.name, *(f"{each.name}:{way}" for way in each.translations))
        if name.startswith(incomplete) and (name == each.name or function == "read")
    ]


class EngineName(click.Choice[str]):
    """Those of other packages are looked up."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name."""
        if value not in self.choices:
            from pigro.engines import TABLE

            if value in TABLE:
                return value
        return super().convert(value, param, ctx)


_TYPES = {"duration": DURATION, "size": SIZE, "path": click.Path(), "file": click.Path()}


def click_option(row: Option, name: str | None = None) -> Callable[[F], F]:
    """An option of the table for a command, under the name of a parameter."""
    details: dict[str, Any] = {
        "help": row.help,
        "metavar": row.metavar,
        "multiple": row.many,
        "show_default": row.shows_default,
    }
    if row.kind == "flag":
        details["is_flag"] = True
    elif row.kind == "choice":
        choice = EngineName if row.name == "engine" else click.Choice
        details["type"] = choice(row.choices)
    elif row.kind == "number":
        least = row.least
        details["type"] = int if least is None else click.IntRange(least, _LARGEST)
    elif row.kind in _TYPES:
        details["type"] = _TYPES[row.kind]
    if row.kind != "file" and not row.many:
        details["default"] = row.default
    if row.name == "format":
        details["shell_complete"] = complete_format
    details |= {"cls": GroupedOption, "group": row.group}
    return click.option(*row.flag.split(" "), name or row.name, **details)


def checking_options(command: str) -> Callable[[F], F]:
    """All options of a check that a command has."""

    def decorate(function: F) -> F:
        for row in reversed(options_of(command)):
            function = click_option(row)(function)
        return function

    return decorate


def request_values(command: str, said: dict[str, Any]) -> dict[str, Any]:
    """The values of options, as a request has them: of a file, whether there is one."""
    rows = {each.name: each for each in options_of(command)}
    return {
        name: value is not None if rows[name].kind == "file" else value
        for name, value in said.items()
        if name != "witness"
    }


from_option = click_option(BY_NAME["format"], "from_")
semantics_option = click_option(BY_NAME["semantics"])
dead_ends_option = click_option(BY_NAME["dead_ends"])
formula_files_option = click_option(BY_NAME["files"])
timeout_option = click_option(BY_NAME["timeout"])
timeout_each_option = click_option(BY_NAME["timeout_each"])
memory_option = click_option(BY_NAME["memory"])

results_format_option = click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS]),
    metavar="FORM",
    default="text",
    show_default=True,
    help=f"{forms_in_words()}.",
)

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for you, or JSON for your programs.",
)

output_option = click.option(
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write the results to FILE, in one step, instead of standard output.",
)


_html_option = click.option(
    "--html",
    metavar="FILE",
    type=click.Path(),
    help="Write a report to open in a browser: verdicts, runs to step through, games to play.",
)
_draw_option = click.option(
    "--draw",
    cls=GroupedOption,
    group=RARE,
    metavar="FILE",
    type=click.Path(),
    help="Draw the run of the first verdict that has one: on the components that it visits, or as "
    "a chain of composed states. FILE ends in .dot or .svg. If no verdict has a run, nothing is "
    "written.",
)


def report_options(function: F) -> F:
    """The files that a check can write besides its results."""
    return _html_option(_draw_option(function))


def refuse_others(context: click.Context, option: str, takes: set[str], hint: str) -> None:
    """`UsageError` P006 for options on the command line that do not go with this one."""
    from pigro.diagnostics import UsageError

    for each in context.command.params:
        source = context.get_parameter_source(each.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and each.name not in takes:
            message = f"{option} and {each.opts[0]} don't go together"
            raise UsageError("P006", message, hint=hint)
