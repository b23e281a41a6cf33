"""`.parts` files: parts of a system, with its formulas (docs/formats/parts.md).

As a format of the table they hold the composition of their parts. `load_parts` reads parts of them,
and models without calls in other formats, as the command line names them.
"""

from pigro.formats.parts.document import PartsDocument, read, requirements, statable, write
from pigro.formats.parts.file import PartsFile
from pigro.formats.parts.loading import load_parts, together
from pigro.formats.parts.reading import parse, read_parts
from pigro.formats.parts.writing import save_parts, write_parts

__all__ = [
    "Document",
    "PartsDocument",
    "PartsFile",
    "load_parts",
    "parse",
    "read",
    "read_parts",
    "requirements",
    "save_parts",
    "statable",
    "together",
    "write",
    "write_parts",
]

Document = PartsDocument
"""The name by which `formats/registry.py` finds the documents of a format."""
