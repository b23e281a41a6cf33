"""The work of `pigro label`: reads the input, labels all nodes, writes what was found."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from pigro.cli.destination import STDOUT, check_destination, write_output, write_stdout
from pigro.cli.failures import Exit, show, warn
from pigro.diagnostics import UsageError, printable
from pigro.engines import UnknownLabelWarning
from pigro.engines.labelling import satisfying
from pigro.limits import OVER
from pigro.render.labelling import automaton_dot, automaton_json, labels_json, labels_text
from pigro.session.explaining import read_question

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.engines.labelling import Satisfying
    from pigro.limits import Budget

    Write = Callable[[Satisfying], None]


def automaton_file(path: str, model: str) -> Write:
    """Writes the automaton to this file; `UsageError` if that can't be done."""
    check_destination(path, [model])
    lower = path.lower()
    if path in STDOUT or lower.endswith(".json"):
        return lambda found: write_output(path, automaton_json(found))
    if lower.endswith((".dot", ".gv")):
        return lambda found: write_output(path, automaton_dot(found))
    if lower.endswith(".svg"):
        from pigro.formats import svg

        svg.need_graphviz()
        return lambda found: write_output(path, svg.draw(automaton_dot(found)))
    raise UsageError(
        "P007",
        f"the name {printable(path)} does not say how to write the automaton",
        hint="use a name that ends in .json, .dot or .svg",
    )


def label_nodes(  # noqa: PLR0913 - how to read the model is said by name
    path: str,
    text: str,
    write: Write | None,
    *,
    form: str,
    from_: str | None,
    semantics: str,
    dead_ends: str | None,
    budget: Budget,
) -> int:
    """Labels and writes; the exit code. `PigroError` or `Problems` if the input is wrong."""
    model, formula, _, told = read_question(
        path, text, from_=from_, semantics=semantics, dead_ends=dead_ends, budget=budget
    )
    for each in told:
        warn(each)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        try:
            found = satisfying(model, formula, budget=budget)
        except OVER as error:
            show(f"no labels: {error}")
            return int(Exit.NO_VERDICT)
    if write is None or form == "json":
        write_stdout(labels_json(found) if form == "json" else labels_text(found))
    if write is not None:
        write(found)
    return int(Exit.HOLDS)
