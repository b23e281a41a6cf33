"""Bytes of a file to text and back, with the place of bytes that are not UTF-8."""

from __future__ import annotations

from pigro.diagnostics import InputError, Position, UsageError, printable


def decode(data: bytes, source: str | None) -> str:
    """The text, without a byte order mark."""
    return checked(data, source).decode()


def checked(data: bytes, source: str | None) -> bytes:
    """The bytes, without a byte order mark. They are valid UTF-8."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.isascii():
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        place = Position(
            source=source,
            line=data.count(b"\n", 0, error.start) + 1,
            column=len(data[start : error.start].decode("utf-8")) + 1,
        )
        raise InputError(
            "P102",
            f"byte 0x{data[error.start]:02x} is not valid UTF-8 here",
            position=place,
            hint="save the file as UTF-8",
        ) from None
    return data


def unencodable(error: UnicodeEncodeError) -> UsageError:
    """The error for a name with half a surrogate pair, which no file can hold."""
    return UsageError("P003", f'the name "{printable(error.object)}" can\'t be written as UTF-8')
