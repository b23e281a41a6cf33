"""Settings of a project: the table `[tool.pigro]` of the nearest `pyproject.toml` that has one.

Paths in it are relative to the folder of the file. Options of the command line win over it.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from pigro.diagnostics import InputError, UsageError, did_you_mean, printable
from pigro.diagnostics.errors import Position
from pigro.rules.places import toml_error

FILE = "pyproject.toml"


class ScanSettings(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    """What a project says about its scans."""

    paths: list[str] = []
    """What to scan if the command line does not say."""
    select: list[str] = []
    ignore: list[str] = []
    exclude: list[str] = []
    """Patterns of paths to leave out, as in `.gitignore`."""
    default_excludes: bool = True
    """Whether tests and vendored code are left out too."""
    rules: list[str] = []
    """Files of rules."""
    rule: dict[str, Any] = {}
    """Rules, as in such files."""
    raises: Any = []
    never: Any = []
    """Rows of the table of calls that raise, as in such files."""
    severity: dict[str, Literal["error", "warning", "note"]] = {}
    """By rule: another severity."""
    baseline: str | None = None
    cache_dir: str | None = None


class Project(msgspec.Struct):
    """Settings, and the folder that they are about."""

    home: Path
    settings: ScanSettings
    file: str = ""
    """The file that they are from, for messages. Empty if there is none."""

    @property
    def text(self) -> str:
        """The text of that file, for messages. Empty if it can't be read any more."""
        try:
            return Path(self.file).read_text("utf-8")
        except (OSError, UnicodeError):
            return ""

    def path(self, written: str) -> str:
        """A path of the settings, as seen from the working folder."""
        absolute = self.home / written
        return _shown(absolute)


def find_project(start: Path, config: str | None = None) -> Project:
    """The settings for a folder, or those in a file. The default ones if there are none."""
    if config is not None:
        table = _table(Path(config))
        return project_of(Path(config), {} if table is None else table)
    start = start.absolute()
    for folder in (start, *start.parents):
        file = folder / FILE
        if file.is_file():
            table = _table(file)
            if table is not None:
                return project_of(file, table)
    return Project(start, ScanSettings())


def _table(file: Path) -> Any:
    """The table `[tool.pigro]`. None if there is none."""
    shown = _shown(file)
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise UsageError("P001", f'"{printable(shown)}" can\'t be read: {error}') from None
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise toml_error(error, text, shown) from None
    except RecursionError:
        message = "the file is nested too deeply"
        raise InputError("P160", message, position=Position(source=shown)) from None
    return tool.get("pigro") if isinstance(tool, dict) else None


def project_of(file: Path, table: Any) -> Project:
    """The settings in a table of a file. Error P163."""
    shown = _shown(file)
    try:
        settings = msgspec.convert(table, ScanSettings)
    except msgspec.ValidationError as error:
        where = Position(source=shown)
        message = f"[tool.pigro]: {printable(str(error), 300)}"
        raise InputError("P163", message, position=where, hint=_hint(table)) from None
    return Project(file.absolute().parent, settings, shown)


def _hint(table: Any) -> str:
    known = ScanSettings.__struct_encode_fields__
    for key in table if isinstance(table, dict) else ():
        if key not in known:
            meant = did_you_mean(key, known)
            if meant:
                return meant
    return f"known keys are: {', '.join(known)}"


def _shown(path: Path) -> str:
    """Relative to the working folder if that is shorter."""
    absolute = path.absolute()
    relative = Path(os.path.relpath(absolute))
    return min((str(relative), str(absolute)), key=len)
