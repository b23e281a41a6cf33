"""File <-> model or composition, one module per format."""

from pigro.formats.files import (
    read_all,
    read_bytes,
    save,
    statable,
    write_atomically,
    write_subject,
)
from pigro.formats.registry import Format, Requirement, choose_format
from pigro.formats.source import load, read_subject

__all__ = [
    "Format",
    "Requirement",
    "choose_format",
    "load",
    "read_all",
    "read_bytes",
    "read_subject",
    "save",
    "statable",
    "write_atomically",
    "write_subject",
]
