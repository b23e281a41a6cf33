"""Tasks of plans, and results of stores, as text and as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict, fields

from pigro.batch.exporting import write_results, writer_for
from pigro.batch.plans import read_plan
from pigro.batch.store import Store
from pigro.batch.tasks import FAILED
from pigro.cli.destination import check_destination, write_stdout
from pigro.diagnostics import UsageError, printable

if TYPE_CHECKING:
    from pigro.batch import Result, Task


def list_tasks(plan: str) -> int:
    """Prints the tasks of a plan."""
    count = 0
    for task in filter(None, read_plan(plan)):
        count += 1
        what = "its rules" if task.scan else task.formula or "its own properties"
        write_stdout(f"{printable(task.subject)}: {printable(what)}{_options(task)}\n")
    write_stdout(f"{count:,} task{'' if count == 1 else 's'}\n")
    return 0


def _options(task: Task) -> str:
    """The options of a task that are not the default."""
    defaults = {field.name: field.default for field in fields(task)}
    given = {
        name: value
        for name, value in asdict(task).items()
        if name not in {"model", "formula", "scan"} and value != defaults[name] and value != ()
    }
    listed = ", ".join(f"{name} {value}" for name, value in given.items())
    return f"  ({printable(listed)})" if listed else ""


def check_telling(store: str | None, *, show: bool, failed: bool, export: str | None) -> None:
    """`UsageError` if results could not be printed or written, before any work is done."""
    if not (show or failed or export is not None):
        hint = "give a plan, or --store FILE with --show, --failed or --export OUT"
        raise UsageError("P006", "there is nothing to do", hint=hint)
    if store is None:
        message = "--show, --failed and --export are about the results in a store"
        raise UsageError("P006", message, hint="give --store FILE")
    if export is not None:
        writer_for(export)
        check_destination(export, [store])


def tell_results(store: str, *, show: bool, failed: bool, export: str | None) -> int:
    """Prints or writes the results of a store."""
    if not Path(store).is_file():
        raise UsageError("P012", f"there is no store {store}", hint="a batch with --store makes it")
    with Store(Path(store)) as kept:
        if show or failed:
            for result in kept.results(FAILED if failed else ()):
                write_stdout(result_line(result))
            counts = kept.counts()
            write_stdout(", ".join(f"{count:,} {word}" for word, count in counts.items()) + "\n")
        if export is not None:
            write_results(kept.results(FAILED if failed else ()), export)
    return 0


def result_line(result: Result) -> str:
    """A result for people."""
    subject, formula = printable(result.task.subject), printable(result.formula)
    reason = printable(result.reason.splitlines()[0] if result.reason else "")
    texts = [reason, *(f"warning: {printable(e, len(e))}" for e in result.warnings.splitlines())]
    lines = "".join(f"         {line}\n" for line in texts)
    return f"{result.verdict:8} {subject}: {formula}\n{lines}"
