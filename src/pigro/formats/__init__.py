"""File <-> model or composition, one module per format."""

from pigro.formats.files import (
    choose_format,
    load,
    read_all,
    read_bytes,
    read_subject,
    save,
    statable,
    write_atomically,
    write_subject,
)
from pigro.formats.registry import Format, Requirement

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
