"""`.parts` files: parts of a composed system, what to compose and what to check (docs/formats.md).

They are no models, so they stand beside the table of formats: `load_parts` reads them, and models
without calls in other formats, as parts.
"""

from pigro.formats.parts.file import PartsFile
from pigro.formats.parts.loading import load_parts, together
from pigro.formats.parts.reading import parse, read_parts
from pigro.formats.parts.writing import save_parts, write

__all__ = ["PartsFile", "load_parts", "parse", "read_parts", "save_parts", "together", "write"]
