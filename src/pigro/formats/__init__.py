"""File <-> model, one module per format."""

from pigro.formats.files import load, read_bytes, save, write_atomically

__all__ = ["load", "read_bytes", "save", "write_atomically"]
