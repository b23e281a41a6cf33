"""Sphinx: the pages are Markdown, the theme is furo, citations show the keys that the code uses."""

import re

from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style
from pybtex.style.labels import BaseLabelStyle

project = "Pigro"
copyright = "the Pigro developers"
author = "The Pigro developers"

extensions = ["myst_parser", "sphinxcontrib.bibtex"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Pigro"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "keys"


class KeyLabels(BaseLabelStyle):
    """The citation key itself, as in the comments of the code: [Dubslaff2024]."""

    def format_labels(self, sorted_entries):  # noqa: ANN001, ANN201 - pybtex has no types
        """One label for each entry."""
        return [entry.key for entry in sorted_entries]


class Keys(Style):
    """Plain entries with keys as labels."""

    default_label_style = KeyLabels


register_plugin("pybtex.style.formatting", "keys", Keys)


_AMOUNT = re.compile(r"(?<=\d) (?=(?:[µm]?s|min|[kMG]B)\b)")


def tidy(_app, doctree):  # noqa: ANN001, ANN201 - Sphinx calls it
    """Keeps amounts in tables on one line, and drops empty lines at the end of code."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext().rstrip("\n")
        block.rawsource, block[:] = text, [nodes.Text(text)]
    for entry in doctree.findall(nodes.entry):
        for text in list(entry.findall(nodes.Text)):
            text.parent.replace(text, nodes.Text(_AMOUNT.sub("\N{NO-BREAK SPACE}", text)))


def setup(app):  # noqa: ANN001, ANN201 - Sphinx calls it
    """Connects the function above."""
    app.connect("doctree-read", tidy)
