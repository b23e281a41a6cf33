"""Everything that can go wrong, as a message on standard error and an exit code.

Nothing here writes to standard output, and a traceback is shown only with PIGRO_DEBUG=1.
"""

from __future__ import annotations

import contextlib
import os
import sys
from enum import IntEnum
from typing import TYPE_CHECKING

import click

from pigro.cli.stopping import Terminated
from pigro.diagnostics import (
    InputProblems,
    InternalError,
    PigroError,
    did_you_mean,
    printable,
    render_error,
)
from pigro.limits import LIMIT_ERRORS, KilledBySystem, OutOfMemory, OutOfTime, interrupt_in

if TYPE_CHECKING:
    from pigro.session.request import CheckOutcome


class ExitCode(IntEnum):
    """How a run ended."""

    HOLDS = 0
    FAILS = 1
    BAD_INPUT = 2
    NO_VERDICT = 3
    INTERNAL = 4
    INTERRUPTED = 130
    TERMINATED = 143
    """As if ended by SIGTERM, but with the verdicts that there were."""
    READER_GONE = 141
    """As if ended by SIGPIPE: the reader of standard output is gone."""


def interrupted(by: BaseException | None) -> ExitCode:
    """The code for a run that a signal ended."""
    return ExitCode.TERMINATED if isinstance(by, Terminated) else ExitCode.INTERRUPTED


def exit_of(outcome: CheckOutcome) -> ExitCode:
    """The code for finished checks.

    Interrupted outranks an error, which outranks every verdict; a failing formula outranks one
    without verdict. An error that is not Pigro's own comes from code of the user's: a heuristic.
    """
    if outcome.stopped_by is not None:
        if outcome.is_interrupted:
            return interrupted(outcome.stopped_by)
        if outcome.is_fault:
            return ExitCode.BAD_INPUT if is_users(outcome.stopped_by) else ExitCode.INTERNAL
    words = {verdict.outcome for verdict in outcome.verdicts}
    if "fails" in words:
        return ExitCode.FAILS
    return ExitCode.NO_VERDICT if "unknown" in words or not outcome.is_complete else ExitCode.HOLDS


def is_users(error: BaseException | None) -> bool:
    """Whether an error is not a fault of Pigro's."""
    return isinstance(error, (InputProblems, PigroError)) and not isinstance(error, InternalError)


_SHOWN = 20
_WIDEST = 2000
"""Longest line of a message. Only hostile input makes one longer."""


def report_failure(error: BaseException) -> ExitCode:
    """Tells the person what went wrong. Returns the exit code."""
    error = interrupt_in(error)
    if isinstance(error, (InputProblems, PigroError)) and is_users(error):
        _show_problems(error.errors if isinstance(error, InputProblems) else [error])
        return ExitCode.BAD_INPUT
    if isinstance(error, click.ClickException):
        _show_usage(error)
        return ExitCode.BAD_INPUT
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        show("interrupted")
        return interrupted(error.__cause__ if isinstance(error, click.Abort) else error)
    if isinstance(error, BrokenPipeError):
        abandon_stdout()
        return ExitCode.READER_GONE
    if isinstance(error, LIMIT_ERRORS):
        why = "not enough memory"
        if isinstance(error, (OutOfTime, OutOfMemory)):
            why = f"the {error} was reached while the input was read"
        elif isinstance(error, KilledBySystem):
            why = str(error)
        show(f"error: {why}; there is no verdict")
        return ExitCode.NO_VERDICT
    _show_internal(error)
    return ExitCode.INTERNAL


def report_over(what: str, error: BaseException) -> ExitCode:
    """Says that a limit was reached before something was done. Returns the exit code."""
    why = f"stopped at the {error}" if isinstance(error, (OutOfTime, OutOfMemory)) else str(error)
    show(f"error: {what}: {why or 'there is not enough memory'}")
    return ExitCode.NO_VERDICT


def warn(message: str) -> None:
    """A warning on standard error."""
    show(f"warning: {message}")


def show(message: str) -> None:
    """A message on standard error, with nothing in it that moves the cursor or sets colours."""
    lines = (printable(line, _WIDEST) for line in message.split("\n"))
    click.echo("\n".join(lines), err=True)


def _show_problems(errors: list[PigroError]) -> None:
    for error in errors[:_SHOWN]:
        show(render_error(error))
    more = len(errors) - _SHOWN
    if more > 0:
        show(f"and {more:,} more error{'s' if more > 1 else ''}")


def _show_usage(error: click.ClickException) -> None:
    """What click has to say, in the form of Pigro's errors."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # since click 8.2
        click.echo(error.format_message(), err=True)
        return
    message = error.format_message().rstrip(".")
    code = "[P006]" if _choice(error) is not None else ""
    show(f"error{code}: {message[:1].lower()}{message[1:]}\n  hint: {_usage_hint(error)}")


def _usage_hint(error: click.ClickException) -> str:
    """What may have been meant, or else where to read more."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    choice = _choice(error)
    meant = None
    if choice is not None:
        given = error.message.partition("'")[2].partition("'")[0]
        meant = did_you_mean(given, map(str, choice.choices))
    elif context is not None and isinstance(context.command, click.Group):
        given = str(getattr(error, "command_name", ""))
        meant = did_you_mean(given, context.command.list_commands(context))
    return meant or f"see `{context.command_path if context else 'pigro'} --help`"


def _choice(error: click.ClickException) -> click.Choice[str] | None:
    """The choices that a value is not one of, if that is the error."""
    if not isinstance(error, click.BadParameter) or isinstance(error, click.MissingParameter):
        return None
    kind = error.param.type if error.param is not None else None
    return kind if isinstance(kind, click.Choice) else None


def _show_internal(error: BaseException) -> None:
    if os.environ.get("PIGRO_DEBUG") == "1":
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    if isinstance(error, InternalError):
        show(render_error(error))
        return
    what = str(error).replace("\n", " ")
    show(f"error[P901]: internal error: {type(error).__name__}{': ' if what else ''}{what}")
    show("  hint: this is a fault of Pigro; please report it, with the command and its files")
    show("        (PIGRO_DEBUG=1 shows where it happened)")


def abandon_stdout() -> None:
    """Keeps the interpreter from writing to the closed pipe once more when it ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
