"""`pigro batch`: many models and questions, answered by worker processes, with a store."""

from __future__ import annotations

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("plan", metavar="[PLAN]", required=False, type=click.Path())
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(),
    help="Keep results in FILE. Tasks that have results there are not answered again.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="Use so many worker processes. The default is one per core.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of a Dask scheduler, or local:N to start N workers here.",
)
@click.option("--dry-run", is_flag=True, help="List the tasks of PLAN, and answer none.")
@click.option("--retry", is_flag=True, help="Try tasks again that have no verdict in the store.")
@click.option("--show", is_flag=True, help="Print the results in the store, and answer nothing.")
@click.option("--failed", is_flag=True, help="Print the results without a verdict only.")
@click.option(
    "--export",
    metavar="OUT",
    type=click.Path(),
    help="Write the results in the store to OUT: .jsonl, .csv or .parquet.",
)
def batch(
    *,
    plan: str | None,
    store: str | None,
    jobs: int | None,
    cluster: str | None,
    dry_run: bool,
    retry: bool,
    show: bool,
    failed: bool,
    export: str | None,
) -> int:
    """Check many models and formulas, and keep the results.

    PLAN is a TOML file, a .jsonl file with one task per line, a folder of models, or - for lines
    of JSON from standard input. If the command is interrupted or killed, start it again: it
    answers only the tasks that have no result in the store.

    \b
    Examples:
      pigro batch plan.toml --store results.sqlite
      pigro batch models/ --store results.sqlite --jobs 4
      pigro batch --store results.sqlite --failed
      pigro batch --store results.sqlite --export results.csv

    \b
    Exit codes:
      0    all formulas hold
      1    a formula fails
      2    the plan, or the input of a task, is wrong
      3    a formula has no verdict
      4    internal error
      130  interrupted (143 by SIGTERM). Start the same command again to go on
    """
    from pigro.cli.batch.telling import check_telling, list_tasks, tell_results
    from pigro.cli.batch.watching import run_plan

    if plan is not None and dry_run:
        return list_tasks(plan)
    tells = show or failed or export is not None
    if tells or plan is None:
        check_telling(store, show=show, failed=failed, export=export)
    code = 0 if plan is None else run_plan(plan, store, jobs, cluster, retry=retry)
    if tells and store is not None:
        tell_results(store, show=show, failed=failed, export=export)
    return code
