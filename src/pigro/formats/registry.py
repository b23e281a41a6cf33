"""Which formats there are, and which one a file is in.

A format is a record of the table below: its name, suffixes, a line of description, how its files
begin, and the module that reads and writes it, which is imported when a file needs it. The module
has some of these functions:

    read(data: bytes, *, source, semantics, dead_ends) -> RSM or Composition
    write(RSM or Composition) -> bytes
    statable(RSM or Composition, requirements) -> list[Requirement]
    requirements(data: bytes, *, source) -> list[Requirement]
    use_def(data: bytes, *, source) -> list[(variable, Formula)]

`statable` chooses the requirements that a file of the format can state. If there is one, `write`
takes them as a second argument. A plug-in's `statable` is not looked at.
`requirements` of Pigro's own formats also takes `model`, the one that was read.

A format whose formulas are about more than labels (variables, say) has a class `Document` instead
of `requirements`. It is made of (data, *, source) and asked in this order, so that the model can
have the labels that formulas need:

    formula(text) -> Formula
    resolved(formula) -> Formula                                     (optional)
    model(*, semantics, dead_ends) -> RSM or Composition
    requirements(model) -> list[Requirement]
    notes() -> list[str]                                             (optional)
    has_calls: bool                                                  (optional)

`notes` says what users should know about how the file is read. With `has_calls`, users are told if
a verdict may depend on what runs do after an exit (`exit_reading.py`). `resolved` takes a formula
as Pigro prints it and reads its atoms as `formula` would. A document has it if the labels of
conditions are found by its models themselves (`RSM.about`). Then the order does not matter, and all
formulas can be pasted. If its models keep it (`RSM.document`), `resolved` also takes `lenient`.

Those of Pigro that read also take `poll`, a function that they call often and that may raise to end
the work: `read`, `write`, `Document` and its `model`. Functions of plug-ins are not given it.

Others can add formats without touching Pigro, by an entry point of the group `pigro.formats`. Its
name is the format's, and it leads to a module, or any object, with those functions and

    suffixes: tuple[str, ...]
    description: str
    sniff(head: bytes) -> bool          (optional)

`head` is the beginning of a file, without byte order mark and white space. Whatever these raise is
told as an error that names the plug-in (`plug_ins.py`). Entry points are looked
up only when no built-in format fits both the content and the name of a file.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics import InputError, Position, UsageError, did_you_mean, printable
from pigro.model.kinds import SubjectKind
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.metadata import EntryPoint

    from pigro.logic import Formula

GROUP = "pigro.formats"
"""The entry points of other packages."""
_HEAD = 1 << 16
OWN = "pigro"
"""Where built-in formats come from."""


class Requirement(Record, frozen=True):
    """A property that a model file states itself."""

    text: str
    """As in the file."""
    formula: Formula
    initial: tuple[int, ...] | None = None
    """The nodes to start at, by node number. None: the model's initial nodes."""
    line: int | None = None


class Format(Record, frozen=True):
    """A file format and where to find what reads and writes it."""

    name: str
    suffixes: tuple[str, ...]
    description: str
    sniff: Callable[[bytes], bool]
    """Whether the beginning of a file looks like this format."""
    home: Callable[[], object]
    """What has the functions. For a built-in format it imports the module."""
    origin: str = OWN
    """The package that it comes from."""
    trouble: UsageError | None = None
    """Why it can't be used, if it can't."""
    holds: tuple[SubjectKind, ...] = (SubjectKind.MODEL,)
    """What files can hold: recursive state machines, or compositions of parts."""
    says_reading: bool = False
    """Whether a file can say how it is to be read. Then `read` takes None as `semantics`."""
    translations: tuple[str, ...] = ()
    """Ways to make a model of a file, if there are several. The first is the default."""
    translation: str | None = None
    """The way that was chosen, as in `pds:single`."""

    def offer(self, function: str) -> Any:
        """The function `read`, `write`, `requirements` or `use_def`. None if there is none."""
        return getattr(self.home(), function, None)

    def need(self, function: str, purpose: str) -> Any:
        """The function. `UsageError` P007 says that the format can't do what it is needed for.

        For a plug-in that could not be loaded it is P019.
        """
        found = self.offer(function)
        if found is None:
            if self.trouble is not None:
                raise self.trouble
            able = [each.name for each in formats() if each.offer(function) is not None]
            raise UsageError(
                "P007",
                f"format {self.name} can't be {purpose}",
                hint=f"formats that can: {', '.join(able)}" if able else None,
            )
        return found


def _built_in(
    name: str,
    description: str,
    module: str,
    head: bytes | None,
    *holds: SubjectKind,
    says: bool = False,
) -> Format:
    """A format whose files begin as the pattern `head` says, with the suffix of its name."""
    return Format(
        name=name,
        suffixes=(f".{name}",),
        description=description,
        sniff=lambda data: head is not None and re.match(head, data) is not None,
        home=lambda: import_module(f"pigro.formats.{module}"),
        holds=holds or (SubjectKind.MODEL,),
        says_reading=says,
    )


