"""`pigro explore`: options and help. The page is served by pigro.explore."""

from __future__ import annotations

import click

from pigro.cli.options import (
    dead_ends_option,
    formula_files_option,
    from_option,
    memory_option,
    semantics_option,
    timeout_each_option,
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("model", type=click.Path())
@click.argument("formulas", metavar="[FORMULA]...", nargs=-1)
@formula_files_option
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(min=0, max=65535),
    default=0,
    help="Serve on this port. The default is a free one.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--watch", is_flag=True, help="Read MODEL again when its file changes.")
@from_option
@semantics_option
@dead_ends_option
@timeout_each_option
@memory_option
def explore(
    *,
    model: str,
    formulas: tuple[str, ...],
    files: tuple[str, ...],
    port: int,
    no_browser: bool,
    watch: bool,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    timeout_each: float | None,
    memory: float | None,
) -> int:
    """Look into a model in the browser: ask, step, and see why.

    Serves a page about MODEL to this machine only, and prints its address on one line. The page
    starts with the FORMULAs and those of FILE. MODEL can also be a Python file. Ctrl-C ends the
    command, and so does removing the file of MODEL.

    \b
    Examples:
      pigro explore app.rsm
      pigro explore app.rsm "AG (def -> EF use)" --watch
      pigro explore app.rsm -f properties.ctl --no-browser --port 8000

    \b
    Exit codes:
      0    ended by Ctrl-C, by SIGTERM, or because the file is gone
      2    the command line, the model or a formula is wrong; a package is missing
      130  interrupted while the model was read (143 by SIGTERM)
    """
    from importlib.util import find_spec
    from pathlib import Path

    from pigro.cli.destination import write_stdout
    from pigro.cli.failures import show
    from pigro.cli.progress import loading
    from pigro.diagnostics import UsageError
    from pigro.diagnostics.extras import with_extra

    missing = [each for each in ("starlette", "uvicorn") if find_spec(each) is None]
    if missing:
        raise UsageError(
            "P020",
            f"the explorer needs the package {missing[0]}",
            hint=with_extra("explore"),
        )
    from pigro.explore.serving import open_socket, serve
    from pigro.explore.subject import ExploreOptions, WatchedModel

    wanted = ExploreOptions(
        model, formulas, files, from_, semantics, dead_ends, timeout_each, memory
    )
    with open_socket(port) as opened:
        with loading() as tick:
            explored = WatchedModel(wanted, tick)

        def ready(address: str) -> None:
            write_stdout(f"{address}\n")
            if not no_browser:
                _open(address)

        why = serve(explored, opened, watch=watch, is_file=Path(model).is_file(), ready=ready)
    if why == "the file is gone":
        show(f"{why}, so the explorer ends")
    return 0


def _open(address: str) -> None:
    """Opens a browser, if there is one. Programs that it starts say nothing here."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
