"""Options that several commands have, and the amounts in them, such as `30s` and `4G`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from pigro.amounts import BYTES, SECONDS, read_amount

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Amount(click.ParamType[float]):
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


DURATION = Amount("duration", SECONDS, "500ms, 30s or 2m")
SIZE = Amount("size", BYTES, "500M, 4G or none", "none")


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


from_option = click.option(
    "--from",
    "from_",
    metavar="FORMAT",
    shell_complete=complete_format,
    help="The format of the model file, if its content and name don't show it. `pigro formats` "
    "lists all formats. pds:single, pds:split and pds:general choose how to translate a pushdown "
    "system, as do pdmu:single and so on.",
)

semantics_option = click.option(
    "--semantics",
    type=click.Choice(["standard", "rsmcheck", "rmv"]),
    help="How to read calls of nodes that are entry and exit at once, and where runs go after an "
    "exit of the initial component. rsmcheck and rmv do it as the tools RSMCheck and RMV. The "
    "default is what the file says, or otherwise standard.",
)

dead_ends_option = click.option(
    "--dead-ends",
    type=click.Choice(["stutter", "stop", "error"]),
    help="Where no step leads on, a run stays forever (stutter), ends (stop), or the model is "
    "rejected (error). The default is what the file says, or otherwise stop with rsmcheck and "
    "stutter without.",
)

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for you, or JSON for your programs.",
)

formula_files_option = click.option(
    "-f",
    "--formulas",
    "files",
    metavar="FILE",
    type=click.Path(),
    multiple=True,
    help="Read formulas from FILE, one per line. Lines that start with # are comments. FILE can "
    "also define regular expressions and automata for them. Can be repeated.",
)

output_option = click.option(
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write the results to FILE, in one step, instead of standard output.",
)

timeout_option = click.option(
    "--timeout",
    metavar="TIME",
    type=DURATION,
    help="Stop after TIME (30s, 2m, 500ms) in all, reading included. Formulas that are not decided "
    "by then are unknown. Evidence and proofs that are not finished by then are left out.",
)

timeout_each_option = click.option(
    "--timeout-each",
    metavar="TIME",
    type=DURATION,
    help="Give up on a formula after TIME, and go on with the next. The formula is then unknown. "
    "The time to list the states of a .smv file counts for the first formula.",
)

memory_option = click.option(
    "--memory",
    metavar="SIZE",
    type=SIZE,
    help="Give up on a formula when the process uses more than SIZE (4G, 500M). The formula is "
    "then unknown. The default is 80 % of the memory of the machine or control group, and none "
    "means no limit.",
)


def refuse_others(context: click.Context, option: str, takes: set[str], hint: str) -> None:
    """`UsageError` P006 for options on the command line that do not go with this one."""
    from pigro.diagnostics import UsageError

    for each in context.command.params:
        source = context.get_parameter_source(each.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and each.name not in takes:
            message = f"{option} and {each.opts[0]} don't go together"
            raise UsageError("P006", message, hint=hint)