_PDS = rb"(?:[^\n]*\n)*?[ \t]*(?:[^\s<]++[ \t]*+<[^>\n]*+>[ \t]*+-->|ATOMS[ \t]+\S)"
"""A rule or labels, after any other lines."""
_SMV = rb"(?s)(?:--[^\n]*\n|\s)*+MODULE\b"
"""The first module, after comments."""
_PARTS = rb"(?:[ \t]*+(?:#[^\n]*+)?\r?\n)*+[ \t]*+part[ \t]"
"""The first line that says something."""
_TRANSLATIONS = ("auto", "split", "general", "single")
"""Of pushdown systems: those of `pds.PushdownTranslation`."""
_BUILT_IN = (
    _built_in(
        "rsm",
        "recursive state machine, JSON of the tool RSMCheck",
        "rsm_json",
        rb"[{\[]",
        says=True,
    ),
    _built_in(
        "json", "the same with statistics and call graph", "model_json", rb"[{\[]", says=True
    ),
    _built_in(
        "pigro",
        "recursive state machine in binary, loads fast",
        "binary",
        rb"\x89pigro\r\n",
        says=True,
    ),
    _built_in("smv", "modules in the language of NuSMV, with calls", "smv", _SMV),
    replace(
        _built_in("pds", "pushdown system, of the tool PuMoC", "pds", _PDS),
        translations=_TRANSLATIONS,
    ),
    replace(
        _built_in("pdmu", "pushdown system, of the tool PDSolver", "pdmu", rb"Rules[ \t]*:"),
        translations=_TRANSLATIONS,
    ),
    _built_in("parts", "parts of a composed system", "parts", _PARTS, SubjectKind.COMPOSITION),
    _built_in("dot", "drawing for Graphviz", "dot", None, *SubjectKind),
    _built_in("svg", "drawing for web browsers", "svg", None, *SubjectKind),
)
"""In the order in which content is looked at."""


def choose_format(data: bytes, source: str | None, name: str | None) -> Format:
    """The format called `name`, or else the one that the content and the file's name tell."""
    return format_of_content(data, source) if name is None else format_to_read(name)


def formats() -> list[Format]:
    """All formats, the built-in ones first."""
    return [*_BUILT_IN, *_plug_ins()]


def format_named(name: str) -> Format:
    """The format of that name. `UsageError` P006 for others."""
    for each in _one_by_one():
        if each.name == name:
            return each
    known = [each.name for each in formats()]
    raise UsageError(
        "P006",
        f'there is no format "{printable(name)}"',
        hint=did_you_mean(name, known) or f"formats: {', '.join(known)}",
    )


def format_to_read(name: str) -> Format:
    """The same, with a translation if wanted: `FORMAT` or `FORMAT:TRANSLATION`."""
    plain, colon, translation = name.partition(":")
    found = next((each for each in _BUILT_IN if each.name == plain and each.translations), None)
    if not colon or found is None:
        return format_named(name)
    if translation not in found.translations:
        raise UsageError(
            "P006",
            f'format {plain} has no translation "{printable(translation)}"',
            hint=f"translations: {', '.join(found.translations)}",
        )
    return replace(found, translation=translation)


def format_of_content(data: bytes, source: str | None) -> Format:
    """The format of a file to read: by its content, or else by its suffix.

    Where several formats recognise the content, the suffix decides, or else their order.
    """
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    failed: list[UsageError] = []
    found = _recognise(_BUILT_IN, head, source, failed)
    if found is not None and (source is None or _has_suffix(found, source)):
        return found
    found = _recognise(formats(), head, source, failed) or format_of_suffix(source or "")
    if found is None and failed:
        raise failed[0]
    if found is None:
        readable = [each for each in formats() if each.offer("read") is not None]
        listed = ", ".join(f"{each.name} ({' '.join(each.suffixes)})" for each in readable)
        hint = f"formats: {listed}; --from NAME says which one it is"
        if source is not None and source.endswith(".py"):
            hint = "pigro scan finds faults in Python code, and pigro extract makes a model of it"
        raise InputError(
            "P105",
            "not a model file that Pigro reads",
            position=Position(source=source),
            hint=hint,
        )
    return found


def format_of_suffix(path: str) -> Format | None:
    """The format that a file's name stands for."""
    return next((each for each in _one_by_one() if _has_suffix(each, path)), None)


def format_to_write(path: str) -> Format:
    """The format that a file's name stands for. `UsageError` P007 if none does."""
    found = format_of_suffix(path)
    if found is None:
        able = [each for each in formats() if each.offer("write") is not None]
        suffixes = ", ".join(suffix for each in able for suffix in each.suffixes)
        raise UsageError(
            "P007",
            f"can't tell the output format from the file name {printable(path)}",
            hint=f"use one of the suffixes {suffixes}, or give the format with --to NAME",
        )
    return found


def _one_by_one() -> Iterator[Format]:
    """All formats. Plug-ins are looked up only when no built-in one will do."""
    yield from _BUILT_IN
    yield from _plug_ins()


def _recognise(
    every: Iterable[Format], head: bytes, source: str | None, failed: list[UsageError]
) -> Format | None:
    """The best of the formats that recognise the content. Those that fail are left out."""
    for each in sorted(every, key=lambda each: source is None or not _has_suffix(each, source)):
        try:
            if each.sniff(head):
                return each
        except UsageError as error:
            failed.append(error)
    return None


def _has_suffix(each: Format, path: str) -> bool:
    return path.lower().endswith(each.suffixes)


def _plug_ins() -> list[Format]:
    from importlib.metadata import entry_points

    taken = {each.name for each in _BUILT_IN}
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in taken:  # the first one of a name counts
            taken.add(point.name)
            found.append(_plug_in(point))
    return found


def _plug_in(point: EntryPoint) -> Format:
    """The format behind an entry point. A broken one is there too, with its trouble."""
    from pigro.formats.plug_ins import PlugIn

    made = PlugIn(point)
    return Format(
        name=point.name,
        suffixes=made.suffixes,
        description=made.description,
        sniff=made.sniff,
        home=lambda: made.home,
        origin=made.origin,
        trouble=made.trouble,
    )
