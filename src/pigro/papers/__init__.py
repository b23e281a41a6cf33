"""The published algorithms, each in a folder named after its paper.

Nothing else imports them. Their engines enter by the table below, as those of another package
would (`engines/table.py`), and without this folder everything else works.
"""

from pigro.engines.table import Capabilities, ModelClass

ENGINES = (
    Capabilities("eager", "pigro.papers.dubslaff2024", options=("trace", "variant")),
    Capabilities(
        "lazy",
        "pigro.papers.dubslaff2024",
        options=("heuristic", "seed", "trace", "variant"),
    ),
    Capabilities("ternary", "pigro.papers.dubslaff2024", options=("trace", "variant")),
    Capabilities("random", "pigro.papers.dubslaff2024", options=("seed", "trace", "variant")),
    Capabilities(
        "incremental", "pigro.papers.finis2012", shape=ModelClass.ONE_EXIT, options=("trace",)
    ),
    Capabilities(
        "knowledge",
        "pigro.papers.finis2012.knowledge",
        shape=ModelClass.ONE_EXIT,
        options=("trace",),
    ),
    Capabilities(
        "basic", "pigro.papers.finis2012.basic", shape=ModelClass.ONE_EXIT, options=("trace",)
    ),
)
