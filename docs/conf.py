"""Sphinx: the pages are Markdown, the theme is furo, citations show the keys that the code uses."""

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
