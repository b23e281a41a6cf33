"""`pigro formats`: what can be read and written."""

from __future__ import annotations

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def formats() -> None:
    """List the file formats.

    A format is found by a file's content, or else by its suffix. Formats marked "properties" have
    files that state what to check. Those marked "use-def" have variables for --use-def.
    """
    from pigro.cli.destination import write_stdout
    from pigro.formats import registry
    from pigro.render.tables import table

    rows = [("name", "suffix", "reads", "writes", "has", "description")]
    for each in registry.formats():
        has = [word for word, hook in _HOOKS if each.offer(hook) is not None]
        origin = "" if each.origin == "pigro" else f" (from {each.origin})"
        rows.append(
            (
                each.name,
                " ".join(each.suffixes),
                _yes(each.offer("read")),
                _yes(each.offer("write")),
                ", ".join(has) or "-",
                each.description + origin,
            )
        )
    write_stdout(table(rows))


_HOOKS = (("properties", "requirements"), ("use-def", "use_def"))


def _yes(function: object) -> str:
    return "-" if function is None else "yes"
