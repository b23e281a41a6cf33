"""File <-> model, one module per format."""

from pigro.formats.files import (
    choose_format,
    load,
    read_all,
    read_bytes,
    read_model,
    save,
    write_atomically,
    write_model,
)
from pigro.formats.registry import Format, Requirement

__all__ = [
    "Format",
    "Requirement",
    "choose_format",
    "load",
    "read_all",
    "read_bytes",
    "read_model",
    "save",
    "write_atomically",
    "write_model",
]
