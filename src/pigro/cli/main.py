"""The command group. Subcommands are imported when they run, so that `pigro --help` is quick."""

from __future__ import annotations

import gc
import sys
import warnings
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from pigro import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

_COMMANDS = {
    "scan": "Find faults in source code.",
    "extract": "Make a model of source code.",
    "check": "Check formulas on a model.",
    "compose": "Check formulas on parts that run together.",
    "explore": "Look into a model in the browser: ask, step, and see why.",
    "explain": "Show where each subformula is true.",
    "label": "Show where a formula holds: at every node, under all call stacks.",
    "validate-witness": "Check evidence: certificates, and the evidence in results.",
    "show": "Describe a model, or draw it.",
    "convert": "Convert a model file to another format.",
    "generate": "Make random models, formulas, modules and pushdown systems.",
    "formats": "List the file formats.",
    "batch": "Check many models and formulas, and keep the results.",
    "bench": "Measure engines on your models.",
    "completion": "Print a script that completes pigro commands in a shell.",
}
"""Each subcommand `name`, `pigro.cli.name:name` with _ for -, and its line in the help."""
_HOME = {"label": "explain"}
"""Subcommands in the file of another one."""
_OBJECTS_BETWEEN_COLLECTIONS = 1_000_000


class ReportingCommand(click.Command):
    """A command whose failures are Pigro's: their messages, and their exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. What click would turn into exit code 1 gets Pigro's."""
        try:
            with warnings.catch_warnings():
                warnings.showwarning = partial(_show_warning, warnings.showwarning)
                return super().invoke(ctx)
        except (BrokenPipeError, KeyboardInterrupt) as error:
            from pigro.cli.failures import report_failure

            return int(report_failure(error))

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs the command line and exits the process with the documented code."""
        if sys.stdout is None:
            from pigro.cli.destination import ClosedStdout

            sys.stdout = ClosedStdout()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal that can't show a character
                stream.reconfigure(errors="backslashreplace")
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except Exception as error:  # noqa: BLE001 - every failure ends with its own exit code
            from pigro.cli.failures import report_failure

            code = report_failure(error)
        sys.exit(int(code or 0))


class LazyGroup(ReportingCommand, click.Group):
    """A group that knows its subcommands by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all subcommands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported now."""
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(import_module(f"pigro.cli.{_HOME.get(name, name)}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(
        self,
        ctx: click.Context,
        formatter: click.HelpFormatter,
    ) -> None:
        """The list of subcommands in the help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _show_warning(
    otherwise: Callable[..., None], message: Warning | str, *place: Any, **more: Any
) -> None:
    """Shows warnings of Pigro as others that it prints. Those of programs as Python does."""
    if not type(message).__module__.startswith("pigro."):
        otherwise(message, *place, **more)
        return
    from pigro.cli.failures import warn

    warn(str(message))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`pigro COMMAND --help` explains a command.",
)
@click.version_option(__version__, "--version", prog_name="pigro")
def cli() -> None:
    """Pigro, a model checker for recursive programs.

    \b
    Does the property hold in every initial state of the model?
      pigro check app.rsm "AG (def -> EF use)"
    """


def main() -> None:
    """The entry point of the command `pigro`.

    A model is many objects that all stay to the end: the collector looks for garbage among them
    seldom, and not at all on the way out.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        cli.main(prog_name="pigro")
    finally:
        gc.freeze()
